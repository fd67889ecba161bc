"""SnapshotHeaderRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_hqB = Format(">hqB").unpack_from
_put_hqx = Format(">hqx").pack


class SnapshotHeaderRecord(Message):
    __slots__ = ("version", "last_contained_log_timestamp")

    API_KEY = -1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, version: int = 0, last_contained_log_timestamp: int = 0) -> None:
        self.version = version
        self.last_contained_log_timestamp = last_contained_log_timestamp

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[SnapshotHeaderRecord, int]:
        (item,), pos = _read_snapshot_header_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_snapshot_header_record(out, (self,), version)


def _read_snapshot_header_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SnapshotHeaderRecord], int]:
    items: list[SnapshotHeaderRecord] = []
    new = SnapshotHeaderRecord.__new__
    for _ in range(count):
        item = new(SnapshotHeaderRecord)
        item.version, item.last_contained_log_timestamp, tags = _get_hqB(buf, pos)
        pos += 11
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_snapshot_header_record(out: bytearray, items: Sequence[SnapshotHeaderRecord], version: int) -> None:
    for item in items:
        out += _put_hqx(item.version, item.last_contained_log_timestamp)
