"""kafka-topics: create, list, describe, grow and delete topics."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options, UsageError
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, Failure, client_settings, run_tool, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

COMMAND = Command(
    "kafka-topics",
    "Creates, lists, describes, grows and deletes topics.",
    [
        BOOTSTRAP,
        COMMAND_CONFIG,
        Flag("list", "print the names of all topics"),
        Flag("create", "create a topic"),
        Flag("alter", "raise the number of partitions"),
        Flag("delete", "delete topics"),
        Flag("describe", "print topics with their partitions"),
        Flag("topic", "the topic; except with --create it may be a regular expression", "topic"),
        Flag("topic-id", "describe the topic with this id", "id"),
        Flag("partitions", "how many partitions the topic has or should have", "count"),
        Flag("replication-factor", "how many replicas each partition has", "count"),
        Flag("replica-assignment", "the brokers of each partition: 1:2,2:3 is two partitions", "brokers"),
        Flag("config", "a setting of the topic to create; may be repeated", "name=value"),
        Flag("delete-config", "accepted and ignored; kafka-configs deletes settings", "name"),
        Flag("if-exists", "do not complain about a topic that does not exist"),
        Flag("if-not-exists", "do not complain about a topic that exists"),
        Flag("exclude-internal", "leave internal topics out"),
        Flag("under-replicated-partitions", "show only partitions with replicas out of sync"),
        Flag("unavailable-partitions", "show only partitions without a leader"),
        Flag("under-min-isr-partitions", "show only partitions with fewer in-sync replicas than min.insync.replicas"),
        Flag("at-min-isr-partitions", "show only partitions with exactly min.insync.replicas in-sync replicas"),
        Flag("topics-with-overrides", "show only topics with settings of their own"),
        Flag("partition-size-limit-per-response", "how many partitions one answer may hold", "count", "2000"),
    ],
)

ACTIONS = ("list", "describe", "create", "alter", "delete")
REPORTS = (
    "under-replicated-partitions",
    "under-min-isr-partitions",
    "at-min-isr-partitions",
    "unavailable-partitions",
    "topics-with-overrides",
)


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, say_failure)


def say_failure(message: str) -> None:
    print(f"Error while executing topic command : {message}")


def run(options: Options) -> int:
    check(options)
    action = next(name for name in ACTIONS if options.has(name))
    if options.has("delete-config"):
        print(
            "--delete-config is ignored here; kafka-configs --alter --delete-config deletes settings", file=sys.stderr
        )
    work = {"list": list_topics, "create": create, "alter": alter, "delete": delete}.get(action, describe)

    async def act(admin: Admin) -> None:
        await work(admin, options)

    with_admin(client_settings(options), act)
    return 0


def check(options: Options) -> None:
    """Refuses command lines that contradict themselves, before anything is sent."""
    if not options.has("bootstrap-server"):
        raise UsageError("--bootstrap-server must be specified")
    if sum(options.has(name) for name in ACTIONS) != 1:
        raise UsageError("Command must include exactly one action: --list, --describe, --create, --alter or --delete")
    if options.has("describe") and any(options.has(name) for name in ("partitions", "replication-factor", "config")):
        _refuse(options, "describe", "partitions", "replication-factor", "config")
    if options.has("create") or options.has("delete") or options.has("alter"):
        options.require("topic")
    if options.has("alter"):
        if options.has("config"):
            raise UsageError("--config cannot be used with --alter; kafka-configs changes the settings of a topic")
        options.require("partitions")
    _refuse(options, "list", "partitions", "replication-factor", "config", "replica-assignment")
    _refuse(options, "delete", "partitions", "replication-factor", "config", "replica-assignment", "if-not-exists")
    _refuse(options, "create", "if-exists", *REPORTS)
    if options.has("create"):
        options.refuse_with("replica-assignment", "partitions", "replication-factor")
    for report in REPORTS:
        if options.has(report) and not options.has("describe"):
            raise UsageError(f"--{report} can only be used with --describe")


def _refuse(options: Options, action: str, *flags: str) -> None:
    for flag in flags:
        if options.has(action):
            options.refuse_with(flag, action)


async def list_topics(admin: Admin, options: Options) -> None:
    names = await matching(admin, options)
    print("\n".join(sorted(names)))


async def matching(admin: Admin, options: Options) -> list[str]:
    """The names of the topics that --topic and --exclude-internal leave."""
    topics = await admin.topics.all()
    pattern = options.get("topic")
    found = [name for name, view in topics.items() if not (view.is_internal and options.has("exclude-internal"))]
    if pattern is not None:
        compiled = topic_pattern(pattern)
        found = [name for name in found if compiled.fullmatch(name)]
    return sorted(found)


def topic_pattern(text: str) -> re.Pattern[str]:
    """A topic filter: a regular expression in which commas stand for 'or'."""
    cleaned = text.strip().replace(",", "|").replace(" ", "").strip("\"'")
    try:
        return re.compile(cleaned)
    except re.error as error:
        raise Failure(f"'{text}' is not a valid regular expression: {error}") from None


async def create(admin: Admin, options: Options) -> None:
    from tidelog.protocol.errors import ErrorCode, KafkaError

    name = options.text("topic")
    if "." in name or "_" in name:
        print(
            "WARNING: Due to limitations in metric names, topics with a period ('.') or underscore ('_') could collide."
            " To avoid issues it is best to use either, but not both."
        )
    partitions, factor = options.integer("partitions"), options.integer("replication-factor")
    if partitions is not None and partitions < 1:
        raise Failure("The partitions must be greater than 0")
    if factor is not None and not 1 <= factor <= 32_767:
        raise Failure("The replication factor must be between 1 and 32767 inclusive")
    try:
        await admin.topics.create(
            name,
            partitions=partitions or -1,
            replication_factor=factor or -1,
            assignments=assignment(options.get("replica-assignment")),
            configs=topic_configs(options),
        )
    except KafkaError as error:
        if error.code == ErrorCode.TOPIC_ALREADY_EXISTS and options.has("if-not-exists"):
            return
        raise
    print(f"Created topic {name}.")


def topic_configs(options: Options) -> dict[str, str]:
    found = {}
    for word in options.all("config"):
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise Failure(
                'requirement failed: Invalid topic config: all configs to be added must be in the format "key=val".'
            )
        found[name.strip()] = value.strip()
    return found


def assignment(text: str | None) -> list[list[int]] | None:
    """`1:2,2:3` as [[1, 2], [2, 3]]."""
    if text is None:
        return None
    try:
        rows = [[int(broker) for broker in partition.split(":")] for partition in text.split(",")]
    except ValueError:
        raise Failure(f"'{text}' is not a replica assignment; write broker ids as in 1:2,2:3") from None
    for row in rows:
        repeated = sorted({broker for broker in row if row.count(broker) > 1})
        if repeated:
            raise Failure(f"Partition replica lists may not contain duplicate entries: {','.join(map(str, repeated))}")
        if len(row) != len(rows[0]):
            raise Failure("Partition " + str(rows.index(row)) + f" has different replication factor: {row}")
    return rows


async def existing(admin: Admin, options: Options) -> list[str]:
    """The topics that --topic names; none is an error unless --if-exists is there."""
    found = await matching(admin, options)
    if not found and not options.has("if-exists"):
        raise Failure(f"Topic '{options.get('topic') or ''}' does not exist as expected")
    return found


async def alter(admin: Admin, options: Options) -> None:
    count = options.integer("partitions")
    rows = assignment(options.get("replica-assignment"))
    for name in await existing(admin, options):
        new = None
        if rows is not None:
            new = rows[len(admin.cluster.view.topics[name].partitions) :]
        await admin.topics.add_partitions(name, count or 0, new)


async def delete(admin: Admin, options: Options) -> None:
    for name in await existing(admin, options):
        await admin.topics.delete([name])


async def describe(admin: Admin, options: Options) -> None:
    from tidelog.cli.topic_describe import print_topics

    await print_topics(admin, options)


if __name__ == "__main__":
    sys.exit(main())
