"""Finds the batches of a Produce request: where each begins and ends, and whose they are. Nothing is copied but names.

Every length is checked against what is left before it is used; anything that does not add up raises ValueError. The
types of the compiled form are in the .pxd of the same name, where `memoryview` is the bare address of a buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

FLEXIBLE_FROM = 9
TOPIC_IDS_FROM = 13
_CUT = "the produce request is cut short"


def be_int(data: Sequence[int], pos: int, size: int) -> int:
    """A big-endian signed integer of `size` bytes; the caller has checked that it is there."""
    value = data[pos]
    if value > 127:
        value -= 256
    index = pos + 1
    while index < pos + size:
        value = value * 256 + data[index]
        index += 1
    return value


def uvarint_value(data: Sequence[int], pos: int, end: int) -> int:
    """The value of an unsigned varint of at most five bytes, or -1 when there is none."""
    value = 0
    shift = 0
    while shift < 35:
        if pos >= end:
            return -1
        byte = data[pos]
        value += (byte & 0x7F) << shift
        if byte < 0x80:
            return value
        pos += 1
        shift += 7
    return -1


def uvarint_size(data: Sequence[int], pos: int) -> int:
    """How many bytes the varint at `pos` takes; the caller has read it."""
    size = 1
    while data[pos] > 127:
        pos += 1
        size += 1
    return size


def skip_tagged(data: Sequence[int], pos: int, end: int) -> int:
    """The position after a block of tagged fields, or -1."""
    if pos < end and data[pos] == 0:
        return pos + 1
    count = uvarint_value(data, pos, end)
    if count < 0 or count > end - pos:
        return -1
    pos += uvarint_size(data, pos)
    for done in range(count):  # noqa: B007
        if uvarint_value(data, pos, end) < 0:
            return -1
        pos += uvarint_size(data, pos)
        size = uvarint_value(data, pos, end)
        if size < 0:
            return -1
        pos += uvarint_size(data, pos)
        if size > end - pos:
            return -1
        pos += size
    return pos


def length_at(data: Sequence[int], pos: int, end: int, flexible: bool, width: int) -> int:
    """The length of a string (width 2), or of bytes or an array (width 4): -1 for null, -2 when it is cut short."""
    if flexible:
        value = uvarint_value(data, pos, end)
        return -2 if value < 0 else value - 1
    if end - pos < width:
        return -2
    value = be_int(data, pos, width)
    return value if value >= -1 else -2


def length_size(data: Sequence[int], pos: int, flexible: bool, width: int) -> int:
    return uvarint_size(data, pos) if flexible else width


def parse_produce(buf: Any, version: int) -> tuple[bytes | None, int, int, list[tuple[bytes, int, int, int]]]:
    """(transactional id or None, acks, timeout_ms, [(topic name or id, partition, start, end), ...]).

    Versions 3 to 13. The records of a partition are buf[start:end]; null records have start == -1.
    """
    end = len(buf)
    if end == 0:
        raise ValueError(_CUT)
    data = memoryview(buf)
    pos = 0
    flexible = version >= FLEXIBLE_FROM
    size = length_at(data, pos, end, flexible, 2)
    if size < -1:
        raise ValueError(_CUT)
    pos += length_size(data, pos, flexible, 2)
    transactional_id = None
    if size >= 0:
        if size > end - pos:
            raise ValueError(_CUT)
        transactional_id = bytes(data[pos : pos + size])
        pos += size
    if end - pos < 6:
        raise ValueError(_CUT)
    acks = be_int(data, pos, 2)
    timeout_ms = be_int(data, pos + 2, 4)
    pos += 6
    topics = length_at(data, pos, end, flexible, 4)
    if topics < 0:
        raise ValueError(_CUT)
    pos += length_size(data, pos, flexible, 4)
    found: list[tuple[bytes, int, int, int]] = []
    for at_topic in range(topics):  # noqa: B007
        if version >= TOPIC_IDS_FROM:
            size = 16
        else:
            size = length_at(data, pos, end, flexible, 2)
            if size < 0:
                raise ValueError(_CUT)
            pos += length_size(data, pos, flexible, 2)
        if size > end - pos:
            raise ValueError(_CUT)
        topic = bytes(data[pos : pos + size])
        pos += size
        partitions = length_at(data, pos, end, flexible, 4)
        if partitions < 0:
            raise ValueError(_CUT)
        pos += length_size(data, pos, flexible, 4)
        for at_partition in range(partitions):  # noqa: B007
            if end - pos < 5:
                raise ValueError(_CUT)
            index = be_int(data, pos, 4)
            pos += 4
            size = length_at(data, pos, end, flexible, 4)
            if size < -1:
                raise ValueError(_CUT)
            pos += length_size(data, pos, flexible, 4)
            if size < 0:
                found.append((topic, index, -1, -1))
            else:
                if size > end - pos:
                    raise ValueError(_CUT)
                found.append((topic, index, pos, pos + size))
                pos += size
            if flexible:
                pos = skip_tagged(data, pos, end)
                if pos < 0:
                    raise ValueError(_CUT)
        if flexible:
            pos = skip_tagged(data, pos, end)
            if pos < 0:
                raise ValueError(_CUT)
    if flexible:
        pos = skip_tagged(data, pos, end)
    if pos < 0:
        raise ValueError(_CUT)
    return transactional_id, acks, timeout_ms, found
