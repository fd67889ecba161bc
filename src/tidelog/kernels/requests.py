"""Reads the messages of the two hot APIs: where the batches of a Produce are, what a Fetch asks for, and what it got.

Nothing is copied but topic names and ids. Every length is checked against what is left before it is used; anything that
does not add up raises ValueError. The types of the compiled form are in the .pxd of the same name, where `memoryview`
is the bare address of a buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PRODUCE_FLEXIBLE_FROM = 9
FETCH_FLEXIBLE_FROM = 12
TOPIC_IDS_FROM = 13  # in both
NO_REPLICA = -1
# Partitions that one request may name; a frame of a hundred megabytes could name many millions.
PARTITIONS_MAX = 1_000_000
# Where a Fetch of version 15 or later has its session's epoch; behind it the number of topics and a topic id, and
# behind those the number of partitions; and where it has the offset of its first partition.
SESSION_EPOCH_AT = 17
FETCH_OFFSET_AT = 47
_CUT = "the request is cut short"


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


def name_size(data: Sequence[int], pos: int, end: int, flexible: bool, by_id: bool) -> int:
    """The bytes of a topic's name or id, the length in front of a name not counted; -1 when it is cut short."""
    if by_id:
        return 16 if end - pos >= 16 else -1
    size = length_at(data, pos, end, flexible, 2)
    if size < 0 or size > end - pos - length_size(data, pos, flexible, 2):
        return -1
    return size


def parse_produce(buf: Any, version: int) -> tuple[bytes | None, int, int, list[tuple[bytes, int, int, int]]]:
    """(transactional id or None, acks, timeout_ms, [(topic name or id, partition, start, end), ...]).

    Versions 3 to 13. The records of a partition are buf[start:end]; null records have start == -1.
    """
    end = len(buf)
    if end == 0:
        raise ValueError(_CUT)
    data = memoryview(buf)
    flexible = version >= PRODUCE_FLEXIBLE_FROM
    by_id = version >= TOPIC_IDS_FROM
    size = length_at(data, 0, end, flexible, 2)
    if size < -1:
        raise ValueError(_CUT)
    pos = length_size(data, 0, flexible, 2)
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
        size = name_size(data, pos, end, flexible, by_id)
        if size < 0:
            raise ValueError(_CUT)
        if not by_id:
            pos += length_size(data, pos, flexible, 2)
        pos = produce_partitions(data, pos + size, end, flexible, bytes(data[pos : pos + size]), found)
        if pos < 0:
            raise ValueError(_CUT)
    if flexible and skip_tagged(data, pos, end) < 0:
        raise ValueError(_CUT)
    return transactional_id, acks, timeout_ms, found


def produce_partitions(
    data: Sequence[int], pos: int, end: int, flexible: bool, topic: bytes, found: list[tuple[bytes, int, int, int]]
) -> int:
    """The partitions of one topic of a Produce; gives the position behind the topic, or -1."""
    partitions = length_at(data, pos, end, flexible, 4)
    if partitions < 0:
        return -1
    pos += length_size(data, pos, flexible, 4)
    if partitions > PARTITIONS_MAX - len(found):
        return -1
    for at_partition in range(partitions):  # noqa: B007
        if end - pos < 5:
            return -1
        index = be_int(data, pos, 4)
        pos += 4
        size = length_at(data, pos, end, flexible, 4)
        if size < -1:
            return -1
        pos += length_size(data, pos, flexible, 4)
        if size < 0:
            found.append((topic, index, -1, -1))
        else:
            if size > end - pos:
                return -1
            found.append((topic, index, pos, pos + size))
            pos += size
        if flexible:
            pos = skip_tagged(data, pos, end)
            if pos < 0:
                return -1
    return skip_tagged(data, pos, end) if flexible else pos


