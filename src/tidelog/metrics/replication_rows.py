"""The metrics of replication, told by the leaders: who is in sync, and how far each follower is behind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tidelog.metrics.row import Kind, Row, Sample

_G = Kind.GAUGE


def _led(node: Any) -> Iterable[Any]:
    return [each for each in node.broker.partitions if each.leader is not None]


def _in_sync(node: Any) -> Iterable[Sample]:
    return [((each.topic, str(each.index)), len(each.leader.isr)) for each in _led(node)]


def _lag(node: Any) -> Iterable[Sample]:
    return [
        ((each.topic, str(each.index), str(broker)), max(0, each.leader.end_offset - follower.end_offset))
        for each in _led(node)
        for broker, follower in each.leader.followers.items()
    ]


# fmt: off
ROWS: tuple[Row, ...] = (
    Row("tidelog_partition_in_sync_replicas", _G, "Replicas in sync, of partitions led here.",
        _in_sync, ("topic", "partition")),
    Row("tidelog_partition_follower_lag_offsets", _G, "Records that a follower of a partition led here does not have.",
        _lag, ("topic", "partition", "follower")),
    Row("tidelog_under_replicated_partitions", _G, "Partitions led here with fewer replicas in sync than there are.",
        lambda it: sum(len(each.leader.isr) < len(each.leader.replicas) for each in _led(it))),
    Row("tidelog_under_min_isr_partitions", _G, "Partitions led here with fewer in sync than min.insync.replicas.",
        lambda it: sum(each.leader.is_under_min_isr for each in _led(it))),
)
