"""Reading the batches of a closed segment for compaction, in pieces, each checked against its checksum.

A damaged batch stops the compaction of its log: made anew it would get a new checksum, and nobody could tell any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crc32c import crc32c

from tidelog.kernels import cleaning
from tidelog.ports import Disk
from tidelog.protocol.record_batch import HEADER, HEADER_BYTES


class Uncleanable(Exception):
    """Something in the log keeps it from being compacted; the message says what and where."""


class Piece(NamedTuple):
    """Whole batches: the bytes, where the last batch begins, where they end, how many batches and records at most."""

    data: memoryview
    last: int
    end: int
    batches: int
    records_max: int


def pieces(disk: Disk, path: str, position: int, size: int, piece_bytes: int) -> Iterator[Piece]:
    """The batches of the first `size` bytes of the file, from `position` on."""
    file = disk.open(path, writable=False)
    want = max(piece_bytes, HEADER_BYTES)
    while position < size:
        data = memoryview(file.pread(min(want, size - position), position))
        found, records_max, end = cleaning.list_batches(data, len(data))
        if end < 0:
            raise Uncleanable(f"{path} has no batch of records at position {position}")
        if end == 0:
            needed = HEADER.unpack_from(data)[1] + 12 if len(data) >= HEADER_BYTES else size
            if needed > size - position or needed <= len(data):
                raise Uncleanable(f"{path} ends inside the batch at position {position}")
            want = needed
            continue
        for start, length, checksum in found:
            if crc32c(data[start + 21 : start + length]) != checksum:
                raise Uncleanable(f"the batch at position {position + start} of {path} does not fit its checksum")
        yield Piece(data[:end], found[-1][0], end, len(found), records_max)
        position += end
        want = max(piece_bytes, HEADER_BYTES)
    file.close()
