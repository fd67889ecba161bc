"""What a compaction keeps of the batches that it reads: chosen by the key map, copied whole or written anew.

The caller gets pieces: runs of the source that stay as they are, and batches that were made from the records left in
one. Those still lack their checksum, which needs Python's lock; everything else runs without it.
"""

from __future__ import annotations

from typing import Any

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from . import no_cython as cython

if not cython.compiled:  # the compiled form has them from its .pxd
    from .batch_read import int32_at, int64_at
    from .clean_map import slot_of
    from .no_cython import copy_bytes, numbers_of, words_of, writable
    from .record_build import varint_bytes
    from .record_read import add_held, varint32, varint64, varint_size

# Why a walk over batches ended; the same numbers as in clean_map.
BAD = 2
SPECIAL = 3
CUT_OFF = 4

# What the numbers in a state are; the first five as in clean_map.
LATEST = 2
READ = 3
POSITION = 4
OUT = 5
KEPT = 6
NO_KEY = 7
NOW = 8
RETENTION = 9
PIECES = 10
KEEP_AT = 11
TOMBSTONES = 12
MAX_TIMESTAMP = 13

ROW = 6
PIECE = 4
COPIED = 0
MADE = 1
SLOT_WORDS = 3
HEADER_BYTES = 61
SPECIAL_FLAGS = 0x37
APPEND_TIME_FLAG = 0x08
HORIZON_FLAG = 0x40
# What a batch without records keeps of its attributes: the kind of timestamp, and what kind of batch it was.
EMPTY_FLAGS = 0x38


def choose_records(
    table: Any, slots: int, seed0: int, seed1: int, data: memoryview, pos: int, end: int, count: int,
    base_offset: int, base_timestamp: int, append_timestamp: int, is_append_time: bool, keep_deletes: bool,
    state: Any, rows: Any,
) -> int:  # fmt: skip
    """Notes where each record to keep lies; gives how many there are, or -1 when the records are not valid."""
    kept = 0
    row = 0
    index = 0
    state[TOMBSTONES] = 0
    state[MAX_TIMESTAMP] = -1
    while index < count:
        start = pos
        packed = varint32(data, pos, end)
        pos += packed & 7
        limit = pos + (packed >> 3)
        if packed <= 0 or limit > end or limit < pos + 5:
            return -1
        body = pos
        size = varint_size(data, pos + 1, limit)
        timestamp = append_timestamp
        if not is_append_time:
            timestamp = add_held(base_timestamp, varint64(data, pos + 1, size))
        pos += 1 + size
        delta = varint32(data, pos, limit)
        pos += delta & 7
        key_field = pos
        packed = varint32(data, pos, limit)
        pos += packed & 7
        length = packed >> 3
        if size == 0 or delta & 7 == 0 or packed & 7 == 0 or length > limit - pos:
            return -1
        key = pos
        if length > 0:
            pos += length
        packed = varint32(data, pos, limit)
        if packed & 7 == 0:
            return -1
        delta = delta >> 3
        keep = True
        if base_offset + delta <= state[LATEST]:
            keep = length >= 0 and (packed >= 0 or keep_deletes)
            if keep:
                at = slot_of(table, slots, data, key, length, seed0, seed1, False)
                if at >= 0:
                    newest = table[at + 2]
                    keep = base_offset + delta + 1 >= newest
            elif length < 0:
                state[NO_KEY] += 1
        if keep:
            rows[row] = start
            rows[row + 1] = body
            rows[row + 2] = key_field
            rows[row + 3] = limit
            rows[row + 4] = timestamp
            rows[row + 5] = delta
            row += ROW
            kept += 1
            if packed < 0:
                state[TOMBSTONES] = 1
            if timestamp > state[MAX_TIMESTAMP]:
                state[MAX_TIMESTAMP] = timestamp
        pos = limit
        index += 1
    return kept if pos == end else -1


def put_number(out: memoryview, at: int, value: int) -> int:
    """Writes the zigzag form; gives the position behind it."""
    raw = (value << 1) ^ (value >> 63)
    while raw > 0x7F:
        out[at] = (raw & 0x7F) | 0x80
        raw >>= 7
        at += 1
    out[at] = raw
    return at + 1


