"""RequestHeader and ResponseHeader. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_hhi = Format(">hhi").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_put_hhi = Format(">hhi").pack
_put_i = Format(">i").pack
_put_ix = Format(">ix").pack


class RequestHeader(Message):
    __slots__ = ("request_api_key", "request_api_version", "correlation_id", "client_id")

    API_KEY = -1
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        *,
        request_api_key: int = 0,
        request_api_version: int = 0,
        correlation_id: int = 0,
        client_id: str | None = "",
    ) -> None:
        self.request_api_key = request_api_key
        self.request_api_version = request_api_version
        self.correlation_id = correlation_id
        self.client_id = client_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RequestHeader, int]:
        (item,), pos = _read_request_header(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_request_header(out, (self,), version)


def _read_request_header(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestHeader], int]:
    items: list[RequestHeader] = []
    new = RequestHeader.__new__
    for _ in range(count):
        item = new(RequestHeader)
        item.request_api_key, item.request_api_version, item.correlation_id = _get_hhi(buf, pos)
        pos += 8
        item.client_id, pos = reading.nullable_string(buf, pos, False)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_header(out: bytearray, items: Sequence[RequestHeader], version: int) -> None:
    for item in items:
        out += _put_hhi(item.request_api_key, item.request_api_version, item.correlation_id)
        writing.nullable_string(out, item.client_id, False)
        if version >= 2:
            out.append(0)


class ResponseHeader(Message):
    __slots__ = ("correlation_id",)

    API_KEY = -1
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(self, *, correlation_id: int = 0) -> None:
        self.correlation_id = correlation_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ResponseHeader, int]:
        (item,), pos = _read_response_header(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_response_header(out, (self,), version)


def _read_response_header(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponseHeader], int]:
    items: list[ResponseHeader] = []
    new = ResponseHeader.__new__
    for _ in range(count):
        item = new(ResponseHeader)
        if version >= 1:
            item.correlation_id, tags = _get_iB(buf, pos)
            pos += 5
        else:
            (item.correlation_id,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_header(out: bytearray, items: Sequence[ResponseHeader], version: int) -> None:
    for item in items:
        if version >= 1:
            out += _put_ix(item.correlation_id)
        else:
            out += _put_i(item.correlation_id)
