"""Finding bytes in a log: by offset and by timestamp.

A reader gets a range of one segment's file that begins and ends between batches. What is looked at on the way is the
sparse index and a few batch headers, so the cost does not depend on how much the log holds.
"""

from __future__ import annotations

import logging
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from tidelog import kernels
from tidelog.log.config import LogConfig
from tidelog.log.errors import WouldBlock
from tidelog.log.indexing import rebuild_indexes
from tidelog.log.segment import Segment
from tidelog.ports import File, FileRange
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import HEADER

if TYPE_CHECKING:
    from tidelog.log.log import Log

logger = logging.getLogger(__name__)
_HEADER_BYTES = HEADER.size
_HEADER_START = Struct(">qiib")
_SCAN_BYTES = 8192
_ANY_TIMESTAMP = -(2**63)


class BatchPosition(NamedTuple):
    position: int
    base_offset: int
    last_offset: int
    size: int
    max_timestamp: int


def read(
    log: Log, offset: int, max_bytes: int, upper_offset: int, min_one_batch: bool = True, nowait: bool = False
) -> FileRange | None:
    """Whole batches from the one that holds `offset`, all below `upper_offset`; None when there are none to give.

    At least one batch is given, however large, if `min_one_batch`. With `nowait`, raises WouldBlock instead of waiting
    for the device to find the place (the bytes themselves are not looked at).
    """
    if log.offline is not None:
        log.check_online()
    if offset < log.log_start_offset or offset > log.log_end_offset:
        raise _out_of_range(log, offset)
    if offset >= upper_offset:
        return None
    segments = log.segments
    number = segments.find(offset)
    if number < 0:
        raise KafkaError(
            ErrorCode.OFFSET_MOVED_TO_TIERED_STORAGE,
            f"{log.partition} has offset {offset} in remote storage; on disk it begins at {segments.bases[0]}.",
        )
    while number < len(segments):
        segment = segments[number]
        number += 1
        next_base = segments.bases[number] if number < len(segments) else log.log_end_offset
        try:
            found = _read_segment(segment, next_base, offset, max_bytes, upper_offset, min_one_batch, nowait)
        except FileNotFoundError:
            if segment in log.segments.items:
                raise
            # Deleted or compacted while this thread looked for it.
            return read(log, offset, max_bytes, upper_offset, min_one_batch, nowait)
        if found is not _NOT_HERE:
            return found
        if next_base >= upper_offset:
            return None
    return None


def _out_of_range(log: Log, offset: int) -> KafkaError:
    return KafkaError(
        ErrorCode.OFFSET_OUT_OF_RANGE,
        f"{log.partition} holds offsets {log.log_start_offset} to {log.log_end_offset}, not {offset}.",
    )


_NOT_HERE = FileRange(None, -1, -1)  # type: ignore[arg-type]


def _read_segment(
    segment: Segment, end_offset: int, offset: int, max_bytes: int, upper_offset: int, min_one: bool, nowait: bool
) -> FileRange | None:
    end = segment.size
    start = position_of(segment, offset, nowait)
    if start is None:
        return _NOT_HERE  # compaction has left nothing at or behind this offset here
    if upper_offset < end_offset:
        upper = position_of(segment, upper_offset, nowait)
        if upper is not None:
            end = upper
    if end - start <= max_bytes:
        return FileRange(segment.file, start, end - start) if end > start else None
    end = _trim(segment, start, start + max_bytes, min_one, nowait)
    return FileRange(segment.file, start, end - start) if end > start else None


def position_of(segment: Segment, offset: int, nowait: bool = False) -> int | None:
    """Where the batch begins that holds `offset`, or the first one after it; None if the segment ends before."""
    position = segment.recent_position(offset)
    if position is None:
        position = segment.hints.get(offset)
    if position is None:
        found = find_batch(segment, offset, nowait)
        position = found.position if found else None
    return position


def find_batch(segment: Segment, offset: int, nowait: bool = False) -> BatchPosition | None:
    """The batch that holds `offset`, or the first one after it. A wrong index entry shows at once, and is made good."""
    if nowait and segment.open_offset_index is None:
        raise WouldBlock  # opening files waits for the device
    indexed_offset, position = _indexed(segment, offset)
    if indexed_offset is not None:
        try:
            if not 0 <= position < segment.size:
                raise IndexMismatch(f"{segment.file.path} has no position {position}")
            return scan(segment.file, position, segment.size, offset, nowait, indexed_offset)
        except IndexMismatch as error:
            _repair(segment, error)
    return scan(segment.file, 0, segment.size, offset, nowait)


