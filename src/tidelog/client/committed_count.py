"""How many committed records lie between two offsets: told by the headers of batches, without opening them.

Offsets cannot tell. Markers, aborted records and what compaction took away have offsets and are no records.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tidelog.client.cluster import Cluster
from tidelog.client.fetched import living_batches
from tidelog.client.list_offsets import TopicPartition, by_leader
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import decode_records

if TYPE_CHECKING:
    from tidelog.protocol.messages.fetch import FetchRequest

_PARTITION_BYTES = 4 << 20
_TOTAL_BYTES = 32 << 20
_WAIT_MS = 100
_BY_TOPIC_ID = 13


class Counted(NamedTuple):
    position: int
    """Everything before it was looked at."""
    records: int = 0
    first_timestamp: int | None = None


async def count_committed(
    cluster: Cluster, starts: Mapping[TopicPartition, int], goals: Mapping[TopicPartition, int], patience_s: float
) -> dict[TopicPartition, Counted]:
    """From each start to its goal, or as far as the time allows."""
    found = {key: Counted(start) for key, start in starts.items()}

    def missing() -> dict[TopicPartition, int]:
        return {key: each.position for key, each in found.items() if each.position < goals[key]}

    async def advance() -> None:
        while wanted := missing():
            for node_id, part in (await by_leader(cluster, wanted)).items():
                await _look(cluster, node_id, part, goals, found)

    try:
        async with asyncio.timeout(patience_s):
            await cluster.retrying(advance)
    except TimeoutError:
        pass
    return found


async def _look(
    cluster: Cluster,
    node_id: int,
    wanted: dict[TopicPartition, int],
    goals: Mapping[TopicPartition, int],
    found: dict[TopicPartition, Counted],
) -> None:
    answer = await cluster.ask(node_id, await _request(cluster, node_id, wanted))
    if answer.error_code:
        raise KafkaError(ErrorCode.of(answer.error_code))
    for topic in answer.responses:
        name = topic.topic or cluster.view.names_by_id.get(topic.topic_id, "")
        for row in topic.partitions:
            key = (name, row.partition_index)
            found[key] = _counted(cluster, key, row, found[key], goals[key])


async def _request(cluster: Cluster, node_id: int, wanted: dict[TopicPartition, int]) -> FetchRequest:
    from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchTopic

    by_id = (await cluster.broker(node_id)).version_for(FetchRequest) >= _BY_TOPIC_ID
    topics: dict[str, FetchTopic] = {}
    for (name, index), offset in wanted.items():
        if name not in topics:
            topics[name] = FetchTopic(topic=name, partitions=[])
            if by_id:
                topics[name].topic_id = cluster.view.topics[name].topic_id
        part = FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=_PARTITION_BYTES)
        topics[name].partitions.append(part)
    return FetchRequest(
        max_wait_ms=_WAIT_MS,
        min_bytes=1,
        max_bytes=_TOTAL_BYTES,
        isolation_level=1,
        session_id=0,
        session_epoch=-1,
        topics=list(topics.values()),
    )


def _counted(cluster: Cluster, key: TopicPartition, row: Any, before: Counted, goal: int) -> Counted:
    code = ErrorCode.of(row.error_code)
    if code == ErrorCode.OFFSET_OUT_OF_RANGE and row.log_start_offset > before.position:
        return before._replace(position=row.log_start_offset)  # retention took what was there
    if code:
        if code.refreshes_metadata:
            cluster.view = cluster.view.without(key[0])
        raise KafkaError(code, f"{key[0]}-{key[1]}: {code.message}")
    data = memoryview(row.records or b"")
    for start, header, is_living in living_batches(data, row.aborted_transactions or [], check_crcs=False):
        if header.base_offset >= goal:
            return before._replace(position=goal)
        if header.next_offset <= before.position:
            continue
        count, first = header.records_count if is_living else 0, before.first_timestamp
        if is_living and (first is None or header.base_offset < before.position):
            times = [
                each.timestamp for each in decode_records(data, start, header=header) if each.offset >= before.position
            ]
            count = len(times)
            first = times[0] if first is None and times else first
        before = Counted(header.next_offset, before.records + count, first)
    return before
