"""AbortTransactionRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable


class AbortTransactionRecord(Message):
    __slots__ = ("reason",)

    API_KEY = 25
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, reason: str | None = None) -> None:
        self.reason = reason

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AbortTransactionRecord, int]:
        (item,), pos = _read_abort_transaction_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_abort_transaction_record(out, (self,), version)


def _tags_abort_transaction_record(
    item: AbortTransactionRecord, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            item.reason, pos = reading.nullable_string(buf, pos, True)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_abort_transaction_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AbortTransactionRecord], int]:
    items: list[AbortTransactionRecord] = []
    new = AbortTransactionRecord.__new__
    for _ in range(count):
        item = new(AbortTransactionRecord)
        tags = buf[pos]
        pos += 1
        item.reason = None
        if tags:
            pos = _tags_abort_transaction_record(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_abort_transaction_record(out: bytearray, item: AbortTransactionRecord, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.reason is not None:
        body = bytearray()
        writing.nullable_string(body, item.reason, True)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_abort_transaction_record(out: bytearray, items: Sequence[AbortTransactionRecord], version: int) -> None:
    for item in items:
        _put_tags_abort_transaction_record(out, item, version)
