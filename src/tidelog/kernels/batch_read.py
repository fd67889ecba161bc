"""Reading batch headers: the checks of a produced batch, and walking many batches that stand behind each other.

What a produced batch is refused for, and in which order the checks come, is what Apache's broker does, except that it
lets pass offset deltas with gaps and, in compressed batches, record lengths that are wrong; here they are refused too.
"""

from __future__ import annotations

from crc32c import crc32c

from .record_read import check_records

OK = 0
# Numbers below 20 are problems with the records, see record_read.
NOT_WHOLE = 20
BAD_SIZE = 21
OLD_MAGIC = 22
BAD_MAGIC = 23
NOT_ONE_BATCH = 24
BASE_OFFSET_SET = 25
TOO_LARGE = 26
BAD_CHECKSUM = 27
BAD_RANGE = 28
CONTROL_BATCH = 29
BAD_SEQUENCE = 30
# Not a problem: the records are compressed, so the caller inflates them and has them checked.
COMPRESSED = 31

# Where and why a walk ended.
WALKED_ALL = 0
WALK_CUT_OFF = 1
WALK_BAD_MAGIC = 2
WALK_BAD_SIZE = 3
WALK_BAD_CHECKSUM = 4

HEADER_BYTES = 61
TWO32 = 0x100000000
SIGN32 = 0x80000000


def uint32_at(data: memoryview, pos: int) -> int:
    high = data[pos]
    return (high << 24) | (data[pos + 1] << 16) | (data[pos + 2] << 8) | data[pos + 3]


def int32_at(data: memoryview, pos: int) -> int:
    value = uint32_at(data, pos)
    return value - TWO32 if value >= SIGN32 else value


def int64_at(data: memoryview, pos: int) -> int:
    return int32_at(data, pos) * TWO32 + uint32_at(data, pos + 4)


def int16_at(data: memoryview, pos: int) -> int:
    value = (data[pos] << 8) | data[pos + 1]
    return value - 0x10000 if value >= 0x8000 else value


def check_header(data: memoryview, length: int, bytes_max: int) -> int:
    """Length, magic and base offset: what must be right before the checksum can be computed."""
    if length < 17:
        return NOT_WHOLE
    size = int32_at(data, 8) + 12
    if size < 26:
        return BAD_SIZE
    if size > length:
        return NOT_WHOLE
    if data[16] != 2:
        return OLD_MAGIC if data[16] < 2 else BAD_MAGIC
    if size < 61:
        return BAD_SIZE
    if int64_at(data, 0) != 0:
        return BASE_OFFSET_SET
    return TOO_LARGE if size > bytes_max else OK


def header_at(data: memoryview, pos: int) -> tuple[int, ...]:
    """The header's fields in the order of `protocol.record_batch.HEADER`."""
    return (
        int64_at(data, pos), int32_at(data, pos + 8), int32_at(data, pos + 12), data[pos + 16],
        uint32_at(data, pos + 17), int16_at(data, pos + 21), int32_at(data, pos + 23), int64_at(data, pos + 27),
        int64_at(data, pos + 35), int64_at(data, pos + 43), int16_at(data, pos + 51), int32_at(data, pos + 53),
        int32_at(data, pos + 57),
    )  # fmt: skip


def check_produced(
    batch: memoryview, bytes_max: int, deep: bool, keys_needed: bool, oldest: int, newest: int
) -> tuple[int, int, tuple[int, ...] | None, int, int, list[tuple[int, int, int]] | None]:
    """Checks one batch from a client. `deep` also walks its records.

    Returns (problem, detail, header, highest timestamp of the records, delta of the first record that has it, faults).
    Without walking, the header is believed.
    """
    data = memoryview(batch)
    problem = check_header(data, len(batch), bytes_max)
    if problem != OK:
        return problem, 0, None, 0, 0, None
    size = int32_at(data, 8) + 12
    if crc32c(batch[21:size]) != uint32_at(data, 17):
        return BAD_CHECKSUM, 0, None, 0, 0, None
    if size != len(batch):
        return NOT_ONE_BATCH, 0, None, 0, 0, None
    attributes = int16_at(data, 21)
    last_delta = int32_at(data, 23)
    count = int32_at(data, 57)
    if count <= 0 or last_delta + 1 != count:
        return BAD_RANGE, count, None, 0, 0, None
    if attributes & 0x20:
        return CONTROL_BATCH, 0, None, 0, 0, None
    if int64_at(data, 43) >= 0 and int32_at(data, 53) < 0:
        return BAD_SEQUENCE, int32_at(data, 53), None, 0, 0, None
    if not deep:
        return OK, 0, header_at(data, 0), int64_at(data, 35), last_delta, None
    if attributes & 7:
        return COMPRESSED, 0, header_at(data, 0), 0, 0, None
    problem, detail, max_timestamp, max_delta, faults = check_records(
        batch, HEADER_BYTES, size, count, int64_at(data, 27), keys_needed, oldest, newest
    )
    return problem, detail, header_at(data, 0), max_timestamp, max_delta, faults


def walk_batches(
    buf: memoryview, pos: int, end: int, check_checksums: bool
) -> tuple[list[tuple[int, tuple[int, ...]]], int, int]:
    """(position, header) of each whole batch from `pos` to `end`, where the walk ended, and why."""
    if pos < 0 or end > len(buf):
        raise IndexError("the range is not inside the buffer")
    data = memoryview(buf)
    found: list[tuple[int, tuple[int, ...]]] = []
    while pos < end:
        if end - pos < HEADER_BYTES:
            return found, pos, WALK_CUT_OFF
        if data[pos + 16] != 2:
            return found, pos, WALK_BAD_MAGIC
        size = int32_at(data, pos + 8) + 12
        if size < HEADER_BYTES:
            return found, pos, WALK_BAD_SIZE
        if size > end - pos:
            return found, pos, WALK_CUT_OFF
        if check_checksums and crc32c(buf[pos + 21 : pos + size]) != uint32_at(data, pos + 17):
            return found, pos, WALK_BAD_CHECKSUM
        found.append((pos, header_at(data, pos)))
        pos += size
    return found, pos, WALKED_ALL


def find_batch(
    buf: memoryview, pos: int, end: int, offset: int, timestamp: int
) -> tuple[int, tuple[int, ...] | None, int]:
    """The first batch that ends at `offset` or later and has a timestamp of at least `timestamp`.

    Returns (its position, its header, 0), or (where to go on, None, why the walk ended). Only headers are looked at, so
    the piece of a file in `buf` may end inside a batch, and the place to go on may lie behind it.
    """
    if pos < 0 or end > len(buf):
        raise IndexError("the range is not inside the buffer")
    data = memoryview(buf)
    while pos + HEADER_BYTES <= end:
        if data[pos + 16] != 2:
            return pos, None, WALK_BAD_MAGIC
        size = int32_at(data, pos + 8) + 12
        if size < HEADER_BYTES:
            return pos, None, WALK_BAD_SIZE
        # Not base plus delta: a damaged base offset could leave 64 bits, `offset` is the caller's and cannot.
        if int64_at(data, pos) >= offset - int32_at(data, pos + 23) and int64_at(data, pos + 35) >= timestamp:
            return pos, header_at(data, pos), WALKED_ALL
        pos += size
    return pos, None, WALK_CUT_OFF
