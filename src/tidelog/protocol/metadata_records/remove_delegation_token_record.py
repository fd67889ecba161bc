"""RemoveDelegationTokenRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable


class RemoveDelegationTokenRecord(Message):
    __slots__ = ("token_id",)

    API_KEY = 26
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, token_id: str = "") -> None:
        self.token_id = token_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RemoveDelegationTokenRecord, int]:
        (item,), pos = _read_remove_delegation_token_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remove_delegation_token_record(out, (self,), version)


def _read_remove_delegation_token_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoveDelegationTokenRecord], int]:
    items: list[RemoveDelegationTokenRecord] = []
    new = RemoveDelegationTokenRecord.__new__
    for _ in range(count):
        item = new(RemoveDelegationTokenRecord)
        item.token_id, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remove_delegation_token_record(
    out: bytearray, items: Sequence[RemoveDelegationTokenRecord], version: int
) -> None:
    for item in items:
        writing.string(out, item.token_id, True)
        out.append(0)