def copy_records(
    data: memoryview, rows: Any, kept: int, base_timestamp: int, is_moved: bool, out: memoryview, at: int
) -> int:
    """Writes the records that were chosen; gives where they end. `is_moved` says that the base timestamp is another."""
    row = 0
    while row < ROW * kept:
        start = rows[row]
        limit = rows[row + 3]
        if is_moved:
            key_field = rows[row + 2]
            since = rows[row + 4] - base_timestamp
            delta = rows[row + 5]
            at = put_number(out, at, 1 + varint_bytes(since) + varint_bytes(delta) + limit - key_field)
            out[at] = data[rows[row + 1]]
            at = put_number(out, at + 1, since)
            at = put_number(out, at, delta)
            start = key_field
        copy_bytes(out, at, data, start, limit - start)
        at += limit - start
        row += ROW
    return at


def put_int32(out: memoryview, at: int, value: int) -> None:
    out[at] = (value >> 24) & 0xFF
    out[at + 1] = (value >> 16) & 0xFF
    out[at + 2] = (value >> 8) & 0xFF
    out[at + 3] = value & 0xFF


def put_int64(out: memoryview, at: int, value: int) -> None:
    put_int32(out, at, value >> 32)
    put_int32(out, at + 4, value)


def put_header(
    data: memoryview, pos: int, out: memoryview, at: int, size: int, flags: int, base_timestamp: int,
    max_timestamp: int, count: int,
) -> None:  # fmt: skip
    """The header at `pos` with what is different; the checksum is left to the caller."""
    copy_bytes(out, at, data, pos, HEADER_BYTES)
    put_int32(out, at + 8, size - 12)
    out[at + 21] = 0
    out[at + 22] = flags
    put_int64(out, at + 27, base_timestamp)
    put_int64(out, at + 35, max_timestamp)
    put_int32(out, at + 57, count)


def add_piece(pieces: Any, state: Any, kind: int, start: int, end: int, source: int) -> None:
    """Runs of copied batches grow as long as nothing comes between."""
    last = PIECE * (state[PIECES] - 1)
    if kind == COPIED and last >= 0 and pieces[last] == COPIED and pieces[last + 2] == start:
        pieces[last + 2] = end
        return
    last += PIECE
    pieces[last] = kind
    pieces[last + 1] = start
    pieces[last + 2] = end
    pieces[last + 3] = source
    state[PIECES] += 1


def keep_batch(
    data: memoryview, pos: int, size: int, kept: int, count: int, out: memoryview, state: Any, rows: Any, pieces: Any
) -> None:
    """A batch of which some records stay: as it is, or made anew from them."""
    flags = data[pos + 22]
    base_timestamp = int64_at(data, pos + 27)
    needs_horizon = state[TOMBSTONES] != 0 and flags & HORIZON_FLAG == 0
    if kept == count and not needs_horizon:
        add_piece(pieces, state, COPIED, pos, pos + size, pos)
        return
    base = base_timestamp
    if needs_horizon:
        base = state[NOW] + state[RETENTION]
        flags |= HORIZON_FLAG
    elif flags & HORIZON_FLAG == 0:
        base = rows[4]
    start = state[OUT]
    is_moved = base != base_timestamp or flags & APPEND_TIME_FLAG != 0
    end = copy_records(data, rows, kept, base, is_moved, out, start + HEADER_BYTES)
    latest = state[MAX_TIMESTAMP]
    put_header(data, pos, out, start, end - start, flags, base, latest, kept)
    add_piece(pieces, state, MADE, start, end, pos)
    state[OUT] = end


def keep_empty(data: memoryview, pos: int, out: memoryview, state: Any, pieces: Any) -> None:
    """A batch without records, for what its header says of producer and offset."""
    start = state[OUT]
    put_header(
        data, pos, out, start, HEADER_BYTES, data[pos + 22] & EMPTY_FLAGS, -1, int64_at(data, pos + 35), 0
    )  # fmt: skip
    add_piece(pieces, state, MADE, start, start + HEADER_BYTES, pos)
    state[OUT] = start + HEADER_BYTES


