"""`tide tier`: status, audit, fetch, cost."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli import tide
from tidelog.cli.render import show, show_one
from tidelog.cli.tool import Failure, pairs

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.io.object_store import ObstoreStore
    from tidelog.tier.manifest import Manifest

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "PB": 10**15}


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide tier", description="Look at what lies in remote storage.")
    commands = found.add_subparsers(metavar="COMMAND")
    common = tide.common()

    def command(name: str, action: Any, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text, parents=[common])
        made.set_defaults(action=action)
        return made

    command("status", status, "what is on local disks and what is remote").add_argument("topic", nargs="?")
    audited = command("audit", audit, "every remote segment against the metadata and its checksums")
    audited.add_argument("topic", nargs="?")
    audited.add_argument("--quick", action="store_true", help="sizes and companions only, not every byte")
    fetched = command("fetch", fetch, "a remote segment as the files of a log, for kafka-dump-log")
    fetched.add_argument("topic")
    fetched.add_argument("partition", type=int)
    fetched.add_argument("offset", type=int)
    fetched.add_argument("--to", default=".", metavar="DIR", help="where the files go (the current directory)")
    for each in (audited, fetched):
        each.add_argument("--store", metavar="URL", help="the object store, if not what the brokers say")
        each.add_argument("--store-option", action="append", default=[], metavar="NAME=VALUE")
    priced = command("cost", cost, "dollars a month, all on local disks against tiered")
    priced.add_argument("--local-price", type=float, metavar="USD", help="a gigabyte a month on local disks (0.10)")
    priced.add_argument("--remote-price", type=float, metavar="USD", help="a gigabyte a month in the store (0.023)")
    priced.add_argument("--replicas", type=int, metavar="N", help="copies on local disks (as the topics have)")
    priced.add_argument(
        "--total", metavar="SIZE", help="compute for one copy of this much, as 1PB, not for the cluster"
    )
    priced.add_argument("--hot", default="0GB", metavar="SIZE", help="with --total: how much of it stays local (0GB)")
    return found


def main(words: Sequence[str] | None = None) -> int:
    return tide.run(parser(), words)


async def manifests(args: argparse.Namespace, topic: str | None = None) -> list[Manifest]:
    """From the metadata topic, read to its end."""
    from tidelog.client.consumer import Consumer
    from tidelog.client.errors import UnknownTopic
    from tidelog.tier import records
    from tidelog.tier.manifest import Manifest

    found: dict[tuple[bytes, int], Manifest] = {}
    async with Consumer(tide.settings(args)) as consumer:
        try:
            view = await consumer.cluster.topic(records.TOPIC)
        except UnknownTopic:
            raise tide.NotFound(
                f"there is no topic {records.TOPIC}: no topic of this cluster has remote.storage.enable=true yet"
            ) from None
        keys = [(records.TOPIC, each.partition) for each in view.partitions]
        consumer.assign(keys)
        consumer.seek_to_beginning()
        ends = await consumer.end_offsets(keys)
        while any([await consumer.position(key) < end for key, end in ends.items()]):
            for record in await consumer.poll(1.0):
                event = records.decode(record.value or b"")
                if event is not None:
                    place = event.place
                    found.setdefault((place.topic_id, place.partition), Manifest(place)).replay(event)
    chosen = [each for each in found.values() if each.segments and topic in (None, each.place.topic)]
    if topic is not None and not chosen:
        raise tide.NotFound(f"nothing of the topic {topic} is in remote storage")
    return sorted(chosen, key=lambda each: (each.place.topic, each.place.partition))


async def status(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.client.list_offsets import EARLIEST, EARLIEST_LOCAL, LATEST, list_offsets

    known = await manifests(args, args.topic)
    topics = await admin.topics.all()
    keys = [(each.place.topic, each.place.partition) for each in known if each.place.topic in topics]
    offsets = [
        await list_offsets(admin.cluster, dict.fromkeys(keys, time)) for time in (EARLIEST, EARLIEST_LOCAL, LATEST)
    ]
    rows = []
    for manifest in known:
        key = (manifest.place.topic, manifest.place.partition)
        start, local, end = (found[key].offset if key in found else None for found in offsets)
        live = manifest.live
        rows.append(
            {
                "topic": key[0],
                "partition": key[1],
                "start": start,
                "remote_end": max((each.end_offset for each in live), default=None),
                "local_start": local,
                "end": end,
                "segments": len(live),
                "remote_bytes": manifest.size_bytes,
                "unfinished": len(manifest.segments) - len(live),
            }
        )
    show(rows, args.output, list(rows[0]) if rows else [])


async def store_of(admin: Admin, args: argparse.Namespace) -> ObstoreStore:
    from tidelog.config.setting import ConfigError
    from tidelog.io.object_store import open_object_store

    url = args.store
    if url is None:
        from tidelog.client.admin_configs import ResourceType

        broker = (await admin.brokers.describe_cluster()).brokers[0].broker_id
        entries = await admin.configs.describe(ResourceType.BROKER, str(broker))
        url = next((each.value for each in entries if each.name == "tidelog.remote.storage.url"), None)
    if url is None:
        raise Failure("the brokers name no tidelog.remote.storage.url; say where the objects are with --store")
    try:
        return open_object_store(url, pairs(args.store_option, what="option"))
    except ConfigError as error:
        raise Failure(str(error)) from None


async def audit(admin: Admin, args: argparse.Namespace) -> int:
    from tidelog.tier.audit import audit as look

    known = await manifests(args, args.topic)
    store = await store_of(admin, args)
    findings = [each async for each in look(store, known, deep=not args.quick)]
    bad = [each for each in findings if each.problem]
    show([each._asdict() | {"problem": each.problem or "none"} for each in findings], args.output, list(FINDING))
    print(f"{len(findings)} looked at, {len(bad)} with a problem", file=sys.stderr)
    return 1 if bad else 0


FINDING = ("topic", "partition", "start_offset", "end_offset", "problem")


async def fetch(admin: Admin, args: argparse.Namespace) -> None:
    from pathlib import Path

    from tidelog.tier.audit import check_segment
    from tidelog.tier.companion import Aux, Section

    known = [each for each in await manifests(args, args.topic) if each.place.partition == args.partition]
    holding = [each for one in known for each in one.live if each.start_offset <= args.offset <= each.end_offset]
    if not holding:
        raise tide.NotFound(f"offset {args.offset} of {args.topic}-{args.partition} is not in remote storage")
    segment, store = holding[-1], await store_of(admin, args)
    problem = await check_segment(store, segment, deep=True)
    if problem:
        raise Failure(f"the segment was not written: {problem}")
    checks = segment.checks
    assert checks is not None
    aux = Aux(await store.get_range(segment.aux_key, 0, checks.aux_bytes), segment.start_offset)
    folder = Path(args.to)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{segment.start_offset:020d}"
    with (folder / f"{name}.log").open("wb") as file:
        for chunk in aux.chunks:
            file.write(await store.get_range(segment.log_key, chunk.position, chunk.length))
    files = {
        f"{name}.index": Section.OFFSET_INDEX,
        f"{name}.timeindex": Section.TIME_INDEX,
        f"{name}.txnindex": Section.TRANSACTIONS,
        f"{segment.end_offset + 1:020d}.snapshot": Section.PRODUCERS,
        "leader-epoch-checkpoint": Section.EPOCHS,
    }
    for file_name, section in files.items():
        data = aux.section(section)
        if len(data):
            (folder / file_name).write_bytes(data)
    print(f"{folder / name}.log holds offsets {segment.start_offset} to {segment.end_offset}")


async def cost(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.tier.cost import LOCAL_PER_GB, REMOTE_PER_GB, Prices, monthly_cost

    prices = Prices(
        LOCAL_PER_GB if args.local_price is None else args.local_price,
        REMOTE_PER_GB if args.remote_price is None else args.remote_price,
    )
    if args.total is not None:
        total, hot = size(args.total), size(args.hot)
        found = monthly_cost(total, hot, total, args.replicas or 3, prices)
        show_one(_priced(total, hot, total, args.replicas or 3, found), args.output)
        return
    rows = []
    topics = await admin.topics.all()
    for topic, remote_bytes, local_bytes, total_bytes in await _sizes(admin, args):
        replicas = args.replicas or len(topics[topic].partitions[0].replicas)
        found = monthly_cost(total_bytes, local_bytes, remote_bytes, replicas, prices)
        rows.append({"topic": topic} | _priced(total_bytes, local_bytes, remote_bytes, replicas, found))
    show(rows, args.output, list(rows[0]) if rows else [])


def _priced(total: int, local: int, remote: int, replicas: int, found: Any) -> dict[str, Any]:
    return {
        "total_bytes": total,
        "local_bytes": local,
        "remote_bytes": remote,
        "replicas": replicas,
        "all_local_usd": round(found.all_local, 2),
        "tiered_usd": round(found.tiered, 2),
        "saved_usd": round(found.saved, 2),
    }


async def _sizes(admin: Admin, args: argparse.Namespace) -> list[tuple[str, int, int, int]]:
    """Of each tiered topic: remote bytes, local bytes of one replica, and about what one replica of all would be."""
    remote: dict[str, int] = {}
    for manifest in await manifests(args):
        remote[manifest.place.topic] = remote.get(manifest.place.topic, 0) + manifest.size_bytes
    local: dict[tuple[str, int], int] = {}
    for directories in (await admin.brokers.log_dirs(sorted(await admin.brokers.all()))).values():
        rows = [
            (topic.name, each) for directory in directories for topic in directory.topics for each in topic.partitions
        ]
        for name, row in rows:
            key = (name, row.partition_index)
            local[key] = max(local.get(key, 0), row.partition_size)
    sizes = []
    for topic, remote_bytes in sorted(remote.items()):
        local_bytes = sum(found for (name, _), found in local.items() if name == topic)
        sizes.append((topic, remote_bytes, local_bytes, max(remote_bytes, local_bytes)))
    return sizes


def size(text: str) -> int:
    unit = text[-2:].upper()
    number = text[:-2] if unit in UNITS else text
    try:
        return int(float(number) * UNITS.get(unit, 1))
    except ValueError:
        raise Failure(f"{text!r} is no size; write a number of bytes, or one with KB, MB, GB, TB or PB") from None