def parse_fetch(
    buf: Any, version: int
) -> tuple[
    int,
    int,
    int,
    int,
    int,
    int,
    int,
    list[tuple[bytes, int, int, int, int, int, int]],
    list[tuple[bytes, int]],
    int,
    bytes,
]:
    """(replica id, max wait, min bytes, max bytes, isolation, session id, session epoch, partitions, forgotten ones,
    replica epoch, rack).

    Versions 4 to 18. A partition is (topic name or id, partition, leader epoch, fetch offset, last fetched epoch, log
    start offset, max bytes), with -1 for what a version does not have.
    """
    end = len(buf)
    flexible = version >= FETCH_FLEXIBLE_FROM
    fixed = (13 if version >= 15 else 17) + (8 if version >= 7 else 0)
    if end <= fixed:
        raise ValueError(_CUT)
    data = memoryview(buf)
    replica_id = NO_REPLICA
    pos = 0
    if version < 15:
        replica_id = be_int(data, 0, 4)
        pos = 4
    max_wait_ms = be_int(data, pos, 4)
    min_bytes = be_int(data, pos + 4, 4)
    max_bytes = be_int(data, pos + 8, 4)
    isolation = be_int(data, pos + 12, 1)
    pos += 13
    session_id, session_epoch = 0, -1
    if version >= 7:
        session_id = be_int(data, pos, 4)
        session_epoch = be_int(data, pos + 4, 4)
        pos += 8
    found: list[tuple[bytes, int, int, int, int, int, int]] = []
    forgotten: list[tuple[bytes, int]] = []
    rack = b""
    replica_epoch = NO_REPLICA
    pos = fetch_topics(data, pos, end, version, found, forgotten, False)
    if pos >= 0 and version >= 7:
        pos = fetch_topics(data, pos, end, version, found, forgotten, True)
    if pos >= 0 and version >= 11:
        size = length_at(data, pos, end, flexible, 2)
        if size < 0 or size > end - pos - length_size(data, pos, flexible, 2):
            raise ValueError(_CUT)
        pos += length_size(data, pos, flexible, 2)
        if size > 0:
            rack = bytes(data[pos : pos + size])
        pos += size
    if pos < 0 or (flexible and skip_tagged(data, pos, end) < 0):
        raise ValueError(_CUT)
    if version >= 15:
        at = tagged_at(data, pos, end, 1, 12)
        if at >= 0:
            replica_id = be_int(data, at, 4)
            replica_epoch = be_int(data, at + 4, 8)
    return (
        replica_id,
        max_wait_ms,
        min_bytes,
        max_bytes,
        isolation,
        session_id,
        session_epoch,
        found,
        forgotten,
        replica_epoch,
        rack,
    )


def fetch_topics(
    data: Sequence[int],
    pos: int,
    end: int,
    version: int,
    found: list[tuple[bytes, int, int, int, int, int, int]],
    forgotten: list[tuple[bytes, int]],
    is_forgotten: bool,
) -> int:
    """The topics of a Fetch, or those it forgets; gives the position behind them, or -1."""
    flexible = version >= FETCH_FLEXIBLE_FROM
    by_id = version >= TOPIC_IDS_FROM
    topics = length_at(data, pos, end, flexible, 4)
    if topics < 0:
        return -1
    pos += length_size(data, pos, flexible, 4)
    for at_topic in range(topics):  # noqa: B007
        size = name_size(data, pos, end, flexible, by_id)
        if size < 0:
            return -1
        if not by_id:
            pos += length_size(data, pos, flexible, 2)
        topic = bytes(data[pos : pos + size])
        pos += size
        partitions = length_at(data, pos, end, flexible, 4)
        if partitions < 0:
            return -1
        pos += length_size(data, pos, flexible, 4)
        if is_forgotten:
            pos = forgotten_partitions(data, pos, end, partitions, topic, forgotten)
        else:
            pos = fetch_partitions(data, pos, end, version, partitions, topic, found)
        if pos >= 0 and flexible:
            pos = skip_tagged(data, pos, end)
        if pos < 0:
            return -1
    return pos


def fetch_partitions(
    data: Sequence[int],
    pos: int,
    end: int,
    version: int,
    partitions: int,
    topic: bytes,
    found: list[tuple[bytes, int, int, int, int, int, int]],
) -> int:
    flexible = version >= FETCH_FLEXIBLE_FROM
    size = 16 + (8 if version >= 5 else 0) + (4 if version >= 9 else 0) + (4 if flexible else 0)
    leader_epoch, last_epoch, log_start_offset = -1, -1, -1
    if partitions > PARTITIONS_MAX - len(found):
        return -1
    for at_partition in range(partitions):  # noqa: B007
        if end - pos < size:
            return -1
        index = be_int(data, pos, 4)
        pos += 4
        if version >= 9:
            leader_epoch = be_int(data, pos, 4)
            pos += 4
        offset = be_int(data, pos, 8)
        pos += 8
        if flexible:
            last_epoch = be_int(data, pos, 4)
            pos += 4
        if version >= 5:
            log_start_offset = be_int(data, pos, 8)
            pos += 8
        found.append((topic, index, leader_epoch, offset, last_epoch, log_start_offset, be_int(data, pos, 4)))
        pos += 4
        if flexible:
            pos = skip_tagged(data, pos, end)
            if pos < 0:
                return -1
    return pos


def forgotten_partitions(
    data: Sequence[int], pos: int, end: int, partitions: int, topic: bytes, forgotten: list[tuple[bytes, int]]
) -> int:
    if partitions > (end - pos) // 4 or partitions > PARTITIONS_MAX - len(forgotten):
        return -1
    for at_partition in range(partitions):  # noqa: B007
        forgotten.append((topic, be_int(data, pos, 4)))
        pos += 4
    return pos


