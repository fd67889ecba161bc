"""The clock of one simulated machine: its timers are exact, its wall clock drifts and jumps."""

from __future__ import annotations

from tidelog.sim.loop import SimLoop

# 2026-01-01, so that timestamps look like timestamps.
EPOCH_MS = 1_767_225_600_000


class SimClock:
    def __init__(self, loop: SimLoop, offset_ms: int = 0, drift: float = 0.0) -> None:
        self._loop = loop
        self._offset_ms = offset_ms
        self._rate = 1000.0 * (1.0 + drift)

    def now_ms(self) -> int:
        return EPOCH_MS + self._offset_ms + int(self._loop._now * self._rate)

    def monotonic_ms(self) -> int:
        return int(self._loop._now * 1000.0)

    def jump(self, ms: int) -> None:
        self._offset_ms += ms
