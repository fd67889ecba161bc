"""Topics and their partitions: the image, and the changes of one delta."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.metadata.partition import Partition
from tidelog.metadata.records import (
    ClearElrRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from tidelog.metadata.sharded_map import ShardedMap


class Topic(NamedTuple):
    name: str
    id: bytes
    partitions: tuple[Partition, ...]


class TopicsImage(NamedTuple):
    by_id: ShardedMap[bytes, Topic]
    ids: ShardedMap[str, bytes]
    partition_count: int

    def get(self, name: str) -> Topic | None:
        topic_id = self.ids.get(name)
        return None if topic_id is None else self.by_id.get(topic_id)

    def has(self, name: str, partition: int) -> bool:
        topic = self.get(name)
        return topic is not None and 0 <= partition < len(topic.partitions)

    def names(self) -> list[str]:
        return sorted(self.ids)

    def check_invariants(self) -> None:
        assert len(self.by_id) == len(self.ids), "each topic has one name and one id"
        assert self.partition_count == sum(len(topic.partitions) for topic in self.by_id.values())
        for topic in self.by_id.values():
            assert self.ids.get(topic.name) == topic.id, "names lead to ids"
            for partition in topic.partitions:
                partition.check_invariants()


EMPTY_TOPICS = TopicsImage(ShardedMap(), ShardedMap(), 0)


class TopicDelta:
    """The changes of one topic: `partitions` holds the new state of each partition that changed."""

    __slots__ = ("before", "id", "name", "partitions")

    def __init__(self, name: str, topic_id: bytes, before: Topic | None) -> None:
        self.name = name
        self.id = topic_id
        self.before = before  # None when the topic is new
        self.partitions: dict[int, Partition] = {}

    def partition(self, index: int) -> Partition | None:
        found = self.partitions.get(index)
        if found is None and self.before is not None and 0 <= index < len(self.before.partitions):
            return self.before.partitions[index]
        return found

    def apply(self) -> Topic:
        known = self.before.partitions if self.before else ()
        if not self.partitions:
            return Topic(self.name, self.id, known)
        partitions: list[Partition | None] = list(known)
        for index in sorted(self.partitions):
            if index == len(partitions):
                partitions.append(None)
            assert index < len(partitions), f"partition {index} of {self.name} comes before its predecessors"
            partitions[index] = self.partitions[index]
        return Topic(self.name, self.id, tuple(partitions))  # type: ignore[arg-type]


class TopicsDelta:
    """`changed` by topic id, and `deleted` topics as they were."""

    def __init__(self, image: TopicsImage) -> None:
        self.image = image
        self.changed: dict[bytes, TopicDelta] = {}
        self.deleted: dict[bytes, Topic] = {}
        self._names: dict[str, bytes | None] = {}

    def __bool__(self) -> bool:
        return bool(self.changed or self.deleted)

    def replay_topic(self, record: TopicRecord) -> None:
        self.changed[record.topic_id] = TopicDelta(record.name, record.topic_id, None)
        self._names[record.name] = record.topic_id

    def replay_partition(self, record: PartitionRecord) -> None:
        self._topic(record.topic_id).partitions[record.partition_id] = Partition.from_record(record)

    def replay_partition_change(self, record: PartitionChangeRecord) -> None:
        topic = self._topic(record.topic_id)
        before = topic.partition(record.partition_id)
        assert before is not None, f"a change of partition {record.partition_id} of {topic.name}, which is unknown"
        topic.partitions[record.partition_id] = before.changed(record)

    def replay_remove_topic(self, record: RemoveTopicRecord) -> None:
        delta = self.changed.pop(record.topic_id, None)
        before = self.image.by_id.get(record.topic_id)
        assert delta is not None or before is not None, "removal of a topic that is unknown"
        name = before.name if before else delta.name  # type: ignore[union-attr]
        if before is not None:
            self.deleted[record.topic_id] = before
        if self._names.get(name, record.topic_id) == record.topic_id:
            self._names[name] = None

    def replay_clear_elr(self, record: ClearElrRecord) -> None:
        """An empty topic name clears the eligible leaders of all topics."""
        if record.topic_name:
            topic_id = self._names.get(record.topic_name) or self.image.ids.get(record.topic_name)
            ids = [topic_id] if topic_id else []
        else:
            ids = [*self.image.by_id, *self.changed]
        for each in ids:
            self._clear_elr(each)

    def removed_name(self, topic_id: bytes) -> str | None:
        topic = self.deleted.get(topic_id)
        return topic.name if topic else None

    def apply(self) -> TopicsImage:
        if not self:
            return self.image
        topics: dict[bytes, Topic | None] = dict.fromkeys(self.deleted)
        count = self.image.partition_count - sum(len(topic.partitions) for topic in self.deleted.values())
        for topic_id, delta in self.changed.items():
            topic = topics[topic_id] = delta.apply()
            count += len(topic.partitions) - (len(delta.before.partitions) if delta.before else 0)
        return TopicsImage(self.image.by_id.updated(topics), self.image.ids.updated(self._names), count)

    def _topic(self, topic_id: bytes) -> TopicDelta:
        delta = self.changed.get(topic_id)
        if delta is None:
            before = self.image.by_id.get(topic_id)
            assert topic_id not in self.deleted, "a partition of a topic that was removed"
            assert before is not None, "a partition of a topic that is unknown"
            delta = self.changed[topic_id] = TopicDelta(before.name, topic_id, before)
        return delta

    def _clear_elr(self, topic_id: bytes) -> None:
        delta = self.changed.get(topic_id)
        before = delta.before if delta else self.image.by_id.get(topic_id)
        count = len(before.partitions) if before else 0
        touched = set(range(count)) | (set(delta.partitions) if delta else set())
        for index in sorted(touched):
            state = delta.partition(index) if delta else before.partitions[index]  # type: ignore[union-attr]
            assert state is not None
            if state.elr or state.last_known_elr:
                self._topic(topic_id).partitions[index] = state._replace(
                    elr=(), last_known_elr=(), partition_epoch=state.partition_epoch + 1
                )
