"""SnapshotFooterRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_hB = Format(">hB").unpack_from
_put_hx = Format(">hx").pack


class SnapshotFooterRecord(Message):
    __slots__ = ("version",)

    API_KEY = -1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, version: int = 0) -> None:
        self.version = version

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[SnapshotFooterRecord, int]:
        (item,), pos = _read_snapshot_footer_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_snapshot_footer_record(out, (self,), version)


def _read_snapshot_footer_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SnapshotFooterRecord], int]:
    items: list[SnapshotFooterRecord] = []
    new = SnapshotFooterRecord.__new__
    for _ in range(count):
        item = new(SnapshotFooterRecord)
        item.version, tags = _get_hB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_snapshot_footer_record(out: bytearray, items: Sequence[SnapshotFooterRecord], version: int) -> None:
    for item in items:
        out += _put_hx(item.version)
