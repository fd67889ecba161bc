"""EnvelopeRequest and EnvelopeResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_hB = Format(">hB").unpack_from
_put_hx = Format(">hx").pack


class EnvelopeRequest(Message):
    __slots__ = ("request_data", "request_principal", "client_host_address")

    API_KEY = 58
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, request_data: bytes = b"", request_principal: bytes | None = b"", client_host_address: bytes = b""
    ) -> None:
        self.request_data = request_data
        self.request_principal = request_principal
        self.client_host_address = client_host_address

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[EnvelopeRequest, int]:
        (item,), pos = _read_envelope_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_envelope_request(out, (self,), version)


def _read_envelope_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EnvelopeRequest], int]:
    items: list[EnvelopeRequest] = []
    new = EnvelopeRequest.__new__
    for _ in range(count):
        item = new(EnvelopeRequest)
        item.request_data, pos = reading.blob(buf, pos, True)
        item.request_principal, pos = reading.nullable_blob(buf, pos, True)
        item.client_host_address, pos = reading.blob(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_envelope_request(out: bytearray, items: Sequence[EnvelopeRequest], version: int) -> None:
    for item in items:
        writing.blob(out, item.request_data, True)
        writing.nullable_blob(out, item.request_principal, True)
        writing.blob(out, item.client_host_address, True)
        out.append(0)


class EnvelopeResponse(Message):
    __slots__ = ("response_data", "error_code")

    API_KEY = 58
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, response_data: bytes | None = None, error_code: int = 0) -> None:
        self.response_data = response_data
        self.error_code = error_code

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[EnvelopeResponse, int]:
        (item,), pos = _read_envelope_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_envelope_response(out, (self,), version)


def _read_envelope_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EnvelopeResponse], int]:
    items: list[EnvelopeResponse] = []
    new = EnvelopeResponse.__new__
    for _ in range(count):
        item = new(EnvelopeResponse)
        item.response_data, pos = reading.nullable_blob(buf, pos, True)
        item.error_code, tags = _get_hB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_envelope_response(out: bytearray, items: Sequence[EnvelopeResponse], version: int) -> None:
    for item in items:
        writing.nullable_blob(out, item.response_data, True)
        out += _put_hx(item.error_code)
