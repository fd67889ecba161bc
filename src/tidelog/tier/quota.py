"""A rate in bytes per second: who would exceed it waits for its turn."""

from __future__ import annotations

import asyncio

from tidelog.ports import Clock

UNLIMITED = 2**63 - 1


class Quota:
    __slots__ = ("_clock", "_free_at_ms", "bytes_per_second", "waited_ms")

    def __init__(self, clock: Clock, bytes_per_second: int = UNLIMITED) -> None:
        self._clock = clock
        self.bytes_per_second = bytes_per_second
        self._free_at_ms = 0.0
        self.waited_ms = 0

    async def take(self, size: int) -> None:
        """Returns when `size` bytes may go. The first of a quiet time go at once; those after them pay for it."""
        if self.bytes_per_second >= UNLIMITED:
            return
        now_ms = self._clock.monotonic_ms()
        begins_ms = max(self._free_at_ms, float(now_ms))
        self._free_at_ms = begins_ms + size * 1000 / self.bytes_per_second
        if begins_ms > now_ms:
            self.waited_ms += int(begins_ms - now_ms)
            await asyncio.sleep((begins_ms - now_ms) / 1000)
