"""The frame that a schema registry's clients put before a value: a zero byte, the schema's id, and for Protobuf the
path to the message inside its file. Pure.
"""

from __future__ import annotations

HEADER_BYTES = 5


class Undecodable(ValueError):
    """The record's value cannot be read; the text becomes the error of its dead letter."""


def split(value: bytes) -> tuple[int, int]:
    """The schema id, and where the rest begins."""
    if len(value) < HEADER_BYTES:
        raise Undecodable(f"the value has {len(value)} bytes, too few for a schema id")
    if value[0] != 0:
        raise Undecodable(f"the value begins with byte {value[0]}, not with the 0 that comes before a schema id")
    return int.from_bytes(value[1:HEADER_BYTES], "big"), HEADER_BYTES


def frame(schema_id: int) -> bytes:
    return b"\0" + schema_id.to_bytes(4, "big")


def message_path(value: bytes, at: int) -> tuple[tuple[int, ...], int]:
    """Of a Protobuf value: the indexes that lead to the message type, and where the message begins."""
    count, at = _varint(value, at)
    if count == 0:  # the usual case is written short: the first message of the file
        return (0,), at
    if not 0 < count <= 100:
        raise Undecodable(f"the value says that its message type is {count} levels deep")
    path = []
    for _ in range(count):
        index, at = _varint(value, at)
        path.append(index)
    return tuple(path), at


def framed_path(path: tuple[int, ...]) -> bytes:
    if path == (0,):
        return b"\0"
    return b"".join(map(_zigzag, (len(path), *path)))


def _varint(value: bytes, at: int) -> tuple[int, int]:
    shift = raw = 0
    while True:
        if at >= len(value) or shift > 63:
            raise Undecodable("the value ends inside the path to its message type")
        byte = value[at]
        at += 1
        raw |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (raw >> 1) ^ -(raw & 1), at
        shift += 7


def _zigzag(number: int) -> bytes:
    raw = number << 1
    found = bytearray()
    while raw > 0x7F:
        found.append(raw & 0x7F | 0x80)
        raw >>= 7
    found.append(raw)
    return bytes(found)
