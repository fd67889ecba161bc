"""EndTxnRequest and EndTxnResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_ih = Format(">ih").unpack_from
_get_ihB = Format(">ihB").unpack_from
_get_ihqhB = Format(">ihqhB").unpack_from
_get_qho = Format(">qh?").unpack_from
_get_qhoB = Format(">qh?B").unpack_from
_put_ih = Format(">ih").pack
_put_ihqhx = Format(">ihqhx").pack
_put_ihx = Format(">ihx").pack
_put_qho = Format(">qh?").pack
_put_qhox = Format(">qh?x").pack


class EndTxnRequest(Message):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "committed")

    API_KEY = 26
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 3

    def __init__(
        self, *, transactional_id: str = "", producer_id: int = 0, producer_epoch: int = 0, committed: bool = False
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.committed = committed

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[EndTxnRequest, int]:
        (item,), pos = _read_end_txn_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_end_txn_request(out, (self,), version)


def _read_end_txn_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EndTxnRequest], int]:
    compact = version >= 3
    items: list[EndTxnRequest] = []
    new = EndTxnRequest.__new__
    for _ in range(count):
        item = new(EndTxnRequest)
        item.transactional_id, pos = reading.string(buf, pos, compact)
        if version >= 3:
            item.producer_id, item.producer_epoch, item.committed, tags = _get_qhoB(buf, pos)
            pos += 12
        else:
            item.producer_id, item.producer_epoch, item.committed = _get_qho(buf, pos)
            pos += 11
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_end_txn_request(out: bytearray, items: Sequence[EndTxnRequest], version: int) -> None:
    compact = version >= 3
    for item in items:
        writing.string(out, item.transactional_id, compact)
        if version >= 3:
            out += _put_qhox(item.producer_id, item.producer_epoch, item.committed)
        else:
            out += _put_qho(item.producer_id, item.producer_epoch, item.committed)


class EndTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch")

    API_KEY = 26
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 3

    def __init__(
        self, *, throttle_time_ms: int = 0, error_code: int = 0, producer_id: int = -1, producer_epoch: int = -1
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[EndTxnResponse, int]:
        (item,), pos = _read_end_txn_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_end_txn_response(out, (self,), version)


def _read_end_txn_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EndTxnResponse], int]:
    items: list[EndTxnResponse] = []
    new = EndTxnResponse.__new__
    for _ in range(count):
        item = new(EndTxnResponse)
        if version >= 5:
            item.throttle_time_ms, item.error_code, item.producer_id, item.producer_epoch, tags = _get_ihqhB(buf, pos)
            pos += 17
        elif version >= 3:
            item.throttle_time_ms, item.error_code, tags = _get_ihB(buf, pos)
            pos += 7
            item.producer_id = -1
            item.producer_epoch = -1
        else:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
            item.producer_id = -1
            item.producer_epoch = -1
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_end_txn_response(out: bytearray, items: Sequence[EndTxnResponse], version: int) -> None:
    for item in items:
        if version >= 5:
            out += _put_ihqhx(item.throttle_time_ms, item.error_code, item.producer_id, item.producer_epoch)
        elif version >= 3:
            out += _put_ihx(item.throttle_time_ms, item.error_code)
        else:
            out += _put_ih(item.throttle_time_ms, item.error_code)
