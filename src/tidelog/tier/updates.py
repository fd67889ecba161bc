"""What can happen to a remote segment or to all of a partition's, as it stands in the metadata topic."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.tier.segments import PartitionState, SegmentState, TopicIdPartition


class SegmentUpdate(NamedTuple):
    id: bytes
    place: TopicIdPartition
    broker_id: int
    event_timestamp_ms: int
    state: SegmentState
    custom: bytes | None = None


class PartitionDeletion(NamedTuple):
    place: TopicIdPartition
    broker_id: int
    event_timestamp_ms: int
    state: PartitionState
