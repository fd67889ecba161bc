"""Telling a write that never reached the disk from data that went bad on it.

Both show up as a place in a file that is no valid batch. A write that was cut off by a crash lies at the end, or has
left sectors of zeros where pages were not written back in time. A flipped bit does neither: valid batches follow it.
Only bytes past the recovery point, which nobody was promised, may ever be cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crc32c import crc32c

from tidelog.ports import File
from tidelog.protocol.record_batch import HEADER

_HEADER_BYTES = HEADER.size
_SECTOR = 512
_TELLING = 16  # so few zeros at the end of a file say nothing
_CHUNK = 1 << 20
_BATCH_BYTES_MAX = 1 << 30


def has_lost_sector(file: File, position: int, end: int, next_offset: int) -> bool:
    """Whether the batch from `position` to `end` lacks a sector: zeros stand where it was not written back."""
    start = -(-position // _SECTOR) * _SECTOR
    # The sector that the batch begins in held other data before, so only its rest can be missing: at least the offset.
    rest = file.pread(start - position, position)
    if len(rest) >= (8 if next_offset else 12) and not any(rest):
        return True
    for at in range(start, end, _CHUNK):
        piece = file.pread(-(-min(_CHUNK, end - at) // _SECTOR) * _SECTOR, at)
        parts = [piece[part : part + _SECTOR] for part in range(0, len(piece), _SECTOR)]
        if any(len(part) >= _TELLING and not any(part) for part in parts):
            return True
    return False


def valid_batch_after(file: File, position: int, end: int, next_offset: int) -> int | None:
    """The position of a whole batch with a right checksum behind `position`; trusts no length that stands there."""
    prefixes = {number.to_bytes(8, "big")[:4] for number in (next_offset, next_offset + 2**31)}
    # Looks ahead for a base offset near the expected one, then length, epoch and the magic; candidates may overlap.
    pattern = re.compile(b"(?=(?:%s).{12}\x02)" % b"|".join(map(re.escape, prefixes)), re.DOTALL)
    for start, piece in _overlapping_pieces(file, position + 1, end):
        for found in pattern.finditer(piece):
            if _is_batch(file, start + found.start(), end, next_offset):
                return start + found.start()
    return None


def _overlapping_pieces(file: File, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    while start + _HEADER_BYTES <= end:
        piece = file.pread(min(_CHUNK, end - start), start)
        yield start, piece
        start += max(len(piece) - 16, 1)


def _is_batch(file: File, position: int, end: int, next_offset: int) -> bool:
    head = file.pread(_HEADER_BYTES, position)
    if len(head) < _HEADER_BYTES:
        return False
    header = HEADER.unpack(head)
    size = header[1] + 12
    if not _HEADER_BYTES <= size <= min(end - position, _BATCH_BYTES_MAX) or header[0] < next_offset or header[6] < 0:
        return False
    return bool(crc32c(file.pread(size - 21, position + 21)) == header[4])
