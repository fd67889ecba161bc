"""Bytes that are no Kafka request: what they probably are, said in one line."""

from __future__ import annotations

_HTTP_VERBS = (b"GET ", b"POST", b"PUT ", b"HEAD", b"OPTI", b"DELE", b"PATC", b"CONN", b"PRI ")


def describe(first: bytes) -> str:
    """Why a frame that begins with these bytes is refused."""
    if first.startswith(_HTTP_VERBS):
        return "it speaks HTTP; point it at the metrics port, or point a Kafka client here"
    if first[:2] == b"\x16\x03":
        return "it speaks TLS on a listener without TLS; set security.protocol of the client to match the listener"
    length = int.from_bytes(first[:4], "big", signed=True)
    return f"a request of {length} bytes is outside the bounds; socket.request.max.bytes is the largest"
