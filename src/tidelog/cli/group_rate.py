"""How fast a group moves: its offsets and the ends of its partitions, looked at twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

TopicPartition = tuple[str, int]


class Look(NamedTuple):
    """Where everything was at one moment."""

    at_s: float
    committed: Mapping[TopicPartition, int]
    stable: Mapping[TopicPartition, int]


class Rate(NamedTuple):
    """Records a second: how many the group finished, and how many came in."""

    read: float
    new: float

    def eta_ms(self, lag: int | None) -> int | None:
        """When there will be no lag if both go on like this; None when never, or when it cannot be told."""
        if lag is None:
            return None
        if lag == 0:
            return 0
        return round(1000 * lag / (self.read - self.new)) if self.read > self.new else None


def rates(before: Look, after: Look) -> dict[TopicPartition, Rate]:
    """Of the partitions that both looks know. Offsets that were reset to an earlier place were not read."""
    seconds = max(after.at_s - before.at_s, 0.001)
    found = {}
    for key in before.committed.keys() & after.committed.keys() & before.stable.keys() & after.stable.keys():
        read = max(after.committed[key] - before.committed[key], 0)
        found[key] = Rate(read / seconds, max(after.stable[key] - before.stable[key], 0) / seconds)
    return found


async def look(admin: Admin, group: str) -> Look:
    from tidelog.client.list_offsets import LATEST, list_offsets

    committed = {key: row.offset for key, row in (await admin.groups.offsets(group)).items()}
    views = await admin.topics.all()
    keys = [key for key in committed if key[0] in views and key[1] < len(views[key[0]].partitions)]
    ends = await list_offsets(admin.cluster, dict.fromkeys(keys, LATEST), isolation_level=1) if keys else {}
    return Look(time.monotonic(), committed, {key: found.offset for key, found in ends.items()})


async def measured(admin: Admin, group: str, seconds: float) -> dict[TopicPartition, Rate]:
    before = await look(admin, group)
    await asyncio.sleep(seconds)
    return rates(before, await look(admin, group))
