"""ProducerSnapshot. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_I = Format(">I").unpack_from
_get_qhiqiqiq = Format(">qhiqiqiq").unpack_from
_put_I = Format(">I").pack
_put_qhiqiqiq = Format(">qhiqiqiq").pack


class ProducerEntry(Struct):
    __slots__ = (
        "producer_id",
        "epoch",
        "last_sequence",
        "last_offset",
        "offset_delta",
        "timestamp",
        "coordinator_epoch",
        "current_txn_first_offset",
    )

    def __init__(
        self,
        *,
        producer_id: int = 0,
        epoch: int = 0,
        last_sequence: int = 0,
        last_offset: int = 0,
        offset_delta: int = 0,
        timestamp: int = 0,
        coordinator_epoch: int = 0,
        current_txn_first_offset: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.last_sequence = last_sequence
        self.last_offset = last_offset
        self.offset_delta = offset_delta
        self.timestamp = timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_first_offset = current_txn_first_offset


class ProducerSnapshot(Message):
    __slots__ = ("crc", "producer_entries")

    API_KEY = -1
    VERSIONS = (1, 1)
    FLEXIBLE_FROM = None

    def __init__(self, *, crc: int = 0, producer_entries: list[ProducerEntry] = UNSET) -> None:
        self.crc = crc
        self.producer_entries = [] if producer_entries is UNSET else producer_entries

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ProducerSnapshot, int]:
        (item,), pos = _read_producer_snapshot(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_producer_snapshot(out, (self,), version)


def _read_producer_entry(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ProducerEntry], int]:
    items: list[ProducerEntry] = []
    new = ProducerEntry.__new__
    for _ in range(count):
        item = new(ProducerEntry)
        (
            item.producer_id,
            item.epoch,
            item.last_sequence,
            item.last_offset,
            item.offset_delta,
            item.timestamp,
            item.coordinator_epoch,
            item.current_txn_first_offset,
        ) = _get_qhiqiqiq(buf, pos)
        pos += 46
        items.append(item)
    return items, pos


def _write_producer_entry(out: bytearray, items: Sequence[ProducerEntry], version: int) -> None:
    for item in items:
        out += _put_qhiqiqiq(
            item.producer_id,
            item.epoch,
            item.last_sequence,
            item.last_offset,
            item.offset_delta,
            item.timestamp,
            item.coordinator_epoch,
            item.current_txn_first_offset,
        )


def _read_producer_snapshot(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ProducerSnapshot], int]:
    items: list[ProducerSnapshot] = []
    new = ProducerSnapshot.__new__
    for _ in range(count):
        item = new(ProducerSnapshot)
        (item.crc,) = _get_I(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, False, left)
        item.producer_entries, pos = _read_producer_entry(buf, pos, length, version, left)
        items.append(item)
    return items, pos


def _write_producer_snapshot(out: bytearray, items: Sequence[ProducerSnapshot], version: int) -> None:
    for item in items:
        out += _put_I(item.crc)
        writing.count(out, len(item.producer_entries), False)
        _write_producer_entry(out, item.producer_entries, version)
