"""A reader that asks every broker, not only leaders, as a consumer may that reads from the replica next to it."""

from __future__ import annotations

import asyncio

from tidelog.client.cluster import Cluster
from tidelog.client.connection import Connection
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchTopic
from tidelog.protocol.record_batch import BatchError, check_crc, decode_records, iter_batches
from tidelog.sim.history import TopicPartition
from tidelog.sim.workloads import FAILURES, Setting, until_stopped

Positions = dict[TopicPartition, int]


async def peek(setting: Setting, name: str, broker_ids: list[int], every_s: float) -> None:
    async def life(who: str) -> None:
        async with Cluster(setting.common(who)) as cluster:
            await cluster.refresh(list(setting.partitions))
            await asyncio.gather(*(_follow(setting, cluster, f"{who}@{each}", each, every_s) for each in broker_ids))

    await until_stopped(setting, name, life)


async def _follow(setting: Setting, cluster: Cluster, who: str, broker_id: int, every_s: float) -> None:
    positions: Positions = {(topic, index): 0 for topic, count in setting.partitions.items() for index in range(count)}
    setting.recorder.uncommitted_readers.add(who)
    while not setting.stopping:
        try:
            await _look(setting, cluster, await cluster.broker(broker_id), who, positions)
        except FAILURES:
            await asyncio.sleep(0.5)
        await asyncio.sleep(every_s)


async def _look(setting: Setting, cluster: Cluster, connection: Connection, who: str, positions: Positions) -> None:
    topics: dict[str, FetchTopic] = {}
    for (topic, index), offset in positions.items():
        if topic not in topics:
            topics[topic] = FetchTopic(topic_id=cluster.view.topics[topic].topic_id, partitions=[])
        topics[topic].partitions.append(
            FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=1 << 20, current_leader_epoch=-1)
        )
    request = FetchRequest(
        max_wait_ms=0, min_bytes=0, max_bytes=1 << 22, session_id=0, session_epoch=-1, topics=list(topics.values())
    )
    answer = await connection.request(request, 6.0)
    for found in answer.responses:
        name = cluster.view.names_by_id.get(found.topic_id, "")
        for row in found.partitions:
            if name and not row.error_code and row.records:
                _take(setting, who, positions, (name, row.partition_index), memoryview(row.records))


def _take(setting: Setting, who: str, positions: Positions, partition: TopicPartition, records: memoryview) -> None:
    for position, header in iter_batches(records):
        try:
            check_crc(records, position, header)
        except BatchError:
            return  # a damaged copy, which a client refuses
        if not header.is_control:
            for record in decode_records(records, position):
                if record.offset >= positions[partition]:
                    setting.recorder.read(who, partition, record.offset, record.value)
        positions[partition] = max(positions[partition], header.next_offset)
