"""How far a group is behind, in records and in time.

A reader of committed records gets no further than the last stable offset, so the lag counts to there; what open
transactions hold back is a figure of its own. Markers and aborted records are offsets without records: a group with
nothing left to read has no lag, whatever the offsets say. The time is the age of the first record not yet read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.client.consumer import Consumer

TopicPartition = tuple[str, int]
_PATIENCE_S = 10.0


class Lag(NamedTuple):
    committed: int | None
    stable: int
    """The last stable offset: where a reader of committed records stops."""
    end: int
    records: int | None
    time_ms: int | None
    """None when it cannot be told: nothing is committed, or the record did not come in time."""

    @property
    def held_back(self) -> int:
        return self.end - self.stable


async def lags(
    admin: Admin,
    settings: Mapping[str, str],
    committed: Mapping[TopicPartition, int],
    partitions: Iterable[TopicPartition],
    now_ms: int,
) -> dict[TopicPartition, Lag]:
    """For every partition that exists."""
    from tidelog.client.list_offsets import LATEST, list_offsets

    views = await admin.topics.all()
    keys = [key for key in partitions if key[0] in views and key[1] < len(views[key[0]].partitions)]
    if not keys:
        return {}
    stable = await list_offsets(admin.cluster, dict.fromkeys(keys, LATEST), isolation_level=1)
    ends = await list_offsets(admin.cluster, dict.fromkeys(keys, LATEST))
    behind = {key: committed[key] for key in keys if key in committed and committed[key] < stable[key].offset}
    goals = {key: stable[key].offset for key in behind}
    times = await first_timestamps(settings, behind, goals) if behind else {}
    found = {}
    for key in keys:
        records, time_ms = lag_of(committed.get(key), stable[key].offset, key in behind, times.get(key), now_ms)
        found[key] = Lag(committed.get(key), stable[key].offset, ends[key].offset, records, time_ms)
    return found


NOTHING = -1
"""In place of a timestamp: there is no record to read up to the last stable offset."""


def lag_of(
    committed: int | None, stable: int, is_behind: bool, timestamp: int | None, now_ms: int
) -> tuple[int | None, int | None]:
    """Records and milliseconds."""
    if committed is None:
        return None, None
    if not is_behind or timestamp == NOTHING:
        return 0, 0
    return stable - committed, None if timestamp is None else max(0, now_ms - timestamp)


async def first_timestamps(
    settings: Mapping[str, str], starts: Mapping[TopicPartition, int], goals: Mapping[TopicPartition, int]
) -> dict[TopicPartition, int]:
    """The timestamp of the first committed record from each start on, NOTHING when its goal comes first."""
    from tidelog.client.consumer import Consumer

    wanted = {**settings, "isolation.level": "read_committed", "auto.offset.reset": "earliest"}
    found: dict[TopicPartition, int] = {}
    async with Consumer(wanted) as consumer:
        consumer.assign(starts)
        for key, offset in starts.items():
            consumer.seek(key, offset)
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while len(found) < len(starts):
                    await _look(consumer, goals, found)
        except TimeoutError:
            pass
    return found


async def _look(consumer: Consumer, goals: Mapping[TopicPartition, int], found: dict[TopicPartition, int]) -> None:
    for record in await consumer.poll(0.1):
        found.setdefault((record.topic, record.partition), record.timestamp)
    for key, state in consumer.positions.states.items():
        if state.offset >= goals[key]:
            found.setdefault(key, NOTHING)
    read = [key for key in consumer.assignment if key in found]
    if read:
        consumer.pause(*read)
