"""UnregisterBrokerRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_iqB = Format(">iqB").unpack_from
_put_iqx = Format(">iqx").pack


class UnregisterBrokerRecord(Message):
    __slots__ = ("broker_id", "broker_epoch")

    API_KEY = 1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, broker_id: int = 0, broker_epoch: int = 0) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[UnregisterBrokerRecord, int]:
        (item,), pos = _read_unregister_broker_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_unregister_broker_record(out, (self,), version)


def _read_unregister_broker_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UnregisterBrokerRecord], int]:
    items: list[UnregisterBrokerRecord] = []
    new = UnregisterBrokerRecord.__new__
    for _ in range(count):
        item = new(UnregisterBrokerRecord)
        item.broker_id, item.broker_epoch, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_unregister_broker_record(out: bytearray, items: Sequence[UnregisterBrokerRecord], version: int) -> None:
    for item in items:
        out += _put_iqx(item.broker_id, item.broker_epoch)
