"""A seeded event loop without an outside: time is a number, and when there is nothing to do it jumps to the next timer.

Futures and tasks are asyncio's own, so the shipped code runs on this loop unchanged. Callbacks run in the order in
which they were scheduled; timers of the same instant in the order in which they were made. Nothing here depends on
hash seeds, addresses of objects or the time of day, so one seed always gives one story.
"""

from __future__ import annotations

import asyncio
import asyncio.events
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context
from heapq import heapify, heappop, heappush
from random import Random
from typing import Any, NoReturn, TypeVar

from tidelog.sim.process import Life, Process

T = TypeVar("T")
# So many callbacks without time moving is a loop that never ends.
SAME_INSTANT_MAX = 500_000


class Stuck(Exception):
    """The simulation cannot go on: nothing is left to do, or time stands still."""


class SimHandle(asyncio.TimerHandle):
    """A callback and the process it belongs to."""

    __slots__ = ("process",)

    def __init__(self, when: float, callback: Callable[..., Any], args: Any, process: Process) -> None:
        # Instead of the parent's: that one looks at the loop's debugging and copies a context, a million times.
        self._when = when
        self._callback = callback
        self._args = args
        self._cancelled = False
        self._scheduled = False
        self._source_traceback = None
        self.process = process

    def cancel(self) -> None:
        self._cancelled = True
        self._callback = _nothing
        self._args = ()


def _nothing(*args: object) -> None:
    pass


class SimLoop(asyncio.AbstractEventLoop):
    def __init__(self, seed: int | str = 0) -> None:
        self.random = Random(f"loop {seed}")
        self.world = Process(self, "world")
        # Whose callback runs now: what it schedules belongs to the same process.
        self.process = self.world
        self.callbacks_run = 0
        # Failures that nobody waited for: each is a defect of the code under test.
        self.unheard: list[str] = []
        self._now = 0.0
        self._ready: deque[SimHandle] = deque()
        self._timers: list[tuple[float, int, SimHandle]] = []
        self._timers_made = 0
        self._since_moved = 0
        self._running = False
        self._closed = False

    # time and callbacks

    def time(self) -> float:
        return self._now

    def call_soon(self, callback: Callable[..., Any], *args: Any, context: Context | None = None) -> SimHandle:  # type: ignore[override]
        handle = SimHandle(self._now, callback, args, self.process)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(self, callback: Callable[..., Any], *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        raise NotImplementedError("a simulated node has no threads; use ports.Blocking")

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> SimHandle:
        return self.call_at(self._now + delay, callback, *args)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> SimHandle:
        handle = SimHandle(when, callback, args, self.process)
        self._timers_made += 1
        heappush(self._timers, (when, self._timers_made, handle))
        return handle

    def requeue(self, handles: Iterable[SimHandle]) -> None:
        self._ready.extend(handles)

    # futures and tasks

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]
        self, coro: Coroutine[Any, Any, T], *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[T]:
        return asyncio.Task(coro, loop=self, name=name or "task")

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self._closed

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if self._closed or "was destroyed but it is pending" in str(context.get("message")):
            return
        self.unheard.append(f"{self.process.name}: {context.get('message')}: {context.get('exception')!r}")

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        self.call_exception_handler(context)

    # the world outside

    async def create_connection(self, protocol_factory: Any, host: Any = None, port: Any = None, **_: Any) -> Any:
        """For the shipped client, which opens its connections with the loop."""
        from tidelog.sim.stream import connect

        return await connect(self.process, protocol_factory, host, port)

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> NoReturn:  # type: ignore[override]
        raise NotImplementedError("a simulated node has no threads; use ports.Blocking")

    # running

    def run_until_complete(self, future: Any) -> Any:
        self.process = self.world
        task = asyncio.ensure_future(future, loop=self)
        asyncio.events._set_running_loop(self)
        self._running = True
        try:
            self._run(task)
        finally:
            self._running = False
            asyncio.events._set_running_loop(None)
        return task.result()

    def _run(self, until: asyncio.Future[Any]) -> None:
        ready = self._ready
        while not until.done():
            if ready:
                handle = ready.popleft()
            else:
                handle = self._next_timer()
            if handle._cancelled:
                continue
            process = handle.process
            if process.life is not Life.RUNNING:
                process.hold(handle)
                continue
            self.callbacks_run += 1
            self._since_moved += 1
            if self._since_moved > SAME_INSTANT_MAX:
                raise Stuck(f"time stands still at {self._now:.3f} s in {process.name}: {handle._callback!r}")
            self.process = process
            try:
                handle._callback(*handle._args)
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException as error:
                if process.is_alive:
                    self.call_exception_handler({"message": f"{handle._callback!r} failed", "exception": error})
        self.process = self.world

    def _next_timer(self) -> SimHandle:
        if not self._timers:
            raise Stuck(f"nothing is left to do at {self._now:.3f} s")
        when, _, handle = heappop(self._timers)
        if when > self._now and not handle._cancelled:
            self._now = when
            self._since_moved = 0
            if len(self._timers) > 20_000 and self._timers_made % 1024 == 0:
                self._drop_cancelled()
        return handle

    def _drop_cancelled(self) -> None:
        self._timers = [each for each in self._timers if not each[2]._cancelled]
        heapify(self._timers)

    def close(self) -> None:
        """Forgets everything; what is left of the tasks ends without being able to do anything."""
        self._closed = True
        self._ready.clear()
        self._timers.clear()

    async def shutdown_asyncgens(self) -> None:
        pass

    def stop(self) -> None:
        raise NotImplementedError("a simulation ends when its story does")
