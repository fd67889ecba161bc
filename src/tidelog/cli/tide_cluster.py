"""`tide cluster`: info, health, brokers, quorum, elect, log-dirs, api-versions."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli import tide
from tidelog.cli.cluster_health import elect, health, quorum
from tidelog.cli.render import show, show_one

if TYPE_CHECKING:
    from tidelog.client.admin import Admin


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide cluster", description="Look at the cluster.")
    commands = found.add_subparsers(metavar="COMMAND")
    common = tide.common()
    for name, action, text in (
        ("info", info, "the cluster's id, controller, brokers and topics"),
        ("health", health, "what is wrong, and what to do next; exit code 1 when anything is"),
        ("brokers", brokers, "the brokers"),
        ("quorum", quorum, "who votes, who leads, and how far each of them is"),
        ("elect", elect, "give leads back to the first replicas"),
        ("log-dirs", log_dirs, "the log directories of all brokers"),
        ("api-versions", api_versions, "which APIs the brokers serve"),
    ):
        each = commands.add_parser(name, help=text, description=text, parents=[common])
        each.set_defaults(action=action)
        if action is elect:
            each.add_argument("--topic", metavar="TOPIC", help="of one topic (all)")
    return found


def main(words: Sequence[str] | None = None) -> int:
    return tide.run(parser(), words)


async def info(admin: Admin, args: argparse.Namespace) -> None:
    cluster = await admin.brokers.describe_cluster(fenced=True)
    topics = await admin.topics.all()
    partitions = [each for view in topics.values() for each in view.partitions]
    show_one(
        {
            "cluster_id": cluster.cluster_id,
            "controller": cluster.controller_id,
            "brokers": len(cluster.brokers),
            "fenced": sum(each.is_fenced for each in cluster.brokers),
            "topics": len(topics),
            "partitions": len(partitions),
            "without_leader": sum(each.leader_id < 0 for each in partitions),
            "under_replicated": sum(len(each.isr) < len(each.replicas) for each in partitions),
        },
        args.output,
    )


async def brokers(admin: Admin, args: argparse.Namespace) -> None:
    cluster = await admin.brokers.describe_cluster(fenced=True)
    leads = Counter(each.leader_id for view in (await admin.topics.all()).values() for each in view.partitions)
    rows = [
        {
            "id": each.broker_id,
            "host": each.host,
            "port": each.port,
            "rack": each.rack,
            "controller": each.broker_id == cluster.controller_id,
            "fenced": each.is_fenced,
            "leads": leads[each.broker_id],
        }
        for each in sorted(cluster.brokers, key=lambda each: each.broker_id)
    ]
    show(rows, args.output, ("id", "host", "port", "rack", "controller", "fenced", "leads"))


async def log_dirs(admin: Admin, args: argparse.Namespace) -> None:
    found = await admin.brokers.log_dirs(sorted(await admin.brokers.all()))
    rows = [_log_dir(broker, each) for broker, results in found.items() for each in results]
    show(rows, args.output, ("broker", "path", "partitions", "bytes", "error"), ("total_bytes", "usable_bytes"))


def _log_dir(broker: int, each: Any) -> dict[str, Any]:
    from tidelog.protocol.errors import ErrorCode

    sizes = [row.partition_size for topic in each.topics for row in topic.partitions]
    return {
        "broker": broker,
        "path": each.log_dir,
        "partitions": len(sizes),
        "bytes": sum(sizes),
        "error": ErrorCode.of(each.error_code).name if each.error_code else None,
        "total_bytes": each.total_bytes,
        "usable_bytes": each.usable_bytes,
    }


async def api_versions(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.protocol.messages import APIS

    rows = []
    for broker, answer in (await admin.brokers.api_versions()).items():
        if isinstance(answer, Exception):
            raise answer
        for row in answer.api_keys:
            name = APIS[row.api_key].name if row.api_key in APIS else None
            rows.append(
                {
                    "broker": broker.node_id,
                    "key": row.api_key,
                    "api": name,
                    "min": row.min_version,
                    "max": row.max_version,
                }
            )
    show(rows, args.output)
