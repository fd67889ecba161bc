"""Threads for work that may wait for a device, so that the event loop never does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class ThreadBlocking:
    """A small pool: disks answer a few requests at a time, and each thread costs memory."""

    def __init__(self, threads: int = 4) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="blocking")

    def run(self, work: Callable[..., T], *args: Any) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    def close(self) -> None:
        """Waits for the work under way; what has not begun is dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)
