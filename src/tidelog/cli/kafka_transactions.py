"""kafka-transactions: list and describe transactions, find those that hang, abort them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import Failure, is_expected, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

MINUTE_MS = 60_000
_NO_SCOPE = "The `find-hanging` command requires either --topic or --broker-id to limit the scope of the search"
_NO_START = (
    "The transaction to abort must be identified either with --start-offset (for brokers on 3.0 or above) or with "
    "--producer-id, --producer-epoch, and --coordinator-epoch (for older brokers)"
)


class Parser(argparse.ArgumentParser):
    """Ends with 1 where argparse would end with 2, and after its help, as Apache's tool does."""

    def exit(self, status: int = 0, message: str | None = None) -> Any:
        super().exit(1, message)


def parser() -> Parser:
    found = Parser(
        prog="kafka-transactions", description="Look at transactions and end those that hang.", allow_abbrev=False
    )
    found.add_argument("--version", "-v", action="store_true", help="show the version of Apache Kafka this stands for")
    found.add_argument("--bootstrap-server", metavar="SERVERS", help="the brokers to connect to first")
    found.add_argument("--command-config", metavar="FILE", help="a properties file with client settings")
    commands = found.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    listing = commands.add_parser("list", help="list transactions")
    listing.add_argument("--duration-filter", type=int, default=-1, metavar="MS", help="only those older than this")
    listing.add_argument("--transactional-id-pattern", metavar="REGEX", help="only ids that match")
    describe = commands.add_parser("describe", help="describe one transactional id")
    describe.add_argument("--transactional-id", required=True, metavar="ID")
    producers = commands.add_parser("describe-producers", help="the producers that a partition remembers")
    hanging = commands.add_parser("find-hanging", help="find transactions that nobody will end")
    abort = commands.add_parser("abort", help="abort a hanging transaction")
    terminate = commands.add_parser("forceTerminateTransaction", help="abort what a transactional id has open")
    for each in (producers, abort):
        each.add_argument("--topic", required=True)
        each.add_argument("--partition", required=True, type=int)
    for each in (producers, hanging):
        each.add_argument("--broker-id", type=int, metavar="ID", help="the broker to ask")
    hanging.add_argument("--topic")
    hanging.add_argument("--partition", type=int)
    hanging.add_argument(
        "--max-transaction-timeout", type=int, default=15, metavar="MINUTES", help="the age to look for (15)"
    )
    abort.add_argument("--start-offset", type=int, metavar="OFFSET", help="where the transaction begins")
    abort.add_argument("--producer-id", type=int)
    abort.add_argument("--producer-epoch", type=int)
    abort.add_argument("--coordinator-epoch", type=int)
    terminate.add_argument(
        "--transactionalId", "--transactional-id", dest="transactional_id", required=True, metavar="ID"
    )
    return found


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    given = parser()
    args = given.parse_args()
    if args.version:
        from tidelog.cli.flags import KAFKA_VERSION

        print(KAFKA_VERSION)
        return 0
    if args.bootstrap_server is None:
        given.error("argument --bootstrap-server is required")
    if args.command is None:
        given.error("too few arguments")
    work = WORK[args.command]

    async def act(admin: Admin) -> None:
        await work(admin, args)

    try:
        with_admin(_settings(args), act)
    except Exception as error:
        if not is_expected(error):
            raise
        print(error, file=sys.stderr)
        return 1
    return 0


def _settings(args: argparse.Namespace) -> dict[str, str]:
    found: dict[str, str] = {}
    if args.command_config is not None:
        from tidelog.client.properties import read_properties

        found.update(read_properties(args.command_config))
    return found | {"bootstrap.servers": args.bootstrap_server}


def print_table(titles: Sequence[str], rows: list[list[str]]) -> None:
    """Columns padded to their widest cell, a tab after each."""
    widths = [max([len(title), *(len(row[i]) for row in rows)]) for i, title in enumerate(titles)]
    for row in [list(titles), *sorted(rows)]:
        print("".join(f"{cell:<{width}}\t" for cell, width in zip(row, widths)))


def now_ms() -> int:
    import time

    return time.time_ns() // 1_000_000


async def run_list(admin: Admin, args: argparse.Namespace) -> None:
    found = await admin.transactions.all(longer_than_ms=args.duration_filter, pattern=args.transactional_id_pattern)
    rows = [[row.transactional_id, str(row.coordinator), str(row.producer_id), row.state] for row in found]
    print_table(("TransactionalId", "Coordinator", "ProducerId", "TransactionState"), rows)


