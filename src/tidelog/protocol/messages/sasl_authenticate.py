"""SaslAuthenticateRequest and SaslAuthenticateResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_h = Format(">h").unpack_from
_get_q = Format(">q").unpack_from
_get_qB = Format(">qB").unpack_from
_put_h = Format(">h").pack
_put_q = Format(">q").pack
_put_qx = Format(">qx").pack


class SaslAuthenticateRequest(Message):
    __slots__ = ("auth_bytes",)

    API_KEY = 36
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, auth_bytes: bytes = b"") -> None:
        self.auth_bytes = auth_bytes

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[SaslAuthenticateRequest, int]:
        (item,), pos = _read_sasl_authenticate_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_sasl_authenticate_request(out, (self,), version)


def _read_sasl_authenticate_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SaslAuthenticateRequest], int]:
    compact = version >= 2
    items: list[SaslAuthenticateRequest] = []
    new = SaslAuthenticateRequest.__new__
    for _ in range(count):
        item = new(SaslAuthenticateRequest)
        item.auth_bytes, pos = reading.blob(buf, pos, compact)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_sasl_authenticate_request(out: bytearray, items: Sequence[SaslAuthenticateRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.blob(out, item.auth_bytes, compact)
        if version >= 2:
            out.append(0)


class SaslAuthenticateResponse(Message):
    __slots__ = ("error_code", "error_message", "auth_bytes", "session_lifetime_ms")

    API_KEY = 36
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        auth_bytes: bytes = b"",
        session_lifetime_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.auth_bytes = auth_bytes
        self.session_lifetime_ms = session_lifetime_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[SaslAuthenticateResponse, int]:
        (item,), pos = _read_sasl_authenticate_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_sasl_authenticate_response(out, (self,), version)


def _read_sasl_authenticate_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SaslAuthenticateResponse], int]:
    compact = version >= 2
    items: list[SaslAuthenticateResponse] = []
    new = SaslAuthenticateResponse.__new__
    for _ in range(count):
        item = new(SaslAuthenticateResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        item.auth_bytes, pos = reading.blob(buf, pos, compact)
        if version >= 2:
            item.session_lifetime_ms, tags = _get_qB(buf, pos)
            pos += 9
        elif version >= 1:
            (item.session_lifetime_ms,) = _get_q(buf, pos)
            pos += 8
            tags = 0
        else:
            item.session_lifetime_ms = 0
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_sasl_authenticate_response(out: bytearray, items: Sequence[SaslAuthenticateResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        writing.blob(out, item.auth_bytes, compact)
        if version >= 2:
            out += _put_qx(item.session_lifetime_ms)
        elif version >= 1:
            out += _put_q(item.session_lifetime_ms)
