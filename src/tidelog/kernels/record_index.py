"""Reading the records of one inflated batch body in bulk."""

from __future__ import annotations


class BadRecords(ValueError):
    """The body of a batch does not hold the records that its header promises."""


def read_varint(body: bytes, pos: int, width: int) -> tuple[int, int]:
    """The zigzag value at `pos` and the position behind it; `width` is 32 or 64 bits."""
    value = 0
    shift = 0
    while True:
        byte = body[pos]
        pos += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        if shift >= width:
            raise BadRecords("a varint of a record is too long")
    value &= (1 << width) - 1
    return (value >> 1) ^ -(value & 1), pos


def decode_tuples(body: bytes, count: int, base_offset: int, base_timestamp: int, append_timestamp: int) -> list[tuple]:  # type: ignore[type-arg]
    """(offset, timestamp, key, value, headers) of each record; an `append_timestamp` of 0 or more replaces theirs."""
    if count < 0 or count > len(body):
        raise BadRecords(f"a batch of {len(body)} bytes cannot hold {count} records")
    found = []
    pos = 0
    try:
        for _ in range(count):
            length, pos = read_varint(body, pos, 32)
            end = pos + length
            if length < 0 or end > len(body):
                raise BadRecords("a record is longer than its batch")
            timestamp_delta, pos = read_varint(body, pos + 1, 64)
            offset_delta, pos = read_varint(body, pos, 32)
            key, pos = _nullable(body, pos, end)
            value, pos = _nullable(body, pos, end)
            headers, pos = _headers(body, pos, end)
            if pos != end:
                raise BadRecords("a record's fields do not fill its length")
            timestamp = append_timestamp if append_timestamp >= 0 else base_timestamp + timestamp_delta
            found.append((base_offset + offset_delta, timestamp, key, value, headers))
    except IndexError:
        raise BadRecords("a record is cut off") from None
    if pos != len(body):
        raise BadRecords("bytes are left over behind the last record of a batch")
    return found


def _nullable(body: bytes, pos: int, end: int) -> tuple[bytes | None, int]:
    length, pos = read_varint(body, pos, 32)
    if length < 0:
        return None, pos
    if pos + length > end:
        raise BadRecords("a field is longer than its record")
    return body[pos : pos + length], pos + length


def _headers(body: bytes, pos: int, end: int) -> tuple[tuple[tuple[str, bytes | None], ...], int]:
    count, pos = read_varint(body, pos, 32)
    if count == 0:
        return (), pos
    if count < 0 or count > end - pos:
        raise BadRecords(f"a record claims {count} headers")
    found = []
    for _ in range(count):
        key, pos = _nullable(body, pos, end)
        if key is None:
            raise BadRecords("a record header has no key")
        value, pos = _nullable(body, pos, end)
        try:
            found.append((key.decode(), value))
        except UnicodeDecodeError:
            raise BadRecords("the key of a record header is not UTF-8") from None
    return tuple(found), pos
