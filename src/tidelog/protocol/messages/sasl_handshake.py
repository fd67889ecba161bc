"""SaslHandshakeRequest and SaslHandshakeResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable

_get_h = Format(">h").unpack_from
_put_h = Format(">h").pack


class SaslHandshakeRequest(Message):
    __slots__ = ("mechanism",)

    API_KEY = 17
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = None

    def __init__(self, *, mechanism: str = "") -> None:
        self.mechanism = mechanism

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[SaslHandshakeRequest, int]:
        (item,), pos = _read_sasl_handshake_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_sasl_handshake_request(out, (self,), version)


def _read_sasl_handshake_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SaslHandshakeRequest], int]:
    items: list[SaslHandshakeRequest] = []
    new = SaslHandshakeRequest.__new__
    for _ in range(count):
        item = new(SaslHandshakeRequest)
        item.mechanism, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_sasl_handshake_request(out: bytearray, items: Sequence[SaslHandshakeRequest], version: int) -> None:
    for item in items:
        writing.string(out, item.mechanism, False)


class SaslHandshakeResponse(Message):
    __slots__ = ("error_code", "mechanisms")

    API_KEY = 17
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = None

    def __init__(self, *, error_code: int = 0, mechanisms: list[str] = UNSET) -> None:
        self.error_code = error_code
        self.mechanisms = [] if mechanisms is UNSET else mechanisms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[SaslHandshakeResponse, int]:
        (item,), pos = _read_sasl_handshake_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_sasl_handshake_response(out, (self,), version)


def _read_sasl_handshake_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SaslHandshakeResponse], int]:
    items: list[SaslHandshakeResponse] = []
    new = SaslHandshakeResponse.__new__
    for _ in range(count):
        item = new(SaslHandshakeResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.mechanisms, pos = reading.strings(buf, pos, False, left)
        items.append(item)
    return items, pos


def _write_sasl_handshake_response(out: bytearray, items: Sequence[SaslHandshakeResponse], version: int) -> None:
    for item in items:
        out += _put_h(item.error_code)
        writing.strings(out, item.mechanisms, False)
