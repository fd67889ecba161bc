"""The aborted transactions of one segment: a file of 34-byte entries, present only if there are any.

An entry: version (0), producer id, first offset, offset of the marker, and the last stable offset when it was written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import NamedTuple

from tidelog.ports import Disk, File

_ENTRY = struct.Struct(">hqqqq")
ENTRY_BYTES = _ENTRY.size
VERSION = 0


class AbortedTxn(NamedTuple):
    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int


def encode_txns(txns: Iterable[AbortedTxn]) -> bytes:
    return b"".join(_ENTRY.pack(VERSION, *txn) for txn in txns)


class TxnIndex:
    __slots__ = ("_disk", "_file", "entries", "path")

    def __init__(self, disk: Disk, path: str) -> None:
        self._disk = disk
        self.path = path
        self._file: File | None = None
        self.entries: list[AbortedTxn] = []
        if disk.exists(path):
            data = disk.read_bytes(path)
            data = data[: len(data) - len(data) % ENTRY_BYTES]
            self.entries = [AbortedTxn(*fields) for _, *fields in _ENTRY.iter_unpack(data)]

    def append(self, txn: AbortedTxn) -> bool:
        """True when this may have made the file: its name is not durable before the directory is."""
        is_first = self._file is None
        if self._file is None:
            self._file = self._disk.open(self.path, create=True)
        self._file.pwrite(_ENTRY.pack(VERSION, *txn), len(self.entries) * ENTRY_BYTES)
        self.entries.append(txn)
        return is_first

    def truncate_to(self, offset: int) -> None:
        """Drops transactions whose marker lies at `offset` or later."""
        keep = len(self.entries)
        while keep and self.entries[keep - 1].last_offset >= offset:
            keep -= 1
        if keep < len(self.entries):
            del self.entries[keep:]
            self._cut()

    def _cut(self) -> None:
        self._file = self._file or self._disk.open(self.path)
        self._file.truncate(len(self.entries) * ENTRY_BYTES)

    def reset(self) -> None:
        if self.entries or self._disk.exists(self.path):
            self.entries = []
            self._cut()

    def overlapping(self, fetch_offset: int, upper_offset: int) -> tuple[list[AbortedTxn], bool]:
        """Aborted transactions with records in the range, and whether later segments cannot have more of them."""
        found = []
        for txn in self.entries:
            if txn.last_offset >= fetch_offset and txn.first_offset < upper_offset:
                found.append(txn)
            if txn.last_stable_offset >= upper_offset:
                return found, True
        return found, False

    def is_sane(self, base_offset: int) -> bool:
        return all(txn.last_offset >= base_offset for txn in self.entries)

    def flush(self) -> None:
        if self._file is not None:
            self._file.fsync()
