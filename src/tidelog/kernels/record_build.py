"""Writing many records into one batch body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def varint(value: int) -> bytes:
    """The zigzag form of a signed 64-bit value."""
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value > 0x7F:
        out.append((value & 0x7F) | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def encode_records(
    records: Iterable[tuple[Any, ...]], base_offset: int, base_timestamp: int, keep_offsets: bool
) -> bytearray:
    """The body of (offset, timestamp, key, value, headers) records; deltas are 0, 1, 2… unless `keep_offsets`."""
    body = bytearray()
    for index, (offset, timestamp, key, value, headers) in enumerate(records):
        delta = offset - base_offset if keep_offsets else index
        record = bytearray(b"\0")
        record += varint(timestamp - base_timestamp)
        record += varint(delta)
        for field in (key, value):
            record += b"\x01" if field is None else varint(len(field)) + field
        record += varint(len(headers))
        for name, content in headers:
            encoded = name.encode()
            record += varint(len(encoded)) + encoded
            record += b"\x01" if content is None else varint(len(content)) + content
        body += varint(len(record)) + record
    return body
