"""UnregisterBrokerRequest and UnregisterBrokerResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_iB = Format(">iB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_ih = Format(">ih").pack
_put_ix = Format(">ix").pack


class UnregisterBrokerRequest(Message):
    __slots__ = ("broker_id",)

    API_KEY = 64
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, broker_id: int = 0) -> None:
        self.broker_id = broker_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[UnregisterBrokerRequest, int]:
        (item,), pos = _read_unregister_broker_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_unregister_broker_request(out, (self,), version)


def _read_unregister_broker_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UnregisterBrokerRequest], int]:
    items: list[UnregisterBrokerRequest] = []
    new = UnregisterBrokerRequest.__new__
    for _ in range(count):
        item = new(UnregisterBrokerRequest)
        item.broker_id, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_unregister_broker_request(out: bytearray, items: Sequence[UnregisterBrokerRequest], version: int) -> None:
    for item in items:
        out += _put_ix(item.broker_id)


class UnregisterBrokerResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")

    API_KEY = 64
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0, error_message: str | None = "") -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[UnregisterBrokerResponse, int]:
        (item,), pos = _read_unregister_broker_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_unregister_broker_response(out, (self,), version)


def _read_unregister_broker_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UnregisterBrokerResponse], int]:
    items: list[UnregisterBrokerResponse] = []
    new = UnregisterBrokerResponse.__new__
    for _ in range(count):
        item = new(UnregisterBrokerResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_unregister_broker_response(out: bytearray, items: Sequence[UnregisterBrokerResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)