def walk(
    table: Any, slots: int, seed0: int, seed1: int, data: memoryview, pos: int, end: int, out: memoryview,
    state: Any, keeps: Any, rows: Any, pieces: Any,
) -> int:  # fmt: skip
    """Plain batches up to one that is not: SPECIAL, or CUT_OFF at the last whole one; its position is in the state."""
    while True:
        state[POSITION] = pos
        if end - pos < HEADER_BYTES:
            return CUT_OFF
        size = int32_at(data, pos + 8) + 12
        if data[pos + 16] != 2 or size < HEADER_BYTES:
            return BAD
        if size > end - pos:
            return CUT_OFF
        flags = data[pos + 22]
        if flags & SPECIAL_FLAGS:
            return SPECIAL
        base_offset = int64_at(data, pos)
        last_offset = base_offset + int32_at(data, pos + 23)
        base_timestamp = int64_at(data, pos + 27)
        count = int32_at(data, pos + 57)
        keep_deletes = flags & HORIZON_FLAG == 0 or state[NOW] < base_timestamp
        kept = choose_records(
            table, slots, seed0, seed1, data, pos + HEADER_BYTES, pos + size, count, base_offset, base_timestamp,
            int64_at(data, pos + 35), flags & APPEND_TIME_FLAG != 0, keep_deletes, state, rows,
        )  # fmt: skip
        if kept < 0:
            return BAD
        state[READ] += count
        state[KEPT] += kept
        while keeps[state[KEEP_AT]] < last_offset:
            state[KEEP_AT] += 1
        if kept > 0:
            keep_batch(data, pos, size, kept, count, out, state, rows, pieces)
        elif keeps[state[KEEP_AT]] == last_offset:
            keep_empty(data, pos, out, state, pieces)
        pos += size


def filter_batches(
    table: Any, seed0: int, seed1: int, buf: Any, pos: int, end: int, out: Any, state: Any, keeps: Any, rows: Any,
    pieces: Any,
) -> int:  # fmt: skip
    """Batches from `pos` on until one needs the caller; where that is, is in the state.

    `keeps` are the last offsets of batches that stay even without records, in order, and one behind all others. `rows`
    and `pieces` must have room for every record and twice every batch, `out` for all of them written anew.
    """
    if pos < 0 or end > len(buf):
        raise IndexError("the range is not inside the buffer")
    data = memoryview(buf)
    target = writable(out)
    words, numbers, kept_offsets = words_of(table), numbers_of(state), numbers_of(keeps)
    places, found = numbers_of(rows), numbers_of(pieces)
    slots = len(table) // SLOT_WORDS
    why = 0
    with cython.nogil:
        why = walk(
            words, slots, seed0, seed1, data, pos, end, target, numbers, kept_offsets, places, found
        )  # fmt: skip
    return why


def filter_records(
    table: Any, seed0: int, seed1: int, buf: Any, count: int, base_offset: int, base_timestamp: int,
    append_timestamp: int, is_append_time: bool, keep_deletes: bool, state: Any, rows: Any,
) -> int:  # fmt: skip
    """How many of the records of one inflated batch stay, noted in `rows`; -2 when they are not valid."""
    data = memoryview(buf)
    words, numbers, places = words_of(table), numbers_of(state), numbers_of(rows)
    slots = len(table) // SLOT_WORDS
    end = len(buf)
    kept = 0
    with cython.nogil:
        kept = choose_records(
            words, slots, seed0, seed1, data, 0, end, count, base_offset, base_timestamp, append_timestamp,
            is_append_time, keep_deletes, numbers, places,
        )  # fmt: skip
    return kept if kept >= 0 else -2


def write_records(buf: Any, rows: Any, kept: int, base_timestamp: int, is_moved: bool, out: Any) -> int:
    """Writes the records that `filter_records` has chosen to `out`; gives how many bytes they take."""
    data = memoryview(buf)
    target = writable(out)
    places = numbers_of(rows)
    end = 0
    with cython.nogil:
        end = copy_records(data, places, kept, base_timestamp, is_moved, target, 0)
    return end


def index_entries(
    buf: Any, position: int, since: int, interval: int, max_timestamp: int, max_offset: int
) -> tuple[list[tuple[int, int, int, int]], int, int, int]:
    """The sparse index entries of batches that are written at `position` of a file: (last offset, position, latest
    timestamp so far, its offset); then how many bytes follow the last entry, and the latest timestamp and its offset.
    """
    data = memoryview(buf)
    found: list[tuple[int, int, int, int]] = []
    pos = 0
    end = len(buf)
    while pos < end:
        size = int32_at(data, pos + 8) + 12
        last_offset = int64_at(data, pos) + int32_at(data, pos + 23)
        timestamp = int64_at(data, pos + 35)
        if timestamp > max_timestamp:
            max_timestamp = timestamp
            max_offset = last_offset
        if since > interval:
            found.append((last_offset, position + pos, max_timestamp, max_offset))
            since = 0
        since += size
        pos += size
    return found, since, max_timestamp, max_offset
