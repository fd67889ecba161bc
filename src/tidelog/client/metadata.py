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


class ClusterView(NamedTuple):
    cluster_id: str | None
    controller_id: int
    brokers: dict[int, BrokerView]
    topics: dict[str, TopicView]
    names_by_id: dict[bytes, str]

    @classmethod
    def empty(cls) -> ClusterView:
        return cls(None, -1, {}, {}, {})

    def merged(self, answer: Any, replace_topics: bool) -> ClusterView:
        """This view with a Metadata answer on top."""
        topics = {} if replace_topics else dict(self.topics)
        names = {} if replace_topics else dict(self.names_by_id)
        for topic in answer.topics:
            view = _newest(self.topics.get(topic.name or ""), _topic(topic))
            topics[view.name] = view
            if view.topic_id != uuids.ZERO:
                names[view.topic_id] = view.name
        brokers = {b.node_id: BrokerView(b.node_id, b.host, b.port, b.rack) for b in answer.brokers}
        return ClusterView(answer.cluster_id, answer.controller_id, brokers, topics, names)

    def leader(self, topic: str, partition: int) -> int:
        """The leader's node id, or -1 when there is none or the partition is not known."""
        found = self.topics.get(topic)
        if found is None or not 0 <= partition < len(found.partitions):
            return -1
        return found.partitions[partition].leader_id

    def without(self, topic: str) -> ClusterView:
        """This view as if nothing were known of the topic, so that the next look-up asks."""
        return self._replace(topics={name: view for name, view in self.topics.items() if name != topic})


def _newest(known: TopicView | None, told: TopicView) -> TopicView:
    """What is told of the topic, but not of a leader that this client knows to have been replaced (KIP-320).

    A broker that is cut off tells of the leaders of its past, and may still believe to be one of them.
    """
    if known is None or known.topic_id != told.topic_id or len(known.partitions) > len(told.partitions):
        return told
    partitions = tuple(
        before if before.leader_epoch > each.leader_epoch else each
        for before, each in zip(known.partitions, told.partitions, strict=False)
    )
    partitions += told.partitions[len(known.partitions) :]
    if partitions == told.partitions:
        return told
    available = tuple(each.partition for each in partitions if each.leader_id >= 0)
    return told._replace(partitions=partitions, available=available)


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
