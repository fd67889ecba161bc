"""The text of `kafka-consumer-groups --describe`: offsets, members, state."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tidelog.cli.flags import Options
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.client.admin_groups import Committed, GroupView, MemberView, TopicPartition

_NONE = "-"
_REBALANCING = {"PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling"}


class OffsetRow(NamedTuple):
    topic: str
    partition: str
    leader_epoch: str
    offset: str
    end: str
    lag: str
    consumer_id: str = _NONE
    host: str = _NONE
    client_id: str = _NONE


class Column(NamedTuple):
    title: str
    width: int
    value: Callable[[MemberView], str]


async def describe(admin: Admin, options: Options, groups: list[str]) -> None:
    views = [await consumer_group(admin, group) for group in sorted(groups)]
    for view in views:
        if options.has("members"):
            print_members(view, options.has("verbose"))
        elif options.has("state"):
            print_state(view, options.has("verbose"))
        else:
            print_offsets(view, await offset_rows(admin, view), options.has("verbose"))


async def consumer_group(admin: Admin, group: str) -> GroupView:
    view = await admin.groups.describe(group)
    if view.protocol_type not in ("consumer", ""):
        raise Failure(f"{group} is a group of {view.protocol_type}, not of consumers; kafka-groups --list shows it")
    return view


def warn_of_state(view: GroupView) -> None:
    sys.stdout.flush()
    if view.state == "Empty":
        print(f"\nConsumer group '{view.group_id}' has no active members.", file=sys.stderr)
    elif view.state in _REBALANCING:
        print(f"\nWarning: Consumer group '{view.group_id}' is rebalancing.", file=sys.stderr)


async def offset_rows(admin: Admin, view: GroupView) -> list[OffsetRow]:
    """Members that have partitions, those with the most first, then what is committed and nobody's."""
    from tidelog.client.list_offsets import LATEST, list_offsets

    committed = await admin.groups.offsets(view.group_id, also_none=True)
    keys = dict.fromkeys([*(key for member in view.members for key in member.assignment), *committed])
    known = (await admin.topics.all()) if keys else {}
    alive = [key for key in keys if key[0] in known and key[1] < len(known[key[0]].partitions)]
    ends = await list_offsets(admin.cluster, dict.fromkeys(alive, LATEST)) if alive else {}
    rows: list[OffsetRow] = []
    taken: set[TopicPartition] = set()
    for member in sorted(view.members, key=lambda each: -len(each.assignment)):
        who = (member.member_id, member.host or _NONE, member.client_id or _NONE)
        for key in sorted(member.assignment):
            taken.add(key)
            rows.append(_row(key, committed.get(key), ends[key].offset if key in ends else None, who))
    nobody = (_NONE, _NONE, _NONE)
    rows += [
        _row(key, committed[key], ends[key].offset if key in ends else None, nobody)
        for key in sorted(committed)
        if key not in taken
    ]
    return rows


def _row(key: TopicPartition, committed: Committed | None, end: int | None, who: tuple[str, str, str]) -> OffsetRow:
    if committed is not None and committed.offset < 0:
        committed = None
    lag = _NONE if committed is None or end is None else str(end - committed.offset)
    epoch = _NONE if committed is None or committed.leader_epoch < 0 else str(committed.leader_epoch)
    offset = _NONE if committed is None else str(committed.offset)
    return OffsetRow(key[0], str(key[1]), epoch, offset, _NONE if end is None else str(end), lag, *who)


def print_offsets(view: GroupView, rows: list[OffsetRow], verbose: bool) -> None:
    warn_of_state(view)
    if not rows:
        return
    widths = {
        "group": max(15, len(view.group_id)),
        "topic": max([15, *(len(row.topic) for row in rows)]),
        "consumer": max([15, *(len(row.consumer_id) for row in rows)]),
        "host": max([15, *(len(row.host) for row in rows)]),
    }
    titles = OffsetRow(
        "TOPIC",
        "PARTITION",
        "LEADER-EPOCH",
        "CURRENT-OFFSET",
        "LOG-END-OFFSET",
        "LAG",
        "CONSUMER-ID",
        "HOST",
        "CLIENT-ID",
    )
    lines = [
        _offset_line(name, row, widths, verbose)
        for name, row in [("GROUP", titles), *((view.group_id, row) for row in rows)]
    ]
    print("\n" + "\n".join(lines))


