"""Why a group does not move: what is in its way, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tidelog.cli.group_lag import Lag
    from tidelog.cli.group_rate import Rate
    from tidelog.client.admin import Admin
    from tidelog.client.admin_groups import GroupView, MemberView

TopicPartition = tuple[str, int]
_JOINING = {"PreparingRebalance", "CompletingRebalance"}


class Finding(NamedTuple):
    subject: str
    finding: str
    next: str


class Place(NamedTuple):
    """One partition: where it begins, how far behind the group is, and how fast it reads, as far as that is known."""

    start: int
    lag: Lag
    rate: Rate | None


async def explain(admin: Admin, group: str, seconds: float, now_ms: int) -> list[Finding]:
    from tidelog.cli.group_lag import lags
    from tidelog.cli.group_rate import measured
    from tidelog.client.list_offsets import EARLIEST, list_offsets

    rates = await measured(admin, group, seconds)
    view = await admin.groups.describe(group)
    committed = {key: row.offset for key, row in (await admin.groups.offsets(group)).items()}
    owned = [key for member in view.members for key in member.assignment]
    found = await lags(admin, committed, sorted({*committed, *owned}), now_ms)
    starts = await list_offsets(admin.cluster, dict.fromkeys(found, EARLIEST)) if found else {}
    places = {key: Place(starts[key].offset, lag, rates.get(key)) for key, lag in found.items()}
    gone = sorted(committed.keys() - found.keys())
    return findings(view, places, gone, seconds)


def findings(
    view: GroupView, places: Mapping[TopicPartition, Place], gone: list[TopicPartition], seconds: float
) -> list[Finding]:
    """The worst first: what concerns the whole group, then its partitions."""
    owners = {key: member for member in view.members for key in member.assignment}
    found = _of_the_group(view)
    for key in sorted(places):
        one = _of_a_partition(view, key, places[key], owners.get(key), seconds)
        if one is not None:
            found.append(one)
    for topic, index in gone:
        found.append(
            Finding(
                f"{topic}-{index}",
                "its topic is gone, and the offset is of no use",
                f"kafka-consumer-groups --delete-offsets --group {view.group_id} --topic {topic}",
            )
        )
    if found:
        return found
    left = sum(place.lag.records or 0 for place in places.values())
    if left:
        return [
            Finding(view.group_id, f"it reads; {left} records are left", f"tide group describe {view.group_id} --rate")
        ]
    return [Finding(view.group_id, "nothing is in its way: every committed record is read", "nothing")]


def _of_the_group(view: GroupView) -> list[Finding]:
    group = view.group_id
    if not view.members:
        return [Finding(group, "it has no members, so nobody reads", f"start a consumer with group.id={group}")]
    if view.state in _JOINING:
        what = "it is rebalancing: everyone waits for members that have not joined again"
        return [Finding(group, what, "a member that does not poll holds it up until its max.poll.interval.ms is over")]
    if view.kind == "Classic":
        return []
    return [
        Finding(
            group,
            f"{_name(member)} has still to give up {_list(held)}, which others wait for",
            "it does so at its next poll, or is out when its rebalance timeout is over",
        )
        for member in view.members
        if (held := sorted(set(member.assignment) - set(member.target)))
    ]


def _of_a_partition(
    view: GroupView, key: TopicPartition, place: Place, owner: MemberView | None, seconds: float
) -> Finding | None:
    name, topic = f"{key[0]}-{key[1]}", f"{key[0]}:{key[1]}"
    lag = place.lag
    reset = f"tide group reset {view.group_id} -t {topic} --to"
    if lag.committed is None:
        if owner is None or lag.stable <= place.start:
            return None
        return Finding(name, f"{_name(owner)} has it and has committed nothing yet", "see that it polls and commits")
    if lag.committed > lag.end:
        what = (
            f"the committed offset {lag.committed} is past the end {lag.end}: the topic is a new one, or lost records"
        )
        return Finding(name, what, f"{reset} end, or start")
    if lag.committed < place.start:
        what = f"what came after the committed offset {lag.committed} is deleted; the log begins at {place.start}"
        return Finding(name, what, f"{reset} start, or let auto.offset.reset decide")
    if not lag.records:
        if not lag.held_back:
            return None
        what = f"every committed record is read; an open transaction holds {lag.held_back} offsets back"
        return Finding(name, what, f"tide txn lso {key[0]}")
    if not view.members:
        return None
    if owner is None:
        return Finding(name, f"{lag.records} records wait, and no member has it", f"subscribe a member to {key[0]}")
    if place.rate is not None and place.rate.read > 0:
        return None
    what = f"{lag.records} records wait, and {_name(owner)} has committed none in {seconds:g} s"
    return Finding(name, what, "look at that process: it hangs, does not poll, or does not commit")


def _name(member: MemberView) -> str:
    return f"{member.client_id or member.member_id} at {member.host.removeprefix('/')}"


def _list(partitions: list[TopicPartition]) -> str:
    return ", ".join(f"{topic}-{index}" for topic, index in partitions)
