"""`kafka-consumer-groups --reset-offsets` and `--delete-offsets`."""

from __future__ import annotations

import csv
import io
import re
import sys
from datetime import UTC
from typing import TYPE_CHECKING

from tidelog.cli.flags import Options, UsageError
from tidelog.cli.java_order import by_hash, hash_order, partition_hash
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

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
_DURATION = re.compile(
    r"([-+]?)P(?:([-+]?\d+)D)?(?:T(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?\d+(?:\.\d+)?)S)?)?", re.I
)


async def reset(admin: Admin, options: Options, groups: list[str]) -> None:
    from tidelog.protocol.errors import ErrorCode, KafkaError

    plans: dict[str, Plan] = {}
    for group in hash_order(groups):
        try:
            state = (await admin.groups.describe(group)).state
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
        return await in_range(admin, dict.fromkeys(wanted, options.integer("to-offset") or 0))
    if options.has("to-datetime"):
        return await by_time(admin, wanted, datetime_ms(options.text("to-datetime")), says_so=True)
    if options.has("by-duration"):
        import time

        now_ms = time.time_ns() // 1_000_000
        return await by_time(admin, wanted, now_ms - duration_ms(options.text("by-duration")), says_so=True)
    committed = {key: row.offset for key, row in (await admin.groups.offsets(group)).items()}
    if options.has("to-current"):
        ends = await by_time(admin, [key for key in wanted if key not in committed], LATEST)
        return {key: committed.get(key, ends.get(key, 0)) for key in wanted}
    missing = [key for key in wanted if key not in committed]
    if missing:
        name = f"{missing[0][0]}-{missing[0][1]}"
        raise UsageError(f"Cannot shift offset for partition {name} since there is no current committed offset")
    shift = options.integer("shift-by") or 0
    return await in_range(admin, {key: committed[key] + shift for key in wanted})


async def partitions(admin: Admin, options: Options, group: str) -> list[TopicPartition]:
    if options.has("all-topics"):
        return list(await admin.groups.offsets(group))
    return await named(admin, options.all("topic"))


async def named(admin: Admin, texts: list[str]) -> list[TopicPartition]:
    """`t` is every partition of t, `t:0,2` those two."""
    found: list[TopicPartition] = []
    for text in texts:
        topic, colon, ids = text.rpartition(":")
        if not colon:
            view = await admin.cluster.topic(text)
            found += [(text, each.partition) for each in view.partitions]
            continue
        try:
            found += [(topic, int(word)) for word in ids.split(",")]
        except ValueError:
            raise UsageError(f"'{text}' does not name partitions; write topic:0,1,2") from None
    return list(dict.fromkeys(found))


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
    for row in csv.reader(io.StringIO(text)):
        try:
            if len(row) == 3 and single:
                plan[(row[0], int(row[1]))] = int(row[2])
            elif len(row) == 4:
                if row[0] == group:
                    plan[(row[1], int(row[2]))] = int(row[3])
            elif row:
                raise ValueError
        except ValueError:
            raise Failure(
                f"'{','.join(row)}' in {path} is not topic,partition,offset or group,topic,partition,offset"
            ) from None
    if not plan:
        print(f"\nError: No reset plan for group {group} found")
    return plan


def datetime_ms(text: str) -> int:
    """`2026-11-15T10:00:00.000`, in UTC unless a zone follows, as milliseconds."""
    from datetime import datetime

    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise Failure(
            f"'{text}' is not a time; write it as 2026-11-15T10:00:00.000, with a zone as +01:00 if not UTC"
        ) from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def duration_ms(text: str) -> int:
    """ISO 8601 as Java reads it: PnDTnHnMnS."""
    found = _DURATION.fullmatch(text)
    if found is None or not any(found.groups()[1:]):
        raise Failure(f"'{text}' is not a duration; write it as PnDTnHnMnS, for example PT1H30M or P2D")
    sign, days, hours, minutes, seconds = found.groups()
    total = int(days or 0) * 86_400 + int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds or 0)
    return round(total * 1000) * (-1 if sign == "-" else 1)


async def delete_offsets(admin: Admin, group: str, topics: list[str]) -> None:
    from tidelog.cli.java_errors import java_error
    from tidelog.client.errors import UnknownTopic
    from tidelog.protocol.errors import ErrorCode, KafkaError

    rows: dict[TopicPartition, str] = {}
    wanted: list[TopicPartition] = []
    for text in topics:
        try:
            wanted += await named(admin, [text])
        except UnknownTopic:
            rows[(text, -1)] = f"Error: {java_error(KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))}"
    head = f"Request succeeded for deleting offsets from group {group}."
    try:
        results = await admin.groups.delete_offsets(group, wanted)
        failed = [error for error in results.values() if error]
        if failed:
            head = "\nError: Encountered some partition-level error, see the follow-up details."
    except KafkaError as refusal:
        results = dict.fromkeys(wanted, refusal)
        head = f"\nError: {refusal.message}"
    for key, error in results.items():
        rows[key] = f"Error: {java_error(error)}" if error else "Successful"
    print(head)
    width = max([15, *(len(topic) for topic, _ in rows)])
    print(f"\n{'TOPIC':<{width}} {'PARTITION':<10} {'STATUS':<15}")
    for topic, partition in sorted(rows):
        print(f"{topic:<{width}} {partition if partition >= 0 else '-':<10} {rows[(topic, partition)]:<15}")
