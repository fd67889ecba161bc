"""Which partition a record goes to: by its key (murmur2, as every Kafka client), or in runs when it has none.

A record without a key goes where the last one went until about `batch.size` bytes are there, then on to another
partition picked at random: batches get full, and over time every partition gets its share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tidelog.protocol.murmur2 import murmur2

# Programs send the same keys again and again, and hashing in Python costs more than looking up.
_REMEMBERED_KEYS = 16_384


class KeyPartitioner:
    """Remembers the hashes of recent keys."""

    def __init__(self) -> None:
        self._hashes: dict[bytes, int] = {}

    def partition(self, key: bytes, partition_count: int) -> int:
        found = self._hashes.get(key)
        if found is None:
            if len(self._hashes) >= _REMEMBERED_KEYS:
                self._hashes.clear()
            found = self._hashes[key] = murmur2(key) & 0x7FFFFFFF
        return found % partition_count


class StickyPartitioner:
    """One topic's choice for records without a key. `choose` picks an index below its argument."""

    def __init__(self, batch_bytes: int, choose: Callable[[int], int]) -> None:
        self._batch_bytes = max(batch_bytes, 1)
        self._choose = choose
        self._current = -1
        self._bytes = 0

    def partition(self, record_bytes: int, partition_count: int, available: Sequence[int]) -> int:
        if self._current < 0 or self._bytes >= self._batch_bytes or self._current >= partition_count:
            self._current = self._next(partition_count, available)
            self._bytes = 0
        self._bytes += record_bytes
        return self._current

    def _next(self, partition_count: int, available: Sequence[int]) -> int:
        """A partition that has a leader now, and another one than the last where there is a choice."""
        candidates = [p for p in available if p != self._current] or list(available) or list(range(partition_count))
        return candidates[self._choose(len(candidates))]
