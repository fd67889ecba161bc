"""The coordinators this broker hosts: one for each partition of an internal topic that it leads.

They come and go with leadership. A request finds the one that is responsible for its group or transactional id by hash;
when another broker leads that partition, the answer is NOT_COORDINATOR.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tidelog.broker.cluster_view import ImageView, changed_topics
from tidelog.broker.coordinator_log import PartitionLog
from tidelog.broker.partition import Partition
from tidelog.broker.topics import create_internal
from tidelog.coordinator.group.shard import GroupShard
from tidelog.coordinator.group.values import Bounds, ConsumerSettings, GroupConfig
from tidelog.coordinator.txn.shard import TxnShard
from tidelog.coordinator.txn.values import MarkersToWrite, TxnConfig
from tidelog.metadata.configs import GROUP
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.topics import Topic, TopicsImage
from tidelog.model.java_hash import coordinator_partition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.runtime.coordinator import CoordinatorPartition, State

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
OFFSETS_TOPIC = "__consumer_offsets"
TRANSACTIONS_TOPIC = "__transaction_state"


class Coordinators:
    def __init__(self, broker: Broker, new_id: Callable[[], str]) -> None:
        self._broker = broker
        self._new_id = new_id
        self._hosted: dict[tuple[str, int], CoordinatorPartition[Any]] = {}
        # How many partitions the internal topics have, and the image of topics that says so.
        self._counts: dict[str, int] = {}
        self._topics: dict[bytes, Topic] = {}
        self._counted: TopicsImage | None = None
        # Takes markers that a transaction coordinator wants written; set by whoever can reach the partitions' leaders.
        self.write_markers: Callable[[CoordinatorPartition[TxnShard], MarkersToWrite], None] = _nobody_writes

    # leadership

    def lead(self, partition: Partition) -> None:
        """This broker leads the partition of an internal topic, from now on or in a new epoch."""
        key = (partition.topic, partition.index)
        if partition.topic == OFFSETS_TOPIC:
            made = self._group_coordinator(partition)
        elif partition.topic == TRANSACTIONS_TOPIC:
            made = self._txn_coordinator(partition)
        else:
            return
        self.resign(partition)
        self._hosted[key] = made
        self._broker.spawn(self._load(partition, made))

    def resign(self, partition: Partition) -> None:
        hosted = self._hosted.pop((partition.topic, partition.index), None)
        if hosted is not None:
            hosted.unload()

    def close(self) -> None:
        for hosted in self._hosted.values():
            hosted.unload()
        self._hosted.clear()

    async def _load(self, partition: Partition, made: CoordinatorPartition[Any]) -> None:
        try:
            await made.load()
        except (OSError, ValueError, KafkaError) as error:
            LOG.error(
                "the coordinator of %s-%d cannot be loaded: %s; it answers NOT_COORDINATOR until the next election",
                partition.topic,
                partition.index,
                error,
            )
            self.resign(partition)

    def _group_coordinator(self, partition: Partition) -> CoordinatorPartition[Any]:
        config = self._broker.config
        log = PartitionLog(self._broker, partition, config.offsets_load_buffer_size)
        shard = GroupShard(group_config(config), self._new_id, ImageView(self._broker.metadata.image))
        return CoordinatorPartition(shard, log, self._broker.clock, turn=self._broker.turn)

    def _txn_coordinator(self, partition: Partition) -> CoordinatorPartition[Any]:
        config = self._broker.config
        log = PartitionLog(self._broker, partition, config.transaction_state_log_load_buffer_size)
        shard = TxnShard(partition.leader_epoch, txn_config(config), self._broker.producer_ids.take_now)
        made: CoordinatorPartition[TxnShard]
        made = CoordinatorPartition(shard, log, self._broker.clock, lambda sent: self.write_markers(made, sent))
        return made

    def metadata_changed(self, delta: MetadataDelta, image: MetadataImage) -> None:
        """Topics came, went or grew, or settings of groups changed: the group coordinators look at the new image."""
        changed, deleted = changed_topics(delta)
        if not changed and not any(kind == GROUP for kind, _ in delta.configs.changed):
            return
        view = ImageView(image)
        for hosted in self.groups():
            if hosted.state is State.ACTIVE:
                hosted.feed(lambda shard, _: shard.metadata_changed(view, changed, deleted))
            else:
                # Still loading: what it finds in the log is held against the new image when it is done.
                hosted.shard.host.see(view)

    # finding

    def topic(self, name: bytes) -> Topic | None:
        """The topic that an offset is committed for; looked up once for each image, because commits come often."""
        topics = self._broker.metadata.image.topics
        if topics is not self._counted:
            self._count()
        found = self._topics.get(name)
        if found is None:
            found = topics.get(name.decode())
            if found is not None:
                self._topics[name] = found
        return found

    def topic_by_id(self, topic_id: bytes) -> Topic | None:
        return self._broker.metadata.image.topics.by_id.get(topic_id)

    def group(self, group_id: str) -> CoordinatorPartition[GroupShard]:
        return self._find(OFFSETS_TOPIC, group_id)

    def transaction(self, transactional_id: str) -> CoordinatorPartition[TxnShard]:
        return self._find(TRANSACTIONS_TOPIC, transactional_id)

    def groups(self) -> list[CoordinatorPartition[GroupShard]]:
        return [hosted for (topic, _), hosted in self._hosted.items() if topic == OFFSETS_TOPIC]

    def transactions(self) -> list[CoordinatorPartition[TxnShard]]:
        return [hosted for (topic, _), hosted in self._hosted.items() if topic == TRANSACTIONS_TOPIC]

    def hosted(self, topic: str, index: int) -> CoordinatorPartition[Any] | None:
        return self._hosted.get((topic, index))

    def _find(self, topic: str, key: str) -> CoordinatorPartition[Any]:
        if self._broker.metadata.image.topics is not self._counted:
            self._count()
        count = self._counts.get(topic)
        hosted = None if count is None else self._hosted.get((topic, coordinator_partition(key, count)))
        if hosted is None:
            raise KafkaError(ErrorCode.NOT_COORDINATOR)
        return hosted

    def known_partition_of(self, topic: str, key: str) -> int | None:
        """The responsible partition; None when there is no such topic yet."""
        if self._broker.metadata.image.topics is not self._counted:
            self._count()
        count = self._counts.get(topic)
        return None if count is None else coordinator_partition(key, count)

    def _count(self) -> None:
        topics = self._broker.metadata.image.topics
        found = ((name, topics.get(name)) for name in (OFFSETS_TOPIC, TRANSACTIONS_TOPIC))
        self._counts = {name: len(known.partitions) for name, known in found if known is not None}
        self._topics = {}
        self._counted = topics

    async def partition_of(self, topic: str, key: str) -> int:
        """The responsible partition; the topic is created when this is the first to need it."""
        index = self.known_partition_of(topic, key)
        if index is None:
            await create_internal(self._broker, topic)
            index = self.known_partition_of(topic, key)
        if index is None:
            raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        return index

    async def locate(self, topic: str, key: str) -> int:
        """The broker that leads the responsible partition."""
        index = await self.partition_of(topic, key)
        known = self._broker.metadata.image.topics.get(topic)
        leader: int = -1 if known is None else known.partitions[index].leader
        if leader < 0:
            raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        return leader


def _nobody_writes(_: CoordinatorPartition[TxnShard], markers: MarkersToWrite) -> None:
    raise AssertionError(f"nobody writes the markers of {markers.transactional_id}")


def group_config(config: Any) -> GroupConfig:
    return GroupConfig(
        group_min_session_timeout_ms=config.group_min_session_timeout_ms,
        group_max_session_timeout_ms=config.group_max_session_timeout_ms,
        group_initial_rebalance_delay_ms=config.group_initial_rebalance_delay_ms,
        group_max_size=config.group_max_size,
        offset_metadata_max_bytes=config.offset_metadata_max_bytes,
        offsets_retention_ms=config.offsets_retention_minutes * 60_000,
        offsets_retention_check_interval_ms=config.offsets_retention_check_interval_ms,
        consumer=consumer_settings(config),
        consumer_max_size=config.group_consumer_max_size,
        consumer_assignors=tuple(config.group_consumer_assignors),
        consumer_migration_policy=config.group_consumer_migration_policy.lower(),
    )


def consumer_settings(config: Any) -> ConsumerSettings:
    return ConsumerSettings(
        config.group_consumer_session_timeout_ms,
        config.group_consumer_heartbeat_interval_ms,
        config.group_consumer_assignment_interval_ms,
        Bounds(config.group_consumer_min_session_timeout_ms, config.group_consumer_max_session_timeout_ms),
        Bounds(config.group_consumer_min_heartbeat_interval_ms, config.group_consumer_max_heartbeat_interval_ms),
        Bounds(config.group_consumer_min_assignment_interval_ms, config.group_consumer_max_assignment_interval_ms),
    )


def txn_config(config: Any) -> TxnConfig:
    return TxnConfig(
        timeout_max_ms=config.transaction_max_timeout_ms,
        abort_interval_ms=config.transaction_abort_timed_out_transaction_cleanup_interval_ms,
        expiration_ms=config.transactional_id_expiration_ms,
        expire_interval_ms=config.transaction_remove_expired_transaction_cleanup_interval_ms,
    )
