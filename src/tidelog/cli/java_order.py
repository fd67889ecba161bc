"""The order in which Java's hash maps give their keys back.

Apache's tools print some lists in that order, and scripts and tests compare whole outputs; ours print the same.
"""

from __future__ import annotations

from collections.abc import Iterable

_LOAD = 0.75


def string_hash(text: str) -> int:
    """Java's String.hashCode, as an unsigned 32-bit number; characters outside the BMP count as two."""
    value = 0
    units = text.encode("utf-16-be")
    for high, low in zip(units[::2], units[1::2]):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value


def partition_hash(topic: str, partition: int) -> int:
    """The hash of Kafka's TopicPartition."""
    return ((31 + partition) * 31 + string_hash(topic)) & 0xFFFFFFFF


def hash_order(keys: Iterable[str], capacity: int = 16) -> list[str]:
    """`keys`, put into an empty HashMap of the given capacity one by one, in iteration order."""
    return by_hash([(string_hash(key), key) for key in dict.fromkeys(keys)], capacity)


def by_hash(entries: list[tuple[int, str]], capacity: int = 16) -> list[str]:
    """As `hash_order`, for keys whose hashes are given."""
    size = 1
    while size < capacity:
        size *= 2
    while len(entries) > size * _LOAD:
        size *= 2
    # Within one bucket the order of insertion stays; buckets long enough to become trees do not occur here.
    spread = [(((value ^ (value >> 16)) & (size - 1)), key) for value, key in entries]
    return [key for _, key in sorted(spread, key=lambda entry: entry[0])]
