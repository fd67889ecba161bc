"""OffsetCommit without objects in between: what a request says, and its answer.

Versions 8 and later, whose lengths are varints. Every length of a request is checked against what is left before it is
used; anything that does not add up raises ValueError. The types of the compiled form are in the .pxd of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from . import no_cython as cython

if not cython.compiled:  # the compiled form has them from its .pxd
    from .requests import be_int, skip_tagged, uvarint_size, uvarint_value

TOPIC_IDS_FROM = 10
PARTITIONS_MAX = 1_000_000
NAME_MAX = 32_767  # of any string
# What an entry of the request is at least: partition, offset, leader epoch, length of the metadata, tags.
_PLACE_BYTES = 18
_CUT = "the request is cut short"

Topics = list[tuple[bytes, list[tuple[int, int, int, str | None]]]]


def parse_offset_commit(buf: Any, version: int) -> tuple[str, int, str, str | None, Topics]:
    """(group id, generation or member epoch, member id, instance id or None, [(topic name or id, places), ...]).

    A place is (partition, offset, leader epoch, metadata or None).
    """
    end = len(buf)
    if end == 0:
        raise ValueError(_CUT)
    data = memoryview(buf)
    size = string_size(data, 0, end)
    if size < 0:
        raise ValueError(_CUT)
    pos = uvarint_size(data, 0)
    group_id = text(data, pos, size)
    pos += size
    if end - pos < 5:
        raise ValueError(_CUT)
    generation_id = be_int(data, pos, 4)
    pos += 4
    size = string_size(data, pos, end)
    if size < 0:
        raise ValueError(_CUT)
    pos += uvarint_size(data, pos)
    member_id = text(data, pos, size)
    pos += size
    size = string_size(data, pos, end)
    if size < -1:
        raise ValueError(_CUT)
    pos += uvarint_size(data, pos)
    instance_id = None
    if size >= 0:
        instance_id = text(data, pos, size)
        pos += size
    topics: Topics = []
    pos = commit_topics(data, pos, end, version >= TOPIC_IDS_FROM, topics)
    if pos < 0 or skip_tagged(data, pos, end) < 0:
        raise ValueError(_CUT)
    return group_id, generation_id, member_id, instance_id, topics


def string_size(data: Sequence[int], pos: int, end: int) -> int:
    """The length of a string that is all there and not too long, -1 for null, or -2."""
    size = uvarint_value(data, pos, end) - 1
    if size < -1 or size > NAME_MAX or size > end - pos - uvarint_size(data, pos):
        return -2
    return size


def text(data: Any, pos: int, size: int) -> str:
    return str(bytes(data[pos : pos + size]), "utf-8")


def commit_topics(data: Any, pos: int, end: int, by_id: bool, topics: Topics) -> int:
    """The position behind the topics, or -1."""
    count = uvarint_value(data, pos, end) - 1
    if count < 0 or count > PARTITIONS_MAX:
        return -1
    pos += uvarint_size(data, pos)
    left = PARTITIONS_MAX
    for at_topic in range(count):  # noqa: B007
        size = 16
        if not by_id:
            size = string_size(data, pos, end)
            if size < 0:
                return -1
            pos += uvarint_size(data, pos)
        elif end - pos < 16:
            return -1
        topic = bytes(data[pos : pos + size])
        pos += size
        partitions = uvarint_value(data, pos, end) - 1
        if partitions < 0 or partitions > left or partitions > (end - pos) // _PLACE_BYTES:
            return -1
        left -= partitions
        pos += uvarint_size(data, pos)
        places: list[tuple[int, int, int, str | None]] = []
        for at_place in range(partitions):  # noqa: B007
            pos = commit_place(data, pos, end, places)
            if pos < 0:
                return -1
        topics.append((topic, places))
        pos = skip_tagged(data, pos, end)
        if pos < 0:
            return -1
    return pos


def commit_place(data: Any, pos: int, end: int, places: list[tuple[int, int, int, str | None]]) -> int:
    if end - pos < _PLACE_BYTES:
        return -1
    start = pos
    pos += 16
    size = string_size(data, pos, end)
    if size < -1:
        return -1
    pos += uvarint_size(data, pos)
    metadata = None
    if size >= 0:
        metadata = text(data, pos, size)
        pos += size
    places.append((be_int(data, start, 4), be_int(data, start + 4, 8), be_int(data, start + 12, 4), metadata))
    return skip_tagged(data, pos, end)


def put_int(out: bytearray, value: int, size: int) -> None:
    """Appends a big-endian signed integer."""
    shift = 8 * (size - 1)
    while shift >= 0:
        out.append((value >> shift) & 0xFF)
        shift -= 8


def put_uvarint(out: bytearray, value: int) -> None:
    while value > 0x7F:
        out.append((value & 0x7F) | 0x80)
        value >>= 7
    out.append(value)


def encode_offset_commit(correlation_id: int, topics: Topics, by_id: bool, codes: Sequence[int] | None) -> bytes:
    """The whole frame of the answer; `codes` has an error for each place, in order, or is None when all went well."""
    out = bytearray()
    put_int(out, 0, 4)
    put_int(out, correlation_id, 4)
    put_int(out, 0, 5)  # no tags in the header, and no throttling
    put_uvarint(out, len(topics) + 1)
    index = 0
    code = 0
    for topic, places in topics:
        if not by_id:
            put_uvarint(out, len(topic) + 1)
        out += topic
        put_uvarint(out, len(places) + 1)
        for place in places:
            if codes is not None:
                code = codes[index]
            put_int(out, place[0], 4)
            put_int(out, code, 2)
            out.append(0)
            index += 1
        out.append(0)
    out.append(0)
    size = len(out) - 4
    for at in range(4):
        out[at] = (size >> (24 - 8 * at)) & 0xFF
    return bytes(out)
