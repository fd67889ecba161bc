"""What the group coordinator is set up with, and who calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

TopicPartition = tuple[str, int]
NewId = Callable[[], str]


class Caller(NamedTuple):
    """The client behind a request."""

    client_id: str
    client_host: str
    api_version: int


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
