"""The 32-bit murmur2 hash with Java's results, and the partition a keyed record goes to.

Every Kafka client must agree on this, or records of one key end up in different partitions.
"""

from __future__ import annotations

import struct

_MULTIPLIER = 0x5BD1E995
_SEED = 0x9747B28C
_MASK = 0xFFFFFFFF


def murmur2(data: bytes) -> int:
    """The hash as Java's signed 32-bit integer."""
    length = len(data)
    result = _SEED ^ length
    whole = length & ~3
    for (word,) in struct.iter_unpack("<I", data[:whole]):
        word = (word * _MULTIPLIER) & _MASK
        word = ((word ^ (word >> 24)) * _MULTIPLIER) & _MASK
        result = ((result * _MULTIPLIER) & _MASK) ^ word
    if whole < length:
        result = ((result ^ int.from_bytes(data[whole:], "little")) * _MULTIPLIER) & _MASK
    result = ((result ^ (result >> 13)) * _MULTIPLIER) & _MASK
    result ^= result >> 15
    return result - 0x100000000 if result & 0x80000000 else result


def partition_for_key(key: bytes, partition_count: int) -> int:
    """The partition that the default partitioner of Apache's producer picks for `key`."""
    return (murmur2(key) & 0x7FFFFFFF) % partition_count