def tagged_at(data: Sequence[int], pos: int, end: int, wanted: int, least: int) -> int:
    """Where the value of a tagged field begins if it has `least` bytes, else -1; the caller has passed over the block
    once, so it is whole."""
    count = uvarint_value(data, pos, end)
    pos += uvarint_size(data, pos)
    for done in range(count):  # noqa: B007
        tag = uvarint_value(data, pos, end)
        pos += uvarint_size(data, pos)
        size = uvarint_value(data, pos, end)
        pos += uvarint_size(data, pos)
        if tag == wanted and size >= least:
            return pos
        pos += size
    return -1


def repeated_fetch(buf: Any, last: Any, epoch: int) -> int:
    """The offset from which a Fetch asks that is otherwise the same as `last` but for `epoch`, its session's; else -1.

    Version 15 or later, in a session, with one partition: the epoch and the offset then have their fixed places.
    """
    end = len(buf)
    if end != len(last) or end < FETCH_OFFSET_AT + 8 or epoch < 1:
        return -1
    data = memoryview(buf)
    known = memoryview(last)
    if data[SESSION_EPOCH_AT + 4] != 2 or data[SESSION_EPOCH_AT + 21] != 2:
        return -1
    if be_int(data, SESSION_EPOCH_AT, 4) != epoch:
        return -1
    pos = 0
    while pos < end:
        if pos == SESSION_EPOCH_AT:
            pos += 4
        if pos == FETCH_OFFSET_AT:
            pos += 8
        if pos < end and data[pos] != known[pos]:
            return -1
        pos += 1
    return be_int(data, FETCH_OFFSET_AT, 8)


def parse_fetch_response(buf: Any) -> tuple[int, int, list[tuple[bytes, int, int, int, int, int, int, int, int]]]:
    """(error, session id, partitions) of a response of version 13 or later, to a node that replicates.

    A partition is (topic id, partition, error, high watermark, log start offset, diverging epoch, its end offset, where
    its records begin in the buffer, where they end); -1 for a diverging epoch that is not there.
    """
    end = len(buf)
    if end < 11:
        raise ValueError(_CUT)
    data = memoryview(buf)
    error = be_int(data, 4, 2)
    session_id = be_int(data, 6, 4)
    found: list[tuple[bytes, int, int, int, int, int, int, int, int]] = []
    pos = 10
    topics = length_at(data, pos, end, True, 4)
    if topics < 0:
        raise ValueError(_CUT)
    pos += uvarint_size(data, pos)
    for at_topic in range(topics):  # noqa: B007
        if end - pos < 17:
            raise ValueError(_CUT)
        topic = bytes(data[pos : pos + 16])
        partitions = length_at(data, pos + 16, end, True, 4)
        pos += 16
        if partitions < 0:
            raise ValueError(_CUT)
        pos += uvarint_size(data, pos)
        for at_partition in range(partitions):  # noqa: B007
            pos = fetched_partition(data, pos, end, topic, found)
            if pos < 0:
                raise ValueError(_CUT)
        pos = skip_tagged(data, pos, end)
        if pos < 0:
            raise ValueError(_CUT)
    return error, session_id, found


def fetched_partition(
    data: Sequence[int],
    pos: int,
    end: int,
    topic: bytes,
    found: list[tuple[bytes, int, int, int, int, int, int, int, int]],
) -> int:
    if end - pos < 37:
        return -1
    start = pos
    aborted = length_at(data, pos + 30, end, True, 4)
    if aborted < -1:
        return -1
    pos += 30 + uvarint_size(data, pos + 30)
    for at_aborted in range(aborted if aborted > 0 else 0):  # noqa: B007
        if end - pos < 17:
            return -1
        pos = skip_tagged(data, pos + 16, end)
        if pos < 0:
            return -1
    if end - pos < 5:
        return -1
    size = length_at(data, pos + 4, end, True, 4)
    if size < -1:
        return -1
    pos += 4 + uvarint_size(data, pos + 4)
    size = size if size > 0 else 0
    if size > end - pos:
        return -1
    records = pos
    pos += size
    after = skip_tagged(data, pos, end)
    if after < 0:
        return -1
    at = tagged_at(data, pos, end, 0, 12)
    epoch, epoch_end = -1, -1
    if at >= 0:
        epoch = be_int(data, at, 4)
        epoch_end = be_int(data, at + 4, 8)
    found.append(
        (
            topic,
            be_int(data, start, 4),
            be_int(data, start + 4, 2),
            be_int(data, start + 6, 8),
            be_int(data, start + 22, 8),
            epoch,
            epoch_end,
            records,
            records + size,
        )
    )
    return after
