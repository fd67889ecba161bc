"""`tide topic`: list, create, describe, alter, delete, trim, compaction, produce, consume."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli import tide
from tidelog.cli.render import Row, show, show_one
from tidelog.cli.tool import pairs

if TYPE_CHECKING:
    from tidelog.client.admin import Admin


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide topic", description="Work with topics.")
    commands = found.add_subparsers(metavar="COMMAND")
    common = tide.common()

    def add(name: str, action: Any, text: str) -> argparse.ArgumentParser:
        each = commands.add_parser(name, help=text, description=text, parents=[common])
        each.set_defaults(action=action)
        return each

    listing = add("list", list_topics, "list topics")
    listing.add_argument("-i", "--internal", action="store_true", help="internal topics too")
    create = add("create", create_topics, "create topics")
    create.add_argument("topics", nargs="+", metavar="TOPIC")
    create.add_argument("-p", "--partitions", type=int, default=-1, help="how many partitions (the cluster's default)")
    create.add_argument("-r", "--replicas", type=int, default=-1, help="how many replicas (the cluster's default)")
    create.add_argument("-c", "--config", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    create.add_argument("--if-not-exists", action="store_true", help="an existing topic is no error")
    describe = add("describe", describe_topic, "describe a topic")
    describe.add_argument("topic")
    describe.add_argument("-p", "--partitions", action="store_true", help="its partitions with their offsets")
    describe.add_argument("-c", "--configs", action="store_true", help="its settings")
    alter = add("alter", alter_topic, "raise the number of partitions")
    alter.add_argument("topic")
    alter.add_argument("-p", "--partitions", type=int, required=True)
    delete = add("delete", delete_topics, "delete topics and all their records")
    delete.add_argument("topics", nargs="+", metavar="TOPIC")
    trim = add("trim", trim_topic, "delete the records before an offset")
    trim.add_argument("topic")
    trim.add_argument("--offset", type=int, required=True, help="records before this one go; -1 means all")
    trim.add_argument("-p", "--partition", type=int, action="append", help="only this partition; may be repeated")
    compaction = add("compaction", show_compaction, "what compaction would save, found by reading the topic")
    compaction.add_argument("topic")
    _add_records(add)
    return found


def _add_records(add: Any) -> None:
    produce = add("produce", produce_records, "send a record for each line of standard input")
    produce.add_argument("topic")
    produce.add_argument("-k", "--key", help="the key of every record")
    produce.add_argument("-K", "--key-separator", metavar="TEXT", help="each line is key, TEXT, value")
    produce.add_argument("-p", "--partition", type=int, help="the partition of every record")
    produce.add_argument("-H", "--header", action="append", default=[], metavar="NAME=VALUE", help="a header")
    produce.add_argument("-z", "--compression", default="none", choices=("none", "gzip", "snappy", "lz4", "zstd"))
    consume = add("consume", consume_records, "print records")
    consume.add_argument("topic")
    consume.add_argument("-p", "--partition", type=int, action="append", help="only this partition; may be repeated")
    consume.add_argument(
        "-O", "--offset", default="start", help="start, end, a number, -N from the end, or @milliseconds"
    )
    consume.add_argument("-n", "--num", type=int, help="end after so many records")
    consume.add_argument("-e", "--exit", action="store_true", help="end at the end of the topic")
    consume.add_argument(
        "-f", "--format", help="%%t topic %%p partition %%o offset %%k key %%v value %%h headers %%d time"
    )
    consume.add_argument("--read-committed", action="store_true", help="leave out what was not committed")


def main(words: Sequence[str] | None = None) -> int:
    return tide.run(parser(), words)


async def list_topics(admin: Admin, args: argparse.Namespace) -> None:
    views = await admin.topics.all()
    rows = [
        {
            "name": view.name,
            "partitions": len(view.partitions),
            "replicas": len(view.partitions[0].replicas) if view.partitions else 0,
            "internal": view.is_internal,
            "id": _id(view.topic_id),
        }
        for view in sorted(views.values())
        if args.internal or not view.is_internal
    ]
    show(rows, args.output, ("name", "partitions", "replicas"), ("internal", "id"))


def _id(topic_id: bytes) -> str:
    from tidelog.model import uuids

    return uuids.to_text(topic_id)


async def create_topics(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.protocol.errors import ErrorCode, KafkaError

    rows: list[Row] = []
    for name in args.topics:
        try:
            made = await admin.topics.create(
                name, partitions=args.partitions, replication_factor=args.replicas, configs=pairs(args.config)
            )
            rows.append({"topic": name, "status": "created", "partitions": made.num_partitions})
        except KafkaError as error:
            if error.code != ErrorCode.TOPIC_ALREADY_EXISTS or not args.if_not_exists:
                raise
            rows.append({"topic": name, "status": "exists", "partitions": None})
    show(rows, args.output, ("topic", "status", "partitions"))


async def describe_topic(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.client.admin_configs import ResourceType
    from tidelog.client.list_offsets import EARLIEST, LATEST, list_offsets

    (topic,) = await admin.topics.describe([args.topic])
    partitions = sorted(topic.partitions, key=lambda each: each.partition_index)
    if args.partitions:
        keys = [(args.topic, each.partition_index) for each in partitions if each.leader_id >= 0]
        starts = await list_offsets(admin.cluster, dict.fromkeys(keys, EARLIEST))
        ends = await list_offsets(admin.cluster, dict.fromkeys(keys, LATEST))
        show([_partition_row(each, args.topic, starts, ends) for each in partitions], args.output)
        return
    configs = await admin.configs.describe(ResourceType.TOPIC, args.topic, synonyms=False)
    if args.configs:
        rows = [{"name": row.name, "value": row.value, "source": _source(row.config_source)} for row in configs]
        show(sorted(rows, key=lambda row: str(row["name"])), args.output)
        return
    own = {row.name: row.value for row in configs if _source(row.config_source) == "DYNAMIC_TOPIC_CONFIG"}
    summary: Row = {
        "name": topic.name,
        "id": _id(topic.topic_id),
        "internal": topic.is_internal,
        "partitions": len(partitions),
        "replicas": len(partitions[0].replica_nodes) if partitions else 0,
        "configs": own,
    }
    show_one(summary, args.output)


def _source(number: int) -> str:
    from tidelog.client.admin_configs import ConfigSource

    return ConfigSource(number).name


def _partition_row(each: Any, topic: str, starts: dict[Any, Any], ends: dict[Any, Any]) -> Row:
    key = (topic, each.partition_index)
    start, end = (found[key].offset if key in found else None for found in (starts, ends))
    return {
        "partition": each.partition_index,
        "leader": each.leader_id if each.leader_id >= 0 else None,
        "epoch": each.leader_epoch,
        "replicas": each.replica_nodes,
        "isr": each.isr_nodes,
        "start_offset": start,
        "end_offset": end,
    }


async def alter_topic(admin: Admin, args: argparse.Namespace) -> None:
    await admin.topics.add_partitions(args.topic, args.partitions)
    show_one({"topic": args.topic, "partitions": args.partitions}, args.output)


async def delete_topics(admin: Admin, args: argparse.Namespace) -> None:
    views = await admin.topics.all()
    missing = [name for name in args.topics if name not in views]
    if missing:
        raise tide.NotFound(f"there is no topic {', '.join(missing)}; tide topic list shows those that exist")
    counts = ", ".join(f"{name} ({len(views[name].partitions)} partitions)" for name in args.topics)
    tide.confirm(args, f"This deletes {counts} and every record in them.")
    await admin.topics.delete(args.topics)
    show([{"topic": name, "status": "deleted"} for name in args.topics], args.output)


async def trim_topic(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.protocol.errors import KafkaError

    view = await admin.cluster.topic(args.topic)
    wanted = args.partition if args.partition is not None else [each.partition for each in view.partitions]
    before = "all records" if args.offset < 0 else f"the records before offset {args.offset}"
    tide.confirm(args, f"This deletes {before} of {args.topic}, partition {', '.join(map(str, wanted))}.")
    found = await admin.topics.delete_records({(args.topic, partition): args.offset for partition in wanted})
    rows = [
        {
            "partition": partition,
            "start_offset": None if isinstance(result, KafkaError) else result,
            "error": result.message if isinstance(result, KafkaError) else None,
        }
        for (_, partition), result in sorted(found.items())
    ]
    show(rows, args.output)
    failed = [result for result in found.values() if isinstance(result, KafkaError)]
    if failed:
        raise failed[0]


async def show_compaction(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.cli.tide_compaction import estimate

    await estimate(args)


async def produce_records(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.cli.tide_records import produce

    await produce(args)


async def consume_records(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.cli.tide_records import consume

    await consume(args)
