"""ControllerRuntime: what the active controller does beside answering commands.

Hears the brokers' heartbeats, fences those that are silent for too long or whose process is gone, gives leadership back
to preferred replicas, and elects where the settings allow any replica. All of it only while this node leads the quorum;
the watch over the brokers' processes runs on every controller, so that a new leader knows at once who died with the old
one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from tidelog.controller.balancing import balance, elect_unclean
from tidelog.controller.brokers import Registration, fence_broker, register_broker
from tidelog.controller.heartbeats import HeartbeatReply, Heartbeats, heartbeat
from tidelog.controller.result import Result
from tidelog.metadata.configs import BROKER, TOPIC
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage
from tidelog.ports import Clock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.broker_heartbeat import BrokerHeartbeatRequest
from tidelog.runtime.broker_watch import BrokerWatch
from tidelog.runtime.metadata import Command, MetadataRuntime

LOG = logging.getLogger(__name__)
T = TypeVar("T")
TICK_MS_MAX = 1_000
UNCLEAN = "unclean.leader.election.enable"


class ControllerRuntime:
    def __init__(self, metadata: MetadataRuntime, clock: Clock, watch: BrokerWatch | None = None) -> None:
        self.metadata = metadata
        self.heartbeats = Heartbeats(metadata.config.broker_session_timeout_ms)
        self.watch = watch
        self._clock = clock
        self._was_active = False
        self._balance_ms = self._unclean_ms = 0
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: dict[asyncio.Task[None], None] = {}

    def start(self) -> None:
        self.metadata.subscribe(self._changed)
        self.metadata.subscribe_roles(lambda is_active, epoch: self._follow_role())
        if self.watch is not None:
            self.watch.on_dead = self._died
            self.watch.update(self.metadata.image)
        self._tick()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.watch is not None:
            self.watch.close()
        for task in list(self._tasks):
            task.cancel()

    # what brokers ask

    async def register(self, broker: Registration) -> int:
        """The epoch of the broker; refused while another process with this id is known to live."""
        self._follow_role()
        now_ms = self._clock.monotonic_ms()

        def command(image: MetadataImage, environment: object) -> Result[int]:
            known = image.cluster.brokers.get(broker.node_id)
            if (
                known is not None
                and known.incarnation_id != broker.incarnation_id
                and not known.in_controlled_shutdown
                and self.heartbeats.has_valid_session(image, broker.node_id, now_ms)
            ):
                raise KafkaError(
                    ErrorCode.DUPLICATE_BROKER_REGISTRATION,
                    f"Another broker is registered with id {broker.node_id} and lives; give this one another node.id, "
                    "or wait until the session of the other has ended.",
                )
            return register_broker(image, environment, broker)  # type: ignore[arg-type]

        epoch = await self.metadata.submit(command)
        self.heartbeats.registered(broker.node_id, epoch, self._clock.monotonic_ms())
        return epoch

    async def heartbeat(self, request: BrokerHeartbeatRequest) -> HeartbeatReply:
        self._follow_role()
        now_ms = self._clock.monotonic_ms()
        heartbeats = self.heartbeats
        return await self.metadata.submit(
            lambda image, environment: heartbeat(image, environment, heartbeats, request, now_ms)
        )

    def connected(self, broker_id: int, epoch: int) -> Callable[[], None]:
        """The connection of a heartbeat; call the result when it ends."""
        contact = self.heartbeats.contacts.get(broker_id)
        if contact is not None and contact.epoch == epoch:
            contact.connected = True

        def lost() -> None:
            current = self.heartbeats.contacts.get(broker_id)
            if current is not None and current.epoch == epoch:
                current.connected = False

        return lost

    # what time and the metadata bring

    def _changed(self, delta: MetadataDelta, image: MetadataImage) -> None:
        if self.watch is not None and delta.cluster.brokers:
            self.watch.update(image)
        self._follow_role()
        if self.metadata.is_active and _may_elect_unclean(delta):
            self._spawn(elect_unclean)

    def _follow_role(self) -> None:
        """A controller that has just taken the lead gives everybody time, except those that are known to be gone."""
        is_active = self.metadata.is_active
        if is_active == self._was_active:
            return
        self._was_active = is_active
        if not is_active:
            return
        now_ms = self._clock.monotonic_ms()
        self.heartbeats.begin(self.metadata.latest, now_ms)
        self._balance_ms = now_ms + self._balance_interval_ms()
        self._unclean_ms = now_ms + self.metadata.config.unclean_leader_election_interval_ms
        if self.watch is not None:
            for broker_id, epoch in list(self.watch.dead.items()):
                self._died(broker_id, epoch)

    def _tick(self) -> None:
        self._follow_role()
        tick_ms = TICK_MS_MAX
        if self.metadata.is_active:
            now_ms = self._clock.monotonic_ms()
            self._fence_silent(now_ms)
            self._elect(now_ms)
            expiry_ms = self.heartbeats.next_expiry_ms(self.metadata.image)
            if expiry_ms is not None:
                tick_ms = max(20, min(TICK_MS_MAX, expiry_ms - now_ms))
        self._timer = asyncio.get_running_loop().call_later(tick_ms / 1000, self._tick)

    def _fence_silent(self, now_ms: int) -> None:
        for broker_id, epoch in self.heartbeats.expired(self.metadata.latest, now_ms):
            LOG.info("broker %d was silent for %d ms: it is fenced", broker_id, self.heartbeats.session_timeout_ms)
            self._fence(broker_id, epoch)

    def _died(self, broker_id: int, epoch: int) -> None:
        self._follow_role()
        if self.metadata.is_active:
            LOG.info("broker %d is fenced: its process is gone", broker_id)
            self._fence(broker_id, epoch)

    def _fence(self, broker_id: int, epoch: int) -> None:
        self._spawn(lambda image, environment: fence_broker(image, environment, broker_id, epoch))

    def _elect(self, now_ms: int) -> None:
        config = self.metadata.config
        if config.auto_leader_rebalance_enable and now_ms >= self._balance_ms:
            self._balance_ms = now_ms + self._balance_interval_ms()
            self._spawn(balance, self._balanced)
        if now_ms >= self._unclean_ms:
            self._unclean_ms = now_ms + config.unclean_leader_election_interval_ms
            self._spawn(elect_unclean)

    def _balanced(self, some_are_left: bool) -> None:
        if some_are_left:
            self._balance_ms = 0

    def _balance_interval_ms(self) -> int:
        return self.metadata.config.leader_imbalance_check_interval_seconds * 1000

    def _spawn(self, command: Command[T], done: Callable[[T], None] | None = None) -> None:
        async def run() -> None:
            try:
                response = await self.metadata.submit(command)
                if done is not None:
                    done(response)
            except KafkaError as error:
                # The broker registered again, or the lead went elsewhere: whoever leads looks again.
                LOG.info("the controller leaves it at that: %s", error)

        task = asyncio.get_running_loop().create_task(run())
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))


def _may_elect_unclean(delta: MetadataDelta) -> bool:
    return any(kind in (TOPIC, BROKER) and UNCLEAN in changed for (kind, _), changed in delta.configs.changed.items())
