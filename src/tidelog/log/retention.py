"""Which segments may go: decisions over what is known of each, without touching any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tidelog.log.config import LogConfig


class SegmentFacts(Protocol):
    base_offset: int
    size: int

    def largest_timestamp(self) -> int: ...


def deletable_count(
    segments: Sequence[SegmentFacts],
    log_end_offset: int,
    config: LogConfig,
    log_start_offset: int,
    high_watermark: int,
    now_ms: int,
) -> int:
    """How many segments from the oldest on may be deleted; never one with records at or past the high watermark."""
    excess = sum(segment.size for segment in segments) - config.retention_bytes if config.retention_bytes >= 0 else -1
    ends = [*(segment.base_offset for segment in segments[1:]), log_end_offset]
    for number, (segment, end_offset) in enumerate(zip(segments, ends)):
        is_last = number == len(segments) - 1
        if end_offset > high_watermark or (is_last and segment.size == 0):
            return number
        if is_last or end_offset > log_start_offset:  # else: DeleteRecords has gone past it
            is_excess = excess >= segment.size
            if not config.delete or not (is_excess or _is_old(segment, config, now_ms)):
                return number
        excess -= segment.size
    return len(segments)


def _is_old(segment: SegmentFacts, config: LogConfig, now_ms: int) -> bool:
    return config.retention_ms >= 0 and now_ms - segment.largest_timestamp() > config.retention_ms
