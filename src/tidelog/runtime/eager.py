"""Runs a coroutine at once, as far as it gets; only one that has to wait becomes a task.

Most requests are answered without waiting for anything. A task for each would cost a turn of the loop, and its answer
would leave in a write of its own. What runs here must not ask for the current task: at first there is none.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


def begin(coroutine: Coroutine[Any, Any, T], done: Callable[[T], None]) -> Coroutine[Any, Any, None] | None:
    """Calls `done` with the result now and gives None, or gives the rest, which a task has to run."""
    try:
        waits_for = coroutine.send(None)
    except StopIteration as end:
        done(end.value)
        return None
    return _finish(coroutine, waits_for, done)


async def _finish(coroutine: Coroutine[Any, Any, T], waits_for: Any, done: Callable[[T], None]) -> None:
    done(await _rest(coroutine, waits_for))


@types.coroutine
def _rest(coroutine: Coroutine[Any, Any, T], waits_for: Any) -> Generator[Any, Any, T]:
    """Hands on to the task what the coroutine waits for, beginning with what it already does."""
    try:
        while True:
            try:
                yield waits_for
            except BaseException as error:  # such as a cancellation: it is the coroutine's to deal with
                waits_for = coroutine.throw(error)
            else:
                waits_for = coroutine.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
