"""Futures between code that calls back and coroutines that wait."""

from __future__ import annotations

import asyncio
from typing import TypeVar

T = TypeVar("T")


def settle(future: asyncio.Future[T], value: T) -> None:
    """The outcome, unless nobody waits for it any more: the connection is gone, or the node stops."""
    if not future.done():
        future.set_result(value)
