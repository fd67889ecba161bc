"""Who a forwarded request is from, as envelopes carry it: Apache's default form of a principal, version 0."""

from __future__ import annotations

import ipaddress

from tidelog.protocol import writing
from tidelog.protocol.primitives import DecodeError, read_uvarint

VERSION = 0


def encode_principal(principal: str) -> bytes:
    kind, _, name = principal.partition(":")
    out = bytearray(VERSION.to_bytes(2, "big"))
    writing.string(out, kind, True)
    writing.string(out, name, True)
    out += b"\0\0"  # not by a delegation token; no tagged fields
    return bytes(out)


def decode_principal(data: bytes) -> str:
    try:
        if int.from_bytes(data[:2], "big") != VERSION:
            raise DecodeError("a principal of an unknown version")
        kind, pos = _text(data, 2)
        name, pos = _text(data, pos)
    except (IndexError, UnicodeDecodeError):
        raise DecodeError("the principal is cut short") from None
    return f"{kind}:{name}"


def _text(data: bytes, pos: int) -> tuple[str, int]:
    length, pos = read_uvarint(data, pos)
    end = pos + length - 1
    if length == 0 or end > len(data):
        raise DecodeError("the principal is cut short")
    return data[pos:end].decode(), end


def encode_host(host: str) -> bytes:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).packed
    except ValueError:
        return bytes((127, 0, 0, 1))


def decode_host(data: bytes) -> str:
    try:
        return str(ipaddress.ip_address(data))
    except ValueError:
        raise DecodeError(f"an address of {len(data)} bytes") from None
