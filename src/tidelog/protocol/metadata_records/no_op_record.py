"""NoOpRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable


class NoOpRecord(Message):
    __slots__ = ()

    API_KEY = 20
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[NoOpRecord, int]:
        (item,), pos = _read_no_op_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_no_op_record(out, (self,), version)


def _read_no_op_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[NoOpRecord], int]:
    items: list[NoOpRecord] = []
    new = NoOpRecord.__new__
    for _ in range(count):
        item = new(NoOpRecord)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_no_op_record(out: bytearray, items: Sequence[NoOpRecord], version: int) -> None:
    for item in items:
        out.append(0)