async def run_describe(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.protocol.errors import KafkaError

    name = args.transactional_id
    try:
        described = await admin.transactions.describe(name)
    except KafkaError as error:
        raise Failure(f"Failed to describe transaction state of transactional-id `{name}`: {error.message}") from None
    state = described.state
    started = state.transaction_start_time_ms
    partitions = [f"{topic}-{index}" for topic, index in described.partitions]
    row = [
        str(described.coordinator),
        state.transactional_id,
        str(state.producer_id),
        str(state.producer_epoch),
        state.transaction_state,
        str(state.transaction_timeout_ms),
        str(started) if started >= 0 else "None",
        str(now_ms() - started) if started >= 0 else "None",
        ",".join(partitions),
    ]
    titles = (
        "CoordinatorId",
        "TransactionalId",
        "ProducerId",
        "ProducerEpoch",
        "TransactionState",
        "TransactionTimeoutMs",
        "CurrentTransactionStartTimeMs",
        "TransactionDurationMs",
        "TopicPartitions",
    )
    print_table(titles, [row])


async def run_describe_producers(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.client.errors import ClientError
    from tidelog.protocol.errors import KafkaError

    try:
        found = await admin.transactions.producers((args.topic, args.partition), args.broker_id)
    except (KafkaError, ClientError) as error:
        where = "leader" if args.broker_id is None else f"broker {args.broker_id}"
        name = f"{args.topic}-{args.partition}"
        raise Failure(f"Failed to describe producers for partition {name} on {where}: {error}") from None
    rows = [
        [
            str(each.producer_id),
            str(each.producer_epoch),
            str(each.coordinator_epoch),
            str(each.last_sequence),
            str(each.last_timestamp),
            str(each.current_txn_start_offset) if each.current_txn_start_offset >= 0 else "None",
        ]
        for each in found
    ]
    titles = (
        "ProducerId",
        "ProducerEpoch",
        "LatestCoordinatorEpoch",
        "LastSequence",
        "LastTimestamp",
        "CurrentTransactionStartOffset",
    )
    print_table(titles, rows)


async def run_find_hanging(admin: Admin, args: argparse.Namespace) -> None:
    if args.topic is None and args.partition is not None:
        raise Failure("The --partition argument requires --topic to be provided")
    if args.topic is None and args.broker_id is None:
        raise Failure(_NO_SCOPE)
    topics = await admin.topics.all()
    if args.topic is not None and args.topic not in topics:
        raise Failure(f"There is no topic '{args.topic}'; kafka-topics --list shows which there are")
    keys = [
        (view.name, each.partition)
        for view in topics.values()
        if args.topic in (None, view.name)
        for each in view.partitions
        if args.partition in (None, each.partition) and args.broker_id in (None, each.leader_id)
        if each.leader_id >= 0
    ]
    now = now_ms()
    found = await admin.transactions.hanging(keys, args.max_transaction_timeout * MINUTE_MS, now)
    rows = [
        [
            each.partition[0],
            str(each.partition[1]),
            str(each.producer.producer_id),
            str(each.producer.producer_epoch),
            str(each.producer.coordinator_epoch),
            str(each.producer.current_txn_start_offset),
            str(each.producer.last_timestamp),
            str((now - each.producer.last_timestamp) // MINUTE_MS),
        ]
        for each in found
    ]
    titles = (
        "Topic",
        "Partition",
        "ProducerId",
        "ProducerEpoch",
        "CoordinatorEpoch",
        "StartOffset",
        "LastTimestamp",
        "Duration(min)",
    )
    print_table(titles, rows)


async def run_abort(admin: Admin, args: argparse.Namespace) -> None:
    key = (args.topic, args.partition)
    if args.start_offset is None:
        if args.producer_id is None:
            raise Failure(_NO_START)
        for name in ("producer_epoch", "coordinator_epoch"):
            if getattr(args, name) is None:
                raise Failure(f"Missing required argument --{name.replace('_', '-')}")
        await admin.transactions.abort(key, args.producer_id, args.producer_epoch, args.coordinator_epoch)
        return
    for each in await admin.transactions.producers(key):
        if each.current_txn_start_offset == args.start_offset:
            await admin.transactions.abort(key, each.producer_id, each.producer_epoch, each.coordinator_epoch)
            return
    raise Failure(
        f"Could not find any open transactions starting at offset {args.start_offset} "
        f"on partition {args.topic}-{args.partition}"
    )


async def run_terminate(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.client.admin_transactions import fence

    await fence(admin.cluster, args.transactional_id)


WORK = {
    "list": run_list,
    "describe": run_describe,
    "describe-producers": run_describe_producers,
    "find-hanging": run_find_hanging,
    "abort": run_abort,
    "forceTerminateTransaction": run_terminate,
}

if __name__ == "__main__":
    sys.exit(main())
