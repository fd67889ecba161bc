"""What of a log can be compacted, how urgent that is, and which segments go together. Values in, values out.

A log has a clean part, which an earlier compaction has left without an older value of any key, and a dirty part behind
it. Compaction reads the keys of the dirty part, then writes both parts anew without what they replace. Never touched
are the active segment, anything at or past the last stable offset, and records younger than min.compaction.lag.ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from tidelog.log.config import LogConfig

_MAX_RELATIVE = 2**31 - 1


class SegmentFacts(Protocol):
    base_offset: int
    size: int

    def largest_timestamp(self) -> int: ...
    def earliest_timestamp(self) -> int: ...
    def index_bytes(self) -> tuple[int, int]: ...


class DirtyPart(NamedTuple):
    """How much of a log could be compacted: offsets from `first_dirty` up to, not with, `first_uncleanable`."""

    first_dirty: int
    first_uncleanable: int
    clean_bytes: int
    dirty_bytes: int
    delay_ms: int  # how long max.compaction.lag.ms has been over
    is_reset: bool  # the checkpoint did not fit the log

    @property
    def total_bytes(self) -> int:
        return self.clean_bytes + self.dirty_bytes

    @property
    def ratio(self) -> float:
        return self.dirty_bytes / self.total_bytes if self.total_bytes else 0.0

    def is_due(self, config: LogConfig) -> bool:
        is_late = self.delay_ms > 0 and self.dirty_bytes > 0
        return is_late or (self.total_bytes > 0 and self.ratio > config.min_cleanable_dirty_ratio)


def dirty_part(
    segments: Sequence[SegmentFacts],
    config: LogConfig,
    checkpoint: int | None,
    log_start_offset: int,
    log_end_offset: int,
    last_stable_offset: int,
    now_ms: int,
) -> DirtyPart:
    """From a log as it is; the last of `segments` is the active one."""
    first_dirty = log_start_offset if checkpoint is None else checkpoint
    is_reset = first_dirty < log_start_offset or first_dirty > log_end_offset
    if is_reset:
        first_dirty = log_start_offset
    number = _containing(segments, first_dirty)
    dirty = segments[number:-1]
    limits = [last_stable_offset, segments[-1].base_offset]
    if config.min_compaction_lag_ms > 0:
        newest = now_ms - config.min_compaction_lag_ms
        limits += [each.base_offset for each in dirty if each.largest_timestamp() > newest][:1]
    # A segment goes in whole or not at all; the one that the last compaction stopped in counts to both parts.
    end = segments[_containing(segments, max(first_dirty, min(limits)))].base_offset
    return DirtyPart(
        first_dirty,
        end,
        sum(each.size for each in segments if each.base_offset < first_dirty),
        sum(each.size for each in dirty if each.base_offset < end),
        _delay_ms(dirty, config, now_ms),
        is_reset,
    )


def _containing(segments: Sequence[SegmentFacts], offset: int) -> int:
    """The number of the segment that holds or would hold `offset`; the first one when that lies before all."""
    number = len(segments) - 1
    while number > 0 and segments[number].base_offset > offset:
        number -= 1
    return number


def _delay_ms(dirty: Sequence[SegmentFacts], config: LogConfig, now_ms: int) -> int:
    if config.max_compaction_lag_ms > now_ms:
        return 0
    limit = now_ms - max(config.max_compaction_lag_ms, 0)
    earliest = min((time for each in dirty if (time := each.earliest_timestamp()) > 0), default=limit)
    return max(0, limit - earliest)


def groups(
    segments: Sequence[SegmentFacts], segment_bytes: int, index_bytes: int, end_offset: int
) -> list[tuple[int, int]]:
    """Neighbours that become one segment, as (first, behind the last); what is left of them fits into it for sure."""
    found: list[tuple[int, int]] = []
    first = 0
    while first < len(segments):
        size = segments[first].size
        offsets, times = segments[first].index_bytes()
        last = first + 1
        while last < len(segments):
            each = segments[last]
            more = each.index_bytes()
            size, offsets, times = size + each.size, offsets + more[0], times + more[1]
            final = segments[last + 1].base_offset if last + 1 < len(segments) else end_offset
            is_far = each.size > 0 and final - 1 - segments[first].base_offset > _MAX_RELATIVE
            if size > segment_bytes or offsets > index_bytes or times > index_bytes or is_far:
                break
            last += 1
        found.append((first, last))
        first = last
    return found
