"""The cluster as a client sees it: who the brokers are, who leads what, and one connection to each.

Requests are routed (`any_broker`, `controller`, `leader`, `coordinator`) and repeated while the answer says that
another try can help, with growing pauses, until `default.api.timeout.ms` is over.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar

from tidelog.client.connection import Connection
from tidelog.client.errors import (
    ClientError,
    ConnectionClosed,
    RequestTimeout,
    SettingError,
    UnknownTopic,
    Unreachable,
)
from tidelog.client.metadata import BrokerView, ClusterView, TopicView
from tidelog.client.settings import COMMON, ClientSettings, bootstrap_addresses
from tidelog.client.tls import tls_context
from tidelog.client.wire import Message
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataRequestTopic

T = TypeVar("T")

_UNKNOWN_TOPIC_TRIES = 3
"""A topic made a moment ago may not have reached every broker; one that nobody made should not be waited for."""
CONTROLLERS = 2  # the kind of endpoints that DescribeCluster is asked for
_LOST = (ConnectionClosed, RequestTimeout, Unreachable)


def is_retriable(error: BaseException) -> bool:
    """Whether trying again can help."""
    return isinstance(error, _LOST) or (isinstance(error, KafkaError) and error.code.retriable)


class Cluster:
    def __init__(self, settings: ClientSettings | Mapping[str, Any]) -> None:
        if not isinstance(settings, ClientSettings):
            settings = ClientSettings.read(COMMON, settings)
        self.settings = settings
        self.view = ClusterView.empty()
        # With `bootstrap.controllers` the nodes are the controllers, and requests go to the active one.
        self.of_controllers = bool(settings["bootstrap.controllers"])
        self._seeds = bootstrap_addresses(settings["bootstrap.controllers"] or settings["bootstrap.servers"])
        self._open: dict[int, Connection] = {}
        self._opening: dict[int, asyncio.Task[Connection]] = {}
        self._seed: Connection | None = None
        self._behind: Connection | None = None
        """Whoever told of leaders that were replaced, and would do so again."""
        if settings["security.protocol"].startswith("sasl"):
            raise SettingError("security.protocol=SASL is not spoken by this client yet; use PLAINTEXT or SSL")
        self._tls = tls_context(settings)

    async def __aenter__(self) -> Cluster:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        for task in self._opening.values():
            task.cancel()
        for connection in [*self._open.values(), *([self._seed] if self._seed else [])]:
            connection.close()
        await asyncio.sleep(0)

    # Connections.

    async def seed(self) -> Connection:
        """A connection to the first bootstrap address that answers."""
        if self._seed is not None and self._seed.is_open:
            return self._seed
        reasons = []
        for host, port in self._seeds:
            try:
                self._seed = await self._connect(host, port)
                return self._seed
            except Unreachable as error:
                reasons.append(str(error))
        raise Unreachable("; ".join(reasons))

    async def any_broker(self) -> Connection:
        """An open connection to any broker, else a new one; of controllers, to the active one."""
        if self.of_controllers:
            return await self.controller()
        alive = [each for each in self._open.values() if each.is_open and each is not self._behind]
        if alive:
            return min(alive, key=lambda connection: connection.in_flight)
        if self._behind is not None:
            behind, self._behind = self._behind.node_id, None
            others = [node_id for node_id in self.view.brokers if node_id != behind]
            if others:
                return await self.broker(random.choice(others))
        return await self.seed()

    async def broker(self, node_id: int) -> Connection:
        """The connection to a broker by its id, opened when needed; calls that overlap share one attempt."""
        connection = self._open.get(node_id)
        if connection is not None and connection.is_open:
            return connection
        task = self._opening.get(node_id)
        if task is None:
            task = asyncio.ensure_future(self._open_broker(node_id))
            self._opening[node_id] = task
            task.add_done_callback(lambda _: self._opening.pop(node_id, None))
        return await asyncio.shield(task)

    def open_broker(self, node_id: int) -> Connection | None:
        """The connection to a broker if it is open now."""
        connection = self._open.get(node_id)
        return connection if connection is not None and connection.is_open else None

    async def controller(self) -> Connection:
        """The broker that controller requests go to."""
        await self.refresh([])
        if self.view.controller_id not in self.view.brokers:
            raise KafkaError(ErrorCode.NOT_CONTROLLER, "The cluster has no active controller at the moment")
        return await self.broker(self.view.controller_id)

    async def coordinator(self, kind: int, key: str) -> Connection:
        """The broker that coordinates a group (kind 0) or a transactional id (kind 1)."""
        from tidelog.protocol.messages.find_coordinator import FindCoordinatorRequest

        connection = await self.any_broker()
        version = connection.version_for(FindCoordinatorRequest)
        request = (
            FindCoordinatorRequest(key_type=kind, coordinator_keys=[key])
            if version >= 4
            else FindCoordinatorRequest(key_type=kind, key=key)
        )
        answer = await connection.request(request, self.settings.seconds("request.timeout.ms"))
        found = answer.coordinators[0] if version >= 4 else answer
        raise_for(found.error_code, found.error_message)
        if found.node_id not in self.view.brokers:
            await self.refresh([])
        return await self.broker(found.node_id)

    async def _open_broker(self, node_id: int) -> Connection:
        if node_id not in self.view.brokers:
            await self.refresh([])
        broker = self.view.brokers.get(node_id)
        if broker is None:
            raise KafkaError(ErrorCode.BROKER_NOT_AVAILABLE, f"Broker {node_id} is not in the cluster")
        connection = await self._connect(broker.host, broker.port)
        connection.node_id = node_id
        self._open[node_id] = connection
        return connection

    async def _connect(self, host: str, port: int) -> Connection:
        return await Connection.open(
            host,
            port,
            client_id=self.settings["client.id"],
            timeout_s=self.settings.seconds("socket.connection.setup.timeout.ms"),
            tls=self._tls,
        )

    # Metadata.

    async def refresh(self, topics: Iterable[str] | None, *, create: bool = False) -> ClusterView:
        """Asks for the metadata of `topics` (None: of all) and merges it into the view."""
        if self.of_controllers:
            return await self._find_controllers()
        names = None if topics is None else list(topics)
        request = MetadataRequest(
            topics=None if names is None else [MetadataRequestTopic(name=name) for name in names],
            allow_auto_topic_creation=create,
        )

        async def attempt() -> tuple[Connection, Any]:
            connection = await self.any_broker()
            return connection, await connection.request(request, self.settings.seconds("request.timeout.ms"))

        teller, answer = await self.retrying(attempt)
        self.view = self.view.merged(answer, replace_topics=names is None)
        self._behind = teller if self.view.is_ahead_of(answer) else None
        return self.view

    async def _find_controllers(self) -> ClusterView:
        from tidelog.protocol.messages.describe_cluster import DescribeClusterRequest

        request = DescribeClusterRequest(endpoint_type=CONTROLLERS)
        answer = await (await self.seed()).request(request, self.settings.seconds("request.timeout.ms"))
        raise_for(answer.error_code, answer.error_message)
        nodes = {each.broker_id: BrokerView(each.broker_id, each.host, each.port, each.rack) for each in answer.brokers}
        self.view = ClusterView(answer.cluster_id, answer.controller_id, nodes, {}, {}, {})
        return self.view

    async def topic(self, name: str, *, create: bool = False) -> TopicView:
        """The topic's partitions and leaders; fetched unless known."""
        known = self.view.topics.get(name)
        if known is not None and not known.error:
            return known

        tries = 0

        async def attempt() -> TopicView:
            nonlocal tries
            tries += 1
            found = (await self.refresh([name], create=create)).topics[name]
            if found.error == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION and not create and tries >= _UNKNOWN_TOPIC_TRIES:
                raise UnknownTopic(f"There is no topic '{name}'; create it first, or check its name")
            raise_for(found.error, f"Topic '{name}': {ErrorCode.of(found.error).message}")
            return found

        return await self.retrying(attempt)

    # Requests.

    async def ask_any(self, message: Message) -> Any:
        """Any broker's answer, trying again where the connection fails."""

        async def attempt() -> Any:
            connection = await self.any_broker()
            return await connection.request(message, self.settings.seconds("request.timeout.ms"))

        return await self.retrying(attempt)

    async def ask(self, node_id: int, message: Message) -> Any:
        connection = await self.broker(node_id)
        return await connection.request(message, self.settings.seconds("request.timeout.ms"))

    async def ask_controller(self, message: Message, check: Callable[[Any], int] | None = None) -> Any:
        """The controller's answer; `check` gives an error code of the answer that may be worth another try."""

        async def attempt() -> Any:
            connection = await self.controller()
            answer = await connection.request(message, self.settings.seconds("request.timeout.ms"))
            code = ErrorCode.of(check(answer)) if check else ErrorCode.NONE
            if code == ErrorCode.NOT_CONTROLLER:
                raise KafkaError(code)
            return answer

        return await self.retrying(attempt)

    async def retrying(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Runs `attempt` until it succeeds, fails for good, or `default.api.timeout.ms` is over."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.settings.seconds("default.api.timeout.ms")
        pause = self.settings.seconds("retry.backoff.ms")
        tries = 0
        while True:
            try:
                return await attempt()
            except (ClientError, KafkaError) as error:
                tries += 1
                out_of_time = loop.time() + pause > deadline or tries > self.settings["retries"]
                if out_of_time or not is_retriable(error) or self._never_reached(error, tries):
                    raise
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))
            pause = min(pause * 2, self.settings.seconds("retry.backoff.max.ms"))

    def _never_reached(self, error: Exception, tries: int) -> bool:
        """A wrong address should be told at once rather than after a minute; a restart deserves a few tries."""
        return isinstance(error, Unreachable) and not self.view.brokers and tries >= 3


def raise_for(code: int, message: str | None = None) -> None:
    """Turns an error code of an answer into the exception for it."""
    if code:
        found = ErrorCode.of(code)
        raise KafkaError(found, message or found.message)
