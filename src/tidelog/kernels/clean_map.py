"""The key map of a compaction: for each key, as 128 bits of a keyed hash, the latest offset that it was seen at.

A table of three words a slot: low and high half of the hash, and the offset plus one, so that zero is a free slot. The
hash is SipHash-1-3 with 128 bits: nobody who does not know the seed can make two keys that take each other's place.
Loops over records let go of Python's lock, so that a compaction in a thread does not stop the event loop.
"""

from __future__ import annotations

from typing import Any

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from . import no_cython as cython

if not cython.compiled:  # the compiled form has them from its .pxd
    from .batch_read import int32_at, int64_at, uint32_at
    from .no_cython import numbers_of, words_of
    from .record_read import varint32, varint_size

# Why a walk over batches or records ended.
DONE = 0
FULL = 1
BAD = 2
SPECIAL = 3
CUT_OFF = 4

# What the numbers in a state are.
ENTRIES = 0
LIMIT = 1
LATEST = 2
READ = 3
POSITION = 4

MASK64 = 0xFFFFFFFFFFFFFFFF
SIP0 = 0x736F6D6570736575
SIP1 = 0x646F72616E646F6D ^ 0xEE
SIP2 = 0x6C7967656E657261
SIP3 = 0x7465646279746573
SLOT_WORDS = 3
HEADER_BYTES = 61
# Compressed, transactional and control batches need more than this loop knows.
SPECIAL_FLAGS = 0x37


def rotated(value: int, bits: int) -> int:
    return ((value << bits) | (value >> (64 - bits))) & MASK64


def word_at(data: memoryview, pos: int, size: int) -> int:
    """Up to eight bytes, the lowest first."""
    word = 0
    shift = 0
    while shift < 8 * size:
        byte = data[pos]
        word |= byte << shift
        pos += 1
        shift += 8
    return word


def slot_of(table: Any, slots: int, data: memoryview, pos: int, size: int, seed0: int, seed1: int, claim: bool) -> int:
    """Where the key of `size` bytes at `pos` has its slot; -1 if it has none, unless it is to claim a free one."""
    v0 = seed0 ^ SIP0
    v1 = seed1 ^ SIP1
    v2 = seed0 ^ SIP2
    v3 = seed1 ^ SIP3
    words = size >> 3
    tail = size & 7
    low = 0
    step = 0
    # A round for each word and one for the tail, three that give the first half and three that give the second.
    while step < words + 7:
        word = 0
        if step < words:
            word = word_at(data, pos + 8 * step, 8)
        elif step == words:
            last = size & 0xFF
            word = word_at(data, pos + 8 * words, tail) | (last << 56)
        elif step == words + 1:
            v2 ^= 0xEE
        elif step == words + 4:
            low = v0 ^ v1 ^ v2 ^ v3
            v1 ^= 0xDD
        v3 ^= word
        v0 = (v0 + v1) & MASK64
        v1 = rotated(v1, 13) ^ v0
        v0 = rotated(v0, 32)
        v2 = (v2 + v3) & MASK64
        v3 = rotated(v3, 16) ^ v2
        v0 = (v0 + v3) & MASK64
        v3 = rotated(v3, 21) ^ v0
        v2 = (v2 + v1) & MASK64
        v1 = rotated(v1, 17) ^ v2
        v2 = rotated(v2, 32)
        v0 ^= word
        step += 1
    high = v0 ^ v1 ^ v2 ^ v3
    at = SLOT_WORDS * (((low >> 32) * slots) >> 32)
    while table[at + 2] != 0:
        if table[at] == low and table[at + 1] == high:
            return at
        at += SLOT_WORDS
        if at == SLOT_WORDS * slots:
            at = 0
    if not claim:
        return -1
    table[at] = low
    table[at + 1] = high
    return at


