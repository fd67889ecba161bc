"""Flushes beside the event loop: at most one at a time for each log, and everyone who waits shares the next one."""

from __future__ import annotations

import asyncio

from tidelog.log.log import Log
from tidelog.ports import Blocking


class Flusher:
    """One at a time is also safe: a later flush that ends first would promise what the earlier one still owes."""

    def __init__(self, blocking: Blocking | None) -> None:
        self._blocking = blocking
        self._running: dict[Log, asyncio.Future[None]] = {}
        self._rolled_meanwhile: set[Log] = set()

    async def flush(self, log: Log) -> None:
        """Returns when everything appended before the call is durable; raises if the disk fails."""
        target, generation = log.log_end_offset, log.generation
        while log.recovery_point < target and log.generation == generation:
            log.check_online()
            await asyncio.shield(self._running.get(log) or self._start(log, None))
        log.check_online()

    def is_busy(self, log: Log) -> bool:
        return log in self._running

    def rolled(self, log: Log) -> None:
        """Closed segments are made durable in the background, so that a crash leaves little to read again."""
        if self._blocking is None:
            return
        if log in self._running:
            self._rolled_meanwhile.add(log)
            return
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return  # a tool without a loop: the log is flushed when it is closed
        self._start(log, log.active.base_offset)

    def _start(self, log: Log, offset: int | None) -> asyncio.Future[None]:
        task: asyncio.Future[None] = asyncio.ensure_future(self._flush(log, offset))
        self._running[log] = task
        task.add_done_callback(_look_at_error)
        return task

    async def _flush(self, log: Log, offset: int | None) -> None:
        try:
            plan = log.plan_flush(offset)
            if self._blocking is None:
                plan.run()
            else:
                await self._blocking.run(plan.run)
            plan.done()
        except OSError as error:
            log.flush_failed(error)
            raise
        finally:
            del self._running[log]
            if log in self._rolled_meanwhile and log.offline is None:
                self._start(log, log.active.base_offset)
            self._rolled_meanwhile.discard(log)

    async def settle(self) -> None:
        """Waits for flushes under way."""
        while self._running:
            await asyncio.wait(list(self._running.values()))


def _look_at_error(task: asyncio.Future[None]) -> None:
    """Whoever waited has it; for a flush in the background the directory has told already."""
    if not task.cancelled():
        task.exception()
