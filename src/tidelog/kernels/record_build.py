"""Writing many records into one batch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def varint_bytes(value: int) -> int:
    """How many bytes the zigzag form of a signed value takes."""
    raw = (value << 1) ^ (value >> 63)
    size = 1
    while raw > 0x7F:
        raw >>= 7
        size += 1
    return size


def put_varint(body: bytearray, value: int) -> None:
    """Appends the zigzag form of a signed value."""
    raw = (value << 1) ^ (value >> 63)
    while raw > 0x7F:
        body.append((raw & 0x7F) | 0x80)
        raw >>= 7
    body.append(raw)


def put_field(body: bytearray, field: bytes | None) -> None:
    """Appends a length and the bytes; None has the length -1."""
    if field is None:
        body.append(1)
    else:
        put_varint(body, len(field))
        body += field


def field_bytes(field: bytes | None) -> int:
    if field is None:
        return 1
    length = len(field)
    return varint_bytes(length) + length


def headers_bytes(headers: list[tuple[bytes, bytes | None]]) -> int:
    size = 0
    for name, content in headers:
        size += field_bytes(name) + field_bytes(content)
    return size


def encode_records(
    records: Iterable[tuple[Any, ...]], base_offset: int, base_timestamp: int, keep_offsets: bool
) -> tuple[bytearray, int]:
    """The body of (offset, timestamp, key, value, headers) records, and the latest timestamp among them.

    Deltas are 0, 1, 2… unless `keep_offsets`. The latest timestamp of no records is -1.
    """
    body = bytearray()
    index = 0
    latest = -1
    for offset, timestamp, key, value, headers in records:
        moment = timestamp
        if moment > latest or index == 0:
            latest = moment
        delta = index
        if keep_offsets:
            delta = offset - base_offset
        named = [(name.encode(), content) for name, content in headers] if headers else []
        size = 1 + varint_bytes(moment - base_timestamp) + varint_bytes(delta) + field_bytes(key) + field_bytes(value)
        put_varint(body, size + varint_bytes(len(named)) + headers_bytes(named))
        body.append(0)
        put_varint(body, moment - base_timestamp)
        put_varint(body, delta)
        put_field(body, key)
        put_field(body, value)
        put_varint(body, len(named))
        for name, content in named:
            put_field(body, name)
            put_field(body, content)
        index += 1  # noqa: SIM113 - a plain number, so that the compiled form keeps it as one
    return body, latest


def put_at(out: bytearray, at: int, value: int, size: int) -> None:
    """Writes a big-endian signed integer over what is there."""
    shift = 8 * (size - 1)
    while shift >= 0:
        out[at] = (value >> shift) & 0xFF
        at += 1
        shift -= 8


def pack_pairs(
    pairs: Iterable[tuple[bytes | None, bytes | None]],
    timestamp: int,
    attributes: int,
    producer_id: int,
    producer_epoch: int,
) -> bytearray:
    """A whole batch of (key, value) records of one time, without a sequence number; its checksum has yet to be set."""
    out = bytearray(61)
    index = 0
    for key, value in pairs:
        put_varint(out, 3 + varint_bytes(index) + field_bytes(key) + field_bytes(value))
        out.append(0)  # attributes
        out.append(0)  # the time
        put_varint(out, index)
        put_field(out, key)
        put_field(out, value)
        out.append(0)  # headers
        index += 1
    put_at(out, 8, len(out) - 12, 4)
    put_at(out, 12, -1, 4)
    out[16] = 2
    put_at(out, 21, attributes, 2)
    put_at(out, 23, index - 1, 4)
    put_at(out, 27, timestamp, 8)
    put_at(out, 35, timestamp, 8)
    put_at(out, 43, producer_id, 8)
    put_at(out, 51, producer_epoch, 2)
    put_at(out, 53, -1, 4)
    put_at(out, 57, index, 4)
    return out
