"""AddOffsetsToTxnRequest and AddOffsetsToTxnResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_ih = Format(">ih").unpack_from
_get_ihB = Format(">ihB").unpack_from
_get_qh = Format(">qh").unpack_from
_put_ih = Format(">ih").pack
_put_ihx = Format(">ihx").pack
_put_qh = Format(">qh").pack


class AddOffsetsToTxnRequest(Message):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "group_id")

    API_KEY = 25
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 3

    def __init__(
        self, *, transactional_id: str = "", producer_id: int = 0, producer_epoch: int = 0, group_id: str = ""
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.group_id = group_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AddOffsetsToTxnRequest, int]:
        (item,), pos = _read_add_offsets_to_txn_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_add_offsets_to_txn_request(out, (self,), version)


def _read_add_offsets_to_txn_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddOffsetsToTxnRequest], int]:
    compact = version >= 3
    items: list[AddOffsetsToTxnRequest] = []
    new = AddOffsetsToTxnRequest.__new__
    for _ in range(count):
        item = new(AddOffsetsToTxnRequest)
        item.transactional_id, pos = reading.string(buf, pos, compact)
        item.producer_id, item.producer_epoch = _get_qh(buf, pos)
        pos += 10
        item.group_id, pos = reading.string(buf, pos, compact)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_offsets_to_txn_request(out: bytearray, items: Sequence[AddOffsetsToTxnRequest], version: int) -> None:
    compact = version >= 3
    for item in items:
        writing.string(out, item.transactional_id, compact)
        out += _put_qh(item.producer_id, item.producer_epoch)
        writing.string(out, item.group_id, compact)
        if version >= 3:
            out.append(0)


class AddOffsetsToTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")

    API_KEY = 25
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 3

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AddOffsetsToTxnResponse, int]:
        (item,), pos = _read_add_offsets_to_txn_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_add_offsets_to_txn_response(out, (self,), version)


def _read_add_offsets_to_txn_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddOffsetsToTxnResponse], int]:
    items: list[AddOffsetsToTxnResponse] = []
    new = AddOffsetsToTxnResponse.__new__
    for _ in range(count):
        item = new(AddOffsetsToTxnResponse)
        if version >= 3:
            item.throttle_time_ms, item.error_code, tags = _get_ihB(buf, pos)
            pos += 7
        else:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_offsets_to_txn_response(out: bytearray, items: Sequence[AddOffsetsToTxnResponse], version: int) -> None:
    for item in items:
        if version >= 3:
            out += _put_ihx(item.throttle_time_ms, item.error_code)
        else:
            out += _put_ih(item.throttle_time_ms, item.error_code)
