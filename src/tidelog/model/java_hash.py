"""The hash by which groups and transactional ids find their coordinator, as every client and broker computes it."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def java_hash(text: str) -> int:
    """Of the UTF-16 code units of `text`, as a signed 32-bit number."""
    value = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for index in range(0, len(units), 2):
        value = (31 * value + (units[index] << 8 | units[index + 1])) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def coordinator_partition(key: str, partitions: int) -> int:
    """Which partition of the coordinator's topic is responsible for this group or transactional id."""
    return (java_hash(key) & 0x7FFFFFFF) % partitions
