"""Copies one closed segment to the object store, and proves that it is there.

The local file is read once to find chunks and checksums, then streamed; a file that is cut meanwhile, because this node
lost the lead, ends the copy. What was stored is read back before anybody may rely on it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple

from crc32c import crc32c

from tidelog.log import checkpoints, names
from tidelog.log.indexes import OffsetIndex
from tidelog.log.log import Log
from tidelog.log.reading import scan
from tidelog.log.scanning import iter_headers
from tidelog.log.segment import Segment
from tidelog.ports import Blocking, Buffer, Disk, File, ObjectStore
from tidelog.replication.epochs import LeaderEpochs
from tidelog.tier.companion import Aux, Chunk, DamagedObject, Section, encode, encode_chunks, index_over
from tidelog.tier.manifest import clip
from tidelog.tier.segments import Checks, RemoteSegment, SegmentState, TopicIdPartition


class Source(NamedTuple):
    """What is copied: an open file that survives deletion, and everything that lies beside it."""

    file: File
    chunks: list[Chunk]
    aux: bytes
    checks: Checks
    max_timestamp_ms: int
    has_transactions: bool


class Snapshot(NamedTuple):
    """What the event loop knows of a segment when its copy begins; the rest is read by a thread."""

    disk: Disk
    segment: Segment
    file: File
    size: int
    end_offset: int
    epochs: list[tuple[int, int]]
    producers_path: str


def snapshot(log: Log, segment: Segment, next_base: int) -> Snapshot:
    lineage = LeaderEpochs(log.epochs.entries())
    lineage.truncate_from_end(next_base)
    return Snapshot(
        log.disk,
        segment,
        segment.file,
        segment.size,
        next_base - 1,
        lineage.entries(),
        log.snapshots.path(next_base),
    )


def describe(
    taken: Snapshot, source: Source, place: TopicIdPartition, identity: bytes, broker_id: int, now_ms: int
) -> RemoteSegment:
    start = taken.segment.base_offset
    # Of records that were deleted from the beginning of the log the epochs are forgotten.
    known_from = max(start, taken.epochs[0][1]) if taken.epochs else start
    return RemoteSegment(
        identity,
        place,
        start,
        taken.end_offset,
        broker_id,
        source.max_timestamp_ms,
        now_ms,
        tuple(clip(taken.epochs, known_from, taken.end_offset)),
        taken.size,
        SegmentState.COPY_STARTED,
        None,
        not source.has_transactions,
    )


def prepare(taken: Snapshot, chunk_bytes: int) -> Source:
    """Reads the segment once. Waits for the device: runs in a thread."""
    segment, file = taken.segment, taken.file
    index = _read(taken.disk, segment.path(names.INDEX))
    chunks: list[Chunk] = []
    crc = 0
    for base_offset, position, end in _pieces(file, taken.size, index_over(index, segment.base_offset), chunk_bytes):
        data = file.pread(end - position, position)
        if len(data) != end - position:
            raise OSError(f"{file.path} was cut while it was copied")
        chunks.append(Chunk(base_offset, position, len(data), crc32c(data)))
        crc = crc32c(data, crc)
    transactions = _read(taken.disk, segment.path(names.TXN_INDEX))
    aux = encode(
        {
            Section.OFFSET_INDEX: index,
            Section.TIME_INDEX: _read(taken.disk, segment.path(names.TIME_INDEX)),
            Section.PRODUCERS: _read(taken.disk, taken.producers_path),
            Section.TRANSACTIONS: transactions,
            Section.EPOCHS: checkpoints.encode_epochs(taken.epochs),
            Section.CHUNKS: encode_chunks(chunks),
        }
    )
    checks = Checks(crc, crc32c(aux), len(aux))
    return Source(file, chunks, aux, checks, segment.largest_timestamp(), bool(transactions))


def _read(disk: Disk, path: str) -> bytes:
    return disk.read_bytes(path) if disk.exists(path) else b""


def _pieces(file: File, size: int, index: OffsetIndex, chunk_bytes: int) -> Iterator[tuple[int, int, int]]:
    """First offset, beginning and end of pieces of whole batches, of about `chunk_bytes` each."""
    position = 0
    while position < size:
        first = scan(file, position, size, -1)
        if first is None:
            raise OSError(f"{file.path} has no batch at position {position}")
        end = _end_of_piece(file, size, index, position, position + chunk_bytes)
        yield first.base_offset, position, end
        position = end


def _end_of_piece(file: File, size: int, index: OffsetIndex, position: int, target: int) -> int:
    """The last place before `target` that the index knows; else the first behind it that the batches tell."""
    if target >= size:
        return size
    number = index.last_before_position(target)
    if number >= 0:
        last_offset, end = index.entry(number)
        if end > position:
            scan(file, end, size, -1, expected_last=last_offset)  # raises when the index is wrong
            return end
    for at, header, _ in iter_headers(file, position, size):
        if at + header[1] + 12 >= target:
            return int(at + header[1] + 12)
    return size


class Uploader:
    def __init__(
        self,
        store: ObjectStore,
        blocking: Blocking,
        verify: bool = True,
    ) -> None:
        self._store = store
        self._blocking = blocking
        self._verify = verify

    async def copy(self, segment: RemoteSegment, source: Source) -> None:
        """Returns when both objects are stored and proved; OSError otherwise."""
        await self._store.put(segment.aux_key, source.aux)
        await self._store.put(segment.log_key, self._stream(source))
        await self._prove(segment, source)

    async def _stream(self, source: Source) -> AsyncIterator[Buffer]:
        for chunk in source.chunks:
            data = await self._blocking.run(source.file.pread, chunk.length, chunk.position)
            if len(data) != chunk.length or crc32c(data) != chunk.crc:
                raise OSError(f"{source.file.path} was changed while it was copied")
            yield data

    async def _prove(self, segment: RemoteSegment, source: Source) -> None:
        stored = await self._store.head(segment.log_key)
        if stored.size != segment.size_bytes:
            raise DamagedObject(f"{segment.log_key} has {stored.size} bytes in the store, not {segment.size_bytes}")
        if not self._verify:
            return
        aux = await self._store.get_range(segment.aux_key, 0, source.checks.aux_bytes)
        if len(aux) != len(source.aux) or crc32c(aux) != source.checks.aux_crc:
            raise DamagedObject(f"{segment.aux_key} came back from the store with other bytes")
        Aux(aux, segment.start_offset)
        for chunk in source.chunks:
            data = await self._store.get_range(segment.log_key, chunk.position, chunk.length)
            if len(data) != chunk.length or crc32c(data) != chunk.crc:
                raise DamagedObject(f"{segment.log_key} came back from the store with other bytes")
