"""Where `tide group reset` moves offsets to: a place in words, where another group is, or what a file says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    import argparse

    from tidelog.client.admin import Admin

TopicPartition = tuple[str, int]
Places = dict[TopicPartition, int]


async def places(admin: Admin, args: argparse.Namespace, before: Places) -> Places:
    """The new offsets; without --topic of all partitions that have one, in `before` or in the group or file named."""
    from tidelog.cli.group_reset import in_range, named

    wanted = await named(admin, args.topic) if args.topic else None
    if args.to is not None:
        return await place(admin, args.to, sorted(before) if wanted is None else wanted, before)
    if args.to_group is not None:
        found = {key: row.offset for key, row in (await admin.groups.offsets(args.to_group)).items()}
    else:
        found = from_file(args.to_file)
    if wanted is not None:
        found = {key: offset for key, offset in found.items() if key in wanted}
    if not found:
        source = args.to_file or f"the group {args.to_group}"
        raise Failure(f"{source} has no offsets to take over; tide group describe shows those of a group")
    return await in_range(admin, found)


async def place(admin: Admin, text: str, wanted: list[TopicPartition], before: Places) -> Places:
    """The offsets that the text of --to means."""
    from tidelog.cli.group_reset import by_time, in_range
    from tidelog.cli.java_values import duration_ms
    from tidelog.cli.kafka_transactions import now_ms
    from tidelog.client.list_offsets import EARLIEST, LATEST

    edges = {"start": EARLIEST, "earliest": EARLIEST, "end": LATEST, "latest": LATEST}
    if text.lower() in edges:
        return await by_time(admin, wanted, edges[text.lower()])
    if text.isdigit():
        return await in_range(admin, dict.fromkeys(wanted, int(text)))
    if text[:1] in "+-" and text[1:].isdigit():
        missing = [f"{topic}-{index}" for topic, index in wanted if (topic, index) not in before]
        if missing:
            raise Failure(f"{missing[0]} has no offset to count from; name a place such as start instead")
        return await in_range(admin, {key: before[key] + int(text) for key in wanted})
    since_ms = now_ms() - duration_ms(text) if text[:1] in "Pp" else moment_ms(text)
    if since_ms < 0:
        raise Failure(f"{text} is before 1970; --to start goes to the first record")
    return await by_time(admin, wanted, since_ms)


def moment_ms(text: str) -> int:
    """`2026-11-15T10:00`, as much of it as one likes, in UTC unless a zone follows, as milliseconds."""
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise Failure(
            f"'{text}' is not a place; write start, end, an offset, +N, -N, PT1H for an hour ago, or 2026-11-15T10:00"
        ) from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def from_file(path: str) -> Places:
    """Lines of topic, partition and offset, with blanks or commas between them; # begins a comment."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise Failure(f"{path} cannot be read ({(error.strerror or '').lower()}); check the path") from None
    found: Places = {}
    for line in lines:
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        if len(words) != 3 or not words[1].isdigit() or not words[2].isdigit():
            raise Failure(f"'{line}' in {path} is not understood; write TOPIC PARTITION OFFSET")
        found[words[0], int(words[1])] = int(words[2])
    return found
