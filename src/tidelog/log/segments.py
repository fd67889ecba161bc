"""The segments of a log in the order of their offsets.

Immutable: a change makes a new list, so that a reader in another thread always sees a whole one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from tidelog.log.segment import Segment


class Segments:
    __slots__ = ("bases", "items")

    def __init__(self, items: list[Segment]) -> None:
        self.items = items
        self.bases = [segment.base_offset for segment in items]
        assert self.bases == sorted(set(self.bases)), "segments must not overlap"

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.items)

    def __getitem__(self, number: int) -> Segment:
        return self.items[number]

    def find(self, offset: int) -> int:
        """The number of the segment that holds or would hold `offset`; -1 before the first."""
        return bisect_right(self.bases, offset) - 1

    def with_last(self, segment: Segment) -> Segments:
        return Segments([*self.items, segment])

    def without(self, gone: list[Segment]) -> Segments:
        return Segments([segment for segment in self.items if segment not in gone])
