"""A persistent map for the big tables of the image: a change copies one small shard, not the table.

Keys are str or bytes. Shards are chosen by CRC-32 and not by `hash`, which differs from process to process: the order
of iteration must be the same on every node and in every replay.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from itertools import chain
from typing import Generic, TypeVar
from zlib import crc32

K = TypeVar("K", str, bytes)
V = TypeVar("V")

SHARDS = 512
_MASK = SHARDS - 1
_EMPTY: dict[object, object] = {}


def _shard_of(key: str | bytes) -> int:
    return crc32(key.encode() if isinstance(key, str) else key) & _MASK


class ShardedMap(Generic[K, V]):
    """Immutable; `updated` gives the next version, which shares every untouched shard."""

    __slots__ = ("_shards", "_size")

    def __init__(self, shards: tuple[dict[K, V], ...] | None = None, size: int = 0) -> None:
        self._shards: tuple[dict[K, V], ...] = shards or (_EMPTY,) * SHARDS  # type: ignore[assignment]
        self._size = size

    def get(self, key: K) -> V | None:
        data = key.encode() if type(key) is str else key
        return self._shards[crc32(data) & _MASK].get(key)  # type: ignore[arg-type]

    def __getitem__(self, key: K) -> V:
        return self._shards[_shard_of(key)][key]

    def __contains__(self, key: K) -> bool:
        return key in self._shards[_shard_of(key)]

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[K]:
        return chain.from_iterable(self._shards)

    def values(self) -> Iterator[V]:
        return chain.from_iterable(shard.values() for shard in self._shards)

    def items(self) -> Iterator[tuple[K, V]]:
        views: Iterator[ItemsView[K, V]] = (shard.items() for shard in self._shards)
        return chain.from_iterable(views)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShardedMap) and self._shards == other._shards

    __hash__ = None  # type: ignore[assignment]

    def updated(self, changes: Mapping[K, V | None]) -> ShardedMap[K, V]:
        """The next version: a value of None removes its key."""
        if not changes:
            return self
        shards = list(self._shards)
        copied: dict[int, dict[K, V]] = {}
        size = self._size
        for key, value in changes.items():
            index = _shard_of(key)
            shard = copied.get(index)
            if shard is None:
                shard = copied[index] = shards[index] = dict(shards[index])
            size -= key in shard
            if value is None:
                shard.pop(key, None)
            else:
                shard[key] = value
                size += 1
        return ShardedMap(tuple(shards), size)