def _indexed(segment: Segment, offset: int) -> tuple[int | None, int]:
    """The index entry to begin at, if there is one."""
    while True:
        try:
            index = segment.offset_index
            number = index.lookup(offset)
            return index.entry(number) if number >= 0 else (None, 0)
        except ValueError:
            continue  # the loop's thread is cutting or growing the mapping under this one; then there is a new one


def _boundary(segment: Segment, limit: int) -> tuple[int, int]:
    """The last index entry that points at or before `limit`: its offset, and the position where its batch begins."""
    while True:
        try:
            index = segment.offset_index
            number = index.last_before_position(limit)
            return index.entry(number) if number >= 0 else (-1, 0)
        except ValueError:
            continue


class IndexMismatch(Exception):
    """An index entry does not point at the batch it names."""


def _repair(segment: Segment, error: IndexMismatch) -> None:
    logger.warning("the index is wrong and is made anew: %s", error)
    if segment.is_active:
        segment.offset_index.cut(0)  # appends go on beside this; the rest follows at the next recovery
    else:
        rebuild_indexes(segment, LogConfig())


def scan(
    file: File, position: int, end: int, offset: int, nowait: bool = False, expected_last: int | None = None
) -> BatchPosition | None:
    """Walks batch headers from `position` to the first batch that ends at or behind `offset`."""
    piece = _SCAN_BYTES if offset >= 0 else _HEADER_BYTES  # every batch ends behind -1
    while position + _HEADER_BYTES <= end:
        chunk = _piece(file, position, min(piece, end - position), nowait)
        if expected_last is not None and _last_offset(chunk) != expected_last:
            raise IndexMismatch(f"{file.path} has no batch at position {position} that ends at offset {expected_last}")
        expected_last = None
        at, header, _ = kernels.find_batch(chunk, 0, len(chunk), offset, _ANY_TIMESTAMP)
        if header is not None:
            return BatchPosition(position + at, header[0], header[0] + header[6], header[1] + 12, header[8])
        if at == 0 or at + _HEADER_BYTES <= len(chunk):
            raise IndexMismatch(f"{file.path} has no batch at position {position + at}")
        position += at
    return None


def _piece(file: File, position: int, length: int, nowait: bool) -> memoryview:
    piece = file.pread_cached(length, position) if nowait else file.pread(length, position)
    if piece is None:
        raise WouldBlock
    return memoryview(piece)


def _last_offset(chunk: memoryview) -> int:
    if len(chunk) < _HEADER_BYTES:
        return -1
    header = HEADER.unpack_from(chunk)
    return int(header[0] + header[6])


def _trim(segment: Segment, start: int, limit: int, min_one: bool, nowait: bool) -> int:
    """The last batch boundary up to `limit` that the index knows; behind the first batch if that alone is larger."""
    indexed_offset, end = _boundary(segment, limit)
    if start < end < segment.size:
        try:
            batch = scan(segment.file, end, segment.size, -1, nowait, indexed_offset)
        except IndexMismatch as error:
            _repair(segment, error)
            batch = None
        if batch is not None:
            segment.add_hint(batch.base_offset, end)
            return end
    return _walk(segment, start, limit, min_one, nowait)


def _walk(segment: Segment, start: int, limit: int, min_one: bool, nowait: bool) -> int:
    """The same by headers alone."""
    file, size = segment.file, segment.size
    chunk, chunk_start, end = memoryview(b""), start, start
    while end + _HEADER_BYTES <= size:
        if end + _HEADER_BYTES > chunk_start + len(chunk):
            chunk, chunk_start = _piece(file, end, min(_SCAN_BYTES, size - end), nowait), end
            if len(chunk) < _HEADER_BYTES:
                raise IndexMismatch(f"{file.path} ends before position {end + _HEADER_BYTES}")
        base_offset, length, _, magic = _HEADER_START.unpack_from(chunk, end - chunk_start)
        if magic != 2 or length + 12 < _HEADER_BYTES:
            raise IndexMismatch(f"{file.path} has no batch at position {end}")
        if end + length + 12 > limit:
            if end > start:
                segment.add_hint(base_offset, end)
                return end
            return end + length + 12 if min_one else start
        end += length + 12
    return end
