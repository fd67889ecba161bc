"""Finding bytes in a log: by offset and by timestamp.

A reader gets a range of one segment's file that begins and ends between batches. What is looked at on the way is the
sparse index and a few batch headers, so the cost does not depend on how much the log holds.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from tidelog.log.errors import WouldBlock
from tidelog.log.segment import Segment
from tidelog.ports import File, FileRange
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import HEADER

if TYPE_CHECKING:
    from tidelog.log.log import Log

logger = logging.getLogger(__name__)
_HEADER_BYTES = HEADER.size
_SCAN_BYTES = 8192


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
    if offset < log.log_start_offset or offset > log.log_end_offset:
        raise KafkaError(
            ErrorCode.OFFSET_OUT_OF_RANGE,
            f"{log.partition} holds offsets {log.log_start_offset} to {log.log_end_offset}, not {offset}.",
        )
    if offset >= upper_offset:
        return None
    segments = log.segments
    number = segments.find(offset)
    while number < len(segments):
        segment = segments[number]
        number += 1
        next_base = segments.bases[number] if number < len(segments) else log.log_end_offset
        found = _read_segment(segment, next_base, offset, max_bytes, upper_offset, min_one_batch, nowait)
        if found is not _NOT_HERE:
            return found
        if next_base >= upper_offset:
            return None
    return None


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
    """The batch that holds `offset`, or the first one after it. A wrong index entry shows at once and costs a walk."""
    index = segment.offset_index
    number = index.lookup(offset)
    file = segment.file
    if number >= 0:
        indexed_offset, position = index.entry(number)
        try:
            return scan(file, position, segment.size, offset, nowait, indexed_offset)
        except IndexMismatch as error:
            logger.warning("%s; reading the segment from its beginning instead", error)
            index.cut(0)
    return scan(file, 0, segment.size, offset, nowait)


class IndexMismatch(Exception):
    """An index entry does not point at the batch it names."""


def scan(
    file: File, position: int, end: int, offset: int, nowait: bool = False, expected_last: int = -1
) -> BatchPosition | None:
    """Walks batch headers from `position` to the first batch that ends at or behind `offset`."""
    chunk, chunk_start = b"", position
    while position + _HEADER_BYTES <= end:
        at = position - chunk_start
        if at + _HEADER_BYTES > len(chunk):
            length = min(_SCAN_BYTES, end - position)
            if nowait and not file.is_cached(position, length):
                raise WouldBlock
            chunk, chunk_start, at = file.pread(length, position), position, 0
        base, length, _, magic, _, _, last_delta, _, max_timestamp, *_ = HEADER.unpack_from(chunk, at)
        if magic != 2 or (expected_last >= 0 and base + last_delta != expected_last):
            raise IndexMismatch(f"{file.path} has no batch at position {position} that ends at offset {expected_last}")
        expected_last = -1
        if base + last_delta >= offset:
            return BatchPosition(position, base, base + last_delta, length + 12, max_timestamp)
        position += length + 12
    return None


def _trim(segment: Segment, start: int, limit: int, min_one: bool, nowait: bool) -> int:
    """The last known batch boundary up to `limit`; behind the first batch if that alone is larger and `min_one`."""
    index = segment.offset_index
    number = index.last_before_position(limit)
    end = index.entry(number)[1] if number >= 0 else 0
    if end <= start:
        end = start
        while True:
            batch = scan(segment.file, end, segment.size, -1, nowait)
            if batch is None or end + batch.size > limit:
                break
            end += batch.size
        if end == start:
            return start + batch.size if min_one and batch is not None else start
    if end < segment.size:
        if nowait and not segment.file.is_cached(end, 8):
            return end
        segment.add_hint(int.from_bytes(segment.file.pread(8, end), "big"), end)
    return end
