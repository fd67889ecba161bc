"""An object store in memory with every fault that a real one has shown.

Requests fail before or after they were carried out, take long or for ever, give fewer bytes or other ones; a list shows
what was there some time ago. What is stored stays stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from random import Random
from typing import NamedTuple

from tidelog.ports import Buffer, StoredObject


class StoreFaults(NamedTuple):
    """Chances of each fault for one request."""

    error: float = 0.0  # 5xx, nothing done
    error_after: float = 0.0  # done, but the answer is lost
    short: float = 0.0
    altered: float = 0.0
    altered_put: float = 0.0
    slow: float = 0.0
    hang: float = 0.0
    stale_list: float = 0.0


class SimObjectStore:
    def __init__(self, random: Random, now_ms: Callable[[], int], faults: StoreFaults | None = None) -> None:
        self._random = random
        self._now_ms = now_ms
        self.faults = faults or StoreFaults()
        self.objects: dict[str, tuple[bytes, int]] = {}
        self._before: dict[str, tuple[bytes, int]] = {}  # as some time ago
        self.injected: dict[str, int] = {}

    def _strikes(self, fault: str) -> bool:
        struck = self._random.random() < float(getattr(self.faults, fault))
        if struck:
            self.injected[fault] = self.injected.get(fault, 0) + 1
        return struck

    async def _begin(self) -> None:
        await asyncio.sleep(0.001 + 0.02 * self._random.random())
        if self._strikes("slow"):
            await asyncio.sleep(10 * self._random.random())
        if self._strikes("hang"):
            await asyncio.sleep(10_000)
        if self._strikes("error"):
            raise OSError("the store answers 503")

    def _end(self) -> None:
        if self._strikes("error_after"):
            raise OSError("the store's answer is lost")

    async def put(self, key: str, data: AsyncIterator[Buffer] | Buffer) -> None:
        await self._begin()
        if isinstance(data, (bytes, bytearray, memoryview)):
            body = bytes(data)
        else:
            body = b"".join([bytes(part) async for part in data])
        if self._strikes("altered_put"):
            body = self._altered(body)
        if self._random.random() < 0.3:
            self._before = dict(self.objects)
        self.objects[key] = (body, self._now_ms())
        self._end()

    async def get_range(self, key: str, position: int, length: int) -> Buffer:
        await self._begin()
        if key not in self.objects:
            raise FileNotFoundError(f"{key} is not in the store")
        data = self.objects[key][0][position : position + length]
        if self._strikes("short"):
            data = data[: self._random.randrange(max(1, len(data)))]
        if self._strikes("altered"):
            data = self._altered(data)
        self._end()
        return data

    def _altered(self, data: bytes) -> bytes:
        changed = bytearray(data)
        if changed:
            changed[self._random.randrange(len(changed))] ^= 1 << self._random.randrange(8)
        return bytes(changed)

    async def head(self, key: str) -> StoredObject:
        await self._begin()
        if key not in self.objects:
            raise FileNotFoundError(f"{key} is not in the store")
        data, modified_ms = self.objects[key]
        self._end()
        return StoredObject(key, len(data), modified_ms)

    async def list(self, prefix: str) -> Sequence[StoredObject]:
        await self._begin()
        shown = self._before if self._strikes("stale_list") else self.objects
        self._end()
        return [StoredObject(key, len(shown[key][0]), shown[key][1]) for key in sorted(shown) if key.startswith(prefix)]

    async def delete(self, keys: Sequence[str]) -> None:
        await self._begin()
        for key in keys:
            self.objects.pop(key, None)
        self._end()
