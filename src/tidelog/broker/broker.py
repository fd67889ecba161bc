"""The broker of one node: hosts the partitions that the metadata gives it, and holds what all requests share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Set
from typing import TYPE_CHECKING, Any, Protocol

from tidelog.broker.coordinators import Coordinators
from tidelog.broker.counters import BrokerCounters
from tidelog.broker.directory_assignments import DirectoryAssignments
from tidelog.broker.fetch_sessions import FetchSessions
from tidelog.broker.isr_changes import IsrChanges
from tidelog.broker.partition import Partition
from tidelog.broker.partitions import Partitions
from tidelog.broker.producer_ids import ProducerIds
from tidelog.broker.replica_fetchers import ReplicaFetchers
from tidelog.broker.replica_moves import ReplicaMoves
from tidelog.broker.throttles import Throttles
from tidelog.broker.timers import Timers
from tidelog.broker.transactions import Transactions
from tidelog.config.broker_config import BrokerConfig
from tidelog.config.effective import TopicDefaults
from tidelog.log.config import LogConfig
from tidelog.log.directory import LogDirectory
from tidelog.log.errors import FULL
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.metadata.configs import BROKER, TOPIC
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import Partition as PartitionImage
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Blocking, Clock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.runtime.controller import ControllerRuntime
from tidelog.runtime.metadata import MetadataRuntime
from tidelog.runtime.peers import Peer, Peers
from tidelog.runtime.turn import Turn

if TYPE_CHECKING:
    from tidelog.broker.remote_storage import RemoteStorage

LOG = logging.getLogger(__name__)
# A client that hears in one answer that a broker is gone and who leads in its place may mix up the two (librdkafka
# then waits for a second): the broker is listed a little longer.
DEPARTED_MS = 3_000
# How long after a change of leaders the followers' waiting fetches are answered, so that they ask for what is new.
NUDGES_S = (0.01, 0.1)
# How often followers are looked at where a number of records puts them out of sync.
COUNTED_S = 0.5


class ControllerChannel(Protocol):
    """The way to the active controller, wherever it is."""

    async def request(self, message: Any, timeout_ms: int) -> Any: ...


class ParkedFetch(Protocol):
    def answer_now(self) -> None: ...


class Broker:
    def __init__(
        self,
        config: BrokerConfig,
        metadata: MetadataRuntime,
        logs: LogManager,
        clock: Clock,
        blocking: Blocking,
        random_id: Callable[[], int],
        new_uuid: Callable[[], str],
    ) -> None:
        self.config = config
        self.node_id = config.node_id
        self.metadata = metadata
        self.logs = logs
        self.clock = clock
        self.blocking = blocking
        # The turn that the server is in; what waits for its end is written then.
        self.turn = Turn()
        # The APIs served, by key; set by whoever composes the node.
        self.apis: Mapping[int, Any] = {}
        # Connections to other nodes and to the active controller; set by whoever composes the node.
        self.peers: Peers | None = None
        self.controller: ControllerChannel | None = None
        # What this node's own controller does when it leads the quorum; set by whoever composes the node.
        self.controller_runtime: ControllerRuntime | None = None
        # Brokers that may be in sync, neither fenced nor leaving, with their epochs.
        self.live_brokers: dict[int, int] = {}
        # Brokers that left not long ago, and until when clients still hear of their addresses.
        self.departed: dict[int, int] = {}
        # Brokers whose process has most likely just ended; clients are not sent there. Kept up to date outside.
        self.doubtful: Set[int] = frozenset()
        # Tiered storage; None where it is not switched on.
        self.remote: RemoteStorage | None = None
        self.isr_changes = IsrChanges(self)
        self.fetchers = ReplicaFetchers(self)
        self.directory_assignments = DirectoryAssignments(self)
        self.replica_moves = ReplicaMoves(self)
        self.throttles = Throttles(self)
        self.parked_replica_fetches: dict[ParkedFetch, None] = {}
        self.partitions = Partitions()
        self.timers = Timers()
        self.fetch_sessions = FetchSessions(config.max_incremental_fetch_session_cache_slots, random_id)
        self.producer_ids = ProducerIds(metadata, config.node_id)
        self.coordinators = Coordinators(self, new_uuid)
        self.transactions = Transactions(self)
        self.coordinators.write_markers = self.transactions.write_markers
        self.counters = BrokerCounters()
        self._topic_defaults = TopicDefaults(config)
        self._storage_told_ms = -1000
        self._woken: list[Callable[[], None]] = []
        # The connection that the last wake came from; None for this node itself.
        self._writer: object = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: dict[asyncio.Task[Any], None] = {}

    # what requests share

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that lives as long as the broker; off the hot paths only."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and task.exception() is not None:
            LOG.error("background work failed", exc_info=task.exception())

    def wake(self, callback: Callable[[], None]) -> None:
        """Calls back when all that is appended now has been: at the end of the connection's turn if it is the one that
        also wrote last, so that most likely nobody else writes, or else at the end of this turn of the loop."""
        turn = self.turn
        if turn.depth and turn.owner is self._writer and not self._woken:
            turn.told.append(callback)
            return
        if not self._woken:
            if self._loop is None:
                self._loop = asyncio.get_running_loop()  # a system call, so once
            self._loop.call_soon(self._wake_all)
            self._writer = turn.owner if turn.depth else None
        self._woken.append(callback)

    def _wake_all(self) -> None:
        woken, self._woken = self._woken, []
        for callback in woken:
            callback()

    def read_failed(self, partition: Partition, log: Log, error: OSError) -> None:
        """`log` is what was read of the partition, which may have another by now. On the loop's thread."""
        log.read_failed(error)
        self.storage_failed(partition, error)

    def storage_failed(self, partition: Partition, error: OSError) -> None:
        """The log has dealt with the failure; told of once a second at most, as a full disk fails every request.

        A full disk is waited for, unless others are in sync and can lead: then it counts as failed, and they do.
        """
        leader, directory = partition.leader, partition.log.host
        if error.errno in FULL and leader is not None and len(leader.isr) > 1 and isinstance(directory, LogDirectory):
            directory.failed(error)
        now_ms = self.clock.monotonic_ms()
        if now_ms - self._storage_told_ms >= 1000:
            self._storage_told_ms = now_ms
            LOG.error("the disk failed under %s-%d: %s", partition.topic, partition.index, error)

    def directory_failed(self, directory: LogDirectory) -> None:
        self.replica_moves.directory_failed(directory)
        for partition in self.partitions:
            if partition.log.host is directory:
                self.fetchers.forget(partition)
                partition.fail_waiting(ErrorCode.KAFKA_STORAGE_ERROR)

    def high_watermarks(self) -> dict[TopicPartition, int]:
        return {partition.log.partition: partition.high_watermark for partition in self.partitions}

    def leading(self, topic: str, index: int) -> Partition:
        """The partition if this broker leads it; KafkaError says why not."""
        partition = self.partitions.get(topic, index)
        if partition is not None and partition.leader is not None:
            partition.log.check_online()
            return partition
        known = self.metadata.image.topics.get(topic)
        if known is not None and 0 <= index < len(known.partitions):
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    # other brokers

    @property
    def broker_epoch(self) -> int:
        registered = self.metadata.image.cluster.brokers.get(self.node_id)
        return -1 if registered is None else registered.epoch

    def peer(self, broker_id: int, purpose: str) -> Peer | None:
        """The connection to another broker; None if nobody knows where it is."""
        known = self.metadata.image.cluster.brokers.get(broker_id)
        listener = self.config.inter_broker_listener_name or self.config.security_inter_broker_protocol
        endpoint = known.endpoint(listener) if known is not None else None
        if endpoint is None or self.peers is None:
            return None
        return self.peers.at(*endpoint, purpose)

    def _brokers_changed(self, image: MetadataImage) -> None:
        live = {each.id: each.epoch for each in image.cluster.brokers.values() if each.active}
        until_ms = self.clock.monotonic_ms() + DEPARTED_MS
        gone = {each: until_ms for each in self.live_brokers if each not in live}
        for broker_id, epoch in self.live_brokers.items():
            known = image.cluster.brokers.get(broker_id)
            if known is None or known.fenced or known.epoch != epoch:
                asyncio.get_running_loop().call_soon(self.fetchers.broker_gone, broker_id)
        self.departed = {each: at for each, at in (self.departed | gone).items() if each not in live}
        self.live_brokers.clear()
        self.live_brokers.update(live)
        self._tick_replicas()

    def _tick_replicas(self) -> None:
        now_ms = self.clock.monotonic_ms()
        for partition in self.partitions:
            if partition.leader is not None:
                partition.replicas_ticked(now_ms)

    def _watch_replicas(self) -> None:
        """Looks twice in the time a follower may lag who has not kept up; more often where records count too."""
        self._tick_replicas()
        interval_s = self.config.replica_lag_time_max_ms / 2000
        counts = self.config.replica_lag_max_messages >= 0
        self.timers.after(min(interval_s, COUNTED_S) if counts else interval_s, self._watch_replicas)

    def _nudge_followers(self) -> None:
        for fetch in list(self.parked_replica_fetches):
            fetch.answer_now()

    # metadata

    def topic_config(self, image: MetadataImage, topic: str) -> Any:
        return self._topic_defaults.topic(image.configs.get(TOPIC, topic))

    def log_config(self, image: MetadataImage, topic: str) -> LogConfig:
        values = vars(self.topic_config(image, topic))
        return LogConfig.from_settings({name.replace("_", "."): value for name, value in values.items()})

    def apply(self, delta: MetadataDelta, image: MetadataImage) -> None:
        """Brings the hosted partitions in line with what changed."""
        if any(kind == BROKER for kind, _ in delta.configs.changed):
            self._settings_changed(image)
        if delta.cluster:
            self._brokers_changed(image)
        for topic in delta.topics.deleted.values():
            for index in range(len(topic.partitions)):
                self._remove(topic.name, index)
        led = False
        for changed in delta.topics.changed.values():
            for index, state in changed.partitions.items():
                led |= self._host(image, changed.name, changed.id, index, state)
        if led and self.parked_replica_fetches:
            for delay_s in NUDGES_S:
                self.timers.after(delay_s, self._nudge_followers)
        for kind, name in delta.configs.changed:
            if kind == TOPIC:
                self._reconfigure(image, name)
        self.coordinators.metadata_changed(delta, image)
        if self.remote is not None and (delta.topics.changed or delta.topics.deleted or delta.configs.changed):
            self.remote.wake()

    def load(self, image: MetadataImage) -> None:
        """Hosts everything of an image at once, at start."""
        self._brokers_changed(image)
        self.throttles.rates_changed(image)
        self.replica_moves.rate_changed(image)
        for topic in image.topics.by_id.values():
            for index, state in enumerate(topic.partitions):
                self._host(image, topic.name, topic.id, index, state)
        self._watch_replicas()

    def _host(self, image: MetadataImage, topic: str, topic_id: bytes, index: int, state: PartitionImage) -> bool:
        """True when this broker begins to lead the partition."""
        partition = self.partitions.get(topic, index)
        if self.node_id not in state.replicas:
            if partition is not None:
                self._remove(topic, index)
            return False
        if partition is None:
            log = self.logs.create(TopicPartition(topic, index), topic_id, self.log_config(image, topic))
            partition = Partition(self, topic, topic_id, index, log, self.logs.high_watermark(log))
            partition.min_insync_replicas = self.topic_config(image, topic).min_insync_replicas
            self.partitions.add(partition)
            self._throttle(image, topic)
            self.replica_moves.hosted(partition)
            self._check_epochs(partition, state)
        self.directory_assignments.hosted(partition, state)
        if state.leader != self.node_id:
            self._repair(image, partition, state)
            self._follow(partition, state)
            return False
        self.fetchers.forget(partition)
        is_new = partition.lead(state)
        if partition.is_internal and is_new:
            self.coordinators.lead(partition)
        return is_new

    def _check_epochs(self, partition: Partition, state: PartitionImage) -> None:
        """A log cannot have records of a leader who is still to come: a bit has turned where no checksum covers it."""
        log = partition.log
        if log.offline is None and log.epochs.latest > state.leader_epoch:
            self.logs.found_damaged(
                log,
                f"{log.directory}: there is damage before offset {log.log_end_offset}: a batch has the leader epoch "
                f"{log.epochs.latest}, and the partition's newest leader is {state.leader_epoch}. Restore the files "
                "from a replica or a backup.",
            )

    def _repair(self, image: MetadataImage, partition: Partition, state: PartitionImage) -> None:
        """A damaged log that nobody counts on is fetched anew from the leader; one that may be the last is left."""
        log = partition.log
        is_counted_on = self.node_id in state.isr or self.node_id in state.elr or self.node_id in state.last_known_elr
        if state.leader >= 0 and log.partition in self.logs.corrupt and not is_counted_on:
            self.replica_moves.cancel(partition)
            try:
                partition.begin_anew(
                    self.logs.replace_corrupt(log, partition.topic_id, self.log_config(image, partition.topic))
                )
            except OSError as error:
                self.storage_failed(partition, error)

    def _follow(self, partition: Partition, state: PartitionImage) -> None:
        if partition.follow(state):
            if state.leader >= 0 and partition.log.offline is None:
                self.fetchers.follow(partition)
            else:
                self.fetchers.forget(partition)
        if partition.is_internal:
            self.coordinators.resign(partition)

    def _remove(self, topic: str, index: int) -> None:
        partition = self.partitions.remove(topic, index)
        if partition is not None:
            self.replica_moves.cancel(partition)
            self.fetchers.forget(partition)
            self.coordinators.resign(partition)
            partition.fail_waiting(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
            self.logs.delete(partition.log)

    def _settings_changed(self, image: MetadataImage) -> None:
        """Broker settings changed while running; topics without settings of their own follow."""
        self.config = self.metadata.config
        self._topic_defaults = TopicDefaults(self.config)
        self.throttles.rates_changed(image)
        self.replica_moves.rate_changed(image)
        for topic in self.partitions.by_name:
            self._reconfigure(image, topic)

    def _throttle(self, image: MetadataImage, topic: str) -> None:
        config = self.topic_config(image, topic)
        self.throttles.topic_changed(
            topic, config.leader_replication_throttled_replicas, config.follower_replication_throttled_replicas
        )

    def _reconfigure(self, image: MetadataImage, topic: str) -> None:
        self._throttle(image, topic)
        config = self.log_config(image, topic)
        for partition in self.partitions.by_name.get(topic, {}).values():
            partition.log.config = config
            partition.set_min_insync_replicas(self.topic_config(image, topic).min_insync_replicas)

    async def close(self) -> None:
        """Answers whoever waits; the logs are closed by the node."""
        self.fetchers.close()
        self.replica_moves.close()
        self.coordinators.close()
        if self.remote is not None:
            await self.remote.close()
        for partition in self.partitions:
            partition.fail_waiting(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        self.timers.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
