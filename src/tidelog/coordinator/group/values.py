"""What the group coordinator is set up with, and who calls it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from tidelog.model.uuids import ZERO

TopicPartition = tuple[str, int]
NewId = Callable[[], str]


class Caller(NamedTuple):
    """The client behind a request."""

    client_id: str
    client_host: str
    api_version: int


class Position(NamedTuple):
    """One partition of a commit request."""

    topic: str
    partition: int
    offset: int
    leader_epoch: int = -1
    metadata: str | None = None
    topic_id: bytes = ZERO


# A third of the time that calling the class takes.
make_position: Callable[[tuple[str, int, int, int, str | None, bytes]], Position] = partial(tuple.__new__, Position)


class Committer(NamedTuple):
    """Who commits: a member of a generation, or (-1, "") for someone who assigns partitions by hand."""

    generation_id: int = -1
    member_id: str = ""
    group_instance_id: str | None = None
    producer_id: int = -1
    producer_epoch: int = -1
    # Before version 9 of OffsetCommit there are no member epochs.
    api_version: int = 8


make_committer: Callable[[tuple[int, str, str | None, int, int, int]], Committer] = partial(tuple.__new__, Committer)


class Bounds(NamedTuple):
    low: int
    high: int

    def clamp(self, value: int) -> int:
        return min(max(value, self.low), self.high)


class ConsumerSettings(NamedTuple):
    """The settings `group.consumer.*` that a group can have for itself, and the bounds the broker sets to that."""

    session_timeout_ms: int = 45_000
    heartbeat_interval_ms: int = 5_000
    assignment_interval_ms: int = 1_000
    session_timeout_bounds: Bounds = Bounds(45_000, 60_000)
    heartbeat_interval_bounds: Bounds = Bounds(5_000, 15_000)
    assignment_interval_bounds: Bounds = Bounds(0, 15_000)

    def overridden(self, texts: Mapping[str, str]) -> ConsumerSettings:
        def value(name: str, default: int, bounds: Bounds) -> int:
            text = texts.get(name)
            return default if text is None else bounds.clamp(int(text))

        return self._replace(
            session_timeout_ms=value(
                "consumer.session.timeout.ms", self.session_timeout_ms, self.session_timeout_bounds
            ),
            heartbeat_interval_ms=value(
                "consumer.heartbeat.interval.ms", self.heartbeat_interval_ms, self.heartbeat_interval_bounds
            ),
            assignment_interval_ms=value(
                "consumer.assignment.interval.ms", self.assignment_interval_ms, self.assignment_interval_bounds
            ),
        )


class GroupConfig(NamedTuple):
    """The settings `group.*` and `offset*`, named as they are there."""

    group_min_session_timeout_ms: int = 6_000
    group_max_session_timeout_ms: int = 1_800_000
    group_initial_rebalance_delay_ms: int = 3_000
    group_max_size: int = 2_147_483_647
    offset_metadata_max_bytes: int = 4_096
    offsets_retention_ms: int = 7 * 24 * 3_600_000
    offsets_retention_check_interval_ms: int = 600_000
    # A dynamic member that has joined may take this long until the join ends, whatever its session timeout.
    new_member_join_timeout_ms: int = 300_000
    consumer: ConsumerSettings = ConsumerSettings()
    consumer_max_size: int = 2_147_483_647
    consumer_assignors: tuple[str, ...] = ("uniform", "range")
    # bidirectional, upgrade, downgrade or disabled: which way a group may change its protocol while it runs.
    consumer_migration_policy: str = "bidirectional"
