"""FenceBrokerRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_iqB = Format(">iqB").unpack_from
_put_iqx = Format(">iqx").pack


class FenceBrokerRecord(Message):
    __slots__ = ("id", "epoch")

    API_KEY = 7
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, id: int = 0, epoch: int = 0) -> None:
        self.id = id
        self.epoch = epoch

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[FenceBrokerRecord, int]:
        (item,), pos = _read_fence_broker_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_fence_broker_record(out, (self,), version)


def _read_fence_broker_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FenceBrokerRecord], int]:
    items: list[FenceBrokerRecord] = []
    new = FenceBrokerRecord.__new__
    for _ in range(count):
        item = new(FenceBrokerRecord)
        item.id, item.epoch, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_fence_broker_record(out: bytearray, items: Sequence[FenceBrokerRecord], version: int) -> None:
    for item in items:
        out += _put_iqx(item.id, item.epoch)
