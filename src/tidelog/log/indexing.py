"""Making the indexes of a segment anew from its batches."""

from __future__ import annotations

from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.epoch_order import EpochOrder
from tidelog.log.scanning import BatchScan
from tidelog.log.segment import Segment


def rebuild_indexes(
    segment: Segment, config: LogConfig, limit_offset: int | None = None, epochs: EpochOrder | None = None
) -> BatchScan:
    """Reads the segment from the beginning and writes both indexes anew, as appends would have."""
    segment.close()
    if not segment.size:
        _remove_indexes(segment)
        return BatchScan(segment.disk.open(segment.path(names.LOG)), 0, segment.base_offset)
    for suffix in (names.INDEX, names.TIME_INDEX):
        segment.disk.open(segment.path(suffix), create=True).truncate(0)
    offsets, times = segment.offset_index, segment.time_index
    entries_max = segment.size // (config.index_interval_bytes + 1) + 2
    for index in (offsets, times):
        index.reset(min(config.segment_index_bytes, entries_max * index.entry_bytes))
    segment.max_timestamp, segment.max_timestamp_offset = -1, segment.base_offset
    segment.recent, segment.hints = ([], []), {}
    since = 0
    scan = BatchScan(segment.file, segment.size, segment.base_offset, limit_offset, epochs)
    for position, header, batch in scan:
        last_offset = header[0] + header[6]
        if header[8] > segment.max_timestamp:
            segment.max_timestamp, segment.max_timestamp_offset = header[8], last_offset
        if since > config.index_interval_bytes and not offsets.is_full and not times.is_full:
            offsets.append(last_offset, position)
            times.maybe_append(segment.max_timestamp, segment.max_timestamp_offset)
            since = 0
        since += len(batch)
    times.maybe_append(segment.max_timestamp, segment.max_timestamp_offset)
    offsets.trim()
    times.trim()
    segment.bytes_since_index = 0
    segment.is_active, segment.indexes_unsynced = False, True
    return scan


def _remove_indexes(segment: Segment) -> None:
    """They are made when the first batch is written."""
    for suffix in (names.INDEX, names.TIME_INDEX):
        if segment.disk.exists(segment.path(suffix)):
            segment.disk.remove(segment.path(suffix))
