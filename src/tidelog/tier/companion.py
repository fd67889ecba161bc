"""The companion of a remote segment's records: everything else that is stored with it, in one object.

Offset index, time index, aborted transactions, producers and leader epochs are the files that lie beside the segment
on disk. Added to them is the table of chunks: where whole batches begin about every few megabytes, and the CRC32C of
each piece, so that a part of a segment can be read, checked and used alone.

Layout: magic, version, number of sections; for each section its kind, length and CRC32C; then the sections.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from enum import IntEnum
from typing import NamedTuple

from crc32c import crc32c

from tidelog.log.checkpoints import BadCheckpoint, decode_epochs
from tidelog.log.indexes import OffsetIndex, TimeIndex
from tidelog.log.producer_snapshot import decode_snapshot
from tidelog.log.txn_index import ENTRY_BYTES, AbortedTxn
from tidelog.ports import Buffer
from tidelog.replication.producer_state import ProducerEntry

MAGIC = b"TLAX"
VERSION = 1
_HEAD = struct.Struct(">4sBB")
_SECTION = struct.Struct(">BII")
_CHUNK = struct.Struct(">qqiI")
_TXN = struct.Struct(">hqqqq")


class DamagedObject(OSError):
    """What the store gave is not what was stored."""


class Section(IntEnum):
    OFFSET_INDEX = 0
    TIME_INDEX = 1
    PRODUCERS = 2
    TRANSACTIONS = 3
    EPOCHS = 4
    CHUNKS = 5


class Chunk(NamedTuple):
    base_offset: int
    position: int
    length: int
    crc: int


class _View:
    """What an index needs of a mapping, over bytes that are in memory already."""

    __slots__ = ("view",)

    def __init__(self, data: Buffer) -> None:
        self.view = memoryview(data)

    def reserve(self, position: int, length: int) -> None: ...
    def flush(self) -> None: ...
    def resize(self, size: int) -> None: ...
    def close(self) -> None: ...


def index_over(data: Buffer, base_offset: int) -> OffsetIndex:
    return OffsetIndex(_View(data), base_offset, len(data) // 8)


def encode_chunks(chunks: list[Chunk]) -> bytes:
    return b"".join(_CHUNK.pack(*chunk) for chunk in chunks)


def encode(sections: dict[Section, bytes]) -> bytes:
    out = bytearray(_HEAD.pack(MAGIC, VERSION, len(sections)))
    for kind, data in sections.items():
        out += _SECTION.pack(kind, len(data), crc32c(data))
    return bytes(out) + b"".join(sections.values())


class Aux:
    """A companion that was read and found whole."""

    __slots__ = ("_sections", "chunks", "offset_index", "size_bytes", "time_index", "transactions")

    def __init__(self, data: Buffer, base_offset: int) -> None:
        self._sections = _split(memoryview(data))
        self.size_bytes = len(data)
        chunks = self._sections[Section.CHUNKS]
        offsets, times = self._sections[Section.OFFSET_INDEX], self._sections[Section.TIME_INDEX]
        transactions = self._sections[Section.TRANSACTIONS]
        if len(chunks) % _CHUNK.size or len(transactions) % ENTRY_BYTES or not chunks:
            raise DamagedObject("its tables of chunks and transactions do not end with an entry")
        self.chunks = [Chunk(*fields) for fields in _CHUNK.iter_unpack(chunks)]
        self.offset_index = index_over(offsets, base_offset)
        self.time_index = TimeIndex(_View(times), base_offset, len(times) // 12)
        self.transactions = [AbortedTxn(*fields) for _, *fields in _TXN.iter_unpack(transactions)]

    def chunk_of(self, offset: int) -> int:
        """The number of the chunk that holds `offset`."""
        return max(0, bisect_right(self.chunks, offset, key=_base_offset) - 1)

    def epochs(self) -> list[tuple[int, int]]:
        try:
            return decode_epochs(bytes(self._sections[Section.EPOCHS]))
        except BadCheckpoint as error:
            raise DamagedObject(f"its leader epochs cannot be read: {error}") from None

    def producers(self) -> list[ProducerEntry] | None:
        """None when the copied segment had no snapshot."""
        data = bytes(self._sections[Section.PRODUCERS])
        if not data:
            return None
        try:
            return decode_snapshot(data)
        except BadCheckpoint as error:
            raise DamagedObject(f"its producers cannot be read: {error}") from None

    def section(self, kind: Section) -> memoryview:
        return self._sections[kind]


def _base_offset(chunk: Chunk) -> int:
    return chunk.base_offset


def _split(data: memoryview) -> dict[Section, memoryview]:
    try:
        magic, version, count = _HEAD.unpack_from(data)
        if magic != MAGIC or version != VERSION:
            raise DamagedObject(f"it does not begin like a companion of version {VERSION}")
        heads = [_SECTION.unpack_from(data, _HEAD.size + number * _SECTION.size) for number in range(count)]
    except struct.error:
        raise DamagedObject("it is cut short") from None
    found, position = {}, _HEAD.size + count * _SECTION.size
    for kind, length, crc in heads:
        part = data[position : position + length]
        if len(part) != length or crc32c(part) != crc:
            raise DamagedObject(f"the checksum of its section {kind} does not fit")
        if kind in iter(Section):
            found[Section(kind)] = part
        position += length
    if len(found) != len(Section):
        raise DamagedObject("it lacks a section")
    return found
