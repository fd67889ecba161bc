"""EndTxnMarker. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol.primitives import Message, Readable

_get_i = Format(">i").unpack_from
_put_i = Format(">i").pack


class EndTxnMarker(Message):
    __slots__ = ("coordinator_epoch",)

    API_KEY = -1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, coordinator_epoch: int = 0) -> None:
        self.coordinator_epoch = coordinator_epoch

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[EndTxnMarker, int]:
        (item,), pos = _read_end_txn_marker(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_end_txn_marker(out, (self,), version)


def _read_end_txn_marker(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EndTxnMarker], int]:
    items: list[EndTxnMarker] = []
    new = EndTxnMarker.__new__
    for _ in range(count):
        item = new(EndTxnMarker)
        (item.coordinator_epoch,) = _get_i(buf, pos)
        pos += 4
        items.append(item)
    return items, pos


def _write_end_txn_marker(out: bytearray, items: Sequence[EndTxnMarker], version: int) -> None:
    for item in items:
        out += _put_i(item.coordinator_epoch)
