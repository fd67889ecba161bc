"""A client without an event loop, for code that has a thread to itself: Spark's workers and columnar reads.

One connection is one socket, requests go out and answers come in as the caller says. `BlockingCluster` adds what the
event-loop client's `Cluster` has: metadata, leaders, coordinators and repeated tries.
"""

from __future__ import annotations

import os
import random
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from tidelog.client.cluster import is_retriable, raise_for
from tidelog.client.connection import SOFTWARE_NAME, SOFTWARE_VERSION
from tidelog.client.errors import (
    ClientError,
    ConnectionClosed,
    RequestTimeout,
    UnknownTopic,
    Unreachable,
    UnsupportedApi,
)
from tidelog.client.metadata import ClusterView, TopicView
from tidelog.client.sasl import Credentials, NotAccepted, conversation
from tidelog.client.settings import COMMON, ClientSettings, bootstrap_addresses
from tidelog.client.tls import tls_context
from tidelog.client.wire import Message, api_name, decode_answer, encode_request, response_class
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.frames import FRAME_BYTES_MAX
from tidelog.protocol.messages.api_versions import ApiVersionsRequest
from tidelog.protocol.messages.find_coordinator import FindCoordinatorRequest
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataRequestTopic
from tidelog.protocol.messages.sasl_authenticate import SaslAuthenticateRequest
from tidelog.protocol.messages.sasl_handshake import SaslHandshakeRequest

T = TypeVar("T")
GROUP, TRANSACTION = 0, 1
_UNKNOWN_TOPIC_TRIES = 3


