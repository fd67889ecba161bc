"""kafka-console-consumer: records of a topic to standard output."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options, UsageError
from tidelog.cli.formatters import Formatter, formatter
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import (
    BOOTSTRAP,
    COMMAND_CONFIG,
    Failure,
    client_settings,
    pairs,
    run_async,
    run_tool,
    to_stderr,
)

if TYPE_CHECKING:
    from tidelog.client.consumer import Consumer

COMMAND = Command(
    "kafka-console-consumer",
    "Reads records of topics and writes them to standard output.",
    [
        BOOTSTRAP,
        COMMAND_CONFIG,
        Flag("topic", "the topic to read", "topic"),
        Flag("include", "read all topics that match this regular expression", "regex"),
        Flag("partition", "read only this partition, from --offset or the end", "id"),
        Flag("offset", "where to begin: a number, earliest or latest", "offset", "latest"),
        Flag("from-beginning", "begin with the oldest record"),
        Flag("group", "the consumer group", "group"),
        Flag("max-messages", "end after so many records", "count"),
        Flag("timeout-ms", "end when no record comes for so long", "ms"),
        Flag(
            "formatter", "how records are printed", "class", "org.apache.kafka.tools.consumer.DefaultMessageFormatter"
        ),
        Flag(
            "formatter-property",
            "print.timestamp, print.key, print.offset, print.epoch, print.partition, print.headers, print.value, "
            "key.separator, line.separator, headers.separator, null.literal, key.deserializer, value.deserializer, "
            "headers.deserializer; may be repeated",
            "name=value",
        ),
        Flag("property", "the older name of --formatter-property", "name=value"),
        Flag("formatter-config", "a properties file for the formatter", "file"),
        Flag("command-property", "a consumer setting; may be repeated", "name=value"),
        Flag("consumer-property", "the older name of --command-property", "name=value"),
        Flag("consumer.config", "the older name of --command-config", "file"),
        Flag("key-deserializer", "how keys are printed", "class"),
        Flag("value-deserializer", "how values are printed", "class"),
        Flag("isolation-level", "read_uncommitted or read_committed", "level", "read_uncommitted"),
        Flag("skip-message-on-error", "go on after a record that cannot be printed"),
        Flag("enable-systest-events", "also print shutdown_complete at the end"),
    ],
)

EARLIEST, LATEST = -2, -1


class Plan:
    """What the command line asks for."""

    def __init__(self, options: Options) -> None:
        check(options)
        self.topic = options.get("topic")
        self.include = options.get("include")
        self.partition = options.integer("partition")
        self.offset = parse_offset(options)
        self.limit = options.integer("max-messages")
        timeout_ms = options.integer("timeout-ms")
        self.timeout_s = None if timeout_ms is None or timeout_ms < 0 else timeout_ms / 1000
        self.format = formatter(options.text("formatter"), formatter_properties(options))
        self.settings = consumer_settings(options)
        if self.partition is None:
            join_a_group(self.settings)
        self.skip_errors = options.has("skip-message-on-error")
        self.says_shutdown = options.has("enable-systest-events")


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    plan = Plan(options)
    count = [0]
    try:
        run_async(consume(plan, count))
    except KeyboardInterrupt:
        pass
    finally:
        print(f"Processed a total of {count[0]} messages", file=sys.stderr)
    if plan.says_shutdown:
        print("shutdown_complete")
    return 0


def check(options: Options) -> None:
    if options.has("topic") == options.has("include"):
        raise UsageError("Exactly one of the following arguments is required: [topic], [include]")
    if options.has("partition"):
        if not options.has("topic"):
            raise UsageError("The topic is required when partition is specified.")
        if options.has("from-beginning") and options.has("offset"):
            raise UsageError("Options from-beginning and offset cannot be specified together.")
        if options.has("group"):
            raise UsageError("Options group and partition cannot be specified together.")
    elif options.has("offset"):
        raise UsageError("The partition is required when offset is specified.")
    options.require("bootstrap-server")


def parse_offset(options: Options) -> int:
    if not options.has("offset"):
        return EARLIEST if options.has("from-beginning") else LATEST
    text = options.text("offset")
    named = {"earliest": EARLIEST, "latest": LATEST}.get(text.lower())
    if named is not None:
        return named
    if not text.isdigit():
        raise UsageError(
            f"The provided offset value '{text}' is incorrect. Valid values are 'earliest', 'latest', "
            "or a non-negative long."
        )
    return int(text)


def formatter_properties(options: Options) -> dict[str, str]:
    found: dict[str, str] = {}
    path = options.get("formatter-config")
    if path is not None:
        from tidelog.client.properties import read_properties

        found.update(read_properties(path))
    for flag in ("key-deserializer", "value-deserializer"):
        if options.get(flag):
            found[flag.replace("-", ".")] = options.text(flag)
    return found | pairs(options.all("property", "formatter-property"))


def consumer_settings(options: Options) -> dict[str, str]:
    found = client_settings(options, "consumer.config")
    found |= pairs(options.all("consumer-property", "command-property"))
    found["bootstrap.servers"] = options.text("bootstrap-server")
    reset = found.get("auto.offset.reset")
    if options.has("from-beginning") and reset not in {None, "earliest"}:
        raise Failure(
            f"Can't simultaneously specify --from-beginning and 'auto.offset.reset={reset}', please remove one option"
        )
    found.setdefault("auto.offset.reset", "earliest" if options.has("from-beginning") else "latest")
    if options.has("isolation-level") or "isolation.level" not in found:
        found["isolation.level"] = options.text("isolation-level")
    found.setdefault("client.id", "console-consumer")
    named = {options.text("group")} if options.has("group") else set()
    named |= {found["group.id"]} if "group.id" in found else set()
    if len(named) > 1:
        raise UsageError(
            "The group ids provided in different places (directly using '--group', via '--command-property', or via "
            f"'--command-config') do not match. Detected group ids: {', '.join(sorted(named))}"
        )
    if named:
        found["group.id"] = named.pop()
        if options.has("partition"):
            raise UsageError("Options group and partition cannot be specified together.")
    return found


def join_a_group(settings: dict[str, str]) -> None:
    """Without a name the group is one of its own, that leaves no offsets behind."""
    if "group.id" not in settings:
        import random

        settings["group.id"] = f"console-consumer-{random.randrange(100_000)}"
        settings.setdefault("enable.auto.commit", "false")


async def consume(plan: Plan, count: list[int]) -> None:
    from tidelog.client.consumer import Consumer

    async with Consumer(plan.settings) as consumer:
        _choose(consumer, plan)
        try:
            await _print_records(consumer, plan, count)
        except BrokenPipeError:
            print("Unable to write to standard out, closing consumer.", file=sys.stderr)


async def _print_records(consumer: Consumer, plan: Plan, count: list[int]) -> None:
    out = sys.stdout.buffer
    while plan.limit is None or plan.limit < 0 or count[0] < plan.limit:
        left = None if plan.limit is None or plan.limit < 0 else min(500, plan.limit - count[0])
        records = await consumer.poll(timeout_s=plan.timeout_s or 3600.0, max_records=left)
        if not records and plan.timeout_s is not None:
            return
        for record in records:
            count[0] += 1
            out.write(_formatted(plan, plan.format, record))
        out.flush()


def _formatted(plan: Plan, format_: Formatter, record: object) -> bytes:
    try:
        return format_(record)  # type: ignore[arg-type]
    except Failure as error:
        if not plan.skip_errors:
            raise
        print(f"Error processing message, skipping this message: {error}", file=sys.stderr)
        return b""


def _choose(consumer: Consumer, plan: Plan) -> None:
    """One partition from an offset, or a share of the topics."""
    if plan.topic is not None and plan.partition is not None:
        key = (plan.topic, plan.partition)
        consumer.assign([key])
        if plan.offset >= 0:
            consumer.seek(key, plan.offset)
        elif plan.offset == EARLIEST:
            consumer.seek_to_beginning(key)
        else:
            consumer.seek_to_end(key)
    elif plan.topic is not None:
        consumer.subscribe([plan.topic])
    else:
        consumer.subscribe(re.compile(plan.include or ""))


if __name__ == "__main__":
    sys.exit(main())
