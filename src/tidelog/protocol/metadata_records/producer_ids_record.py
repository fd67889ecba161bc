"""ProducerIdsRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_iqqB = Format(">iqqB").unpack_from
_put_iqqx = Format(">iqqx").pack


class ProducerIdsRecord(Message):
    __slots__ = ("broker_id", "broker_epoch", "next_producer_id")

    API_KEY = 15
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, broker_id: int = 0, broker_epoch: int = -1, next_producer_id: int = 0) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.next_producer_id = next_producer_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ProducerIdsRecord, int]:
        (item,), pos = _read_producer_ids_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_producer_ids_record(out, (self,), version)


def _read_producer_ids_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ProducerIdsRecord], int]:
    items: list[ProducerIdsRecord] = []
    new = ProducerIdsRecord.__new__
    for _ in range(count):
        item = new(ProducerIdsRecord)
        item.broker_id, item.broker_epoch, item.next_producer_id, tags = _get_iqqB(buf, pos)
        pos += 21
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_producer_ids_record(out: bytearray, items: Sequence[ProducerIdsRecord], version: int) -> None:
    for item in items:
        out += _put_iqqx(item.broker_id, item.broker_epoch, item.next_producer_id)
