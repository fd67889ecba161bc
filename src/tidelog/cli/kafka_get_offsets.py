"""kafka-get-offsets: offsets of partitions by time, as `topic:partition:offset`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, Failure, client_settings, run_tool, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

COMMAND = Command(
    "kafka-get-offsets",
    "Prints the offsets of partitions at a point in time.",
    [
        BOOTSTRAP,
        Flag("broker-list", "the older name of --bootstrap-server", "servers"),
        COMMAND_CONFIG,
        Flag("topic", "the topic, or a regular expression; without it all topics", "topic"),
        Flag("partitions", "only these partitions, as 0,2,5", "ids"),
        Flag("topic-partitions", "patterns as topic1:1,topic2:0-3,topic3,topic4:5-,topic5:-3", "patterns"),
        Flag(
            "time",
            "milliseconds since 1970; or latest (-1), earliest (-2), max-timestamp (-3), earliest-local (-4), "
            "latest-tiered (-5), earliest-pending-upload (-6)",
            "time",
            "latest",
        ),
        Flag("exclude-internal-topics", "leave internal topics out"),
    ],
)

TIMES = {
    "latest": -1,
    "earliest": -2,
    "max-timestamp": -3,
    "earliest-local": -4,
    "latest-tiered": -5,
    "earliest-pending-upload": -6,
}

Wanted = Callable[[str, int], bool]
_PATTERN = re.compile(r"([^:,]*)(?::(?:([0-9]*)|(?:([0-9]*)-([0-9]*))))?")


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, lambda message: to_stderr(f"Error occurred: {message}"))


def run(options: Options) -> int:
    settings = client_settings(options)
    if options.has("broker-list"):
        settings.setdefault("bootstrap.servers", options.text("broker-list"))
    if "bootstrap.servers" not in settings:
        COMMAND.leave_with_help(COMMAND.purpose)
    time = parse_time(options.text("time"))
    wanted = partition_filter(options)

    async def work(admin: Admin) -> list[str]:
        return await lines(admin, wanted, time, options.has("exclude-internal-topics"))

    for line in with_admin(settings, work):
        print(line)
    return 0


def parse_time(text: str) -> int:
    found = TIMES.get(text.lower())
    if found is not None:
        return found
    try:
        return int(text)
    except ValueError:
        names = " / ".join(f"{value} or {name}" for name, value in TIMES.items())
        raise Failure(
            f"Malformed time argument {text}. Please use {names}, or a specified long format timestamp"
        ) from None


def partition_filter(options: Options) -> Wanted:
    if options.has("topic-partitions"):
        if options.has("topic") or options.has("partitions"):
            raise Failure("--topic-partitions cannot be used with --topic or --partitions")
        rules = [_rule(text) for text in options.text("topic-partitions").split(",")]
        return lambda topic, partition: any(rule(topic, partition) for rule in rules)
    pattern = _regex(options.get("topic") or ".*")
    ids = _ids(options.get("partitions"))
    return lambda topic, partition: bool(pattern.fullmatch(topic)) and (ids is None or partition in ids)


def _regex(text: str) -> re.Pattern[str]:
    from tidelog.cli.kafka_topics import topic_pattern

    return topic_pattern(text)


def _ids(text: str | None) -> set[int] | None:
    if not text:
        return None
    try:
        return {int(word) for word in text.split(",")}
    except ValueError:
        raise Failure(
            f"--partitions expects a comma separated list of numeric partition ids, but received: {text}"
        ) from None


def _rule(text: str) -> Wanted:
    """One pattern of --topic-partitions: topic, topic:3, topic:0-3 (upper end excluded), topic:5-, topic:-3."""
    found = _PATTERN.fullmatch(text)
    if found is None:
        raise Failure(f"Invalid rule specification: {text}")
    topic, exact, low, high = found.groups()
    pattern = _regex(topic or ".*")
    first = int(low or exact or 0)
    end = int(high) if high else (first + 1 if exact else sys.maxsize)
    return lambda name, partition: bool(pattern.fullmatch(name)) and first <= partition < end


async def lines(admin: Admin, wanted: Wanted, time: int, exclude_internal: bool) -> list[str]:
    from tidelog.client.list_offsets import list_offsets

    found = {
        (name, partition.partition): time
        for name, view in (await admin.topics.all()).items()
        if not (exclude_internal and view.is_internal)
        for partition in view.partitions
        if wanted(name, partition.partition)
    }
    if not found:
        raise Failure("Could not match any topic-partitions with the specified filters")
    leaderless = {key for key in found if admin.cluster.view.leader(*key) < 0}
    for topic, partition in sorted(leaderless):
        to_stderr(f"Skip getting offsets for topic-partition {topic}-{partition} since it has no leader right now")
    reachable = {key: value for key, value in found.items() if key not in leaderless}
    offsets = await list_offsets(admin.cluster, reachable)
    # Apache sorts by the text of topic and partition, so 10 comes before 2.
    ordered = sorted(offsets, key=lambda key: f"{key[0]}-{key[1]}")
    return [
        f"{topic}:{partition}:{row.offset}"
        for topic, partition in ordered
        if (row := offsets[topic, partition])[0] >= 0
    ]


if __name__ == "__main__":
    sys.exit(main())