class BlockingConnection:
    """One socket to one broker. Answers come in the order of the requests."""

    def __init__(self, host: str, port: int, settings: ClientSettings) -> None:
        self.host = host
        self.port = port
        self._settings = settings
        self._socket = self._connect()
        self._pending: list[tuple[int, type[Message], int]] = []
        self._next_id = 0
        self._buffer = bytearray()
        self.features: dict[str, int] = {}
        self.ranges: dict[int, tuple[int, int]] = {}
        self._negotiate()
        if settings["security.protocol"].startswith("sasl"):
            self._authenticate()

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def _connect(self) -> socket.socket:
        limit_s = self._settings.seconds("socket.connection.setup.timeout.ms")
        try:
            plain = socket.create_connection((self.host, self.port), limit_s)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            tls = tls_context(self._settings)
            return plain if tls is None else tls.wrap_socket(plain, server_hostname=self.host)
        except TimeoutError:
            raise Unreachable(f"{self.address} did not answer within {limit_s:g} s; is that a Kafka port?") from None
        except ssl.SSLError as error:
            reason = getattr(error, "verify_message", "") or error.reason or str(error)
            raise NotAccepted(
                f"{self.address} and this client do not agree on TLS ({reason}); check security.protocol, "
                "ssl.truststore.location and the name in the broker's certificate"
            ) from None
        except OSError as error:
            known = error.errno is not None and error.errno > 0
            reason = (os.strerror(error.errno or 0) if known else error.strerror or str(error)).lower()
            raise Unreachable(
                f"{self.address} cannot be reached ({reason}); start the broker or check the address"
            ) from None

    def _negotiate(self) -> None:
        request = ApiVersionsRequest(client_software_name=SOFTWARE_NAME, client_software_version=SOFTWARE_VERSION)
        answer = self.request(request, version=ApiVersionsRequest.VERSIONS[1])
        if answer.error_code == ErrorCode.UNSUPPORTED_VERSION:
            theirs = {key.api_key: key.max_version for key in answer.api_keys}
            version = min(theirs.get(ApiVersionsRequest.API_KEY, 0), ApiVersionsRequest.VERSIONS[1])
            answer = self.request(request, version=version)
        if answer.error_code:
            raise Unreachable(f"{self.address} refused the connection: {ErrorCode.of(answer.error_code).message}")
        self.ranges = {key.api_key: (key.min_version, key.max_version) for key in answer.api_keys}
        self.features = {each.name: each.max_version_level for each in answer.finalized_features}

    def _authenticate(self) -> None:
        who = Credentials.read(self._settings)
        answer = self.request(SaslHandshakeRequest(mechanism=who.mechanism))
        if answer.error_code:
            offered = ", ".join(answer.mechanisms) or "none"
            raise NotAccepted(f"{self.address} does not take {who.mechanism}; set sasl.mechanism to one of: {offered}")
        talk = conversation(who)
        words = next(talk)
        with suppress(StopIteration):
            while True:
                answer = self.request(SaslAuthenticateRequest(auth_bytes=words))
                if answer.error_code:
                    raise NotAccepted(
                        f"{self.address} does not accept the user '{who.username}' ({answer.error_message}); check the "
                        "user and the password"
                    )
                words = talk.send(bytes(answer.auth_bytes))

    def version_for(self, message: Message | type[Message], newest: int | None = None) -> int:
        """The newest version both sides speak, and no newer than `newest`."""
        low, high = self.ranges.get(message.API_KEY, (0, -1))
        version = min(high, message.VERSIONS[1], *(() if newest is None else (newest,)))
        if version < max(low, message.VERSIONS[0]):
            raise UnsupportedApi(
                f"The broker at {self.address} does not serve {api_name(message)} in a version that this client speaks"
            )
        return version

    def request(self, message: Message, timeout_s: float | None = None, version: int | None = None) -> Any:
        assert not self._pending, "answers are due on this connection; use one of another purpose"
        self.send(message, version, timeout_s)
        return self.receive()

    def send(self, message: Message, version: int | None = None, timeout_s: float | None = None) -> None:
        if version is None:
            version = self.version_for(message)
        self._next_id = (self._next_id + 1) & 0x7FFFFFFF
        self._socket.settimeout(timeout_s or self._settings.seconds("request.timeout.ms"))
        parts = encode_request(message, version, self._next_id, self._settings["client.id"])
        try:
            for part in parts:
                self._socket.sendall(part)
        except OSError as error:
            raise self._lost(error, api_name(message)) from None
        self._pending.append((self._next_id, response_class(type(message)), version))

    def receive(self, *, reuse: bool = False) -> Any:
        """The next answer. With `reuse` its records lie in memory that the next such call overwrites."""
        correlation_id, answer, version = self._pending.pop(0)
        name = api_name(answer)
        head = self._read(bytearray(4), 4, name)
        size = int.from_bytes(head, "big", signed=True)
        if not 4 <= size <= FRAME_BYTES_MAX:
            self.close()
            raise ConnectionClosed(f"{self.address} sent a frame of {size} bytes; is that a Kafka port?")
        if not reuse:
            frame = bytearray(size)
        else:
            if len(self._buffer) < size:
                self._buffer = bytearray(size + size // 4)
            frame = self._buffer
        found, decoded = decode_answer(self._read(frame, size, name), answer, version)  # type: ignore[arg-type]
        if found != correlation_id:
            self.close()
            raise ConnectionClosed(f"{self.address} answered {found} where {correlation_id} was due")
        return decoded

    def _read(self, room: bytearray, size: int, name: str) -> memoryview:
        view = memoryview(room)[:size]
        filled = 0
        try:
            while filled < size:
                got = self._socket.recv_into(view[filled:])
                if got == 0:
                    raise ConnectionResetError
                filled += got
        except OSError as error:
            raise self._lost(error, name) from None
        return view

    def _lost(self, error: OSError, name: str) -> ClientError:
        self.close()
        if isinstance(error, TimeoutError):
            return RequestTimeout(f"{self.address} did not answer {name} in time")
        return ConnectionClosed(f"The broker at {self.address} closed the connection")

    @property
    def is_open(self) -> bool:
        return self._socket.fileno() >= 0

    @property
    def in_flight(self) -> int:
        return len(self._pending)

    def close(self) -> None:
        self._socket.close()
        self._pending.clear()


class BlockingCluster:
    def __init__(self, settings: ClientSettings | Mapping[str, Any]) -> None:
        if not isinstance(settings, ClientSettings):
            settings = ClientSettings.read(COMMON, settings)
        self.settings = settings
        self.view = ClusterView.empty()
        self._seeds = bootstrap_addresses(settings["bootstrap.servers"])
        self._open: dict[tuple[int, str], BlockingConnection] = {}
        self._seed: BlockingConnection | None = None
        self._coordinators: dict[tuple[int, str], int] = {}

    def __enter__(self) -> BlockingCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for connection in [*self._open.values(), *([self._seed] if self._seed else [])]:
            connection.close()
        self._open.clear()
        self._seed = None

    # Connections.

    def any_broker(self) -> BlockingConnection:
        if self._seed is not None and self._seed.is_open:
            return self._seed
        reasons = []
        for host, port in self._seeds:
            try:
                self._seed = BlockingConnection(host, port, self.settings)
                return self._seed
            except (Unreachable, ConnectionClosed) as error:
                reasons.append(str(error))
        raise Unreachable("; ".join(reasons))

    def broker(self, node_id: int, purpose: str = "") -> BlockingConnection:
        """The connection to a broker; one more for each purpose, so that no answer stands before another's."""
        connection = self._open.get((node_id, purpose))
        if connection is not None and connection.is_open:
            return connection
        if node_id not in self.view.brokers:
            self.refresh([])
        found = self.view.brokers.get(node_id)
        if found is None:
            raise KafkaError(ErrorCode.BROKER_NOT_AVAILABLE, f"Broker {node_id} is not in the cluster")
        connection = self._open[(node_id, purpose)] = BlockingConnection(found.host, found.port, self.settings)
        return connection

    def leader(self, topic: str, partition: int) -> BlockingConnection:
        """The connection to a partition's leader; raises a retriable error while there is none."""
        found = self.topic(topic)
        if not 0 <= partition < len(found.partitions):
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Topic '{topic}' has no partition {partition}")
        node_id = found.partitions[partition].leader_id
        if node_id < 0:
            self.forget(topic)
            raise KafkaError(ErrorCode.LEADER_NOT_AVAILABLE, f"{topic}-{partition} has no leader at the moment")
        return self.broker(node_id)

    def coordinator(self, kind: int, key: str) -> BlockingConnection:
        """The broker that coordinates a group (kind 0) or a transactional id (kind 1)."""
        known = self._coordinators.get((kind, key))
        if known is not None:
            return self.broker(known, "coordinator")
        connection = self.any_broker()
        version = connection.version_for(FindCoordinatorRequest)
        request = (
            FindCoordinatorRequest(key_type=kind, coordinator_keys=[key])
            if version >= 4
            else FindCoordinatorRequest(key_type=kind, key=key)
        )
        answer = connection.request(request)
        found = answer.coordinators[0] if version >= 4 else answer
        raise_for(found.error_code, found.error_message)
        if found.node_id not in self.view.brokers:
            self.refresh([])
        self._coordinators[(kind, key)] = found.node_id
        return self.broker(found.node_id, "coordinator")

    # Metadata.

    def refresh(self, topics: Iterable[str] | None) -> ClusterView:
        """Asks for the metadata of `topics` (None: of all) and merges it into the view."""
        names = None if topics is None else list(topics)
        wanted = None if names is None else [MetadataRequestTopic(name=name) for name in names]
        connection = self.any_broker()
        answer = connection.request(MetadataRequest(topics=wanted, allow_auto_topic_creation=False))
        self.view = self.view.merged(answer, replace_topics=names is None)
        if self.view.is_ahead_of(answer):  # another one may know more
            connection.close()
            self._seeds = self._seeds[1:] + self._seeds[:1]
        return self.view

    def forget(self, topic: str) -> None:
        self.view = self.view.without(topic)

    def topic(self, name: str) -> TopicView:
        """The topic's partitions and leaders; fetched unless known."""
        known = self.view.topics.get(name)
        if known is not None and not known.error:
            return known
        tries = 0

        def attempt() -> TopicView:
            nonlocal tries
            tries += 1
            found = self.refresh([name]).topics[name]
            if found.error == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION and tries >= _UNKNOWN_TOPIC_TRIES:
                raise UnknownTopic(f"There is no topic '{name}'; create it first, or check its name")
            raise_for(found.error, f"Topic '{name}': {ErrorCode.of(found.error).message}")
            return found

        return self.retrying(attempt)

    # Requests.

    def ask_coordinator(self, kind: int, key: str, work: Callable[[BlockingConnection], T]) -> T:
        """Runs `work` with the coordinator, and again with the new one when it has moved."""

        def attempt() -> T:
            try:
                return work(self.coordinator(kind, key))
            except (ClientError, KafkaError) as error:
                if is_retriable(error):
                    self._coordinators.pop((kind, key), None)
                raise

        return self.retrying(attempt)

    def retrying(self, attempt: Callable[[], T]) -> T:
        """Runs `attempt` until it succeeds, fails for good, or `default.api.timeout.ms` is over."""
        deadline = time.monotonic() + self.settings.seconds("default.api.timeout.ms")
        pause = self.settings.seconds("retry.backoff.ms")
        tries = 0
        while True:
            try:
                return attempt()
            except (ClientError, KafkaError) as error:
                tries += 1
                never_reached = isinstance(error, Unreachable) and not self.view.brokers and tries >= 3
                if time.monotonic() + pause > deadline or not is_retriable(error) or never_reached:
                    raise
            time.sleep(pause * random.uniform(0.8, 1.2))
            pause = min(pause * 2, self.settings.seconds("retry.backoff.max.ms"))