def map_records(
    table: Any, slots: int, seed0: int, seed1: int, data: memoryview, pos: int, end: int, count: int,
    base_offset: int, start_offset: int, state: Any,
) -> int:  # fmt: skip
    """Puts the keys of `count` records into the map: DONE, FULL or BAD."""
    index = 0
    while index < count:
        packed = varint32(data, pos, end)
        pos += packed & 7
        limit = pos + (packed >> 3)
        if packed <= 0 or limit > end or limit < pos + 3:
            return BAD
        pos += 1
        pos += varint_size(data, pos, limit)
        packed = varint32(data, pos, limit)
        offset = base_offset + (packed >> 3)
        pos += packed & 7
        if packed & 7 == 0:
            return BAD
        packed = varint32(data, pos, limit)
        pos += packed & 7
        size = packed >> 3
        if packed & 7 == 0 or size > limit - pos:
            return BAD
        if size >= 0 and offset >= start_offset:
            if state[ENTRIES] >= state[LIMIT]:
                return FULL
            at = slot_of(table, slots, data, pos, size, seed0, seed1, True)
            if table[at + 2] == 0:
                state[ENTRIES] += 1
            latest = offset + 1
            table[at + 2] = latest
            state[LATEST] = offset
        state[READ] += 1
        pos = limit
        index += 1
    return DONE if pos == end else BAD


def map_batches(
    table: Any, slots: int, seed0: int, seed1: int, data: memoryview, pos: int, end: int, start_offset: int, state: Any
) -> int:
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
        if data[pos + 22] & SPECIAL_FLAGS:
            return SPECIAL
        base_offset = int64_at(data, pos)
        last_offset = base_offset + int32_at(data, pos + 23)
        count = int32_at(data, pos + 57)
        why = map_records(
            table, slots, seed0, seed1, data, pos + HEADER_BYTES, pos + size, count, base_offset, start_offset, state
        )
        if why != DONE:
            return why
        if last_offset >= start_offset and last_offset > state[LATEST]:
            state[LATEST] = last_offset
        pos += size


def put_records(
    table: Any, seed0: int, seed1: int, buf: Any, count: int, base_offset: int, start_offset: int, state: Any
) -> int:
    """The records of one inflated batch, which fill `buf`."""
    data = memoryview(buf)
    words = words_of(table)
    numbers = numbers_of(state)
    slots = len(table) // SLOT_WORDS
    end = len(buf)
    why = 0
    with cython.nogil:
        why = map_records(words, slots, seed0, seed1, data, 0, end, count, base_offset, start_offset, numbers)
    return why


def put_batches(table: Any, seed0: int, seed1: int, buf: Any, pos: int, end: int, start_offset: int, state: Any) -> int:
    """Batches from `pos` on until one needs the caller; where that is, is in the state."""
    if pos < 0 or end > len(buf):
        raise IndexError("the range is not inside the buffer")
    data = memoryview(buf)
    words = words_of(table)
    numbers = numbers_of(state)
    slots = len(table) // SLOT_WORDS
    why = 0
    with cython.nogil:
        why = map_batches(words, slots, seed0, seed1, data, pos, end, start_offset, numbers)
    return why


def latest_offset(table: Any, seed0: int, seed1: int, key: bytes) -> int:
    """The offset that the map holds for a key, or -1."""
    data = memoryview(key)
    words = words_of(table)
    at = slot_of(words, len(table) // SLOT_WORDS, data, 0, len(key), seed0, seed1, False)
    return -1 if at < 0 else int(words[at + 2]) - 1


def list_batches(buf: Any, end: int) -> tuple[list[tuple[int, int, int]], int, int]:
    """(position, size, checksum) of each whole batch, the records that they may hold at most, and where they end.

    -1 as the end says that there is no batch where one should begin.
    """
    if end > len(buf):
        raise IndexError("the range is not inside the buffer")
    data = memoryview(buf)
    found: list[tuple[int, int, int]] = []
    records = 0
    pos = 0
    while end - pos >= HEADER_BYTES:
        size = int32_at(data, pos + 8) + 12
        if data[pos + 16] != 2 or size < HEADER_BYTES:
            return found, records, -1
        if size > end - pos:
            break
        found.append((pos, size, uint32_at(data, pos + 17)))
        records += min(max(int32_at(data, pos + 57), 0), size)
        pos += size
    return found, records, pos
