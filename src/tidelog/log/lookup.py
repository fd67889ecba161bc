"""Finding records by time, and the aborted transactions that a reader must skip."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tidelog.log.reading import find_batch
from tidelog.log.scanning import iter_headers
from tidelog.log.segment import Segment
from tidelog.log.txn_index import AbortedTxn
from tidelog.ports import FileRange
from tidelog.protocol.record_batch import BatchHeader, Record, decode_records

if TYPE_CHECKING:
    from tidelog.log.log import Log


class TimestampOffset(NamedTuple):
    timestamp: int
    offset: int
    leader_epoch: int


def offset_for_timestamp(log: Log, timestamp: int) -> TimestampOffset | None:
    """The first record that is not before `timestamp`; None when all are. May wait for the device."""
    for segment in log.segments:
        try:
            if segment.size and segment.largest_timestamp() >= timestamp:
                found = _first_at_or_after(segment, timestamp, log.log_start_offset, log.config.inflated_bytes_max)
                if found is not None:
                    return found
        except FileNotFoundError:
            if segment in log.segments.items:
                raise
            # else deleted while this thread looked into it
    return None


def _first_at_or_after(segment: Segment, timestamp: int, start_offset: int, max_bytes: int) -> TimestampOffset | None:
    batch = find_batch(segment, max(_not_later_until(segment, timestamp), start_offset))
    if batch is None:
        return None
    for position, header, _ in iter_headers(segment.file, batch.position, segment.size):
        if header[8] >= timestamp:
            for record in _records(segment, position, header, max_bytes):
                if record.timestamp >= timestamp and record.offset >= start_offset:
                    return TimestampOffset(record.timestamp, record.offset, header[2])
    return None


def _not_later_until(segment: Segment, timestamp: int) -> int:
    """An offset before which the time index rules out anything later than `timestamp`."""
    while True:
        try:
            index = segment.time_index
            number = index.lookup(timestamp)
            return index.entry(number)[1] if number >= 0 else segment.base_offset
        except ValueError:
            continue  # the loop's thread is cutting or growing the mapping under this one; then there is a new one


def _records(segment: Segment, position: int, header: tuple[int, ...], max_bytes: int) -> list[Record]:
    return decode_records(segment.file.pread(header[1] + 12, position), 0, max_bytes, BatchHeader._make(header))


def max_timestamp_offset(log: Log) -> TimestampOffset | None:
    """The first record with the latest timestamp of the log. May wait for the device."""
    latest = None
    for segment in log.segments:
        segment.largest_timestamp()
        timestamp = segment.max_timestamp
        if timestamp is not None and timestamp > (-1 if latest is None else latest.max_timestamp or 0):
            latest = segment
    if latest is None:
        return None
    batch = find_batch(latest, latest.max_timestamp_offset)
    if batch is None:
        return None
    header = next(iter_headers(latest.file, batch.position, latest.size))[1]
    for record in _records(latest, batch.position, header, log.config.inflated_bytes_max):
        if record.timestamp >= header[8]:
            return TimestampOffset(record.timestamp, record.offset, header[2])
    return None


def aborted_transactions(log: Log, fetch_offset: int, read: FileRange | None) -> list[AbortedTxn]:
    """The aborted transactions with records in what was read from `fetch_offset` on."""
    if read is None:
        return []
    segments = log.segments
    number = max(0, segments.find(fetch_offset))
    upper = _upper_bound(log, read, number)
    found: list[AbortedTxn] = []
    for segment in segments.items[number:]:
        some, is_complete = segment.txn_index.overlapping(fetch_offset, upper)
        found += some
        if is_complete:
            break
    return found


def _upper_bound(log: Log, read: FileRange, number: int) -> int:
    """An offset behind everything in the range, as near as the index tells."""
    segments = log.segments
    while number + 1 < len(segments) and segments[number].path(".log") != read.file.path:
        number += 1
    index = segments[number].offset_index
    behind = index.last_before_position(read.position + read.length - 1) + 1
    if behind < index.count:
        return index.entry(behind)[0]
    return segments.bases[number + 1] if number + 1 < len(segments) else log.log_end_offset
