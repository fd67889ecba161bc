"""Writing a compacted segment and its indexes under names that end in `.cleaned`, and making it durable as `.swap`.

A start removes what ends in `.cleaned`, and every `.swap` beside it: only when the last file has its new name, durably,
does the compacted segment count.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from contextlib import suppress

from tidelog.kernels import cleaning
from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.segment import SUFFIXES, Segment
from tidelog.log.txn_index import AbortedTxn, encode_txns
from tidelog.ports import Disk

_OFFSET_ENTRY = struct.Struct(">ii")
_TIME_ENTRY = struct.Struct(">qi")


class SegmentWriter:
    def __init__(self, disk: Disk, segments: Sequence[Segment], config: LogConfig) -> None:
        """Takes the place of `segments`, at the offset of the first."""
        self._disk = disk
        self._segments = segments
        self._config = config
        self._base_offset = segments[0].base_offset
        self._directory = segments[0].directory
        self._file = disk.open(self._path(names.LOG, names.CLEANED), create=True)
        self._file.truncate(0)
        self.size = 0
        self._since_entry = 0
        self._max_timestamp, self._max_offset = -1, self._base_offset
        self._offset_entries = bytearray()
        self._time_entries = bytearray()
        self._last_time = -1
        self._has_txn_index = any(disk.exists(each.path(names.TXN_INDEX)) for each in segments)
        self.last_offset = -1

    def _path(self, suffix: str, mark: str) -> str:
        return f"{self._directory}/{names.offset_name(self._base_offset, suffix)}{mark}"

    def write(self, batches: bytes) -> None:
        if not batches:
            return
        found, self._since_entry, self._max_timestamp, self._max_offset = cleaning.index_entries(
            batches, self.size, self._since_entry, self._config.index_interval_bytes, self._max_timestamp,
            self._max_offset,
        )  # fmt: skip
        self._file.pwrite(batches, self.size)
        self.size += len(batches)
        for last_offset, position, timestamp, offset in found:
            self._add_entry(last_offset, position, timestamp, offset)

    def _add_entry(self, last_offset: int, position: int, timestamp: int, offset: int) -> None:
        if len(self._offset_entries) + 8 <= self._config.segment_index_bytes // 8 * 8:
            self._offset_entries += _OFFSET_ENTRY.pack(last_offset - self._base_offset, position)
            self._add_time(timestamp, offset, self._config.segment_index_bytes // 12 * 12 - 12)

    def _add_time(self, timestamp: int, offset: int, bytes_max: int) -> None:
        if timestamp > self._last_time and len(self._time_entries) + 12 <= bytes_max:
            self._time_entries += _TIME_ENTRY.pack(timestamp, offset - self._base_offset)
            self._last_time = timestamp

    def finish(self, aborted: Sequence[AbortedTxn]) -> None:
        """Everything durable under its `.swap` name."""
        self._add_time(self._max_timestamp, self._max_offset, self._config.segment_index_bytes // 12 * 12)
        self._keep_age()
        self._file.fsync()
        self._file.close()
        self._write(names.INDEX, self._offset_entries)
        self._write(names.TIME_INDEX, self._time_entries)
        if aborted or self._has_txn_index:
            # Also without entries: what is missing must have had no older one in its place.
            self._write(names.TXN_INDEX, encode_txns(aborted))
        for suffix in SUFFIXES:
            if self._disk.exists(self._path(suffix, names.CLEANED)):
                self._disk.rename(self._path(suffix, names.CLEANED), self._path(suffix, names.SWAP))
        self._disk.fsync_dir(self._directory)

    def _keep_age(self) -> None:
        """A segment without timestamps is as old as its file: compaction must not make it younger."""
        with suppress(FileNotFoundError):  # deleted meanwhile; the swap finds that out
            modified_ms = self._disk.modified_ms(self._segments[-1].path(names.LOG))
            self._disk.set_modified_ms(self._file.path, modified_ms)

    def _write(self, suffix: str, data: bytes | bytearray) -> None:
        file = self._disk.open(self._path(suffix, names.CLEANED), create=True)
        file.pwrite(data, 0)
        file.truncate(len(data))
        file.fsync()
        file.close()

    def segment(self) -> Segment:
        """The finished segment, still under the name that it waits with."""
        first, last = self._segments[0], self._segments[-1]
        made = Segment(
            self._disk, self._directory, self._base_offset, self.size, last.created_ms, first.open_segments
        )  # fmt: skip
        made.suffix = names.SWAP
        made.max_timestamp, made.max_timestamp_offset = self._max_timestamp, self._max_offset
        return made

    def discard(self) -> None:
        """Removes what was written, under either name."""
        self._file.close()
        discard(self._disk, self._directory, self._base_offset)


def discard(disk: Disk, directory: str, base_offset: int) -> None:
    for mark in (names.SWAP, names.CLEANED):
        for suffix in SUFFIXES:
            path = f"{directory}/{names.offset_name(base_offset, suffix)}{mark}"
            if disk.exists(path):
                disk.remove(path)
