"""How much may be copied in a second: an allowance that grows with time and is spent by bytes.

Pure. It may be overdrawn by one answer, because nobody knows how large an answer is before it is there; then it is
exceeded until time has made up for it. Unused allowance is kept for one second at most.
"""

from __future__ import annotations

UNLIMITED = 2**63 - 1


class Throttle:
    __slots__ = ("_allowance", "_at_ms", "rate")

    def __init__(self, rate: int = UNLIMITED) -> None:
        self.rate = rate  # bytes a second
        self._allowance = 0.0
        self._at_ms = 0

    @property
    def is_limited(self) -> bool:
        return self.rate < UNLIMITED

    def set_rate(self, rate: int) -> None:
        self.rate = rate
        self._allowance = min(self._allowance, float(rate))

    def spend(self, size: int, now_ms: int) -> None:
        self._refill(now_ms)
        self._allowance -= size

    def is_exceeded(self, now_ms: int) -> bool:
        if self.rate >= UNLIMITED:
            return False
        self._refill(now_ms)
        return self._allowance <= 0

    def wait_ms(self, now_ms: int) -> int:
        """How long until something may be copied again."""
        if not self.is_exceeded(now_ms):
            return 0
        return max(1, int(-self._allowance * 1000 / self.rate) + 1) if self.rate > 0 else 1000

    def _refill(self, now_ms: int) -> None:
        if now_ms > self._at_ms:
            self._allowance = min(float(self.rate), self._allowance + self.rate * (now_ms - self._at_ms) / 1000)
            self._at_ms = now_ms
