"""The 32-bit murmur2 hash, which picks the partition of a keyed record."""

from __future__ import annotations

MULTIPLIER = 0x5BD1E995
SEED = 0x9747B28C
MASK32 = 0xFFFFFFFF


def murmur2_hash(key: bytes) -> int:
    """The hash as an unsigned number."""
    return hash_at(memoryview(key), 0, len(key))


def hash_at(data: memoryview, pos: int, length: int) -> int:
    """The hash of `length` bytes from `pos` on."""
    result = SEED ^ length
    length += pos
    while pos + 4 <= length:
        word = data[pos + 3]
        word = (word << 24) | (data[pos + 2] << 16) | (data[pos + 1] << 8) | data[pos]
        word = (word * MULTIPLIER) & MASK32
        word = ((word ^ (word >> 24)) * MULTIPLIER) & MASK32
        result = ((result * MULTIPLIER) & MASK32) ^ word
        pos += 4
    if pos < length:
        shift = 0
        while pos < length:
            word = data[pos]
            result ^= word << shift
            shift += 8
            pos += 1
        result = (result * MULTIPLIER) & MASK32
    result = ((result ^ (result >> 13)) * MULTIPLIER) & MASK32
    return result ^ (result >> 15)
