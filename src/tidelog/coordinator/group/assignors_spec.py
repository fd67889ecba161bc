"""What assignors take and give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tidelog.coordinator.group.consumer_member import NO_ASSIGNMENT, Assignment
from tidelog.coordinator.group.consumer_topics import TopicInfo

Assignments = dict[str, dict[bytes, tuple[int, ...]]]
TopicPartition = tuple[bytes, int]


class MemberSpec(NamedTuple):
    """`topics` are ids of topics that exist; `current` is the target assignment that is to be disturbed little."""

    topics: frozenset[bytes]
    instance_id: str | None = None
    rack_id: str | None = None
    current: Assignment = NO_ASSIGNMENT


def packed(given: Mapping[str, list[TopicPartition]]) -> Assignments:
    found: Assignments = {}
    for member_id, partitions in given.items():
        topics: dict[bytes, list[int]] = {}
        for topic_id, index in sorted(partitions):
            topics.setdefault(topic_id, []).append(index)
        found[member_id] = {topic_id: tuple(indexes) for topic_id, indexes in topics.items()}
    return found


def in_rack(topic: TopicInfo, index: int, rack_id: str | None) -> bool:
    """Whether a replica of the partition is in the rack; also when nobody knows."""
    return rack_id is None or index >= len(topic.racks) or not topic.racks[index] or rack_id in topic.racks[index]
