"""Figures of the producer's performance test, in Apache's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_SAMPLES_MAX = 500_000
_MB = 1024.0 * 1024.0


class PerfStats:
    """Counts, bytes and latencies; prints a line each `interval_ms` unless that is 0. Times are in milliseconds."""

    def __init__(self, expected: int, interval_ms: int, now: Callable[[], int], steady: bool = False) -> None:
        self._now = now
        self._start = self._window_start = now()
        self._every = max(1, expected // max(1, min(expected, _SAMPLES_MAX)))
        self._interval_ms = interval_ms
        self._noun = "steady state records" if steady else "records"
        self._samples: list[int] = []
        self.count = 0
        self.bytes = 0
        self._total_latency = 0
        self._max_latency = 0
        self._window = [0, 0, 0, 0]

    def record(self, latencies: Sequence[int], size: int) -> None:
        """Takes in records that were acknowledged together, `size` bytes in all."""
        count, total, most = len(latencies), sum(latencies), max(latencies)
        skip = -self.count % self._every
        self._samples += latencies[skip :: self._every]
        self.count += count
        self.bytes += size
        self._total_latency += total
        self._max_latency = max(self._max_latency, most)
        window = self._window
        window[0] += count
        window[1] += size
        window[2] += total
        window[3] = max(window[3], most)
        if self._interval_ms and self._now() - self._window_start >= self._interval_ms:
            print(self.window_line(), flush=True)
            self._window = [0, 0, 0, 0]
            self._window_start = self._now()

    def window_line(self) -> str:
        count, size, latency, most = self._window
        elapsed = max(self._now() - self._window_start, 1)
        return (
            f"{count} records sent, {1000.0 * count / elapsed:.1f} records/sec "
            f"({1000.0 * size / elapsed / _MB:.2f} MB/sec), {latency / max(count, 1):.1f} ms avg latency, "
            f"{float(most):.1f} ms max latency."
        )

    def total_line(self) -> str:
        elapsed = max(self._now() - self._start, 1)
        p50, p95, p99, p999 = self._percentiles(0.5, 0.95, 0.99, 0.999)
        return (
            f"{self.count} {self._noun} sent, {1000.0 * self.count / elapsed:f} records/sec "
            f"({1000.0 * self.bytes / elapsed / _MB:.2f} MB/sec), "
            f"{self._total_latency / max(self.count, 1):.2f} ms avg latency, "
            f"{float(self._max_latency):.2f} ms max latency, "
            f"{p50} ms 50th, {p95} ms 95th, {p99} ms 99th, {p999} ms 99.9th."
        )

    def _percentiles(self, *wanted: float) -> list[int]:
        ordered = sorted(self._samples)
        return [ordered[int(share * len(ordered))] if ordered else 0 for share in wanted]


class Throttle:
    """Holds a loop to a rate: `delay` gives how many seconds to rest after `done` records."""

    def __init__(self, per_second: float, start_s: float) -> None:
        self._per_second = per_second
        self._start_s = start_s

    def delay(self, done: int, now_s: float) -> float:
        if self._per_second <= 0:
            return 0.0
        return max(0.0, done / self._per_second - (now_s - self._start_s))
