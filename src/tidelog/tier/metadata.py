"""The metadata topic as this broker knows it: a manifest for each partition it tells of.

A broker follows the partitions of the topic that tell of something it hosts, each from the beginning. What it has told
itself counts only once it has come back through the topic, so all brokers see one order of events.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from tidelog.protocol.errors import KafkaError
from tidelog.protocol.primitives import DecodeError
from tidelog.tier import records
from tidelog.tier.manifest import Manifest
from tidelog.tier.segments import PartitionState, TopicIdPartition
from tidelog.tier.updates import PartitionDeletion

logger = logging.getLogger(__name__)
RETRY_S = 0.2
PUBLISH_TIMEOUT_S = 30.0


class Values(NamedTuple):
    """A piece of a metadata partition: values with their offsets, where to go on, and where the partition ends now."""

    values: Sequence[tuple[int, bytes]]
    next_offset: int
    end_offset: int


class MetadataTopic(Protocol):
    """The topic, wherever its leaders are. A leader that cannot be reached is an OSError or KafkaError."""

    def partition_count(self) -> int | None:
        """None while there is no such topic."""
        ...

    async def append(self, partition: int, value: bytes) -> int:
        """The offset of the value, once it is committed. After an error it may be in the topic or not."""
        ...

    async def read(self, partition: int, offset: int, wait_ms: int) -> Values:
        """Committed values from `offset` on; waits that long if there are none."""
        ...


class _Followed:
    """One partition of the metadata topic."""

    def __init__(self) -> None:
        self.next_offset = 0
        self.is_loaded = False
        self.manifests: dict[tuple[bytes, int], Manifest] = {}
        self.moved = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class RemoteMetadata:
    READ_WAIT_MS = 500

    def __init__(self, topic: MetadataTopic) -> None:
        self._topic = topic
        self._followed: dict[int, _Followed] = {}

    # following

    def follow(self, partitions: Sequence[int]) -> None:
        """From now on these and no others."""
        for number in list(self._followed):
            if number not in partitions:
                self._drop(number)
        for number in partitions:
            if number not in self._followed:
                followed = self._followed[number] = _Followed()
                followed.task = asyncio.get_running_loop().create_task(self._run(number, followed))

    def _drop(self, number: int) -> None:
        task = self._followed.pop(number).task
        if task is not None:
            task.cancel()

    async def _run(self, number: int, followed: _Followed) -> None:
        while True:
            try:
                found = await self._topic.read(number, followed.next_offset, self.READ_WAIT_MS)
            except (OSError, KafkaError) as error:
                logger.debug("%s-%d cannot be read now: %s", records.TOPIC, number, error)
                await asyncio.sleep(RETRY_S)
                continue
            for offset, value in found.values:
                self._replay(followed, number, offset, value)
            followed.next_offset = max(followed.next_offset, found.next_offset)
            if followed.next_offset >= found.end_offset:
                followed.is_loaded = True
            followed.moved.set()
            followed.moved.clear()

    def _replay(self, followed: _Followed, number: int, offset: int, value: bytes) -> None:
        if offset < followed.next_offset:
            return
        try:
            event = records.decode(value)
        except DecodeError as error:
            logger.error("%s-%d offset %d is left out: %s", records.TOPIC, number, offset, error)
            return
        if event is None:
            return
        key = (event.place.topic_id, event.place.partition)
        manifest = followed.manifests.get(key)
        if manifest is None:
            manifest = followed.manifests[key] = Manifest(event.place)
        manifest.replay(event)
        if isinstance(event, PartitionDeletion) and event.state is PartitionState.DELETE_FINISHED:
            del followed.manifests[key]

    # asking

    def number_of(self, place: TopicIdPartition) -> int | None:
        count = self._topic.partition_count()
        return None if count is None else records.metadata_partition(place.topic_id, place.partition, count)

    def manifest(self, place: TopicIdPartition) -> Manifest | None:
        """None while it is not known; an empty one when there is nothing to know."""
        number = self.number_of(place)
        followed = None if number is None else self._followed.get(number)
        if followed is None or not followed.is_loaded:
            return None
        key = (place.topic_id, place.partition)
        found = followed.manifests.get(key)
        if found is None:
            found = followed.manifests[key] = Manifest(place)
        return found

    def manifests(self, number: int) -> list[Manifest]:
        """All that one partition of the topic tells of, once it is read."""
        followed = self._followed.get(number)
        return list(followed.manifests.values()) if followed is not None and followed.is_loaded else []

    @property
    def is_loaded(self) -> bool:
        return all(followed.is_loaded for followed in self._followed.values())

    async def publish(self, event: records.Event) -> None:
        """Returns when the event is committed and has come back; OSError or KafkaError if that is not known."""
        number = self.number_of(event.place)
        followed = None if number is None else self._followed.get(number)
        if number is None or followed is None:
            raise OSError(f"{records.TOPIC} is not followed here yet")
        async with _limit():
            offset = await self._topic.append(number, records.encode(event))
            await self._reach(followed, offset + 1)

    async def refresh(self, place: TopicIdPartition) -> Manifest | None:
        """The manifest as of now: everything that was committed before the call is in it."""
        number = self.number_of(place)
        followed = None if number is None else self._followed.get(number)
        if number is None or followed is None:
            return None
        async with _limit():
            end = (await self._topic.read(number, followed.next_offset, 0)).end_offset
            await self._reach(followed, end)
        return self.manifest(place)

    async def _reach(self, followed: _Followed, offset: int) -> None:
        while followed.next_offset < offset:
            await followed.moved.wait()

    async def close(self) -> None:
        tasks = [each.task for each in self._followed.values() if each.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._followed.clear()


class _limit:
    """A time limit that ends as an OSError, like everything else that can go wrong far away."""

    def __init__(self) -> None:
        self._timeout = asyncio.timeout(PUBLISH_TIMEOUT_S)

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        try:
            await self._timeout.__aexit__(kind, error, trace)  # type: ignore[arg-type]
        except TimeoutError:
            raise OSError(f"{records.TOPIC} did not move in {PUBLISH_TIMEOUT_S:g} s") from None
