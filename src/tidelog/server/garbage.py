"""Bytes that are no Kafka request: what they probably are, said in one line; and the tagged fields of request headers."""

from __future__ import annotations

from tidelog.protocol.primitives import DecodeError

_HTTP_VERBS = (b"GET ", b"POST", b"PUT ", b"HEAD", b"OPTI", b"DELE", b"PATC", b"CONN", b"PRI ")
_HEADER_TAGS_MAX = 100


def describe(first: bytes) -> str:
    """Why a frame that begins with these bytes is refused."""
    if first.startswith(_HTTP_VERBS):
        return "it speaks HTTP; point it at the metrics port, or point a Kafka client here"
    if first[:2] == b"\x16\x03":
        return "it speaks TLS on a listener without TLS; set security.protocol of the client to match the listener"
    length = int.from_bytes(first[:4], "big", signed=True)
    return f"a request of {length} bytes is outside the bounds; socket.request.max.bytes is the largest"


def skip_tags(view: memoryview, position: int, stop: int) -> int:
    """The position after the tagged fields of a request header, none of which means anything to us."""
    count, position = _unsigned_varint(view, position, stop)
    if count > _HEADER_TAGS_MAX:
        raise DecodeError(f"{count} tagged fields in a request header")
    for _ in range(count):
        _, position = _unsigned_varint(view, position, stop)
        size, position = _unsigned_varint(view, position, stop)
        if size > stop - position:
            raise DecodeError("a tagged field is longer than its request")
        position += size
    return position


def _unsigned_varint(view: memoryview, position: int, stop: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 35:
        if position >= stop:
            raise DecodeError("the header ends inside a number")
        byte = view[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    raise DecodeError("a number of the header has too many bytes")
