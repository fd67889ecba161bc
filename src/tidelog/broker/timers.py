"""Many timers on one: deadlines of parked requests in a heap, with a single timer of the loop for the earliest.

Most parked requests are answered before their time; cancelling one only marks it, and the heap is cleaned when it is
mostly marks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heapify, heappop, heappush

CLEAN_AT = 1024


class Timer:
    __slots__ = ("_timers", "callback", "deadline")

    def __init__(self, deadline: float, callback: Callable[[], None], timers: Timers) -> None:
        self.deadline = deadline
        self.callback: Callable[[], None] | None = callback
        self._timers = timers

    def cancel(self) -> None:
        if self.callback is not None:
            self.callback = None
            self._timers.cancelled()

    def __lt__(self, other: Timer) -> bool:
        return self.deadline < other.deadline


class Timers:
    def __init__(self) -> None:
        self._heap: list[Timer] = []
        self._cancelled = 0
        self._handle: asyncio.TimerHandle | None = None
        self._fires_at = 0.0

    def after(self, seconds: float, callback: Callable[[], None]) -> Timer:
        loop = asyncio.get_running_loop()
        timer = Timer(loop.time() + seconds, callback, self)
        heappush(self._heap, timer)
        if self._handle is None or timer.deadline < self._fires_at:
            self._arm(loop, timer.deadline)
        return timer

    def cancelled(self) -> None:
        self._cancelled += 1
        if self._cancelled > CLEAN_AT and self._cancelled * 2 > len(self._heap):
            self._heap = [timer for timer in self._heap if timer.callback is not None]
            heapify(self._heap)
            self._cancelled = 0

    def close(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._heap.clear()

    def _arm(self, loop: asyncio.AbstractEventLoop, deadline: float) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._fires_at = deadline
        self._handle = loop.call_at(deadline, self._fire)

    def _fire(self) -> None:
        loop = asyncio.get_running_loop()
        self._handle = None
        now = loop.time()
        try:
            while self._heap and (self._heap[0].callback is None or self._heap[0].deadline <= now):
                callback = heappop(self._heap).callback
                if callback is None:
                    self._cancelled = max(0, self._cancelled - 1)
                else:
                    callback()
        finally:
            if self._heap and self._handle is None:
                self._arm(loop, self._heap[0].deadline)
