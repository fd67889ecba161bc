"""`kafka-consumer-groups --reset-offsets`."""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

from tidelog.cli.flags import Options, UsageError
from tidelog.cli.java_order import by_hash, hash_order, partition_hash
from tidelog.cli.java_values import datetime_ms, duration_ms, long
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.client.metadata import TopicView

TopicPartition = tuple[str, int]
Plan = dict[TopicPartition, int]

SCENARIOS = (
    "to-offset",
    "to-earliest",
    "to-current",
    "to-latest",
    "by-duration",
    "to-datetime",
    "from-file",
    "shift-by",
)


async def reset(admin: Admin, options: Options, groups: list[str]) -> None:
    from tidelog.cli.group_describe import consumer_group
    from tidelog.protocol.errors import ErrorCode, KafkaError

    plans: dict[str, Plan] = {}
    for group in hash_order(groups):
        try:
            state = (await consumer_group(admin, group)).state
        except KafkaError as error:
            if error.code != ErrorCode.GROUP_ID_NOT_FOUND:
                raise
            state = "Dead"
        if state not in {"Empty", "Dead"}:
            print(
                f"\nError: Assignments can only be reset if the group '{group}' is inactive, "
                f"but the current state is {state}."
            )
            plans[group] = {}
            continue
        plans[group] = await plan_for(admin, options, group)
        if options.has("execute"):
            await admin.groups.alter_offsets(group, plans[group])
    show_plans(plans, options)


def show_plans(plans: dict[str, Plan], options: Options) -> None:
    rows = [(group, *key, plan[key]) for group, plan in plans.items() for key in _in_order(plan)]
    if options.has("export"):
        single = len(options.all("group")) == 1
        print("".join(",".join(map(str, row[1:] if single else row)) + "\n" for row in rows))
        return
    print()
    if not plans:
        return
    group_width = max([15, *map(len, plans)])
    topic_width = max([15, *(len(row[1]) for row in rows)])
    print(f"{'GROUP':<{group_width}} {'TOPIC':<{topic_width}} {'PARTITION':<10} NEW-OFFSET")
    for group, topic, partition, offset in rows:
        print(f"{group:<{group_width}} {topic:<{topic_width}} {partition:<10} {offset}")


def _in_order(plan: Plan) -> list[TopicPartition]:
    names = {f"{topic}-{partition}": (topic, partition) for topic, partition in plan}
    return [names[name] for name in by_hash([(partition_hash(*key), name) for name, key in names.items()])]


async def plan_for(admin: Admin, options: Options, group: str) -> Plan:
    from tidelog.client.list_offsets import EARLIEST, LATEST

    if options.has("from-file"):
        return await in_range(admin, _from_file(options, group))
    wanted = await partitions(admin, options, group)
    if options.has("to-earliest"):
        return await by_time(admin, wanted, EARLIEST)
    if options.has("to-latest"):
        return await by_time(admin, wanted, LATEST)
    if options.has("to-offset"):
        return await in_range(admin, dict.fromkeys(wanted, long(options.text("to-offset"), "to-offset")))
    if options.has("to-datetime"):
        return await by_time(admin, wanted, datetime_ms(options.text("to-datetime")), says_so=True)
    if options.has("by-duration"):
        import time

        since_ms = time.time_ns() // 1_000_000 - duration_ms(options.text("by-duration"))
        if since_ms < 0:
            raise Failure(f"{options.text('by-duration')} ago is before 1970; --to-earliest goes to the first record")
        return await by_time(admin, wanted, since_ms, says_so=True)
    committed = {key: row.offset for key, row in (await admin.groups.offsets(group)).items()}
    if options.has("to-current"):
        ends = await by_time(admin, [key for key in wanted if key not in committed], LATEST)
        return {key: committed.get(key, ends.get(key, 0)) for key in wanted}
    missing = [key for key in wanted if key not in committed]
    if missing:
        name = f"{missing[0][0]}-{missing[0][1]}"
        raise UsageError(f"Cannot shift offset for partition {name} since there is no current committed offset")
    shift = long(options.text("shift-by"), "shift-by")
    return await in_range(admin, {key: committed[key] + shift for key in wanted})


async def partitions(admin: Admin, options: Options, group: str) -> list[TopicPartition]:
    if options.has("all-topics"):
        return list(await admin.groups.offsets(group))
    return await named(admin, options.all("topic"))


