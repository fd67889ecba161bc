"""Offsets by time or by group, for code without an event loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tidelog.client.blocking import GROUP, BlockingCluster, BlockingConnection
from tidelog.client.cluster import raise_for
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tidelog.protocol.messages.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)

LATEST, EARLIEST = -1, -2
TopicPartition = tuple[str, int]
_COMMIT_BY_NAME = 9
_FETCH_BY_NAME = 9
"""From the next versions OffsetCommit and OffsetFetch name topics by their id."""


def list_offsets(
    cluster: BlockingCluster, wanted: Mapping[TopicPartition, int], *, committed: bool
) -> dict[TopicPartition, int]:
    """For each partition the first offset whose timestamp is at least the wanted one; -1 when no record is so late."""
    found: dict[TopicPartition, int] = {}

    def attempt() -> None:
        groups: dict[int, list[tuple[TopicPartition, int]]] = {}
        for key, moment in wanted.items():
            if key not in found:
                cluster.leader(*key)
                node_id = cluster.view.leader(*key)
                groups.setdefault(node_id, []).append((key, moment))
        for node_id, rows in groups.items():
            _ask(cluster, cluster.broker(node_id, "offsets"), rows, committed, found)

    cluster.retrying(attempt)
    return found


def _ask(
    cluster: BlockingCluster, connection: BlockingConnection, rows: list[tuple[TopicPartition, int]], committed: bool,
    found: dict[TopicPartition, int],
) -> None:  # fmt: skip
    topics: dict[str, list[ListOffsetsPartition]] = {}
    for (topic, partition), moment in rows:
        epoch = cluster.topic(topic).partitions[partition].leader_epoch
        row = ListOffsetsPartition(partition_index=partition, timestamp=moment, current_leader_epoch=epoch)
        topics.setdefault(topic, []).append(row)
    request = ListOffsetsRequest(
        replica_id=-1,
        isolation_level=int(committed),
        topics=[ListOffsetsTopic(name=name, partitions=each) for name, each in topics.items()],
        timeout_ms=cluster.settings["request.timeout.ms"],
    )
    failed: tuple[ErrorCode, str] | None = None
    for topic in connection.request(request).topics:
        for row in topic.partitions:
            if row.error_code == 0:
                found[(topic.name, row.partition_index)] = row.offset
                continue
            code = ErrorCode.of(row.error_code)
            if code.refreshes_metadata:
                cluster.forget(topic.name)
            failed = code, f"{topic.name}-{row.partition_index}: {code.message}"
    if failed:
        raise KafkaError(*failed)


def commit_offsets(cluster: BlockingCluster, group_id: str, offsets: Mapping[TopicPartition, int]) -> None:
    """Commits for a group that nobody is a member of."""
    topics: dict[str, list[OffsetCommitRequestPartition]] = {}
    for (topic, partition), offset in offsets.items():
        row = OffsetCommitRequestPartition(partition_index=partition, committed_offset=offset)
        topics.setdefault(topic, []).append(row)
    request = OffsetCommitRequest(
        group_id=group_id,
        topics=[OffsetCommitRequestTopic(name=name, partitions=rows) for name, rows in topics.items()],
    )

    def work(connection: BlockingConnection) -> None:
        answer = connection.request(request, version=connection.version_for(request, _COMMIT_BY_NAME))
        for topic in answer.topics:
            for row in topic.partitions:
                raise_for(row.error_code)

    if topics:
        cluster.ask_coordinator(GROUP, group_id, work)


def partitions_of(cluster: BlockingCluster, topics: Iterable[str]) -> list[TopicPartition]:
    return [(name, part.partition) for name in topics for part in cluster.topic(name).partitions]


def fetch_offsets(
    cluster: BlockingCluster, group_id: str, partitions: Iterable[TopicPartition]
) -> dict[TopicPartition, int]:
    """What the group has committed, -1 where it has nothing; offsets in open transactions are waited for."""
    topics: dict[str, list[int]] = {}
    for topic, partition in partitions:
        topics.setdefault(topic, []).append(partition)
    rows = [OffsetFetchRequestTopics(name=name, partition_indexes=each) for name, each in topics.items()]
    request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=group_id, topics=rows)], require_stable=True)

    def work(connection: BlockingConnection) -> dict[TopicPartition, int]:
        answer = connection.request(request, version=connection.version_for(request, _FETCH_BY_NAME)).groups[0]
        raise_for(answer.error_code)
        found = {}
        for topic in answer.topics:
            for row in topic.partitions:
                raise_for(row.error_code)
                found[(topic.name, row.partition_index)] = row.committed_offset
        return found

    return cluster.ask_coordinator(GROUP, group_id, work)
