"""Arrow columns to records: which partition each row goes to, and the rows of one partition as the body of a batch.

A column of bytes is given as Arrow has it: `ends[n]` to `ends[n + 1]` is entry n of `room`, and bit `first_bit + n` of
`valid` tells that it is not null; an empty `valid` says that none is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from . import no_cython as cython

if not cython.compiled:  # the compiled form has them from its .pxd
    from .murmur import hash_at
    from .no_cython import copy_bytes

if TYPE_CHECKING:
    Buffer = bytes | bytearray | memoryview

RECORD_BYTES_MAX = 24
"""What a record takes beside its key and value, at most."""


def check_column(ends_count: int, room_bytes: int, last_end: int, valid_bytes: int, first_bit: int, count: int) -> None:
    if count < 0 or count + 1 > ends_count or last_end > room_bytes or first_bit < 0:
        raise IndexError("the column is shorter than the rows")
    if valid_bytes and first_bit + count > valid_bytes * 8:
        raise IndexError("the column's bits are fewer than the rows")


def choose_partitions(
    ends: memoryview, room: Buffer, valid: Buffer, first_bit: int, count: int, partitions: int, keyless: int,
    out: memoryview,
) -> None:  # fmt: skip
    """The partition of each row by its key's murmur2 hash, as every Kafka client; `keyless` without a key."""
    limits = ends
    check_column(len(ends), len(room), limits[count] if count else 0, len(valid), first_bit, count)
    if count > len(out) or partitions < 1:
        raise IndexError("there is no room for the partitions")
    data = memoryview(room)
    bits = memoryview(valid)
    has_bits = len(valid) > 0
    chosen = out
    row = 0
    while row < count:
        bit = first_bit + row
        if has_bits and not bits[bit >> 3] >> (bit & 7) & 1:
            chosen[row] = keyless
        else:
            chosen[row] = (hash_at(data, limits[row], limits[row + 1] - limits[row]) & 0x7FFFFFFF) % partitions
        row += 1


def order_rows(chosen: memoryview, count: int, partitions: int, order: memoryview, starts: memoryview) -> None:
    """Rows sorted by partition and within it as they came: partition p has `order[starts[p]:starts[p + 1]]`.

    `starts` has room for two more than there are partitions.
    """
    if count > len(chosen) or count > len(order) or partitions + 2 > len(starts):
        raise IndexError("there is no room for the order")
    given = chosen
    sorted_rows = order
    places = starts
    row = 0
    while row < partitions + 2:
        places[row] = 0
        row += 1
    row = 0
    while row < count:
        if given[row] < 0 or given[row] >= partitions:
            raise ValueError(f"there is no partition {given[row]}; the topic has {partitions}")
        places[given[row] + 2] += 1
        row += 1
    row = 2
    while row < partitions + 2:
        places[row] += places[row - 1]
        row += 1
    # places[p + 1] is where partition p begins; after the walk it is where it ends, which is where p + 1 begins.
    row = 0
    while row < count:
        sorted_rows[places[given[row] + 1]] = row
        places[given[row] + 1] += 1
        row += 1


def put_number(out: memoryview, at: int, value: int) -> int:
    """Writes the zigzag form of a number and gives the position behind it."""
    raw = (value << 1) ^ (value >> 63)
    while raw > 0x7F:
        out[at] = (raw & 0x7F) | 0x80
        raw >>= 7
        at += 1
    out[at] = raw
    return at + 1


def number_bytes(value: int) -> int:
    raw = (value << 1) ^ (value >> 63)
    size = 1
    while raw > 0x7F:
        raw >>= 7
        size += 1
    return size


def encode_rows(
    order: memoryview, start: int, stop: int,
    key_ends: memoryview, keys: Buffer, keys_valid: Buffer, key_bit: int,
    value_ends: memoryview, values: Buffer, values_valid: Buffer, value_bit: int,
    count: int, out: memoryview,
) -> tuple[int, int]:  # fmt: skip
    """Writes records without headers, all of the batch's base timestamp, until `out` is full.

    Gives the position in `order` behind the last record and the bytes used. An empty `key_ends` means no keys.
    """
    key_limits = key_ends
    value_limits = value_ends
    rows = order
    has_keys = len(key_ends) > 0
    if has_keys:
        check_column(len(key_ends), len(keys), key_limits[count], len(keys_valid), key_bit, count)
    check_column(len(value_ends), len(values), value_limits[count], len(values_valid), value_bit, count)
    if start < 0 or stop > len(order):
        raise IndexError("the rows are not in the order")
    key_data = memoryview(keys)
    value_data = memoryview(values)
    key_bits = memoryview(keys_valid)
    value_bits = memoryview(values_valid)
    has_key_bits = len(keys_valid) > 0
    has_value_bits = len(values_valid) > 0
    into = memoryview(out)
    room = len(out)
    first = start
    at = 0
    while start < stop:
        row = rows[start]
        if row < 0 or row >= count:
            raise IndexError("the order names a row that is not there")
        key_size = value_size = -1
        if has_keys and not (has_key_bits and not key_bits[(key_bit + row) >> 3] >> ((key_bit + row) & 7) & 1):
            key_size = key_limits[row + 1] - key_limits[row]
        if not (has_value_bits and not value_bits[(value_bit + row) >> 3] >> ((value_bit + row) & 7) & 1):
            value_size = value_limits[row + 1] - value_limits[row]
        size = 3 + number_bytes(start - first) + number_bytes(key_size) + number_bytes(value_size)
        size += (key_size if key_size > 0 else 0) + (value_size if value_size > 0 else 0)
        if at + size + 5 > room:
            break
        at = put_number(into, at, size)
        into[at] = 0
        into[at + 1] = 0
        at = put_number(into, at + 2, start - first)
        at = put_number(into, at, key_size)
        if key_size > 0:
            copy_bytes(into, at, key_data, key_limits[row], key_size)
            at += key_size
        at = put_number(into, at, value_size)
        if value_size > 0:
            copy_bytes(into, at, value_data, value_limits[row], value_size)
            at += value_size
        into[at] = 0
        at += 1
        start += 1
    return start, at