async def named(admin: Admin, texts: list[str]) -> list[TopicPartition]:
    """`t` is every partition of t, `t:0,2` those two; both are there, and named once."""
    found: list[TopicPartition] = []
    views = {}
    for text in dict.fromkeys(texts):
        key = parsed(text)
        topic = text if key is None else key[0]
        views[topic] = view = await (_known(admin, topic) if key is None else admin.cluster.topic(topic))
        found += all_of(view) if key is None else [(topic, index) for index in key[1]]
    for (topic, index), count in Counter(found).items():
        if not 0 <= index < len(views[topic].partitions):
            raise Failure(f"{topic} has no partition {index}; there are {len(views[topic].partitions)}")
        if count > 1:
            raise Failure(f"partition {index} of {topic} is named more than once; name it once")
    return found


def all_of(view: TopicView) -> list[TopicPartition]:
    return [(view.name, each.partition) for each in view.partitions]


def parsed(text: str) -> tuple[str, list[int]] | None:
    """The topic and the partitions of `t:0,2`; None for a topic alone."""
    topic, *rest = text.split(":")
    if not rest:
        return None
    words = rest[0].rstrip(",").split(",")
    if len(rest) > 1 or not all(re.fullmatch(r"[-+]?[0-9]+", word) for word in words):
        raise UsageError(f"'{text}' does not name partitions; write topic:0,1,2")
    return topic, [int(word) for word in words]


async def _known(admin: Admin, topic: str) -> TopicView:
    """Apache's tool tells of a topic alone in a sentence, and of one with partitions by the class of the error too."""
    from tidelog.client.errors import UnknownTopic
    from tidelog.protocol.errors import KafkaError

    try:
        return await admin.cluster.topic(topic)
    except (KafkaError, UnknownTopic) as error:
        raise Failure(str(error)) from None


async def by_time(admin: Admin, wanted: list[TopicPartition], timestamp: int, says_so: bool = False) -> Plan:
    """The first offsets at or after a time, or the end where no record is that late, which may be said."""
    from tidelog.client.list_offsets import LATEST, list_offsets

    if not wanted:
        return {}
    found = {
        key: row.offset for key, row in (await list_offsets(admin.cluster, dict.fromkeys(wanted, timestamp))).items()
    }
    late = [key for key, offset in found.items() if offset < 0]
    if says_so:
        for topic, partition in _in_order(dict.fromkeys(late, 0)):
            print(f"\nWarn: Partition {partition} from topic {topic} is empty. Falling back to latest known offset.")
    ends = await list_offsets(admin.cluster, dict.fromkeys(late, LATEST)) if late else {}
    return {key: ends[key].offset if key in ends else found[key] for key in wanted}


async def in_range(admin: Admin, plan: Plan) -> Plan:
    """Offsets outside the log become its start or end."""
    from tidelog.client.list_offsets import EARLIEST, LATEST

    starts, ends = await by_time(admin, list(plan), EARLIEST), await by_time(admin, list(plan), LATEST)
    for key, offset in plan.items():
        bound = min(max(offset, starts[key]), ends[key])
        if bound != offset:
            side = "higher than the latest" if offset > bound else "lower than the earliest"
            name = f"{key[0]}-{key[1]}"
            print(
                f"New offset ({offset}) is {side} offset for topic partition {name}. It becomes {bound}",
                file=sys.stderr,
            )
        plan[key] = bound
    return plan


def _from_file(options: Options, group: str) -> Plan:
    path = options.text("from-file")
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise Failure(f"{path} cannot be read ({(error.strerror or '').lower()}); check the path") from None
    single = len(options.all("group")) == 1
    plan: Plan = {}
    lines = text.rstrip("\r\n").splitlines()
    for row in csv.reader(lines or [""]):
        try:
            if row[-1:] and row[-1].strip().startswith("-") and row[-1].strip()[1:].isdigit():
                raise UsageError(f"'{','.join(row)}' in {path} has a negative offset; offsets begin at 0")
            if len(row) == 3 and single:
                plan[(row[0], int(row[1]))] = int(row[2])
            elif len(row) == 4:
                if row[0] == group:
                    plan[(row[1], int(row[2]))] = int(row[3])
            else:
                raise ValueError
        except ValueError:
            raise Failure(
                f"'{','.join(row)}' in {path} is not topic,partition,offset or group,topic,partition,offset"
            ) from None
    if not plan:
        print(f"\nError: No reset plan for group {group} found")
    return plan
