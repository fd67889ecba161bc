"""`tide txn`: list, describe, watch, lso, hanging, abort."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli import tide
from tidelog.cli.kafka_transactions import MINUTE_MS, now_ms
from tidelog.cli.render import show, show_one

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.client.admin_transactions import DescribedTransaction, OpenTransaction


STATES = (
    "Empty",
    "Ongoing",
    "PrepareCommit",
    "PrepareAbort",
    "CompleteCommit",
    "CompleteAbort",
    "PrepareEpochFence",
    "Dead",
)
OPEN = ("Ongoing", "PrepareCommit", "PrepareAbort", "PrepareEpochFence")


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide txn", description="Look at transactions, and end those that hang.")
    commands = found.add_subparsers(metavar="COMMAND")
    common = tide.common()

    one = commands.add_parser("list", help="the transactional ids", parents=[common])
    one.add_argument("--older-than", type=float, default=-1, metavar="SECONDS", help="only open for longer than this")
    one.add_argument("--state", action="append", default=[], help="only in this state, such as Ongoing")
    one.set_defaults(action=list_transactions)

    one = commands.add_parser("describe", help="one transactional id", parents=[common])
    one.add_argument("id", metavar="TRANSACTIONAL-ID")
    one.set_defaults(action=describe)

    one = commands.add_parser("watch", help="what is open, again and again until Ctrl-C", parents=[common])
    one.add_argument("--every", type=float, default=2.0, metavar="SECONDS", help="how often (2)")
    one.add_argument("--times", type=int, default=0, metavar="N", help="end after so many looks (never)")
    one.set_defaults(action=watch)

    one = commands.add_parser("lso", help="who holds the last stable offset of a topic back", parents=[common])
    one.add_argument("topic", metavar="TOPIC")
    one.set_defaults(action=lso)

    one = commands.add_parser("hanging", help="transactions that nobody will end", parents=[common])
    one.add_argument("--minutes", type=int, default=15, help="open for longer than this (15)")
    one.set_defaults(action=hanging)

    one = commands.add_parser("abort", help="take over a transactional id and abort what is open", parents=[common])
    one.add_argument("id", metavar="TRANSACTIONAL-ID")
    one.set_defaults(action=abort)
    return found


def main(words: Sequence[str] | None = None) -> int:
    return tide.run(parser(), words)


async def list_transactions(admin: Admin, args: argparse.Namespace) -> None:
    longer_than_ms = int(args.older_than * 1000) if args.older_than >= 0 else -1
    states = tide.known(args.state, STATES, "state of a transaction")
    found = await admin.transactions.all(states=states, longer_than_ms=longer_than_ms)
    rows = [
        {
            "id": each.transactional_id,
            "state": each.state,
            "producer": each.producer_id,
            "coordinator": each.coordinator,
        }
        for each in found
    ]
    show(rows, args.output, ("id", "state", "producer", "coordinator"))


async def _described(admin: Admin, transactional_id: str) -> DescribedTransaction:
    from tidelog.protocol.errors import ErrorCode, KafkaError

    try:
        return await admin.transactions.describe(transactional_id)
    except KafkaError as error:
        if error.code != ErrorCode.TRANSACTIONAL_ID_NOT_FOUND:
            raise
        raise tide.NotFound(
            f"there is no transactional id {transactional_id}; tide txn list shows those that exist"
        ) from None


async def describe(admin: Admin, args: argparse.Namespace) -> None:
    found = await _described(admin, args.id)
    state = found.state
    is_open = bool(found.partitions)
    show_one(
        {
            "id": args.id,
            "state": state.transaction_state,
            "producer": state.producer_id,
            "epoch": state.producer_epoch,
            "coordinator": found.coordinator,
            "timeout_ms": state.transaction_timeout_ms,
            "open_ms": now_ms() - state.transaction_start_time_ms if is_open else None,
            "partitions": [f"{topic}-{index}" for topic, index in found.partitions],
        },
        args.output,
    )


async def watch(admin: Admin, args: argparse.Namespace) -> None:
    """Transactions that are open or being ended, the oldest first."""
    import asyncio
    import itertools
    import sys

    columns = ("id", "state", "open", "timeout_ms", "partitions")
    for number in range(args.times) if args.times else itertools.count():
        if number:
            await asyncio.sleep(args.every)
        rows = [await _open_row(admin, each.transactional_id) for each in await admin.transactions.all(states=OPEN)]
        show(sorted(rows, key=lambda row: -(row["open_ms"] or 0)), args.output, columns, ("producer", "open_ms"))
        sys.stdout.flush()


async def _open_row(admin: Admin, transactional_id: str) -> dict[str, Any]:
    from tidelog.cli.tide_group import duration

    found = await admin.transactions.describe(transactional_id)
    started = found.state.transaction_start_time_ms
    open_ms = max(0, now_ms() - started) if started >= 0 else None
    return {
        "id": transactional_id,
        "state": found.state.transaction_state,
        "producer": found.state.producer_id,
        "open": duration(open_ms),
        "open_ms": open_ms,
        "timeout_ms": found.state.transaction_timeout_ms,
        "partitions": [f"{topic}-{index}" for topic, index in found.partitions],
    }


async def lso(admin: Admin, args: argparse.Namespace) -> None:
    """A row per partition; the holder is the open transaction that began first."""
    from tidelog.client.list_offsets import list_offsets

    view = await admin.cluster.topic(args.topic)
    partitions = [(args.topic, each.partition) for each in view.partitions]
    names = {each.producer_id: each.transactional_id for each in await admin.transactions.all()}
    stable = await list_offsets(admin.cluster, dict.fromkeys(partitions, -1), isolation_level=1)
    ends = await list_offsets(admin.cluster, dict.fromkeys(partitions, -1))
    holders: dict[int, OpenTransaction] = {}
    for each in await admin.transactions.open_in(partitions):
        first = holders.get(each.partition[1])
        if first is None or each.producer.current_txn_start_offset < first.producer.current_txn_start_offset:
            holders[each.partition[1]] = each
    rows = [
        _row(index, stable[args.topic, index].offset, ends[args.topic, index].offset, holders.get(index), names)
        for _, index in partitions
    ]
    columns = ("partition", "last_stable_offset", "high_watermark", "held_back", "holder", "producer", "idle_ms")
    show(rows, args.output, columns)


def _row(index: int, stable: int, end: int, holder: OpenTransaction | None, names: dict[int, str]) -> dict[str, Any]:
    producer = holder.producer if holder is not None else None
    return {
        "partition": index,
        "last_stable_offset": stable,
        "high_watermark": end,
        "held_back": end - stable,
        "holder": names.get(producer.producer_id, "unknown to any coordinator") if producer else None,
        "producer": producer.producer_id if producer else None,
        "idle_ms": now_ms() - producer.last_timestamp if producer else None,
    }


async def hanging(admin: Admin, args: argparse.Namespace) -> None:
    partitions = [
        (name, each.partition) for name, view in sorted((await admin.topics.all()).items()) for each in view.partitions
    ]
    now = now_ms()
    rows = [
        {
            "topic": each.partition[0],
            "partition": each.partition[1],
            "producer": each.producer.producer_id,
            "epoch": each.producer.producer_epoch,
            "start_offset": each.producer.current_txn_start_offset,
            "idle_minutes": (now - each.producer.last_timestamp) // MINUTE_MS,
        }
        for each in await admin.transactions.hanging(partitions, args.minutes * MINUTE_MS, now)
    ]
    show(rows, args.output, ("topic", "partition", "producer", "epoch", "start_offset", "idle_minutes"))


async def abort(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.client.admin_transactions import fence

    await _described(admin, args.id)  # taking over an id that nobody has would make it
    if not args.yes:
        raise tide.Unsafe(
            f"This fences the producer of '{args.id}' and aborts its open transaction; add --yes to do it."
        )
    producer_id, epoch = await fence(admin.cluster, args.id)
    show_one({"id": args.id, "producer": producer_id, "epoch": epoch}, args.output)
