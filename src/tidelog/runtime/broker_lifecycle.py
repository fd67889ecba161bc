"""The life of a broker as its controller sees it: it registers, is unfenced, sends heartbeats, and asks to stop.

States follow each other: NOT_RUNNING, STARTING (registered and fenced), RUNNING (unfenced), PENDING_CONTROLLED_SHUTDOWN
(others take over its leaderships), SHUTTING_DOWN. Everything goes through the channel to the active controller, which
may be this very node. A broker whose epoch is refused is not registered any more: it registers again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from tidelog.config.endpoints import Endpoint
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage
from tidelog.ports import Clock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.broker_heartbeat import BrokerHeartbeatRequest, BrokerHeartbeatResponse
from tidelog.protocol.messages.broker_registration import BrokerRegistrationRequest, Feature, Listener
from tidelog.runtime.forwarding import ControllerChannel
from tidelog.runtime.metadata import MetadataRuntime

LOG = logging.getLogger(__name__)
RETRY_MS = 50
# How soon the next heartbeat follows while a change of state is waited for.
HASTY_MS = 50
SHUTDOWN_MS_MAX = 10_000
NO_CONTROLLER_MS = 1_000


class BrokerState(Enum):
    NOT_RUNNING = 0
    STARTING = 1
    RUNNING = 3
    PENDING_CONTROLLED_SHUTDOWN = 6
    SHUTTING_DOWN = 7


class Identity(NamedTuple):
    """What a broker says of itself when it registers."""

    incarnation_id: bytes
    endpoints: Sequence[Endpoint]
    directories: Sequence[bytes]
    previous_epoch: int
    features: Mapping[str, tuple[int, int]]


class BrokerLifecycle:
    def __init__(self, metadata: MetadataRuntime, channel: ControllerChannel, clock: Clock) -> None:
        self.state = BrokerState.NOT_RUNNING
        self.broker_epoch = -1
        # Directories that failed while running; told with every heartbeat.
        self.offline_directories: Callable[[], Sequence[bytes]] = tuple
        self._metadata = metadata
        self._channel = channel
        self._clock = clock
        self._identity: Identity | None = None
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._moved = asyncio.Event()
        self._ready = False
        metadata.subscribe(self._changed)

    async def register(self, identity: Identity) -> int:
        """Until a controller takes it; the broker is fenced and may load what it hosts."""
        self._identity = identity
        self.state = BrokerState.STARTING
        config = self._metadata.config
        request = BrokerRegistrationRequest(
            broker_id=config.node_id,
            cluster_id=self._metadata.cluster_id,
            incarnation_id=identity.incarnation_id,
            listeners=[
                Listener(
                    name=each.listener_name,
                    host=each.host,
                    port=each.port,
                    security_protocol=each.security_protocol_id,
                )
                for each in identity.endpoints
            ],
            features=[
                Feature(name=name, min_supported_version=low, max_supported_version=high)
                for name, (low, high) in sorted(identity.features.items())
            ],
            rack=config.broker_rack,
            log_dirs=list(identity.directories),
            previous_broker_epoch=identity.previous_epoch,
        )
        self.broker_epoch = await self._registered(request)
        LOG.info("this broker is registered with epoch %d", self.broker_epoch)
        return self.broker_epoch

    async def unfence(self) -> None:
        """The broker has loaded what it hosts: heartbeats begin, and this returns when the controller lets it serve."""
        self._ready = True
        self._task = asyncio.get_running_loop().create_task(self._beat())
        while self.state is not BrokerState.RUNNING:
            self._moved.clear()
            await self._moved.wait()

    async def shut_down(self, timeout_ms: int = SHUTDOWN_MS_MAX) -> None:
        """Asks to stop and waits until others lead what they can; not longer than `timeout_ms`."""
        if self._task is None:
            return
        if self.state is BrokerState.RUNNING and self._metadata.config.controlled_shutdown_enable:
            self.state = BrokerState.PENDING_CONTROLLED_SHUTDOWN
            self._wake.set()
            if not await self._granted(timeout_ms):
                LOG.warning("no controller took over what this broker leads in time: it stops anyway")
        self.state = BrokerState.SHUTTING_DOWN
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _granted(self, timeout_ms: int) -> bool:
        """Whether the controller lets the broker stop; without a controller it is not waited for long."""
        now_ms = self._clock.monotonic_ms()
        deadline_ms, hope_ms = now_ms + timeout_ms, now_ms + NO_CONTROLLER_MS
        while self.state is not BrokerState.SHUTTING_DOWN:
            now_ms = self._clock.monotonic_ms()
            if self._metadata.is_active or self._metadata.leader() is not None:
                hope_ms = now_ms + NO_CONTROLLER_MS
            if now_ms >= min(deadline_ms, hope_ms):
                return False
            self._moved.clear()
            try:
                async with asyncio.timeout(HASTY_MS / 1000):
                    await self._moved.wait()
            except TimeoutError:
                continue
        return True

    def hurry(self) -> None:
        """Something is to be told at once, such as a directory that failed."""
        self._wake.set()

    # registration

    async def _registered(self, request: BrokerRegistrationRequest) -> int:
        told = ""
        while True:
            try:
                answer = await self._channel.request(request, self._timeout_ms())
                code = ErrorCode.of(answer.error_code)
                if code is ErrorCode.NONE:
                    return int(answer.broker_epoch)
                reason = f"the controller refuses the registration of this broker for now: {code.message}"
            except (KafkaError, OSError) as error:
                reason = f"this broker cannot register yet: {error}"
            if reason != told:  # once, not with every attempt
                LOG.warning("%s", reason)
                told = reason
            await asyncio.sleep(RETRY_MS / 1000)

    def _timeout_ms(self) -> int:
        return self._metadata.config.broker_session_timeout_ms

    # heartbeats

    async def _beat(self) -> None:
        while True:
            self._wake.clear()  # what happens from here on is news
            try:
                answer = await self._channel.request(self._heartbeat(), self._timeout_ms())
                await self._answered(answer)
            except (KafkaError, OSError) as error:
                LOG.info("no controller hears the heartbeat of this broker: %s", error)
            if self.state is BrokerState.SHUTTING_DOWN:
                return
            is_settled = self.state is BrokerState.RUNNING
            interval_ms = self._metadata.config.broker_heartbeat_interval_ms if is_settled else HASTY_MS
            await self._pause(interval_ms)

    async def _pause(self, interval_ms: int) -> None:
        try:
            async with asyncio.timeout(interval_ms / 1000):
                await self._wake.wait()
        except TimeoutError:
            pass

    def _heartbeat(self) -> BrokerHeartbeatRequest:
        return BrokerHeartbeatRequest(
            broker_id=self._metadata.config.node_id,
            broker_epoch=self.broker_epoch,
            current_metadata_offset=self._metadata.image.provenance.offset,
            want_fence=not self._ready,
            want_shut_down=self.state is BrokerState.PENDING_CONTROLLED_SHUTDOWN,
            offline_log_dirs=list(self.offline_directories()),
        )

    async def _answered(self, answer: BrokerHeartbeatResponse) -> None:
        code = ErrorCode.of(answer.error_code)
        if code in (ErrorCode.STALE_BROKER_EPOCH, ErrorCode.BROKER_ID_NOT_REGISTERED):
            if self.state is not BrokerState.PENDING_CONTROLLED_SHUTDOWN:
                LOG.warning(
                    "the controller does not know this broker's epoch %d: it registers again", self.broker_epoch
                )
                assert self._identity is not None
                await self.register(self._identity)
        elif code is not ErrorCode.NONE:
            LOG.info("the controller refuses the heartbeat of this broker: %s", code.message)
        elif self.state is BrokerState.PENDING_CONTROLLED_SHUTDOWN:
            if answer.should_shut_down:
                self.state = BrokerState.SHUTTING_DOWN
        else:
            self._now(BrokerState.STARTING if answer.is_fenced else BrokerState.RUNNING)
        self._moved.set()

    def _now(self, state: BrokerState) -> None:
        if state is not self.state:
            LOG.info("this broker is %s", "fenced" if state is BrokerState.STARTING else "unfenced")
        self.state = state

    def _changed(self, delta: MetadataDelta, image: MetadataImage) -> None:
        """A broker that waits to be unfenced tells at once that it has caught up; one that leaves, that others lead."""
        if self.state in (BrokerState.STARTING, BrokerState.PENDING_CONTROLLED_SHUTDOWN):
            self._wake.set()
