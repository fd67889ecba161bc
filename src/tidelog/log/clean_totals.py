"""What the cleaner has done, for metrics, and how fast it may go on. Values in, values out."""

from __future__ import annotations

from collections.abc import Sequence

from tidelog.log.clean_job import CleanStats
from tidelog.log.clean_plan import DirtyPart


class Throttle:
    """Spreads bytes over time: whoever moved some waits until the budget allows for more."""

    def __init__(self) -> None:
        self._free_at_ms = 0.0

    def delay_ms(self, moved: int, bytes_per_second: float, now_ms: int) -> float:
        self._free_at_ms = max(self._free_at_ms, float(now_ms)) + 1000 * moved / bytes_per_second
        return self._free_at_ms - now_ms if self._free_at_ms - now_ms >= 1 else 0.0


class CleanTotals:
    def __init__(self) -> None:
        self.last_run_ms = 0
        self.max_dirty_ratio = 0.0
        self.max_compaction_delay_ms = 0
        self.runs = 0
        self.read_bytes = 0
        self.written_bytes = 0
        self.records_read = 0
        self.records_kept = 0
        self.time_ms = 0
        self.last_time_ms = 0
        self.last_recopy_ratio = 0.0
        self.last_map_utilization = 0.0

    def looked(self, now_ms: int, parts: Sequence[DirtyPart]) -> None:
        self.last_run_ms = now_ms
        self.max_dirty_ratio = max((part.ratio for part in parts), default=0.0)
        self.max_compaction_delay_ms = max((part.delay_ms for part in parts), default=0)

    def cleaned(self, stats: CleanStats, time_ms: int) -> None:
        self.runs += 1
        self.read_bytes += stats.read_bytes
        self.written_bytes += stats.written_bytes
        self.records_read += stats.records_read
        self.records_kept += stats.records_kept
        self.time_ms += time_ms
        self.last_time_ms = time_ms
        self.last_recopy_ratio = stats.written_bytes / stats.read_bytes if stats.read_bytes else 0.0
        self.last_map_utilization = stats.map_utilization
