"""The listeners of one node and the sessions behind them: limits, idle connections, orderly end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tidelog.api import raft_fetch
from tidelog.api.registry import Api
from tidelog.config.endpoints import Endpoint
from tidelog.ports import Clock, Network, Server
from tidelog.runtime.forwarding import ControllerChannel
from tidelog.runtime.turn import Turn
from tidelog.server.buffers import ReceiveBuffers
from tidelog.server.limits import Admission, Limits
from tidelog.server.session import Session

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
TICK_MS = 1000
# One line about peers that are cut off in this long; the count of those in between goes with the next.
REFUSAL_LOG_MS = 10_000
API_KEYS = 1 << 7
FETCH = 1


class RequestServer:
    def __init__(
        self,
        broker: Broker,
        apis: Mapping[int, Api],
        clock: Clock,
        limits: Limits,
        unsupported_api_versions: bytes,
        controller_listeners: Collection[str] = (),
    ) -> None:
        self.broker = broker
        self.turn = Turn() if broker is None else broker.turn
        self.apis = apis
        self.limits = limits
        self._controller_listeners = controller_listeners
        self._controller_apis = {key: each for key, each in apis.items() if each.on_controller}
        if FETCH in self._controller_apis:
            # There is one log on a controller's listener, and it is fetched in a way of its own.
            self._controller_apis[FETCH] = replace(self._controller_apis[FETCH], handler=raft_fetch.HANDLER)
        self._broker_apis = {key: each for key, each in apis.items() if each.on_broker}
        # The way to the active controller; set by whoever composes the node.
        self.controller: ControllerChannel | None = None
        # The body that answers an ApiVersions request of a version we do not know.
        self.unsupported_api_versions = unsupported_api_versions
        self.buffers = ReceiveBuffers(limits.request_memory_bytes_max)
        self.admission = Admission(limits)
        self.requests = [0] * API_KEYS
        # In the order in which they came, which a simulation can repeat; so are the tasks.
        self.sessions: dict[Session, None] = {}
        self.tasks: dict[asyncio.Task[Any], None] = {}
        # Good to a second: precise enough for timeouts, and free on the path of every request.
        self.now_ms = clock.monotonic_ms()
        self.refusals = 0
        # How late the last tick came: the longest that something held the loop up, as far as a tick tells.
        self.lag_ms = 0
        self._clock = clock
        self._servers: list[Server] = []
        self._logged_ms = self.now_ms - REFUSAL_LOG_MS
        self._unlogged = 0
        self._timer: asyncio.TimerHandle | None = None
        self._is_open = False
        self._all_gone: asyncio.Event | None = None

    def apis_of(self, listener_name: str) -> Mapping[int, Api]:
        return self._controller_apis if self.is_private(listener_name) else self._broker_apis

    def is_private(self, listener_name: str) -> bool:
        return listener_name in self._controller_listeners

    async def listen(self, network: Network, endpoint: Endpoint) -> Server:
        server = await network.listen(endpoint.host, endpoint.port, lambda: Session(self, endpoint))
        self._servers.append(server)
        if self._timer is None:
            self._tick()
        return server

    def open(self) -> None:
        """The node is ready: connections that came early are read from now on."""
        self._is_open = True
        for session in list(self.sessions):
            session.take_up()

    def set_limits(self, limits: Limits) -> None:
        """Settings were changed while running; what is open stays open."""
        self.limits = self.admission.limits = limits

    # sessions

    def connected(self, session: Session) -> None:
        reason = self.admission.refusal(session.connection.peer_host)
        if reason:
            self.refused(session, reason)
            session.abort()
            return
        self.sessions[session] = None
        delay_ms = self.admission.delay_ms(self._clock.monotonic_ms())
        if not self._is_open and not self.is_private(session.connection.listener_name):
            session.hold_off()
        elif delay_ms >= 1:
            session.hold_off()
            asyncio.get_running_loop().call_later(delay_ms / 1000, session.take_up)

    def disconnected(self, session: Session) -> None:
        if session in self.sessions:
            del self.sessions[session]
            self.admission.released(session.connection.peer_host)
            if not self.sessions and self._all_gone is not None:
                self._all_gone.set()

    def refused(self, session: Session, reason: str) -> None:
        self.refusals += 1
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._logged_ms < REFUSAL_LOG_MS:
            self._unlogged += 1
            return
        connection = session.connection
        LOG.warning(
            "connection from %s:%d on listener %s is closed: %s (%d more since the last such line)",
            connection.peer_host,
            connection.peer_port,
            connection.listener_name,
            reason,
            self._unlogged,
        )
        self._logged_ms, self._unlogged = now_ms, 0

    def _tick(self) -> None:
        now_ms = self._clock.monotonic_ms()
        self.lag_ms = max(0, now_ms - self.now_ms - TICK_MS) if self._timer is not None else 0
        self.now_ms = now_ms
        for session in [each for each in self.sessions if each.is_overdue(now_ms)]:
            session.abort()
        self._timer = asyncio.get_running_loop().call_later(TICK_MS / 1000, self._tick)

    # ending

    async def close(self, grace_seconds: float = 2.0) -> None:
        """No new connections; those there are get a moment to take their answers."""
        for server in self._servers:
            await server.close()
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self.tasks):
            task.cancel()
        self._all_gone = asyncio.Event()
        for session in list(self.sessions):
            session.close()
        if self.sessions:
            try:
                await asyncio.wait_for(self._all_gone.wait(), grace_seconds)
            except TimeoutError:
                for session in list(self.sessions):
                    session.abort()
                await asyncio.sleep(0)
