"""A simulated process: what the loop runs belongs to one, and a process can be stopped, continued and killed.

Everything that a callback schedules belongs to the process of that callback, so a process is simply the tree of all
that its first callback led to. The world itself (the network, the faults, the judge) is a process that never ends.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tidelog.sim.loop import SimHandle, SimLoop
    from tidelog.sim.network import Host, SimNetwork

T = TypeVar("T")


class Life(enum.Enum):
    RUNNING = "running"
    PAUSED = "paused"
    DEAD = "dead"


class ProcessEnded(Exception):
    """What was started in a process did not finish, because the process was killed."""


class Process:
    def __init__(self, loop: SimLoop, name: str, network: SimNetwork | None = None) -> None:
        self.name = name
        self.life = Life.RUNNING
        self.network = network
        # A process runs on the machine that its name says, up to the first slash.
        self.host: Host | None = network.host(name.partition("/")[0]) if network is not None else None
        self._loop = loop
        # While paused: what would have run, in order. When dead: kept, so that no destructor runs in mid-story.
        self._held: list[SimHandle] = []
        self._on_end: dict[object, Callable[[], None]] = {}

    def __repr__(self) -> str:
        return f"<{self.name} {self.life.value}>"

    @property
    def is_alive(self) -> bool:
        return self.life is not Life.DEAD

    def hold(self, handle: SimHandle) -> None:
        self._held.append(handle)

    def pause(self) -> None:
        if self.life is Life.RUNNING:
            self.life = Life.PAUSED

    def resume(self) -> None:
        if self.life is Life.PAUSED:
            self.life = Life.RUNNING
            held, self._held = self._held, []
            self._loop.requeue(held)

    def end(self) -> None:
        if self.life is Life.DEAD:
            return
        self.life = Life.DEAD
        waiting, self._on_end = self._on_end, {}
        for callback in waiting.values():
            callback()

    def on_end(self, key: object, callback: Callable[[], None]) -> None:
        """`callback` is called, in the world, when the process is killed before `forget(key)`."""
        self._on_end[key] = callback

    def forget(self, key: object) -> None:
        self._on_end.pop(key, None)

    def call_soon(self, callback: Callable[..., Any], *args: Any) -> None:
        """From outside: runs in this process."""
        loop = self._loop
        before, loop.process = loop.process, self
        loop.call_soon(callback, *args)
        loop.process = before

    def run(self, work: Coroutine[Any, Any, T]) -> asyncio.Future[T]:
        """Starts a task in this process; the future belongs to the caller and outlives the process."""
        loop, caller = self._loop, self._loop.process
        outcome: asyncio.Future[T] = loop.create_future()

        def settle(error: BaseException | None, value: Any) -> None:
            if outcome.done():
                return
            if error is not None:
                outcome.set_exception(error)
                outcome.exception()
            else:
                outcome.set_result(value)

        def finished(task: asyncio.Task[T]) -> None:
            self.forget(task)
            error = ProcessEnded(self.name) if task.cancelled() else task.exception()
            caller.call_soon(settle, error, None if error else task.result())

        def begin() -> None:
            task = loop.create_task(work)
            self._on_end[task] = lambda: caller.call_soon(settle, ProcessEnded(self.name), None)
            task.add_done_callback(finished)

        if self.life is Life.DEAD:
            work.close()
            settle(ProcessEnded(self.name), None)
        else:
            self.call_soon(begin)
        return outcome
