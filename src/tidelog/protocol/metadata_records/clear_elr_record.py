"""ClearElrRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable


class ClearElrRecord(Message):
    __slots__ = ("topic_name",)

    API_KEY = 28
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, topic_name: str = "") -> None:
        self.topic_name = topic_name

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ClearElrRecord, int]:
        (item,), pos = _read_clear_elr_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_clear_elr_record(out, (self,), version)


def _read_clear_elr_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ClearElrRecord], int]:
    items: list[ClearElrRecord] = []
    new = ClearElrRecord.__new__
    for _ in range(count):
        item = new(ClearElrRecord)
        item.topic_name, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_clear_elr_record(out: bytearray, items: Sequence[ClearElrRecord], version: int) -> None:
    for item in items:
        writing.string(out, item.topic_name, True)
        out.append(0)
