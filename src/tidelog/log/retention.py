"""Which segments may go: decisions over what is known of each, without touching any."""

from __future__ import annotations

import itertools
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


def local_deletable_count(
    segments: Sequence[SegmentFacts],
    config: LogConfig,
    log_start_offset: int,
    tiered_offset: int,
    high_watermark: int,
    now_ms: int,
) -> int:
    """The same for a log that is tiered, whose records stay: only what can be read remotely, or lies before the start.

    With copying switched off nothing more becomes remote, and what is not goes by the limits of the whole log.
    """
    retention_ms, retention_bytes = config.kept_locally
    excess = sum(segment.size for segment in segments) - retention_bytes if retention_bytes >= 0 else -1
    for number, (segment, following) in enumerate(itertools.pairwise(segments)):
        end_offset = following.base_offset
        if end_offset > high_watermark:
            return number
        if end_offset > log_start_offset:
            is_excess = excess >= segment.size
            is_old = retention_ms >= 0 and now_ms - segment.largest_timestamp() > retention_ms
            may_go = end_offset <= tiered_offset or (config.remote_copy_disable and config.delete)
            if not may_go or not (is_excess or is_old):
                return number
        excess -= segment.size
    return len(segments) - 1
