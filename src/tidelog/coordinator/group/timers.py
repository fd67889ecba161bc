"""Deadlines of a shard. A request moves one or two of them, so moving one is a dictionary write and nothing else."""

from __future__ import annotations

import heapq
from collections.abc import Hashable


class Timers:
    """At most one deadline per key.

    The heap has an entry for each key that comes no later than its deadline. One that was moved away stays where it is,
    and takes its new place when it comes up; so a deadline that goes back and forth leaves nothing behind.
    """

    def __init__(self) -> None:
        self._deadlines: dict[Hashable, int] = {}
        # The entry of a key that counts; an earlier one made any other superfluous.
        self._queued: dict[Hashable, int] = {}
        self._heap: list[tuple[int, int, Hashable]] = []
        self._count = 0

    def set(self, key: Hashable, deadline_ms: int) -> None:
        self._deadlines[key] = deadline_ms
        queued = self._queued.get(key)
        if queued is None or deadline_ms < queued:
            self._push(key, deadline_ms)

    def cancel(self, key: Hashable) -> None:
        self._deadlines.pop(key, None)

    def deadline_ms(self, key: Hashable) -> int | None:
        return self._deadlines.get(key)

    def next_deadline_ms(self) -> int | None:
        """When to look again: no later than the first deadline, and earlier if that was moved away."""
        heap = self._heap
        while heap:
            at, _, key = heap[0]
            if key in self._deadlines and self._queued[key] == at:
                return at
            self._pop()
        return None

    def due(self, now_ms: int) -> list[Hashable]:
        """Takes out every key whose deadline has come, earliest first."""
        found: list[Hashable] = []
        while self._heap and self._heap[0][0] <= now_ms:
            at, key = self._heap[0][0], self._pop()
            deadline = self._deadlines.get(key) if key is not None else None
            if deadline is None:
                continue
            if deadline > at:
                self._push(key, deadline)
            else:
                del self._deadlines[key]
                found.append(key)
        return found

    def clear(self) -> None:
        self._deadlines.clear()
        self._queued.clear()
        self._heap.clear()

    def _push(self, key: Hashable, deadline_ms: int) -> None:
        self._count += 1
        self._queued[key] = deadline_ms
        heapq.heappush(self._heap, (deadline_ms, self._count, key))

    def _pop(self) -> Hashable:
        """Takes the first entry out; None when it no longer counted."""
        at, _, key = heapq.heappop(self._heap)
        if self._queued.get(key) != at:
            return None
        del self._queued[key]
        return key
