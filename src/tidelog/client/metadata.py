"""The client's picture of the cluster, built from Metadata answers; immutable, replaced as a whole."""

from __future__ import annotations

from typing import Any, NamedTuple

from tidelog.model import uuids


class BrokerView(NamedTuple):
    node_id: int
    host: str
    port: int
    rack: str | None = None


class PartitionView(NamedTuple):
    partition: int
    leader_id: int
    leader_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    offline: tuple[int, ...]
    error: int


class TopicView(NamedTuple):
    name: str
    topic_id: bytes
    is_internal: bool
    error: int
    partitions: tuple[PartitionView, ...]
    """By index, without gaps."""
    available: tuple[int, ...]
    """The partitions that have a leader now."""


class SeenEpochs(NamedTuple):
    """The newest leader epoch that this client has heard of, for each partition of a topic."""

    topic_id: bytes
    """Zero when only a position told of them, which does not name it."""
    epochs: tuple[int, ...]


class ClusterView(NamedTuple):
    cluster_id: str | None
    controller_id: int
    brokers: dict[int, BrokerView]
    topics: dict[str, TopicView]
    names_by_id: dict[bytes, str]
    seen: dict[str, SeenEpochs]
    """Also of topics that are in `topics` no more: what was forgotten must not come back older."""

    @classmethod
    def empty(cls) -> ClusterView:
        return cls(None, -1, {}, {}, {}, {})

    def merged(self, answer: Any, replace_topics: bool) -> ClusterView:
        """This view with a Metadata answer on top."""
        topics = {} if replace_topics else dict(self.topics)
        names = {} if replace_topics else dict(self.names_by_id)
        seen = dict(self.seen)
        for topic in answer.topics:
            told = _topic(topic)
            view = topics[told.name] = _newest(told, self.topics.get(told.name), seen.get(told.name))
            if view.partitions:
                seen[view.name] = SeenEpochs(view.topic_id, tuple(each.leader_epoch for each in view.partitions))
            if view.topic_id != uuids.ZERO:
                names[view.topic_id] = view.name
        brokers = {b.node_id: BrokerView(b.node_id, b.host, b.port, b.rack) for b in answer.brokers}
        return ClusterView(answer.cluster_id, answer.controller_id, brokers, topics, names, seen)

    def with_epoch(self, topic: str, partition: int, epoch: int) -> ClusterView:
        """This view, knowing that there was a leader of this epoch: one of an older epoch is none any more."""
        topic_id, epochs = self.seen.get(topic, (uuids.ZERO, ()))
        padded = epochs + (-1,) * (partition + 1 - len(epochs))
        if padded[partition] >= epoch:
            return self
        news = SeenEpochs(topic_id, (*padded[:partition], epoch, *padded[partition + 1 :]))
        known = self.topics.get(topic)
        topics = self.topics if known is None else self.topics | {topic: _newest(known, None, news)}
        return self._replace(topics=topics, seen=self.seen | {topic: news})

    def is_ahead_of(self, answer: Any) -> bool:
        """Whether the answer's teller, which this view was merged with, has not heard of what is known here."""
        for topic in answer.topics:
            for each in topic.partitions:
                if 0 <= each.leader_epoch < self.topics[topic.name or ""].partitions[each.partition_index].leader_epoch:
                    return True
        return False

    def partition(self, topic: str, partition: int) -> PartitionView | None:
        found = self.topics.get(topic)
        if found is None or not 0 <= partition < len(found.partitions):
            return None
        return found.partitions[partition]

    def leader(self, topic: str, partition: int) -> int:
        """The leader's node id, or -1 when there is none or the partition is not known."""
        found = self.partition(topic, partition)
        return -1 if found is None else found.leader_id

    def without(self, topic: str) -> ClusterView:
        """This view as if nothing were known of the topic, so that the next look-up asks."""
        return self._replace(topics={name: view for name, view in self.topics.items() if name != topic})


def _newest(told: TopicView, known: TopicView | None, seen: SeenEpochs | None) -> TopicView:
    """What is told of the topic, but not of a leader that this client knows to have been replaced (KIP-320).

    A broker that is cut off tells of the leaders of its past, and may still believe to be one of them. Where nothing
    is known of the newer leader than its epoch, there is none.
    """
    if seen is None or not _is_same(seen.topic_id, told.topic_id) or not told.partitions:
        return told
    before = known.partitions if known is not None and _is_same(known.topic_id, told.topic_id) else ()
    partitions = tuple(
        _newer(each, before, epoch) if 0 <= each.leader_epoch < epoch else each
        for each, epoch in zip(told.partitions, seen.epochs, strict=False)
    )
    partitions += told.partitions[len(partitions) :] + before[len(told.partitions) :]
    if partitions == told.partitions:
        return told
    available = tuple(each.partition for each in partitions if each.leader_id >= 0)
    return told._replace(partitions=partitions, available=available)


def _newer(told: PartitionView, before: tuple[PartitionView, ...], epoch: int) -> PartitionView:
    if told.partition < len(before) and before[told.partition].leader_epoch >= epoch:
        return before[told.partition]
    return told._replace(leader_id=-1, leader_epoch=epoch)


def _is_same(one: bytes, other: bytes) -> bool:
    """Brokers before 2.8 tell no ids."""
    return one == other or uuids.ZERO in (one, other)


def _topic(topic: Any) -> TopicView:
    partitions = tuple(
        PartitionView(
            p.partition_index,
            -1 if p.error_code == 5 else p.leader_id,
            p.leader_epoch,
            tuple(p.replica_nodes),
            tuple(p.isr_nodes),
            tuple(p.offline_replicas),
            p.error_code,
        )
        for p in sorted(topic.partitions, key=lambda p: p.partition_index)
    )
    available = tuple(p.partition for p in partitions if p.leader_id >= 0)
    return TopicView(topic.name or "", topic.topic_id, topic.is_internal, topic.error_code, partitions, available)
