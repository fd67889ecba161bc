"""Deadlines of a shard: cheap to set again, because an entry that was replaced is dropped only when it comes up."""

from __future__ import annotations

import heapq
from collections.abc import Hashable


class Timers:
    """At most one deadline per key. Moving one later is a dictionary write; the heap catches up when it is due."""

    def __init__(self) -> None:
        self._deadlines: dict[Hashable, int] = {}
        self._heap: list[tuple[int, int, Hashable]] = []
        self._count = 0

    def set(self, key: Hashable, deadline_ms: int) -> None:
        earlier = self._deadlines.get(key)
        self._deadlines[key] = deadline_ms
        if earlier is None or deadline_ms < earlier:
            self._push(key, deadline_ms)

    def cancel(self, key: Hashable) -> None:
        self._deadlines.pop(key, None)

    def deadline_ms(self, key: Hashable) -> int | None:
        return self._deadlines.get(key)

    def next_deadline_ms(self) -> int | None:
        while self._heap:
            at, _, key = self._heap[0]
            actual = self._deadlines.get(key)
            if actual == at:
                return at
            heapq.heappop(self._heap)
            if actual is not None and actual > at:
                self._push(key, actual)
        return None

    def due(self, now_ms: int) -> list[Hashable]:
        """Takes out every key whose deadline has come, earliest first."""
        found: list[Hashable] = []
        while (at := self.next_deadline_ms()) is not None and at <= now_ms:
            _, _, key = heapq.heappop(self._heap)
            del self._deadlines[key]
            found.append(key)
        return found

    def clear(self) -> None:
        self._deadlines.clear()
        self._heap.clear()

    def _push(self, key: Hashable, deadline_ms: int) -> None:
        self._count += 1
        heapq.heappush(self._heap, (deadline_ms, self._count, key))
