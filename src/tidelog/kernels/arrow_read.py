"""Records to Arrow buffers: the rows that `index_records` found, copied column by column into memory of the caller.

The caller makes the memory large enough; every function checks that before it writes. A column of bytes has the layout
of Arrow's binary type: `ends[n + 1]` is where entry n ends in `room`, and a bit of `valid` tells that it is not null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from . import no_cython as cython

if not cython.compiled:  # the compiled form has it from its .pxd
    from .no_cython import copy_bytes

if TYPE_CHECKING:
    from array import array

    Buffer = bytes | bytearray | memoryview

INDEX_FIELDS = 8
INT64_MAX = 0x7FFFFFFFFFFFFFFF
INT64_MIN = -INT64_MAX - 1


def check_room(row_count: int, start: int, stop: int, at: int, entries_max: int) -> None:
    if start < 0 or stop * INDEX_FIELDS > row_count or at < 0 or at + (stop - start) > entries_max:
        raise IndexError("the rows are not inside the buffers")


def rows_between(rows: array[int], base_offset: int, first: int, end: int) -> tuple[int, int]:
    """Start and stop of the rows whose offsets are `first` or more and below `end`; offsets only grow."""
    numbers = rows
    count = len(rows) // INDEX_FIELDS
    start = 0
    while start < count and base_offset + numbers[start * INDEX_FIELDS] < first:
        start += 1
    stop = count
    while stop > start and base_offset + numbers[(stop - 1) * INDEX_FIELDS] >= end:
        stop -= 1
    return start, stop


def copy_offsets(rows: array[int], start: int, stop: int, base_offset: int, out: memoryview, at: int) -> None:
    """Offsets as 64-bit numbers."""
    check_room(len(rows), start, stop, at, len(out))
    numbers = rows
    into = out
    while start < stop:
        into[at] = base_offset + numbers[start * INDEX_FIELDS]
        at += 1
        start += 1


def copy_timestamps(
    rows: array[int], start: int, stop: int, base: int, append_timestamp: int, scale: int, out: memoryview, at: int
) -> None:
    """Timestamps in milliseconds times `scale`, held at the limits of 64 bits; 0 or more in `append_timestamp` wins."""
    check_room(len(rows), start, stop, at, len(out))
    numbers = rows
    into = out
    low = INT64_MIN // scale + 1
    high = INT64_MAX // scale
    while start < stop:
        moment = append_timestamp
        if moment < 0:
            delta = numbers[start * INDEX_FIELDS + 1]
            if delta > 0 and base > INT64_MAX - delta:
                moment = high
            elif delta < 0 and base < INT64_MIN - delta:
                moment = low
            else:
                moment = base + delta
        moment = high if moment > high else moment
        moment = low if moment < low else moment
        into[at] = moment * scale
        at += 1
        start += 1


def copy_fields(
    body: Buffer, rows: array[int], start: int, stop: int, field: int,
    ends: memoryview, room: memoryview, valid: bytearray, at: int, used: int,
) -> tuple[int, int]:  # fmt: skip
    """Copies keys (field 2) or values (field 4); gives the bytes used in `room` and how many entries are null."""
    check_room(len(rows), start, stop, at, min(len(ends) - 1, len(valid) * 8))
    if used < 0 or used + len(body) > len(room) or field < 0 or field + 1 >= INDEX_FIELDS:
        raise IndexError("the fields may not fit into the buffer")
    data = memoryview(body)
    into = memoryview(room)
    bits = memoryview(valid)
    numbers = rows
    limits = ends
    nulls = 0
    while start < stop:
        size = numbers[start * INDEX_FIELDS + field + 1]
        if size < 0:
            nulls += 1
        else:
            copy_bytes(into, used, data, numbers[start * INDEX_FIELDS + field], size)
            used += size
            bits[at >> 3] |= 1 << (at & 7)
        at += 1
        limits[at] = used
        start += 1
    return used, nulls


def number_at(data: memoryview, pos: int) -> int:
    """Sixteen times the zigzag number at `pos` plus its size in bytes; it was checked when the rows were found."""
    raw = 0
    size = 0
    while size < 5:
        byte = data[pos + size]
        raw |= (byte & 0x7F) << (7 * size)
        size += 1
        if byte < 0x80:
            break
    return ((raw >> 1) ^ -(raw & 1)) * 16 + size


def count_headers(body: Buffer, rows: array[int], start: int, stop: int) -> int:
    """How many headers the rows have together."""
    check_room(len(rows), start, stop, 0, stop)
    data = memoryview(body)
    numbers = rows
    total = 0
    while start < stop:
        total += number_at(data, numbers[start * INDEX_FIELDS + 6]) >> 4
        start += 1
    return total


def copy_headers(
    body: Buffer, rows: array[int], start: int, stop: int, list_ends: memoryview, lists_valid: bytearray, at: int,
    entry: int, name_ends: memoryview, names: memoryview, names_used: int,
    value_ends: memoryview, values: memoryview, values_valid: bytearray, values_used: int,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Copies headers as lists of (name, value); a row without any has no list.

    Gives the entries, the bytes of names and of values used by now, the lists and the values that are null.
    `count_headers` tells how many entries there must be room for.
    """
    check_room(len(rows), start, stop, at, min(len(list_ends) - 1, len(lists_valid) * 8))
    entries_max = min(len(name_ends) - 1, len(value_ends) - 1, len(values_valid) * 8)
    if entry + count_headers(body, rows, start, stop) > entries_max:
        raise IndexError("the headers are more than there is room for")
    if names_used + len(body) > len(names) or values_used + len(body) > len(values):
        raise IndexError("the headers may not fit into the buffers")
    data = memoryview(body)
    names_room = memoryview(names)
    values_room = memoryview(values)
    list_bits = memoryview(lists_valid)
    value_bits = memoryview(values_valid)
    numbers = rows
    list_limits = list_ends
    name_limits = name_ends
    value_limits = value_ends
    null_lists = null_values = 0
    while start < stop:
        pos = numbers[start * INDEX_FIELDS + 6]
        packed = number_at(data, pos)
        pos += packed & 15
        left = packed >> 4
        if left > 0:
            list_bits[at >> 3] |= 1 << (at & 7)
        else:
            null_lists += 1
        while left > 0:
            left -= 1
            packed = number_at(data, pos)
            pos += packed & 15
            copy_bytes(names_room, names_used, data, pos, packed >> 4)
            names_used += packed >> 4
            pos += packed >> 4
            packed = number_at(data, pos)
            pos += packed & 15
            if packed >> 4 < 0:
                null_values += 1
            else:
                copy_bytes(values_room, values_used, data, pos, packed >> 4)
                values_used += packed >> 4
                pos += packed >> 4
                value_bits[entry >> 3] |= 1 << (entry & 7)
            entry += 1
            name_limits[entry] = names_used
            value_limits[entry] = values_used
        at += 1
        list_limits[at] = entry
        start += 1
    return entry, names_used, values_used, null_lists, null_values
