"""KRaftVersionRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_hhB = Format(">hhB").unpack_from
_put_hhx = Format(">hhx").pack


class KRaftVersionRecord(Message):
    __slots__ = ("version", "kraft_version")

    API_KEY = -1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, version: int = 0, kraft_version: int = 0) -> None:
        self.version = version
        self.kraft_version = kraft_version

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[KRaftVersionRecord, int]:
        (item,), pos = _read_kraft_version_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_kraft_version_record(out, (self,), version)


def _read_kraft_version_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[KRaftVersionRecord], int]:
    items: list[KRaftVersionRecord] = []
    new = KRaftVersionRecord.__new__
    for _ in range(count):
        item = new(KRaftVersionRecord)
        item.version, item.kraft_version, tags = _get_hhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_kraft_version_record(out: bytearray, items: Sequence[KRaftVersionRecord], version: int) -> None:
    for item in items:
        out += _put_hhx(item.version, item.kraft_version)
