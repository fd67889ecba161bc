"""EndTransactionRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable


class EndTransactionRecord(Message):
    __slots__ = ()

    API_KEY = 24
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[EndTransactionRecord, int]:
        (item,), pos = _read_end_transaction_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_end_transaction_record(out, (self,), version)


def _read_end_transaction_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EndTransactionRecord], int]:
    items: list[EndTransactionRecord] = []
    new = EndTransactionRecord.__new__
    for _ in range(count):
        item = new(EndTransactionRecord)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_end_transaction_record(out: bytearray, items: Sequence[EndTransactionRecord], version: int) -> None:
    for item in items:
        out.append(0)
