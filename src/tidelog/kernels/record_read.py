"""Reading the records of one inflated batch: checking them, finding their fields, and turning them into tuples.

Positions are indexes into the given buffer; `end` is one past the last byte that belongs to the batch. Nothing is read
past `end`, whatever the bytes claim. The types of the compiled form are in the .pxd of the same name, where
`memoryview` is the bare address of a buffer; arithmetic stays inside 64 bits, so a timestamp that would pass them is
held at the limit.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Buffer = bytes | bytearray | memoryview

# What can be wrong with the bytes of a batch's records; 0 is nothing. `protocol/records_validate.py` has the sentences.
OK = 0
CUT_OFF = 1
BAD_LENGTH = 2
BAD_FIELD = 3
BAD_HEADERS = 4
BAD_DELTA = 5
LEFT_OVER = 6
BAD_COUNT = 7

# What can be wrong with one record of a whole batch.
NO_KEY = 1
BAD_TIMESTAMP = 2

FAULTS_MAX = 1000
"""No more faulty records than this are named, however many a batch has."""
INDEX_FIELDS = 8
RECORD_BYTES_MIN = 6
INT64_MAX = 0x7FFFFFFFFFFFFFFF
INT64_MIN = -INT64_MAX - 1
MASK32 = 0xFFFFFFFF
BIT62 = 0x4000000000000000


class BadRecords(ValueError):
    """The body of a batch does not hold the records that its header promises; `problem` is one of the codes above."""

    def __init__(self, problem: int, index: int) -> None:
        super().__init__(problem, index)
        self.problem = problem
        self.index = index


def varint32(data: memoryview, pos: int, end: int) -> int:
    """Eight times the zigzag value at `pos` plus its size in bytes; a size of 0 says that there is no such value."""
    if pos >= end:
        return 0
    byte = data[pos]
    if byte < 0x80:
        return ((byte >> 1) ^ -(byte & 1)) * 8 + 1
    raw = byte & 0x7F
    if pos + 1 < end:
        byte = data[pos + 1]
        if byte < 0x80:
            raw |= byte << 7
            return ((raw >> 1) ^ -(raw & 1)) * 8 + 2
    size = 1
    while size < 5:
        if pos + size >= end:
            return 0
        byte = data[pos + size]
        raw |= (byte & 0x7F) << (7 * size)
        size += 1
        if byte < 0x80:
            raw &= MASK32
            return ((raw >> 1) ^ -(raw & 1)) * 8 + size
    return 0


def varint_size(data: memoryview, pos: int, end: int) -> int:
    """Bytes of the varint at `pos`; 0 if it does not end within ten bytes and before `end`."""
    size = 0
    while size < 10 and pos + size < end:
        size += 1
        if data[pos + size - 1] < 0x80:
            return size
    return 0


def varint64(data: memoryview, pos: int, size: int) -> int:
    """The zigzag value of the `size` bytes at `pos`."""
    low = 0
    index = 0
    while index < size and index < 9:
        byte = data[pos + index]  # by itself, so that the compiled form shifts 64 bits and not 32
        low |= (byte & 0x7F) << (7 * index)
        index += 1
    # Of 64 zigzag bits nine bytes hold 63; the tenth byte's lowest bit becomes bit 62 once the sign is shifted out.
    value = (low >> 1) ^ -(low & 1)
    if size == 10 and data[pos + 9] & 1:
        value ^= BIT62
    return value


def add_held(base: int, delta: int) -> int:
    """The sum, held at the limits of 64 bits."""
    if delta > 0 and base > INT64_MAX - delta:
        return INT64_MAX
    if delta < 0 and base < INT64_MIN - delta:
        return INT64_MIN
    return base + delta


def field_end(data: memoryview, pos: int, end: int) -> int:
    """The position behind the length and the bytes that begin at `pos`, or -1 if they do not fit before `end`."""
    packed = varint32(data, pos, end)
    pos += packed & 7
    if packed & 7 == 0 or packed >> 3 > end - pos:
        return -1
    return pos + (packed >> 3) if packed > 0 else pos


def headers_end(data: memoryview, pos: int, end: int) -> int:
    """The position behind the headers that begin at `pos` with their count, or -1 if they are not valid."""
    packed = varint32(data, pos, end)
    left = packed >> 3
    pos += packed & 7
    # A header takes two bytes at least, so a count beyond the bytes there are is never walked.
    if packed & 7 == 0 or left < 0 or left > end - pos:
        return -1
    while left > 0:
        left -= 1
        # The lowest bit of a zigzag number is its sign: a key may not be null.
        if pos >= end or data[pos] & 1:
            return -1
        pos = field_end(data, pos, end)
        if pos < 0:
            return -1
        pos = field_end(data, pos, end)
        if pos < 0:
            return -1
    return pos


def check_records(
    buf: Buffer, pos: int, end: int, count: int, base_timestamp: int, keys_needed: bool, oldest: int, newest: int
) -> tuple[int, int, int, int, list[tuple[int, int, int]] | None]:
    """Walks `count` records that must fill `pos` to `end` exactly, with offset deltas 0, 1, 2…

    Returns (problem, index of the record with it, highest timestamp, delta of the first record that has it, faults). A
    fault is (index, NO_KEY or BAD_TIMESTAMP, timestamp): a record whose form is right and whose content the topic does
    not take. Timestamps outside `oldest` to `newest` are faults, except -1, which means none.
    """
    if pos < 0 or end > len(buf):
        raise IndexError("the range is not inside the buffer")
    data = memoryview(buf)
    max_timestamp = max_delta = -1
    faults: list[tuple[int, int, int]] | None = None
    index = 0
    while index < count:
        packed = varint32(data, pos, end)
        pos += packed & 7
        limit = pos + (packed >> 3)
        if packed <= 0 or limit > end or limit < pos + RECORD_BYTES_MIN:
            return (CUT_OFF if packed & 7 == 0 else BAD_LENGTH), index, 0, 0, None
        pos += 1
        # Up to four bytes, so nearly always, a short varint and a long one read alike; the short way is quicker.
        packed = varint32(data, pos, limit)
        size = packed & 7
        timestamp = packed >> 3
        if size == 0 or size == 5:
            size = varint_size(data, pos, limit)
            timestamp = varint64(data, pos, size)
        timestamp = add_held(base_timestamp, timestamp)
        pos += size
        packed = varint32(data, pos, limit)
        pos += packed & 7
        if size == 0 or packed & 7 == 0 or packed >> 3 != index:
            return (BAD_DELTA if size and packed & 7 else BAD_FIELD), index, 0, 0, None
        has_key = pos < limit and data[pos] & 1 == 0
        pos = field_end(data, pos, limit)
        if pos >= 0:
            pos = field_end(data, pos, limit)
        if pos < 0:
            return BAD_FIELD, index, 0, 0, None
        if pos + 1 == limit and data[pos] == 0:  # no headers, as most records
            pos = limit
        else:
            pos = headers_end(data, pos, limit)
        if pos != limit:
            return (BAD_HEADERS if pos < 0 else BAD_LENGTH), index, 0, 0, None
        if timestamp > max_timestamp:
            max_timestamp = timestamp
            max_delta = index
        if (keys_needed and not has_key) or (timestamp != -1 and (timestamp < oldest or timestamp > newest)):
            faults = [] if faults is None else faults
            if len(faults) < FAULTS_MAX:
                faults.append((index, NO_KEY if keys_needed and not has_key else BAD_TIMESTAMP, timestamp))
        index += 1
    if pos != end:
        return LEFT_OVER, index, 0, 0, None
    return OK, index, max_timestamp, max_delta, faults


def index_records(buf: Buffer, pos: int, end: int, count: int) -> array[int]:
    """Eight numbers a record: offset delta, timestamp delta, start and length of the key, start and length of the
    value, start of the headers (at their count), and the position behind the record. A null has the length -1.

    Offset deltas may have gaps, as compaction leaves them. Raises BadRecords.
    """
    if pos < 0 or end > len(buf):
        raise IndexError("the range is not inside the buffer")
    data = memoryview(buf)
    if count < 0 or count > (end - pos) // RECORD_BYTES_MIN:
        raise BadRecords(BAD_COUNT, 0)
    found = array("q", bytes(8 * INDEX_FIELDS * count))
    rows = found
    row = 0
    index = 0
    while index < count:
        packed = varint32(data, pos, end)
        pos += packed & 7
        limit = pos + (packed >> 3)
        if packed & 7 == 0 or packed < 0 or limit > end or limit == pos:
            raise BadRecords(CUT_OFF if packed & 7 == 0 else BAD_LENGTH, index)
        size = varint_size(data, pos + 1, limit)
        rows[row + 1] = varint64(data, pos + 1, size)
        pos += 1 + size
        packed = varint32(data, pos, limit)
        pos += packed & 7
        rows[row] = packed >> 3
        if size == 0 or packed & 7 == 0:
            raise BadRecords(BAD_FIELD, index)
        field = row + 2
        while field < row + 6:
            packed = varint32(data, pos, limit)
            pos += packed & 7
            rows[field] = pos
            rows[field + 1] = -1 if packed < 0 else packed >> 3
            if packed > 0:
                pos += packed >> 3
            if packed & 7 == 0 or pos > limit:
                raise BadRecords(BAD_FIELD, index)
            field += 2
        rows[row + 6] = pos
        rows[row + 7] = limit
        pos = headers_end(data, pos, limit)
        if pos != limit:
            raise BadRecords(BAD_HEADERS if pos < 0 else BAD_LENGTH, index)
        row += INDEX_FIELDS
        index += 1
    if pos != end:
        raise BadRecords(LEFT_OVER, index)
    return found


def read_headers(body: bytes, pos: int, end: int) -> tuple[tuple[str, bytes | None], ...]:
    """The headers at `pos` of a record that `index_records` has passed."""
    data = memoryview(body)
    packed = varint32(data, pos, end)
    pos += packed & 7
    left = packed >> 3
    found: list[tuple[str, bytes | None]] = []
    while left > 0:
        left -= 1
        packed = varint32(data, pos, end)
        pos += packed & 7
        name = body[pos : pos + (packed >> 3)].decode("utf-8", "replace")
        pos += packed >> 3
        packed = varint32(data, pos, end)
        pos += packed & 7
        if packed < 0:
            found.append((name, None))
        else:
            found.append((name, body[pos : pos + (packed >> 3)]))
            pos += packed >> 3
    return tuple(found)


def decode_tuples(
    body: bytes, count: int, base_offset: int, base_timestamp: int, append_timestamp: int
) -> list[tuple[int, int, bytes | None, bytes | None, tuple[tuple[str, bytes | None], ...]]]:
    """(offset, timestamp, key, value, headers) of each record; an `append_timestamp` of 0 or more replaces theirs."""
    found = index_records(body, 0, len(body), count)
    rows = found
    records = []
    row = 0
    while row < INDEX_FIELDS * count:
        timestamp = append_timestamp
        if append_timestamp < 0:
            timestamp = add_held(base_timestamp, rows[row + 1])
        key = None
        if rows[row + 3] >= 0:
            key = body[rows[row + 2] : rows[row + 2] + rows[row + 3]]
        value = None
        if rows[row + 5] >= 0:
            value = body[rows[row + 4] : rows[row + 4] + rows[row + 5]]
        headers: tuple[tuple[str, bytes | None], ...] = ()
        if rows[row + 7] - rows[row + 6] > 1:
            headers = read_headers(body, rows[row + 6], rows[row + 7])
        records.append((add_held(base_offset, rows[row]), timestamp, key, value, headers))
        row += INDEX_FIELDS
    return records
