"""How far a group is behind, in records and in time.

A reader of committed records gets no further than the last stable offset, so the lag counts to there; what open
transactions hold back is a figure of its own. Markers and aborted records are offsets without records, so the records
are counted and not the offsets. The time is the age of the first record not yet read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.client.committed_count import Counted

TopicPartition = tuple[str, int]
# A group that is further behind than can be counted meanwhile is told by its offsets, of which some may be no records.
_PATIENCE_S = 3.0


class Lag(NamedTuple):
    committed: int | None
    stable: int
    """The last stable offset: where a reader of committed records stops."""
    end: int
    records: int | None
    time_ms: int | None
    """None when it cannot be told: nothing is committed, or the record did not come in time."""
    is_exact: bool = True
    """Whether all records were counted; else a part of the lag is in offsets, which is never too little."""

    @property
    def held_back(self) -> int:
        return self.end - self.stable


async def lags(
    admin: Admin, committed: Mapping[TopicPartition, int], partitions: Iterable[TopicPartition], now_ms: int
) -> dict[TopicPartition, Lag]:
    """For every partition that exists."""
    from tidelog.client.committed_count import count_committed
    from tidelog.client.list_offsets import LATEST, list_offsets

    views = await admin.topics.all()
    keys = [key for key in partitions if key[0] in views and key[1] < len(views[key[0]].partitions)]
    if not keys:
        return {}
    stable = await list_offsets(admin.cluster, dict.fromkeys(keys, LATEST), isolation_level=1)
    ends = await list_offsets(admin.cluster, dict.fromkeys(keys, LATEST))
    behind = {key: committed[key] for key in keys if key in committed and committed[key] < stable[key].offset}
    goals = {key: stable[key].offset for key in behind}
    counted = await count_committed(admin.cluster, behind, goals, _PATIENCE_S)
    return {
        key: lag_of(committed.get(key), stable[key].offset, ends[key].offset, counted.get(key), now_ms) for key in keys
    }


def lag_of(committed: int | None, stable: int, end: int, counted: Counted | None, now_ms: int) -> Lag:
    if committed is None or counted is None:
        nothing = None if committed is None else 0
        return Lag(committed, stable, end, nothing, nothing)
    is_exact = counted.position >= stable
    records = counted.records + (0 if is_exact else stable - counted.position)
    if counted.first_timestamp is None:
        return Lag(committed, stable, end, records, 0 if is_exact else None, is_exact)
    return Lag(committed, stable, end, records, max(0, now_ms - counted.first_timestamp), is_exact)