def _offset_line(group: str, row: OffsetRow, widths: dict[str, int], verbose: bool) -> str:
    epoch = [f"{row.leader_epoch:<15}"] if verbose else []
    return " ".join(
        [
            f"{group:<{widths['group']}}",
            f"{row.topic:<{widths['topic']}}",
            f"{row.partition:<10}",
            *epoch,
            f"{row.offset:<15}",
            f"{row.end:<15}",
            f"{row.lag:<15}",
            f"{row.consumer_id:<{widths['consumer']}}",
            f"{row.host:<{widths['host']}}",
            row.client_id,
        ]
    )


def print_members(view: GroupView, verbose: bool) -> None:
    warn_of_state(view)
    members = view.members
    has_instances = any(member.instance_id for member in members)
    columns: list[Column] = [
        Column("GROUP", max([15, *(len(view.group_id) for _ in members)]), lambda member: view.group_id),
        Column("CONSUMER-ID", max([15, *(len(m.member_id) for m in members)]), lambda member: member.member_id),
        Column(
            "GROUP-INSTANCE-ID", max([17, *(len(m.instance_id) for m in members)]), lambda member: member.instance_id
        ),
        Column("HOST", max([15, *(len(m.host) for m in members)]), lambda member: member.host),
        Column("CLIENT-ID", max([15, *(len(m.client_id) for m in members)]), lambda member: member.client_id),
        Column("#PARTITIONS", 15, lambda member: str(len(member.assignment))),
    ]
    if verbose:
        columns += _verbose_columns(view)
    shown = [column for column in columns if column.title != "GROUP-INSTANCE-ID" or has_instances]
    end = "" if verbose else " "
    print()
    print(" ".join(f"{column.title:<{column.width}}" for column in shown) + end)
    for member in members:
        print(" ".join(f"{column.value(member):<{column.width}}" for column in shown) + end)


def _verbose_columns(view: GroupView) -> list[Column]:
    current = max([20, *(len(assignment_text(m.assignment)) for m in view.members)])
    target = max([20, *(len(_target_text(view, m)) for m in view.members)])
    return [
        Column("CURRENT-EPOCH", 15, lambda member: _NONE if member.epoch is None else str(member.epoch)),
        Column("CURRENT-ASSIGNMENT", current, lambda member: assignment_text(member.assignment)),
        Column("TARGET-EPOCH", 15, lambda member: _NONE if view.target_epoch is None else str(view.target_epoch)),
        Column("TARGET-ASSIGNMENT", target, lambda member: _target_text(view, member)),
    ]


def _target_text(view: GroupView, member: MemberView) -> str:
    return _NONE if view.kind == "Classic" else assignment_text(member.target)


def assignment_text(partitions: tuple[TopicPartition, ...]) -> str:
    """`t:0,1;u:0`, or a dash."""
    by_topic: dict[str, list[int]] = {}
    for topic, partition in sorted(partitions):
        by_topic.setdefault(topic, []).append(partition)
    return ";".join(f"{topic}:{','.join(map(str, rows))}" for topic, rows in by_topic.items()) or _NONE


def print_state(view: GroupView, verbose: bool) -> None:
    warn_of_state(view)
    broker = view.coordinator
    coordinator = f"{broker.host}:{broker.port}  ({broker.node_id})"
    wide = max(25, len(coordinator))
    group = max(15, len(view.group_id))
    titles = [
        "GROUP",
        "COORDINATOR (ID)",
        "ASSIGNMENT-STRATEGY",
        "STATE",
        "GROUP-EPOCH",
        "TARGET-ASSIGNMENT-EPOCH",
        "#MEMBERS",
    ]
    values = [
        view.group_id,
        coordinator,
        view.assignor or _NONE,
        view.state,
        _NONE if view.epoch is None else str(view.epoch),
        _NONE if view.target_epoch is None else str(view.target_epoch),
        str(len(view.members)),
    ]
    widths = [group, wide, 20, 20, 15, 25, 0]
    print()
    for cells in (titles, values):
        picked = [(cell, width) for i, (cell, width) in enumerate(zip(cells, widths)) if verbose or i not in (4, 5)]
        print(" ".join(f"{cell:<{width}}" for cell, width in picked))
