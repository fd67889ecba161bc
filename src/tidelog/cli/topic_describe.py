"""The text of `kafka-topics --describe`: a line per topic, a tabbed line per partition."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tidelog.cli.flags import Options
from tidelog.cli.java_order import hash_order
from tidelog.cli.kafka_topics import REPORTS, existing, matching
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

Reassignment = tuple[list[int], list[int]]


async def print_topics(admin: Admin, options: Options) -> None:
    from tidelog.client.admin_configs import ResourceType

    names = await _wanted(admin, options)
    if not names:
        return
    limit = options.integer("partition-size-limit-per-response") or 2000
    topics = {topic.name or "": topic for topic in await admin.topics.describe(names, limit)}
    configs = await admin.configs.describe_many(ResourceType.TOPIC, topics, synonyms=False)
    moving = await admin.topics.reassignments(topics)
    live = set(await admin.brokers.all())
    for name in describe_order(topics):
        print_topic(topics[name], configs[name], moving.get(name, {}), live, options)


def describe_order(names: Iterable[str]) -> list[str]:
    """Apache copies the topics from one hash map into another of just the right size, and prints that."""
    wanted = sorted(names)
    return hash_order(hash_order(wanted, int(len(wanted) / 0.75) + 1), len(wanted))


async def _wanted(admin: Admin, options: Options) -> list[str]:
    text = options.get("topic-id")
    if text is None:
        return await existing(admin, options) if options.has("topic") else await matching(admin, options)
    from tidelog.model import uuids

    try:
        wanted = uuids.from_text(text)
    except ValueError as error:
        raise Failure(str(error)) from None
    found = [name for name, view in (await admin.topics.all()).items() if view.topic_id == wanted]
    if not found and not options.has("if-exists"):
        raise Failure(f"TopicId '{text}' does not exist as expected")
    return found


def print_topic(
    topic: Any, configs: list[Any], moving: dict[int, Reassignment], live: set[int], options: Options
) -> None:
    """One topic, or what the --under-…, --at-… and --unavailable-… reports leave of it."""
    partitions = sorted(topic.partitions, key=lambda partition: partition.partition_index)
    own = {row.name: row.value for row in configs if row.config_source != 5}
    reports = [name for name in REPORTS if options.has(name) and name != "topics-with-overrides"]
    if not reports and (own or not options.has("topics-with-overrides")):
        print(head_line(topic, partitions, moving, [row.name for row in configs], own))
    if options.has("topics-with-overrides"):
        return
    min_isr = int(next((row.value for row in configs if row.name == "min.insync.replicas"), 1))
    for partition in partitions:
        move = moving.get(partition.partition_index)
        if not reports or any(is_reported(name, partition, move, min_isr, live) for name in reports):
            print(partition_line(topic.name, partition, move))


def head_line(
    topic: Any, partitions: list[Any], moving: dict[int, Reassignment], names: list[str], own: dict[str, str | None]
) -> str:
    from tidelog.model import uuids

    factor = _replication_factor(partitions[0], moving.get(partitions[0].partition_index)) if partitions else 0
    settings = ",".join(f"{name}={_text(own[name])}" for name in hash_order(names) if name in own)
    parts = [f"Topic: {topic.name}"]
    if topic.topic_id != uuids.ZERO:
        parts.append(f"TopicId: {uuids.to_text(topic.topic_id)}")
    parts += [f"PartitionCount: {len(partitions)}", f"ReplicationFactor: {factor}", f"Configs: {settings}"]
    return "\t".join(parts)


def partition_line(topic: str, partition: Any, move: Reassignment | None) -> str:
    parts = [
        f"\tTopic: {topic}",
        f"Partition: {partition.partition_index}",
        f"Leader: {partition.leader_id if partition.leader_id >= 0 else 'none'}",
        f"Replicas: {_ids(partition.replica_nodes)}",
        f"Isr: {_ids(partition.isr_nodes)}",
    ]
    if move is not None:
        parts += [f"Adding Replicas: {_ids(move[0])}", f"Removing Replicas: {_ids(move[1])}"]
    parts += [
        f"Elr: {_ids_or_none(partition.eligible_leader_replicas)}",
        f"LastKnownElr: {_ids_or_none(partition.last_known_elr)}",
    ]
    return "\t".join(parts)


def is_reported(report: str, partition: Any, move: Reassignment | None, min_isr: int, live: set[int]) -> bool:
    in_sync = len(partition.isr_nodes)
    has_leader = partition.leader_id >= 0
    if report == "under-replicated-partitions":
        return _replication_factor(partition, move) > in_sync
    if report == "under-min-isr-partitions":
        return not has_leader or in_sync < min_isr
    if report == "at-min-isr-partitions":
        return in_sync == min_isr
    return not has_leader or partition.leader_id not in live


def _replication_factor(partition: Any, move: Reassignment | None) -> int:
    """Replicas that are being added do not count as missing while the move goes on."""
    adding = len(move[0]) if move else 0
    return len(partition.replica_nodes) - adding


def _ids(nodes: Iterable[int]) -> str:
    return ",".join(map(str, nodes))


def _ids_or_none(nodes: Iterable[int] | None) -> str:
    return "N/A" if nodes is None else _ids(nodes)


def _text(value: str | None) -> str:
    return "null" if value is None else value
