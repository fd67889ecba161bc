"""Many timers on one: deadlines of parked requests in a heap, with a single timer of the loop for the earliest.

Most parked requests are answered before their time; cancelling one only marks it, and the heap is cleaned when it is
mostly marks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heapify, heappop, heappush

CLEAN_AT = 1024
ALREADY = float("-inf")
NEVER = float("inf")


class Timer:
    __slots__ = ("_timers", "callback")

    def __init__(self, callback: Callable[[], None], timers: Timers) -> None:
        self.callback: Callable[[], None] | None = callback
        self._timers = timers

    def cancel(self) -> None:
        if self.callback is not None:
            self.callback = None
            self._timers.cancelled()


class Deadline:
    """The timer of something that waits again and again, seldom to the end: each wait only notes when it would be over.

    It fires at the end of some earlier wait and is then put off, so that many waits cost one turn of the heap.
    """

    __slots__ = ("_at", "_callback", "_fires_at", "_timer", "_timers")

    def __init__(self, timers: Timers, callback: Callable[[], None]) -> None:
        self._timers = timers
        self._callback = callback
        self._timer: Timer | None = None
        self._at = self._fires_at = NEVER

    def set(self, seconds: float) -> None:
        self._at = at = self._timers.time() + seconds
        if at < self._fires_at:
            if self._timer is not None:
                self._timer.cancel()
            self._fires_at = at
            self._timer = self._timers.after(seconds, self._fire)

    def cancel(self) -> None:
        self._at = NEVER

    def _fire(self) -> None:
        at, self._at, self._fires_at, self._timer = self._at, NEVER, NEVER, None
        if at == NEVER:
            return
        left = at - self._timers.time()
        if left > 0:
            self.set(left)
        else:
            self._callback()


class Timers:
    def __init__(self) -> None:
        # Deadline, and a number so that equal ones keep their order.
        self._heap: list[tuple[float, int, Timer]] = []
        self._count = 0
        self._cancelled = 0
        self._handle: asyncio.TimerHandle | None = None
        self._fires_at = 0.0
        # The loop of the first timer is that of all: asking for it each time costs a system call.
        self._loop: asyncio.AbstractEventLoop | None = None

    def time(self) -> float:
        """Now, as the deadlines count it."""
        loop = self._loop
        if loop is None:
            loop = self._loop = asyncio.get_running_loop()
        return loop.time()

    def after(self, seconds: float, callback: Callable[[], None]) -> Timer:
        loop = self._loop
        if loop is None:
            loop = self._loop = asyncio.get_running_loop()
        timer = Timer(callback, self)
        deadline = loop.time() + seconds
        self._count = count = self._count + 1
        heappush(self._heap, (deadline, count, timer))
        if self._handle is None or deadline < self._fires_at:
            self._arm(loop, deadline)
        return timer

    def cancelled(self) -> None:
        self._cancelled += 1
        if self._cancelled > CLEAN_AT and self._cancelled * 2 > len(self._heap):
            self._heap = [each for each in self._heap if each[2].callback is not None]
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
        # What a callback sets may be later than what is here already: the loop's timer is set for the earliest of all.
        self._fires_at = ALREADY
        now = loop.time()
        try:
            while self._heap and (self._heap[0][2].callback is None or self._heap[0][0] <= now):
                callback = heappop(self._heap)[2].callback
                if callback is None:
                    self._cancelled = max(0, self._cancelled - 1)
                else:
                    callback()
        finally:
            self._handle = None
            if self._heap:
                self._arm(loop, self._heap[0][0])
