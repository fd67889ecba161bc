"""The topic of remote log metadata in memory: one committed order for all, whose answers are late or lost."""

from __future__ import annotations

import asyncio
from random import Random

from tidelog.tier.metadata import Values


class SimMetadataTopic:
    def __init__(self, random: Random) -> None:
        self._random = random
        self.values: list[bytes] = []
        self.faults = 0.0  # the chance that a request fails, before or after it was carried out
        self._moved = asyncio.Event()

    def partition_count(self) -> int:
        return 1

    async def append(self, partition: int, value: bytes) -> int:
        await asyncio.sleep(0.005 * self._random.random())
        if self._random.random() < self.faults:
            if self._random.random() < 0.5:
                # Whoever asked is told that it failed, and later it is there all the same.
                asyncio.get_running_loop().call_later(20 * self._random.random(), self._commit, value)
            raise OSError("the leader of the metadata topic did not answer")
        offset = self._commit(value)
        await asyncio.sleep(0.005 * self._random.random())
        return offset

    def _commit(self, value: bytes) -> int:
        self.values.append(value)
        self._moved.set()
        self._moved.clear()
        return len(self.values) - 1

    async def read(self, partition: int, offset: int, wait_ms: int) -> Values:
        if self._random.random() < 0.3:
            await asyncio.sleep(0.05 * self._random.random())
        if self._random.random() < self.faults:
            await asyncio.sleep(2 * self._random.random())
            raise OSError("the leader of the metadata topic did not answer")
        if offset >= len(self.values) and wait_ms:
            try:
                async with asyncio.timeout(wait_ms / 1000):
                    await self._moved.wait()
            except TimeoutError:
                pass
        found = self.values[offset : offset + 50]
        numbered = [(offset + number, value) for number, value in enumerate(found)]
        return Values(numbered, offset + len(found), len(self.values))
