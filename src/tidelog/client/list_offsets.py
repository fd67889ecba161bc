"""Offsets by time: ListOffsets to each leader, one request per broker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tidelog.client.cluster import Cluster, raise_for
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3
EARLIEST_LOCAL = -4
LATEST_TIERED = -5
EARLIEST_PENDING_UPLOAD = -6

_VERSION_NEEDED = {MAX_TIMESTAMP: 7, EARLIEST_LOCAL: 8, LATEST_TIERED: 9, EARLIEST_PENDING_UPLOAD: 11}

TopicPartition = tuple[str, int]


class FoundOffset(NamedTuple):
    offset: int
    """-1 when no record is that late."""
    timestamp: int
    leader_epoch: int


async def list_offsets(
    cluster: Cluster, wanted: Mapping[TopicPartition, int], isolation_level: int = 0
) -> dict[TopicPartition, FoundOffset]:
    """For each partition the first offset whose timestamp is at least the wanted one (or one of the constants)."""
    found: dict[TopicPartition, FoundOffset] = {}

    async def attempt() -> None:
        missing = {key: time for key, time in wanted.items() if key not in found}
        for node_id, part in (await by_leader(cluster, missing)).items():
            answer = await _ask(cluster, node_id, part, isolation_level)
            _collect(cluster, answer, found)

    await cluster.retrying(attempt)
    return found


async def by_leader(cluster: Cluster, wanted: Mapping[TopicPartition, int]) -> dict[int, dict[TopicPartition, int]]:
    """The wanted partitions sorted by leader; raises a retriable error when one has none."""
    for topic in dict.fromkeys(topic for topic, _ in wanted):
        await cluster.topic(topic)
    groups: dict[int, dict[TopicPartition, int]] = {}
    for (topic, partition), time in wanted.items():
        if partition >= len(cluster.view.topics[topic].partitions):
            cluster.view = cluster.view.without(topic)
            raise KafkaError(
                ErrorCode.INVALID_PARTITIONS,
                f"Topic '{topic}' has no partition {partition}; --describe shows which it has",
            )
        leader = cluster.view.leader(topic, partition)
        if leader < 0:
            cluster.view = cluster.view.without(topic)
            raise KafkaError(ErrorCode.LEADER_NOT_AVAILABLE, f"{topic}-{partition} has no leader at the moment")
        groups.setdefault(leader, {})[(topic, partition)] = time
    return groups


async def _ask(
    cluster: Cluster, node_id: int, wanted: dict[TopicPartition, int], isolation_level: int
) -> ListOffsetsResponse:
    topics: dict[str, list[ListOffsetsPartition]] = {}
    for (topic, partition), time in wanted.items():
        epoch = cluster.view.topics[topic].partitions[partition].leader_epoch
        row = ListOffsetsPartition(partition_index=partition, timestamp=time, current_leader_epoch=epoch)
        topics.setdefault(topic, []).append(row)
    request = ListOffsetsRequest(
        replica_id=-1,
        isolation_level=isolation_level,
        topics=[ListOffsetsTopic(name=name, partitions=rows) for name, rows in topics.items()],
        timeout_ms=cluster.settings["request.timeout.ms"],
    )
    connection = await cluster.broker(node_id)
    needed = max((_VERSION_NEEDED.get(time, 0) for time in wanted.values()), default=0)
    if connection.version_for(request) < needed:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_VERSION, f"The broker at {connection.address} is too old for this --time"
        )
    answer: ListOffsetsResponse = await cluster.ask(node_id, request)
    return answer


def _collect(cluster: Cluster, answer: ListOffsetsResponse, found: dict[TopicPartition, FoundOffset]) -> None:
    failed: tuple[int, str] | None = None
    for topic in answer.topics:
        for row in topic.partitions:
            if row.error_code == 0:
                found[(topic.name, row.partition_index)] = FoundOffset(row.offset, row.timestamp, row.leader_epoch)
                continue
            if ErrorCode.of(row.error_code).refreshes_metadata:
                cluster.view = cluster.view.without(topic.name)
            failed = (row.error_code, f"{topic.name}-{row.partition_index}: {ErrorCode.of(row.error_code).message}")
    if failed:
        raise_for(*failed)
