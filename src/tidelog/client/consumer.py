"""The consumer: partitions by assignment, positions by offset or time, records by `poll`.

async with Consumer({"bootstrap.servers": "localhost:9092", "auto.offset.reset": "earliest"}) as consumer:
    consumer.assign([("orders", 0)])
    for record in await consumer.poll(timeout_s=1.0):
        print(record.offset, record.value)
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from tidelog.client.cluster import Cluster
from tidelog.client.fetched import ConsumerRecord
from tidelog.client.fetcher import Fetcher
from tidelog.client.list_offsets import EARLIEST, LATEST, FoundOffset, list_offsets
from tidelog.client.positions import Positions, TopicPartition
from tidelog.client.settings import CONSUMER, ClientSettings
from tidelog.protocol.errors import ErrorCode, KafkaError

__all__ = ["Consumer", "ConsumerRecord", "TopicPartition"]


class Consumer:
    """Must be created while an event loop runs."""

    def __init__(self, settings: Mapping[str, Any], cluster: Cluster | None = None) -> None:
        self.settings = ClientSettings.read(CONSUMER, settings)
        self._owns_cluster = cluster is None
        self.cluster = cluster or Cluster(self.settings)
        self.positions = Positions(self.settings["auto.offset.reset"])
        self._fetcher = Fetcher(self.cluster, self.settings, self.positions)
        self._records_max = self.settings["max.poll.records"]

    async def __aenter__(self) -> Consumer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # What to read.

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Reads exactly these partitions from now on."""
        self.positions.assign(partitions)
        self._fetcher.forget()

    @property
    def assignment(self) -> list[TopicPartition]:
        return list(self.positions.states)

    def pause(self, *partitions: TopicPartition) -> None:
        for key in partitions:
            self.positions.states[key].paused = True
        self._fetcher.forget()

    def resume(self, *partitions: TopicPartition) -> None:
        for key in partitions:
            self.positions.states[key].paused = False

    # Where to read.

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self.positions.seek(partition, offset)
        self._fetcher.forget()

    def seek_to_beginning(self, *partitions: TopicPartition) -> None:
        self._seek_to_time(EARLIEST, partitions)

    def seek_to_end(self, *partitions: TopicPartition) -> None:
        self._seek_to_time(LATEST, partitions)

    def seek_to_timestamp(self, timestamp_ms: int, *partitions: TopicPartition) -> None:
        """The first record at or after the time; the end when there is none."""
        self._seek_to_time(timestamp_ms, partitions)

    def _seek_to_time(self, timestamp: int, partitions: tuple[TopicPartition, ...]) -> None:
        for key in partitions or self.assignment:
            self.positions.seek_to_time(key, timestamp)
        self._fetcher.forget()

    async def position(self, partition: TopicPartition) -> int:
        """The offset of the next record that `poll` will give."""
        await self._place()
        return self.positions.states[partition].offset

    async def beginning_offsets(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        return await self._offsets(partitions, EARLIEST)

    async def end_offsets(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        return await self._offsets(partitions, LATEST)

    async def offsets_for_times(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, FoundOffset]:
        return await list_offsets(self.cluster, times, self._isolation)

    # Reading.

    async def poll(self, timeout_s: float = 0.5, max_records: int | None = None) -> list[ConsumerRecord]:
        """Records, as soon as there are any; none when the time is over first."""
        limit = max_records or self._records_max
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    if self.positions.unplaced():
                        await self._place()
                    found = self._fetcher.take(limit)
                    if found:
                        return found
                    await self._fetcher.arrived.wait()
        except TimeoutError:
            return []

    async def close(self) -> None:
        self._fetcher.close()
        if self._owns_cluster:
            await self.cluster.close()

    @property
    def _isolation(self) -> int:
        return int(self.settings["isolation.level"] == "read_committed")

    async def _offsets(self, partitions: Iterable[TopicPartition], time: int) -> dict[TopicPartition, int]:
        found = await list_offsets(self.cluster, dict.fromkeys(partitions, time), self._isolation)
        return {key: row.offset for key, row in found.items()}

    async def _place(self) -> None:
        """Finds a position for partitions that have none."""
        wanted: dict[TopicPartition, int] = {}
        for key, state in self.positions.unplaced().items():
            if state.reset_to is None:
                raise KafkaError(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    f"{key[0]}-{key[1]} has no position and auto.offset.reset gives none; seek first, or set it",
                )
            wanted[key] = state.reset_to
        if not wanted:
            return
        found = await list_offsets(self.cluster, wanted, self._isolation)
        beyond = [key for key, row in found.items() if row.offset < 0]
        ends = await self._offsets(beyond, LATEST) if beyond else {}
        for key, row in found.items():
            if key in self.positions.states and self.positions.states[key].offset < 0:
                self.positions.seek(key, ends.get(key, row.offset))
        for topic in {topic for topic, _ in wanted}:
            await self.cluster.topic(topic)
