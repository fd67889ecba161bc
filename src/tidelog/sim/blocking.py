"""Work beside the loop, done at a seeded later moment: what was asked for together may finish in any order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, TypeVar

from tidelog.sim.loop import SimLoop

T = TypeVar("T")
THREADS = 4


class SimBlocking:
    def __init__(self, loop: SimLoop, random: Random) -> None:
        self._loop = loop
        self._random = random
        # A device that is slow adds up to this much to everything.
        self.slow_s = 0.0
        self._busy = 0
        self._queue: deque[tuple[asyncio.Future[Any], Callable[..., Any], tuple[Any, ...]]] = deque()

    def run(self, work: Callable[..., T], *args: Any) -> Awaitable[T]:
        future: asyncio.Future[T] = self._loop.create_future()
        self._queue.append((future, work, args))
        self._begin()
        return future

    def _begin(self) -> None:
        while self._queue and self._busy < THREADS:
            self._busy += 1
            random = self._random.random()
            delay_s = 0.0001 + 0.004 * random * random + self.slow_s * self._random.random()
            self._loop.call_later(delay_s, self._finish, *self._queue.popleft())

    def _finish(self, future: asyncio.Future[Any], work: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self._busy -= 1
        try:
            value = work(*args)
        except Exception as error:
            if not future.done():
                future.set_exception(error)
        else:
            if not future.done():
                future.set_result(value)
        self._begin()

    def close(self) -> None:
        """What has not begun is dropped."""
        self._queue.clear()
