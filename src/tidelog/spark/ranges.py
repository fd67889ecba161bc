"""Which offsets a batch reads: limits shared out over partitions, ranges cut into tasks, losses told apart. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from tidelog.client.blocking_offsets import TopicPartition
from tidelog.client.columnar_fetch import Range

Offsets = Mapping[TopicPartition, int]


def limit_rows(start: Offsets, end: Offsets, rows_max: int) -> dict[TopicPartition, int]:
    """Ends that are at most `rows_max` offsets away together, shared out in proportion to what each partition has."""
    sizes = {key: max(end[key] - start.get(key, end[key]), 0) for key in end}
    total = sum(sizes.values())
    if total <= rows_max:
        return dict(end)
    shares = {key: size * rows_max // total for key, size in sizes.items()}
    # What rounding left over goes to partitions that have more, in order, so that a tiny limit still moves.
    left = rows_max - sum(shares.values())
    for key in sorted(sizes):
        if left > 0 and sizes[key] > shares[key]:
            shares[key] += 1
            left -= 1
    return {key: start.get(key, end[key]) + shares[key] for key in end}


def limit_bytes(
    start: Offsets, end: Offsets, bytes_max: int, record_bytes: Mapping[TopicPartition, float]
) -> dict[TopicPartition, int]:
    """Ends of about `bytes_max` together, by what an offset takes in each partition on average."""
    sizes = {key: max(end[key] - start.get(key, end[key]), 0) * record_bytes.get(key, 1.0) for key in end}
    total = sum(sizes.values())
    if total <= bytes_max:
        return dict(end)
    found = {}
    for key in end:
        first = start.get(key, end[key])
        share = int(sizes[key] * bytes_max / total / max(record_bytes.get(key, 1.0), 1.0))
        found[key] = min(end[key], first + max(share, 1 if end[key] > first else 0))
    return found


def cut(ranges: list[Range], partitions_min: int | None, rows_max: int | None) -> list[Range]:
    """The ranges in pieces: at least `partitions_min` of them, none longer than `rows_max`, larger ones cut finer."""
    if rows_max:
        ranges = [piece for each in ranges for piece in _pieces(each, -(-(each.end - each.start) // rows_max))]
    total = sum(each.end - each.start for each in ranges)
    if not partitions_min or partitions_min <= len(ranges) or not total:
        return ranges
    found: list[Range] = []
    for each in ranges:
        found += _pieces(each, -(-(each.end - each.start) * partitions_min // total))
    return found


def _pieces(whole: Range, count: int) -> list[Range]:
    size = whole.end - whole.start
    count = min(count, size)
    edges = [whole.start + size * index // count for index in range(count + 1)]
    return [whole._replace(start=first, end=end) for first, end in pairwise(edges)]
