"""The checks that a produced batch must pass before it is written: header, checksum and every record, in one call.

What a batch is refused for, and in which order the checks come, is what Apache's broker does, except that it lets pass
offset deltas with gaps and, in compressed batches, record lengths that are wrong; here they are refused as well.
"""

from __future__ import annotations

from typing import Any

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


def refused(problem: int, detail: int) -> tuple[Any, ...]:
    return problem, detail, 0, 0, 0, 0, 0, 0, 0, 0, 0, None


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
    if size != length:
        return NOT_ONE_BATCH
    if int64_at(data, 0) != 0:
        return BASE_OFFSET_SET
    return TOO_LARGE if size > bytes_max else OK


def check_produced(
    batch: memoryview, bytes_max: int, deep: bool, keys_needed: bool, oldest: int, newest: int
) -> tuple[Any, ...]:
    """Checks one batch from a client. `deep` also walks its records.

    Returns (problem, detail, attributes, last offset delta, base timestamp, max timestamp of the header, highest
    timestamp of the records, delta of the first record that has it, producer id, producer epoch, base sequence and
    faults). Without walking, the header is believed.
    """
    data = memoryview(batch)
    length = len(batch)
    problem = check_header(data, length, bytes_max)
    if problem != OK:
        return refused(problem, 0)
    if crc32c(batch[21:]) != uint32_at(data, 17):
        return refused(BAD_CHECKSUM, 0)
    attributes = int16_at(data, 21)
    last_delta = int32_at(data, 23)
    count = int32_at(data, 57)
    producer_id = int64_at(data, 43)
    sequence = int32_at(data, 53)
    if count <= 0 or last_delta + 1 != count:
        return refused(BAD_RANGE, count)
    if attributes & 0x20:
        return refused(CONTROL_BATCH, 0)
    if producer_id >= 0 and sequence < 0:
        return refused(BAD_SEQUENCE, sequence)
    base_timestamp = int64_at(data, 27)
    stated_timestamp = int64_at(data, 35)
    max_timestamp = stated_timestamp
    max_delta = last_delta
    faults = None
    detail = 0
    if deep and attributes & 7:
        problem = COMPRESSED
    elif deep:
        problem, detail, max_timestamp, max_delta, faults = check_records(
            batch, 61, length, count, base_timestamp, keys_needed, oldest, newest
        )
    epoch = int16_at(data, 51)
    return (
        problem, detail, attributes, last_delta, base_timestamp, stated_timestamp, max_timestamp, max_delta,
        producer_id, epoch, sequence, faults,
    )  # fmt: skip
