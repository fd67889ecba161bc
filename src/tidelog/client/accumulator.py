"""Records that wait to be sent: one queue of batches per partition, bounded by `buffer.memory`.

A record's place is known only when its whole batch is acknowledged, so `send` gives a `Delivery` (batch and index) and
the result is kept once per batch.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from tidelog.protocol.record_batch import HEADER_BYTES, Record

RECORD_OVERHEAD = 21
"""Most bytes that a record needs besides key, value and headers: lengths, deltas, attributes."""


class RecordMetadata(NamedTuple):
    """Where a record went; offset -1 when the broker does not say (acks=0)."""

    topic: str
    partition: int
    offset: int
    timestamp: int


Callback = Callable[[RecordMetadata | None, Exception | None], None]


class Batch:
    __slots__ = (
        "_waiter",
        "attempts",
        "base_offset",
        "bytes",
        "callbacks",
        "closed",
        "created",
        "error",
        "halves",
        "log_append_time",
        "may_be_stored",
        "partition",
        "records",
        "retry_at",
        "sequence",
        "topic",
    )

    def __init__(self, topic: str, partition: int, created: float) -> None:
        self.topic = topic
        self.partition = partition
        self.created = created
        self.records: list[Record] = []
        self.callbacks: list[tuple[int, Callback]] = []
        self.bytes = HEADER_BYTES
        self.closed = False
        self.sequence = -1
        self.attempts = 0
        # Some try was not answered, or not clearly refused: it may be in the log although nobody said so.
        self.may_be_stored = False
        self.retry_at = 0.0
        self.base_offset: int | None = None
        self.log_append_time = -1
        self.error: Exception | None = None
        self.halves: list[Batch] = []
        self._waiter: asyncio.Future[None] | None = None

    def wait(self) -> asyncio.Future[None]:
        if self._waiter is None:
            self._waiter = asyncio.get_running_loop().create_future()
            if self.is_done:
                self._waiter.set_result(None)
        return self._waiter

    @property
    def is_done(self) -> bool:
        if self.halves:
            return all(half.is_done for half in self.halves)
        return self.base_offset is not None or self.error is not None

    def metadata(self, index: int) -> RecordMetadata:
        for half in self.halves:
            if index < len(half.records):
                return half.metadata(index)
            index -= len(half.records)
        if self.error is not None:
            raise self.error
        assert self.base_offset is not None
        offset = self.base_offset + index if self.base_offset >= 0 else -1
        timestamp = self.log_append_time if self.log_append_time >= 0 else self.records[index].timestamp
        return RecordMetadata(self.topic, self.partition, offset, timestamp)

    def complete(self, base_offset: int, log_append_time: int) -> None:
        self.base_offset = base_offset
        self.log_append_time = log_append_time
        for index, callback in self.callbacks:
            callback(self.metadata(index), None)
        self._wake()

    def fail(self, error: Exception) -> None:
        self.error = error
        for _, callback in self.callbacks:
            callback(None, error)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def split(self) -> list[Batch]:
        """Two halves, for a batch that the broker finds too large. The sequences stay those of the records."""
        middle = len(self.records) // 2
        halves = []
        for start, end in ((0, middle), (middle, len(self.records))):
            half = Batch(self.topic, self.partition, self.created)
            half.records = self.records[start:end]
            half.bytes = HEADER_BYTES + sum(record_bytes(r.key, r.value, r.headers) for r in half.records)
            half.closed = True
            half.sequence = self.sequence if self.sequence < 0 else (self.sequence + start) & 0x7FFFFFFF
            half.callbacks = [(i - start, callback) for i, callback in self.callbacks if start <= i < end]
            halves.append(half)
        self.halves = halves
        for half in halves:
            half.callbacks.append((0, lambda done, error: self._wake() if self.is_done else None))
        return halves


class Delivery:
    """The fate of one record: `metadata = await delivery`."""

    __slots__ = ("_batch", "_index")

    def __init__(self, batch: Batch, index: int) -> None:
        self._batch = batch
        self._index = index

    def __await__(self) -> Generator[Any, None, RecordMetadata]:
        if not self.done():
            yield from self._batch.wait().__await__()
        return self._batch.metadata(self._index)

    def done(self) -> bool:
        return self._batch.is_done


def record_bytes(key: bytes | None, value: bytes | None, headers: tuple[tuple[str, bytes | None], ...]) -> int:
    """An upper bound of a record's size in a batch."""
    size = RECORD_OVERHEAD + (len(key) if key else 0) + (len(value) if value else 0)
    for name, content in headers:
        size += 10 + 4 * len(name) + (len(content) if content else 0)
    return size


class Accumulator:
    def __init__(self, batch_bytes: int, memory_bytes: int) -> None:
        self.batch_bytes = batch_bytes
        self.memory_bytes = memory_bytes
        self.used_bytes = 0
        self.queues: dict[tuple[str, int], deque[Batch]] = {}
        self._freed = asyncio.Event()

    def append(self, topic: str, partition: int, record: Record, size: int, now: float) -> tuple[Batch, bool]:
        """Puts the record into the partition's last batch, or a new one. Also tells whether a sender should look."""
        queue = self.queues.get((topic, partition))
        if queue is None:
            queue = self.queues[(topic, partition)] = deque()
        batch = queue[-1] if queue else None
        wake = False
        if batch is None or batch.closed or (batch.bytes + size > self.batch_bytes and batch.records):
            if batch is not None:
                batch.closed = True
            batch = Batch(topic, partition, now)
            queue.append(batch)
            wake = True
        batch.records.append(record)
        batch.bytes += size
        self.used_bytes += size
        if batch.bytes >= self.batch_bytes:
            batch.closed = True
            wake = True
        return batch, wake

    def has_room(self, size: int) -> bool:
        return self.used_bytes == 0 or self.used_bytes + size <= self.memory_bytes

    async def wait_for_room(self, size: int, timeout_s: float) -> bool:
        """Whether there is room for `size` bytes within the time."""
        try:
            async with asyncio.timeout(timeout_s):
                while not self.has_room(size):
                    self._freed.clear()
                    await self._freed.wait()
        except TimeoutError:
            return False
        return True

    def release(self, batch: Batch) -> None:
        """The batch is acknowledged or failed: its memory may be used again."""
        self.used_bytes -= batch.bytes - HEADER_BYTES
        self._freed.set()

    def requeue(self, batch: Batch) -> None:
        """Back to the queue, in the order of sequences, or to its front when there are none."""
        queue = self.queues.setdefault((batch.topic, batch.partition), deque())
        position = 0
        if batch.sequence >= 0:
            while position < len(queue) and 0 <= queue[position].sequence < batch.sequence:
                position += 1
        queue.insert(position, batch)

    @property
    def is_empty(self) -> bool:
        return not any(self.queues.values())
