"""One segment: a file of batches and its indexes, opened when first used.

`size` is the end of the valid bytes. A segment that is written to also remembers where its last batches begin, so that
readers at the tail need neither index nor disk.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable

from tidelog.log import names
from tidelog.log.host import OpenSegments
from tidelog.log.indexes import OffsetIndex, TimeIndex, open_offset_index, open_time_index
from tidelog.log.scanning import iter_headers
from tidelog.log.txn_index import TxnIndex
from tidelog.ports import Disk, File
from tidelog.protocol.record_batch import HEADER

RECENT_MAX = 256
HINTS_MAX = 16
SUFFIXES = (names.LOG, names.INDEX, names.TIME_INDEX, names.TXN_INDEX)
_HEADER_BYTES = HEADER.size
# Readers in other threads open segments too; two mappings of one index that is written to would be two truths.
_OPENING = threading.Lock()


class Segment:
    __slots__ = (
        "_txn_index",
        "base_offset",
        "bytes_since_index",
        "created_ms",
        "directory",
        "disk",
        "first_timestamp",
        "hints",
        "indexes_unsynced",
        "is_active",
        "is_full",
        "max_timestamp",
        "max_timestamp_offset",
        "open_file",
        "open_offset_index",
        "open_segments",
        "open_time_index",
        "recent",
        "roll_jitter_ms",
        "size",
        "suffix",
    )

    def __init__(
        self, disk: Disk, directory: str, base_offset: int, size: int, created_ms: int, open_segments: OpenSegments
    ) -> None:
        self.disk = disk
        self.directory = directory
        self.base_offset = base_offset
        self.suffix = ""  # what the names of its files end in while compaction puts it in or out of its place
        self.size = size
        self.created_ms = created_ms
        self.open_segments = open_segments
        self.is_active = False  # open for appends: indexes at full size, timestamps known
        self.indexes_unsynced = False  # written to since they were last made durable
        self.roll_jitter_ms = 0
        self.bytes_since_index = 0
        self.is_full = False  # an index has no room for another entry
        self.first_timestamp = -1  # of the first batch; -1: none yet, or not read yet
        self.max_timestamp: int | None = None  # None: not read from the time index yet
        self.max_timestamp_offset = base_offset
        self.recent: tuple[list[int], list[int]] = ([], [])  # base offsets and positions of the last batches
        self.hints: dict[int, int] = {}
        # None until they are opened; all three are open while the segment is active.
        self.open_file: File | None = None
        self.open_offset_index: OffsetIndex | None = None
        self.open_time_index: TimeIndex | None = None
        self._txn_index: TxnIndex | None = None

    def path(self, suffix: str) -> str:
        return f"{self.directory}/{names.offset_name(self.base_offset, suffix)}{self.suffix}"

    @property
    def file(self) -> File:
        file = self.open_file
        if file is None:
            with _OPENING:
                file = self.open_file = self.open_file or self.disk.open(self.path(names.LOG))
        if not self.is_active:
            self.open_segments.used(self)
        return file

    @property
    def offset_index(self) -> OffsetIndex:
        index = self.open_offset_index
        if index is None:
            with _OPENING:
                path = self.path(names.INDEX)
                index = self.open_offset_index or open_offset_index(self.disk, path, self.base_offset, self.is_active)
                self.open_offset_index = index
            if not self.is_active:
                self.open_segments.used(self)
        return index

    @property
    def time_index(self) -> TimeIndex:
        index = self.open_time_index
        if index is None:
            with _OPENING:
                path = self.path(names.TIME_INDEX)
                index = self.open_time_index or open_time_index(self.disk, path, self.base_offset, self.is_active)
                self.open_time_index = index
            if not self.is_active:
                self.open_segments.used(self)
        return index

    @property
    def txn_index(self) -> TxnIndex:
        index = self._txn_index
        if index is None:
            index = self._txn_index = TxnIndex(self.disk, self.path(names.TXN_INDEX))
        return index

    def open_for_append(self, index_bytes: int, preallocate_bytes: int = 0) -> None:
        """Indexes at full size, and the state that appends go by. A segment that cannot be opened is not active."""
        self.is_active = self.indexes_unsynced = True
        try:
            self._open_for_append(index_bytes, preallocate_bytes)
        except OSError:
            self.is_active = False
            self._shrink_indexes()
            raise

    def _open_for_append(self, index_bytes: int, preallocate_bytes: int) -> None:
        self.open_segments.forget(self)
        if self.open_file is None:
            self.open_file = self.disk.open(self.path(names.LOG), create=True)
        if preallocate_bytes > self.size:
            self.open_file.allocate(preallocate_bytes)
        self.offset_index.grow(index_bytes)
        self.time_index.grow(index_bytes)
        self.is_full = self.offset_index.is_full or self.time_index.is_full
        self.load_timestamps()

    def _shrink_indexes(self) -> None:
        """Lets go of all files; whoever opens an index again takes everything in it for entries."""
        indexes = ((names.INDEX, self.open_offset_index), (names.TIME_INDEX, self.open_time_index))
        self.close()
        for suffix, index in indexes:
            if index is not None and self.disk.size(self.path(suffix)) > index.size:
                self.disk.open(self.path(suffix)).truncate(index.size)

    def load_timestamps(self) -> None:
        if self.max_timestamp is None:
            self.max_timestamp, self.max_timestamp_offset = self.time_index.last_timestamp, self.time_index.last_offset
        if self.size >= _HEADER_BYTES:
            self.first_timestamp = HEADER.unpack(self.file.pread(_HEADER_BYTES, 0))[8]

    def largest_timestamp(self) -> int:
        """Of its records; a segment without any counts by when it was last written."""
        if self.max_timestamp is None and self.size:
            self.max_timestamp, self.max_timestamp_offset = self.time_index.last_timestamp, self.time_index.last_offset
        if self.max_timestamp is None or self.max_timestamp < 0:
            return self.disk.modified_ms(self.path(names.LOG))
        return self.max_timestamp

    def earliest_timestamp(self) -> int:
        """Of its first batch; -1 if it has none."""
        if self.first_timestamp < 0 and self.size >= _HEADER_BYTES:
            self.first_timestamp = HEADER.unpack(self.file.pread(_HEADER_BYTES, 0))[8]
        return self.first_timestamp

    def index_bytes(self) -> tuple[int, int]:
        """Sizes of its two indexes on disk."""
        paths = (self.path(names.INDEX), self.path(names.TIME_INDEX))
        return tuple(self.disk.size(path) if self.disk.exists(path) else 0 for path in paths)  # type: ignore[return-value]

    def renamed(self, rename: Callable[[], None], suffix: str) -> None:
        """Gives its files other names; nobody opens one by an old name from then on."""
        with _OPENING:
            rename()
            self.suffix = suffix
            self._txn_index = None
            self.close()

    def forget_oldest(self) -> None:
        """Half of the batches that are remembered: a new pair of lists, because readers may hold the old one."""
        offsets, positions = self.recent
        self.recent = (offsets[RECENT_MAX // 2 :], positions[RECENT_MAX // 2 :])

    def recent_position(self, offset: int) -> int | None:
        """Where the batch that holds `offset` begins, if it is one of the last ones written."""
        offsets, positions = self.recent
        if not offsets or offset < offsets[0]:
            return None
        return positions[bisect_right(offsets, offset) - 1]

    def add_hint(self, base_offset: int, position: int) -> None:
        """A reader will come back for the batch that begins here."""
        hints = self.hints
        if len(hints) >= HINTS_MAX:
            hints.pop(next(iter(hints)), None)
        hints[base_offset] = position

    def create_indexes(self) -> None:
        """A segment that was never written to has none yet; other nodes expect them."""
        if not self.size:
            for suffix in (names.INDEX, names.TIME_INDEX):
                self.disk.open(self.path(suffix), create=True)

    def close_for_append(self) -> None:
        """The segment will not be written to again: last time index entry, files cut to their content."""
        if not self.is_active:
            return
        assert self.max_timestamp is not None
        self.time_index.maybe_append(self.max_timestamp, self.max_timestamp_offset)
        self.offset_index.trim()
        self.time_index.trim()
        if self.file.size() != self.size:
            self.file.truncate(self.size)
        self.is_active = False
        self.recent = ([], [])
        self.open_segments.used(self)

    def flush_indexes(self) -> None:
        for index in (self.offset_index, self.time_index, self.txn_index):
            index.flush()
        self.indexes_unsynced = False

    def truncate(self, position: int, offset: int) -> None:
        """Cuts everything from `offset` on, whose batch begins at `position`; the next append opens it anew."""
        self.offset_index.truncate_to(offset)
        self.time_index.truncate_to(offset)
        self.txn_index.truncate_to(offset)
        self.offset_index.trim()
        self.time_index.trim()
        self.file.truncate(position)
        self.indexes_unsynced = True
        self.file.fsync()  # what is written here next must never be mixed with what was here before
        self.size = position
        self.bytes_since_index = 0
        self.recent, self.hints = ([], []), {}
        self.first_timestamp = -1
        self._find_max_timestamp()
        self.is_active = False

    def _find_max_timestamp(self) -> None:
        """From the last entry of the time index, and the batches that came after it."""
        latest, latest_offset = self.time_index.last_timestamp, self.time_index.last_offset
        number = self.offset_index.lookup(latest_offset)
        start = self.offset_index.entry(number)[1] if number >= 0 else 0
        for _, header, _ in iter_headers(self.file, start, self.size):
            if header[8] > latest:
                latest, latest_offset = header[8], header[0] + header[6]
        self.max_timestamp, self.max_timestamp_offset = latest, latest_offset

    def close(self) -> None:
        """Lets go of files and mappings; they are opened again when needed."""
        self.open_file = self.open_offset_index = self.open_time_index = None

    def existing_paths(self) -> list[str]:
        return [path for path in map(self.path, SUFFIXES) if self.disk.exists(path)]
