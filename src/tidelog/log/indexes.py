"""The two sparse indexes of a segment, mapped into memory.

Offset index: 4 bytes offset relative to the segment's base and 4 bytes position, for the last offset of a batch and the
position where that batch begins. Time index: 8 bytes timestamp and 4 bytes relative offset: up to that offset no record
of the segment is later than that timestamp. While a segment is written to, its indexes are files of full size filled
with zeros behind the last entry; they are cut when the segment is closed.
"""

from __future__ import annotations

import struct

from tidelog.ports import Disk, Mapping

_OFFSET_ENTRY = struct.Struct(">ii")
_TIME_ENTRY = struct.Struct(">qi")
_RESERVE_BYTES = 4096
MAX_RELATIVE_OFFSET = 2**31 - 1


class SparseIndex:
    """What both kinds share: a mapping, a count of entries and the room for more."""

    __slots__ = ("_mapping", "_reserved", "base_offset", "capacity", "count", "entry_bytes", "view")
    ENTRY = _OFFSET_ENTRY

    def __init__(self, mapping: Mapping, base_offset: int, count: int) -> None:
        self._mapping = mapping
        self.base_offset = base_offset
        self.entry_bytes = self.ENTRY.size
        self.count = count
        self._refresh()

    def _refresh(self) -> None:
        self.view = self._mapping.view
        self.capacity = len(self.view) // self.entry_bytes
        self._reserved = self.count * self.entry_bytes

    @property
    def size(self) -> int:
        return self.count * self.entry_bytes

    def _make_room(self, position: int) -> None:
        """Claims the disk space of the next page before it is stored to."""
        end = min(self._reserved + _RESERVE_BYTES, len(self.view))
        self._mapping.reserve(self._reserved, end - self._reserved)
        self._reserved = end
        assert position + self.entry_bytes <= end, "an index entry goes past the end of its file"

    def grow(self, max_bytes: int) -> None:
        """Full size, for a segment that is written to."""
        size = max_bytes - max_bytes % self.entry_bytes
        if len(self.view) != size and size >= self.size:
            self._mapping.resize(size)
            self._refresh()

    def reset(self, max_bytes: int) -> None:
        """Empty, at full size."""
        self.count = 0
        self._mapping.resize(0)
        self._mapping.resize(max_bytes - max_bytes % self.entry_bytes)
        self._refresh()
        self._load_last()

    def _load_last(self) -> None:
        raise NotImplementedError

    def trim(self) -> None:
        """Cuts the file behind its last entry."""
        if len(self.view) != self.size:
            self._mapping.resize(self.size)
            self._refresh()

    def cut(self, count: int) -> None:
        """Forgets all entries from `count` on; zeroes them, for an index that is not trimmed later."""
        start, end = count * self.entry_bytes, self.size
        if end > start:  # an index without entries has no mapping that could be written to
            self.view[start:end] = bytes(end - start)
        self.count = count

    def flush(self) -> None:
        self._mapping.flush()


class OffsetIndex(SparseIndex):
    __slots__ = ("last_offset",)
    ENTRY = _OFFSET_ENTRY

    def __init__(self, mapping: Mapping, base_offset: int, count: int) -> None:
        super().__init__(mapping, base_offset, count)
        self._load_last()

    def _load_last(self) -> None:
        self.last_offset = self.entry(self.count - 1)[0] if self.count else self.base_offset

    @property
    def is_full(self) -> bool:
        return self.count >= self.capacity

    def append(self, offset: int, position: int) -> None:
        at = self.count * 8
        if at >= self._reserved:
            self._make_room(at)
        assert self.count == 0 or offset > self.last_offset, "offset index entries must grow"
        _OFFSET_ENTRY.pack_into(self.view, at, offset - self.base_offset, position)
        self.count += 1
        self.last_offset = offset

    def entry(self, number: int) -> tuple[int, int]:
        relative, position = _OFFSET_ENTRY.unpack_from(self.view, number * 8)
        return self.base_offset + relative, position

    def lookup(self, offset: int) -> int:
        """The number of the last entry whose offset is not past `offset`, or -1."""
        relative = offset - self.base_offset
        unpack, view = _OFFSET_ENTRY.unpack_from, self.view
        low, high = 0, self.count
        while low < high:
            middle = (low + high) >> 1
            if unpack(view, middle << 3)[0] <= relative:
                low = middle + 1
            else:
                high = middle
        return low - 1

    def last_before_position(self, position: int) -> int:
        """The number of the last entry that points at or before `position`, or -1."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) >> 1
            if _OFFSET_ENTRY.unpack_from(self.view, middle << 3)[1] <= position:
                low = middle + 1
            else:
                high = middle
        return low - 1

    def truncate_to(self, offset: int) -> None:
        """Drops entries of `offset` and later."""
        self.cut(self.lookup(offset - 1) + 1)
        self._load_last()

    def is_sane(self) -> bool:
        if len(self.view) % 8:
            return False
        return self.count == 0 or (self.last_offset >= self.base_offset and self.entry(self.count - 1)[1] >= 0)


class TimeIndex(SparseIndex):
    __slots__ = ("last_offset", "last_timestamp")
    ENTRY = _TIME_ENTRY

    def __init__(self, mapping: Mapping, base_offset: int, count: int) -> None:
        super().__init__(mapping, base_offset, count)
        self._load_last()

    def _load_last(self) -> None:
        self.last_timestamp, self.last_offset = self.entry(self.count - 1) if self.count else (-1, self.base_offset)

    @property
    def is_full(self) -> bool:
        """One entry is kept free for the one that closes the segment."""
        return self.count >= self.capacity - 1

    def maybe_append(self, timestamp: int, offset: int) -> None:
        """Adds an entry if it is later than the last one."""
        if timestamp <= self.last_timestamp:
            return
        at = self.count * 12
        if at + 12 > self._reserved:
            self._make_room(at)
        _TIME_ENTRY.pack_into(self.view, at, timestamp, offset - self.base_offset)
        self.count += 1
        self.last_timestamp, self.last_offset = timestamp, offset

    def entry(self, number: int) -> tuple[int, int]:
        timestamp, relative = _TIME_ENTRY.unpack_from(self.view, number * 12)
        return timestamp, self.base_offset + relative

    def lookup(self, timestamp: int) -> int:
        """The number of the last entry that is not later than `timestamp`, or -1."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) >> 1
            if _TIME_ENTRY.unpack_from(self.view, middle * 12)[0] <= timestamp:
                low = middle + 1
            else:
                high = middle
        return low - 1

    def truncate_to(self, offset: int) -> None:
        count = self.count
        while count and self.entry(count - 1)[1] >= offset:
            count -= 1
        self.cut(count)
        self._load_last()

    def is_sane(self) -> bool:
        if len(self.view) % 12:
            return False
        return self.count == 0 or (self.last_offset >= self.base_offset and self.last_timestamp >= self.entry(0)[0])


def open_offset_index(disk: Disk, path: str, base_offset: int, create: bool) -> OffsetIndex:
    mapping = _open(disk, path, create)
    return OffsetIndex(mapping, base_offset, len(mapping.view) // 8)


def open_time_index(disk: Disk, path: str, base_offset: int, create: bool) -> TimeIndex:
    mapping = _open(disk, path, create)
    return TimeIndex(mapping, base_offset, len(mapping.view) // 12)


def _open(disk: Disk, path: str, create: bool) -> Mapping:
    """Without `create` a missing file is an error: a segment that was just deleted must not come back as an index."""
    if not create:
        disk.read_bytes(path)  # into memory, while other threads run: a page fault in the mapping would stop them all
    return disk.map(path)
