"""The 32-bit murmur2 hash with Java's results, and the partition a keyed record goes to.

Every Kafka client must agree on this, or records of one key end up in different partitions.
"""

from __future__ import annotations

from tidelog import kernels


def murmur2(data: bytes) -> int:
    """The hash as Java's signed 32-bit integer."""
    result = kernels.murmur2_hash(data)
    return result - 0x100000000 if result & 0x80000000 else result


def partition_for_key(key: bytes, partition_count: int) -> int:
    """The partition that the default partitioner of Apache's producer picks for `key`."""
    return (kernels.murmur2_hash(key) & 0x7FFFFFFF) % partition_count
