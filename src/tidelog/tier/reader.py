"""Reads remote segments by pieces: what a reader asks for, and a little more before it asks.

Every request to the store is shared by all who wait for the same piece, has a time limit, and is checked against the
checksum that was made when the segment was copied. A piece that fails is told to those who wait for it and to nobody
else, and is asked for again by the next reader.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any, NamedTuple

from crc32c import crc32c

from tidelog.log.lookup import TimestampOffset
from tidelog.log.reading import IndexMismatch
from tidelog.log.txn_index import AbortedTxn
from tidelog.ports import Blocking, Buffer, Clock, FileRange, ObjectStore
from tidelog.protocol.record_batch import decode_records, iter_batches
from tidelog.tier.chunks import CachedChunk, ChunkCache
from tidelog.tier.companion import Aux, DamagedObject
from tidelog.tier.quota import Quota
from tidelog.tier.segments import RemoteSegment

logger = logging.getLogger(__name__)
AUX_BYTES_MAX = 64 << 20


class ReaderLimits(NamedTuple):
    concurrent: int = 10
    pending: int = 100
    read_ahead: int = 4
    timeout_s: float = 30.0
    bytes_per_second: int = 2**63 - 1
    retries: int = 2


class ReaderCounters:
    __slots__ = ("bytes", "errors", "latencies_ms", "requests")

    def __init__(self) -> None:
        self.requests = self.bytes = self.errors = 0
        self.latencies_ms: dict[int, int] = dict.fromkeys(BANDS_MS, 0)

    def took(self, ms: int) -> None:
        self.latencies_ms[next(band for band in BANDS_MS if ms <= band)] += 1


# The upper ends of the bands of the latency histogram; the last takes everything.
BANDS_MS = (1, 5, 10, 50, 100, 500, 1000, 5000, 1 << 62)


class TooBusy(OSError):
    """So many reads wait for the store already that one more would only wait longer."""


class RemoteReader:
    def __init__(
        self,
        store: ObjectStore,
        cache: ChunkCache,
        clock: Clock,
        blocking: Blocking,
        limits: ReaderLimits | None = None,
    ) -> None:
        self._store = store
        self._cache = cache
        self._clock = clock
        self._blocking = blocking
        self.limits = limits or ReaderLimits()
        self.counters = ReaderCounters()
        self._quota = Quota(clock, self.limits.bytes_per_second)
        self._aux: OrderedDict[bytes, Aux] = OrderedDict()
        self._aux_bytes = 0
        self._under_way: dict[tuple[bytes, int], asyncio.Task[Any]] = {}
        self._slots = asyncio.Semaphore(self.limits.concurrent)

    # what is here already

    def cached(
        self,
        segment: RemoteSegment,
        offset: int,
        max_bytes: int,
        min_one: bool,
        nowait: bool,
        upper_offset: int | None = None,
    ) -> FileRange | None:
        """From what is on local disk; None when that is nothing. Raises WouldBlock as reads of the log do."""
        aux = self._aux.get(segment.id)
        if aux is None:
            return None
        number = aux.chunk_of(offset)
        while number < len(aux.chunks):
            chunk = self._cache.get((segment.id, number))
            if chunk is None:
                return None
            try:
                found = chunk.read(offset, max_bytes, min_one, nowait, upper_offset)
            except IndexMismatch as error:  # what was checked when it came has changed on this disk
                logger.warning("a cached piece of %s is read again from remote storage: %s", segment, error)
                self._cache.drop((segment.id, number))
                return None
            if found is not None or offset < chunk.chunk.base_offset:
                self._read_ahead(segment, aux, number)
                return found
            number += 1  # nothing at or behind the offset is left in this chunk
        return None

    def _read_ahead(self, segment: RemoteSegment, aux: Aux, number: int) -> None:
        for ahead in range(number + 1, min(number + 1 + self.limits.read_ahead, len(aux.chunks))):
            if self._cache.get((segment.id, ahead)) is None and len(self._under_way) < self.limits.pending:
                self._start((segment.id, ahead), self._load_chunk(segment, aux, ahead))

    def behind(self, segment: RemoteSegment, offset: int) -> int:
        """An offset behind everything that one read from `offset` on can give."""
        aux = self._aux.get(segment.id)
        if aux is None:
            return segment.end_offset + 1
        number = aux.chunk_of(offset) + 2  # a read may give of the chunk after the one that holds the offset
        return aux.chunks[number].base_offset if number < len(aux.chunks) else segment.end_offset + 1

    def aborted_cached(self, segment: RemoteSegment, offset: int, upper: int) -> tuple[list[AbortedTxn], bool] | None:
        """As `aborted`, from what is here; None when that is not enough."""
        if segment.txn_index_empty:
            return [], False
        aux = self._aux.get(segment.id)
        return None if aux is None else _overlapping(aux, offset, upper)

    # bringing it here

    async def load(self, segment: RemoteSegment, offset: int) -> None:
        """Returns when the piece that holds `offset` is on local disk; OSError says why it is not."""
        aux = await self.aux(segment)
        number = aux.chunk_of(offset)
        while self._cache.get((segment.id, number)) is None:
            await self._shared((segment.id, number), lambda: self._load_chunk(segment, aux, number))
        chunk = self._cache.get((segment.id, number))
        if chunk is not None and number + 1 < len(aux.chunks) and await self._is_behind(chunk, offset):
            await self._shared((segment.id, number + 1), lambda: self._load_chunk(segment, aux, number + 1))
        self._read_ahead(segment, aux, number)

    async def _is_behind(self, chunk: CachedChunk, offset: int) -> bool:
        """Whether the offset lies in a gap behind the chunk's last batch."""
        return await self._blocking.run(chunk.read, offset, 1, True, False) is None

    async def aux(self, segment: RemoteSegment) -> Aux:
        known = self._aux.get(segment.id)
        if known is not None:
            self._aux.move_to_end(segment.id)
            return known
        found: Aux = await self._shared((segment.id, -1), lambda: self._load_aux(segment))
        return found

    async def _shared(self, key: tuple[bytes, int], work: Any) -> Any:
        task = self._under_way.get(key)
        if task is None:
            if len(self._under_way) >= self.limits.pending:
                raise TooBusy(f"{len(self._under_way)} reads wait for remote storage already; try again later")
            task = self._start(key, work())
        return await asyncio.shield(task)  # whoever stops waiting does not stop the others

    def _start(self, key: tuple[bytes, int], work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        known = self._under_way.get(key)
        if known is not None:
            work.close()
            return known
        task = asyncio.get_running_loop().create_task(work)
        self._under_way[key] = task
        task.add_done_callback(lambda done: self._finished(key, done))
        return task

    def _finished(self, key: tuple[bytes, int], task: asyncio.Task[Any]) -> None:
        del self._under_way[key]
        if not task.cancelled() and (error := task.exception()) is not None:
            self.counters.errors += 1
            logger.warning("a read from remote storage failed: %s", error)

    async def _load_aux(self, segment: RemoteSegment) -> Aux:
        checks = segment.checks
        if checks is None:
            raise DamagedObject(f"{segment} was copied by another kind of node and cannot be read here")
        data = await self._get(segment.aux_key, 0, checks.aux_bytes, checks.aux_crc)
        aux = Aux(data, segment.start_offset)
        self._aux[segment.id] = aux
        self._aux_bytes += aux.size_bytes
        while self._aux_bytes > AUX_BYTES_MAX and len(self._aux) > 1:
            self._aux_bytes -= self._aux.popitem(last=False)[1].size_bytes
        return aux

    async def _load_chunk(self, segment: RemoteSegment, aux: Aux, number: int) -> CachedChunk:
        chunk = aux.chunks[number]
        data = await self._get(segment.log_key, chunk.position, chunk.length, chunk.crc)
        return await self._cache.put((segment.id, number), chunk, data, aux.offset_index)

    async def _get(self, key: str, position: int, length: int, crc: int) -> Buffer:
        """Tries again when the store fails or gives other bytes than were stored: most such faults pass."""
        for tries_left in range(self.limits.retries, -1, -1):
            try:
                return await self._get_once(key, position, length, crc)
            except FileNotFoundError:
                raise
            except OSError as error:
                if not tries_left:
                    raise
                logger.info("remote storage is asked again for %s: %s", key, error)
        raise AssertionError("the last try returns or raises")

    async def _get_once(self, key: str, position: int, length: int, crc: int) -> Buffer:
        async with self._slots:
            await self._quota.take(length)
            began_ms = self._clock.monotonic_ms()
            self.counters.requests += 1
            try:
                async with asyncio.timeout(self.limits.timeout_s):
                    data = await self._store.get_range(key, position, length)
            except TimeoutError:
                raise OSError(f"{key}: no answer from remote storage in {self.limits.timeout_s:g} s") from None
        self.counters.took(self._clock.monotonic_ms() - began_ms)
        self.counters.bytes += len(data)
        if len(data) != length:
            raise DamagedObject(f"{key}: remote storage gave {len(data)} bytes of {length} at position {position}")
        if await self._blocking.run(crc32c, data) != crc:
            raise DamagedObject(f"{key}: the checksum of {length} bytes at position {position} does not fit")
        return data

    # looking into it

    async def aborted(self, segment: RemoteSegment, offset: int, upper: int) -> tuple[list[AbortedTxn], bool]:
        """Aborted transactions of this segment in the range, and whether later segments cannot have more of them."""
        if segment.txn_index_empty:
            return [], False
        return _overlapping(await self.aux(segment), offset, upper)

    async def offset_for_timestamp(
        self, segment: RemoteSegment, timestamp: int, start_offset: int, inflated_bytes_max: int
    ) -> TimestampOffset | None:
        """The first record at or behind `start_offset` that is not before `timestamp`."""
        aux = await self.aux(segment)
        entry = aux.time_index.lookup(timestamp)
        from_offset = max(aux.time_index.entry(entry)[1] if entry >= 0 else segment.start_offset, start_offset)
        for number in range(aux.chunk_of(from_offset), len(aux.chunks)):
            chunk = self._cache.get((segment.id, number))
            if chunk is None:
                chunk = await self._shared((segment.id, number), lambda: self._load_chunk(segment, aux, number))  # noqa: B023
            found = await self._blocking.run(_first_at_or_after, chunk, timestamp, start_offset, inflated_bytes_max)
            if found is not None:
                return found
        return None

    def forget(self, segment: RemoteSegment) -> None:
        """It is deleted."""
        aux = self._aux.pop(segment.id, None)
        if aux is not None:
            self._aux_bytes -= aux.size_bytes
            for number in range(len(aux.chunks)):
                self._cache.drop((segment.id, number))

    @property
    def pending(self) -> int:
        return len(self._under_way)

    async def close(self) -> None:
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _overlapping(aux: Aux, offset: int, upper: int) -> tuple[list[AbortedTxn], bool]:
    found = []
    for txn in aux.transactions:
        if txn.last_offset >= offset and txn.first_offset < upper:
            found.append(txn)
        if txn.last_stable_offset >= upper:
            return found, True
    return found, False


def _first_at_or_after(
    chunk: CachedChunk, timestamp: int, start_offset: int, inflated_bytes_max: int
) -> TimestampOffset | None:
    data = chunk.file.pread(chunk.chunk.length, 0)
    for position, header in iter_batches(data):
        if header.max_timestamp >= timestamp and header.last_offset >= start_offset:
            for record in decode_records(data, position, inflated_bytes_max, header):
                if record.timestamp >= timestamp and record.offset >= start_offset:
                    return TimestampOffset(record.timestamp, record.offset, header.partition_leader_epoch)
    return None
