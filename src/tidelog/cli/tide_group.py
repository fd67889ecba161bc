"""`tide group`: list, describe, explain, rebalances, reset, delete."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli import tide
from tidelog.cli.kafka_transactions import now_ms
from tidelog.cli.render import Row, show, show_one
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.cli.group_lag import Lag
    from tidelog.cli.group_rate import Rate
    from tidelog.client.admin import Admin
    from tidelog.client.admin_groups import GroupView, MemberView

TopicPartition = tuple[str, int]
TYPES = ("Classic", "Consumer", "Share", "Streams")


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide group", description="Look at consumer groups, and move their offsets.")
    commands = found.add_subparsers(metavar="COMMAND")
    common = tide.common()

    one = commands.add_parser("list", help="the groups of every type", parents=[common])
    one.add_argument("--state", action="append", default=[], help="only in this state, such as Stable")
    one.add_argument("--type", action="append", default=[], help="only of this type, such as Classic")
    one.set_defaults(action=list_groups)

    one = commands.add_parser("describe", help="how far a group is, in records and in time", parents=[common])
    one.add_argument("group", metavar="GROUP")
    one.add_argument("-m", "--members", action="store_true", help="its members instead")
    one.add_argument("-s", "--summary", action="store_true", help="one figure for all partitions instead")
    one.add_argument(
        "-r", "--rate", action="store_true", help="also how fast it reads, how fast records come, and when"
    )
    one.add_argument("--seconds", type=_seconds, default=5.0, metavar="N", help="over how long the rate is taken (5)")
    one.set_defaults(action=describe)

    one = commands.add_parser("explain", help="why a group does not move, and what to do about it", parents=[common])
    one.add_argument("group", metavar="GROUP")
    one.add_argument("--seconds", type=_seconds, default=2.0, metavar="N", help="how long it is looked at (2)")
    one.set_defaults(action=explain)

    one = commands.add_parser(
        "rebalances", help="when a group was assigned anew, and who came and went", parents=[common]
    )
    one.add_argument("group", metavar="GROUP")
    one.add_argument("-n", "--last", type=int, default=20, metavar="N", help="only so many of the last ones (20)")
    one.set_defaults(action=rebalances)

    one = commands.add_parser(
        "reset", aliases=["seek"], help="move the offsets of a group without members", parents=[common]
    )
    one.add_argument("group", metavar="GROUP")
    where = one.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--to",
        metavar="PLACE",
        help="start, end, an offset, +N or -N from where it is, a time as 2026-11-15T10:00, or PT1H for an hour ago",
    )
    where.add_argument("--to-group", metavar="GROUP", help="to where another group is")
    where.add_argument("--to-file", metavar="FILE", help="to what lines of TOPIC PARTITION OFFSET say")
    one.add_argument("-t", "--topic", action="append", default=[], help="a topic, or topic:0,1 (all that have offsets)")
    one.set_defaults(action=reset)

    one = commands.add_parser("delete", help="delete groups without members, with their offsets", parents=[common])
    one.add_argument("groups", nargs="+", metavar="GROUP")
    one.set_defaults(action=delete)
    return found


def _seconds(text: str) -> float:
    found = float(text)
    if not 0 < found <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 3600 seconds")
    return found


def main(words: Sequence[str] | None = None) -> int:
    return tide.run(parser(), words)


async def list_groups(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.cli.kafka_consumer_groups import STATES

    states = tide.known(args.state, STATES, "state of a group")
    found = await admin.groups.list(states, tide.known(args.type, TYPES, "type of group"))
    rows = [
        {
            "group": each.group_id,
            "type": each.group_type.capitalize(),
            "state": each.group_state,
            "protocol": each.protocol_type,
        }
        for each in sorted(found, key=lambda each: each.group_id)
    ]
    show(rows, args.output, ("group", "type", "state"), ("protocol",))


async def _view(admin: Admin, group: str) -> GroupView:
    from tidelog.protocol.errors import ErrorCode, KafkaError

    try:
        return await admin.groups.describe(group)
    except KafkaError as error:
        if error.code != ErrorCode.GROUP_ID_NOT_FOUND:
            raise
        raise tide.NotFound(f"there is no group {group}; tide group list shows those that exist") from None


async def describe(admin: Admin, args: argparse.Namespace) -> None:
    view = await _view(admin, args.group)
    if args.members:
        rows = [_member_row(each) for each in view.members]
        show(rows, args.output, ("member", "client", "host", "partitions"), ("instance", "assignment"))
        return
    from tidelog.cli.group_lag import lags
    from tidelog.cli.group_rate import measured

    rates = await measured(admin, args.group, args.seconds) if args.rate else {}
    committed = {key: row.offset for key, row in (await admin.groups.offsets(args.group)).items()}
    owners = {key: member for member in view.members for key in member.assignment}
    keys = sorted({*committed, *owners})
    found = await lags(admin, committed, keys, now_ms())
    if args.summary:
        show_one(_summary(view, found) | (_rate_of_all(rates, found) if args.rate else {}), args.output)
        return
    rows = [_lag_row(key, committed.get(key), found.get(key), owners.get(key)) for key in keys]
    columns = ["topic", "partition", "committed", "stable", "end", "lag", "lag_time", "held_back", "member"]
    if args.rate:
        rows = [row | _rate_row(rates.get(key), found.get(key)) for key, row in zip(keys, rows, strict=True)]
        columns[-1:] = ["read_per_s", "new_per_s", "eta", "member"]
    show(rows, args.output, columns, ("lag_ms", "lag_exact", "client", "host"))


def _member_row(member: MemberView) -> Row:
    return {
        "member": member.member_id,
        "instance": member.instance_id or None,
        "client": member.client_id,
        "host": member.host.removeprefix("/"),
        "partitions": len(member.assignment),
        "assignment": [f"{topic}-{index}" for topic, index in sorted(member.assignment)],
    }


def _lag_row(key: TopicPartition, committed: int | None, lag: Lag | None, member: MemberView | None) -> Row:
    """A partition that no longer exists has only its committed offset."""
    return {
        "topic": key[0],
        "partition": key[1],
        "committed": committed,
        "stable": lag.stable if lag else None,
        "end": lag.end if lag else None,
        "lag": lag.records if lag else None,
        "lag_exact": lag.is_exact if lag else None,
        "lag_ms": lag.time_ms if lag else None,
        "lag_time": duration(lag.time_ms) if lag else None,
        "held_back": lag.held_back if lag else None,
        "member": member.member_id if member else None,
        "client": member.client_id if member else None,
        "host": member.host.removeprefix("/") if member else None,
    }


def _rate_row(rate: Rate | None, lag: Lag | None) -> Row:
    eta = rate.eta_ms(lag.records) if rate and lag else None
    return {
        "read_per_s": round(rate.read, 1) if rate else None,
        "new_per_s": round(rate.new, 1) if rate else None,
        "eta_ms": eta,
        "eta": duration(eta),
    }


def _rate_of_all(rates: dict[TopicPartition, Rate], found: dict[TopicPartition, Lag]) -> Row:
    """The group has caught up when its slowest partition has."""
    times = [rate.eta_ms(found[key].records) for key, rate in rates.items() if key in found]
    known = [each for each in times if each is not None]
    return {
        "read_per_s": round(sum(rate.read for rate in rates.values()), 1),
        "new_per_s": round(sum(rate.new for rate in rates.values()), 1),
        "eta_ms": max(known) if known and len(known) == len(times) else None,
    }


def _summary(view: GroupView, found: dict[TopicPartition, Lag]) -> Row:
    times = [lag.time_ms for lag in found.values() if lag.time_ms is not None]
    return {
        "group": view.group_id,
        "type": view.kind,
        "state": view.state,
        "assignor": view.assignor,
        "coordinator": view.coordinator.node_id,
        "members": len(view.members),
        "partitions": len(found),
        "lag": sum(lag.records or 0 for lag in found.values()),
        "lag_exact": all(lag.is_exact for lag in found.values()),
        "lag_ms": max(times, default=None),
        "held_back": sum(lag.held_back for lag in found.values()),
    }


def duration(milliseconds: int | None) -> str | None:
    """`0`, `850 ms`, `12.3 s`, `4 m 5 s`, `3 h 20 m`, `2 d 3 h`."""
    if milliseconds is None:
        return None
    if milliseconds < 1000:
        return f"{milliseconds} ms" if milliseconds else "0"
    seconds = milliseconds // 1000
    if seconds < 60:
        return f"{milliseconds / 1000:.1f} s"
    for size, name, smaller, small in ((86_400, "d", 3600, "h"), (3600, "h", 60, "m"), (60, "m", 1, "s")):
        if seconds >= size:
            return f"{seconds // size} {name} {seconds % size // smaller} {small}"
    raise AssertionError("unreachable: every number of seconds from 60 on has minutes")


async def explain(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.cli import group_explain

    await _view(admin, args.group)
    found = await group_explain.explain(admin, args.group, args.seconds, now_ms())
    show([each._asdict() for each in found], args.output, ("subject", "finding", "next"))


async def rebalances(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.cli import group_rebalances
    from tidelog.client.consumer import Consumer

    async with Consumer(tide.settings(args)) as consumer:
        rows = await group_rebalances.rebalances(consumer, args.group)
    if not rows:
        await _view(admin, args.group)
    show(rows[-args.last :] if args.last > 0 else rows, args.output, group_rebalances.COLUMNS)


async def reset(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.cli.group_places import places

    try:
        state = (await _view(admin, args.group)).state
    except tide.NotFound:
        if args.to is not None and not args.topic:
            raise
        state = "Dead"
    if state not in {"Empty", "Dead"}:
        raise Failure(f"the group {args.group} is {state}; stop its members first, then run this again")
    before = {key: row.offset for key, row in (await admin.groups.offsets(args.group)).items()}
    plan = await places(admin, args, before)
    rows = [
        {"topic": key[0], "partition": key[1], "from": before.get(key), "to": offset}
        for key, offset in sorted(plan.items())
    ]
    if args.yes or not rows:
        await admin.groups.alter_offsets(args.group, plan)
        show(rows, args.output, ("topic", "partition", "from", "to"))
        return
    show(rows, args.output, ("topic", "partition", "from", "to"))
    tide.confirm(args, f"This moves the offsets of {args.group} as shown.")
    await admin.groups.alter_offsets(args.group, plan)


async def delete(admin: Admin, args: argparse.Namespace) -> None:
    existing = {each.group_id for each in await admin.groups.list()}
    missing = [name for name in args.groups if name not in existing]
    if missing:
        raise tide.NotFound(f"there is no group {', '.join(missing)}; tide group list shows those that exist")
    tide.confirm(args, f"This deletes {', '.join(args.groups)} with all their offsets.")
    rows: list[dict[str, Any]] = []
    for name in args.groups:
        await admin.groups.delete(name)
        rows.append({"group": name, "status": "deleted"})
    show(rows, args.output)
