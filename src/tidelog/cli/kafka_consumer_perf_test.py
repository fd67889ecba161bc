"""kafka-consumer-perf-test: read records as fast as it goes, and print figures as CSV."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options, UsageError
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, client_settings, pairs, run_async, run_tool, to_stderr

if TYPE_CHECKING:
    from tidelog.client.consumer import Consumer

COMMAND = Command(
    "kafka-consumer-perf-test",
    "Reads records as fast as it goes and prints figures.",
    [
        BOOTSTRAP,
        Flag("broker-list", "the older name of --bootstrap-server", "servers"),
        COMMAND_CONFIG,
        Flag("consumer.config", "the older name of --command-config", "file"),
        Flag("command-property", "a consumer setting; may be repeated", "name=value"),
        Flag("topic", "the topic to read", "topic"),
        Flag("include", "read all topics that match this regular expression", "regex"),
        Flag("group", "the consumer group", "group"),
        Flag("num-records", "how many records to read", "count"),
        Flag("messages", "the older name of --num-records", "count"),
        Flag("fetch-size", "bytes of one partition in one answer", "bytes", "1048576"),
        Flag("from-latest", "begin at the end of the log"),
        Flag("socket-buffer-size", "accepted; the kernel sizes its buffers", "bytes", "2097152"),
        Flag("timeout", "end when no record comes for so long", "ms", "10000", True),
        Flag("reporting-interval", "how often to print progress", "ms", "5000"),
        Flag("show-detailed-stats", "print progress"),
        Flag("hide-header", "leave the line with the names of the columns out"),
        Flag("print-metrics", "print the client's metrics at the end"),
        Flag("date-format", "how times are printed", "format", "yyyy-MM-dd HH:mm:ss:SSS"),
        Flag("threads", "accepted; one thread reads", "count"),
        Flag("num-fetch-threads", "accepted; one thread reads", "count"),
    ],
)

_MB = 1024.0 * 1024.0
_JAVA_DATE = re.compile(r"'([^']*)'|yyyy|yy|MM|dd|HH|mm|ss|SSS")
_DATE_PARTS = {"yyyy": "%Y", "yy": "%y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    if not options.has("broker-list"):
        options.require("bootstrap-server")
    if options.has("topic") == options.has("include"):
        raise UsageError("Exactly one of the following arguments is required: [topic], [include]")
    if not options.has("messages"):
        options.require("num-records")
    run_async(measure(options))
    return 0


def settings(options: Options) -> dict[str, str]:
    found = client_settings(options, "consumer.config") | pairs(options.all("command-property"))
    found["bootstrap.servers"] = options.get("bootstrap-server", "broker-list") or ""
    found["max.partition.fetch.bytes"] = options.text("fetch-size")
    found["auto.offset.reset"] = "latest" if options.has("from-latest") else "earliest"
    found.setdefault("check.crcs", "false")
    found.setdefault("client.id", "perf-consumer-client")
    return found


class Figures:
    def __init__(self, now_ms: int) -> None:
        self.start_ms = self.report_ms = now_ms
        self.bytes = self.records = 0
        self.reported_bytes = self.reported_records = 0
        self.join_ms = 0


async def measure(options: Options) -> None:
    from tidelog.client.consumer import Consumer

    detailed = options.has("show-detailed-stats")
    if not options.has("hide-header"):
        print(header(detailed))
    async with Consumer(settings(options)) as consumer:
        figures = Figures(now_ms())
        await _assign(consumer, options)
        figures.join_ms = now_ms() - figures.start_ms
        await _read(consumer, options, figures)
        end_ms = now_ms()
    if not detailed:
        print(total_line(figures, end_ms, options.text("date-format")))
    if options.has("print-metrics"):
        print(f"\nMetric Name Value\nconsumer-fetch-manager-metrics:records-consumed-total : {figures.records:.3f}")


def header(detailed: bool) -> str:
    first = "time, threadId" if detailed else "start.time, end.time"
    return (
        f"{first}, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, "
        "rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec"
    )


def now_ms() -> int:
    import time

    return time.time_ns() // 1_000_000


async def _assign(consumer: Consumer, options: Options) -> None:
    if options.has("topic"):
        views = [await consumer.cluster.topic(options.text("topic"))]
    else:
        pattern = re.compile(options.text("include"))
        every = (await consumer.cluster.refresh(None)).topics.values()
        views = [view for view in every if pattern.fullmatch(view.name) and not view.is_internal]
    consumer.assign((view.name, row.partition) for view in views for row in view.partitions)


async def _read(consumer: Consumer, options: Options, figures: Figures) -> None:
    wanted = options.integer("num-records") or options.integer("messages") or 0
    timeout_ms = options.integer("timeout") or 10_000
    interval_ms = options.integer("reporting-interval") or 5000
    detailed = options.has("show-detailed-stats")
    last_ms = now_ms()
    while figures.records < wanted and now_ms() - last_ms <= timeout_ms:
        records = await consumer.poll(timeout_s=0.1, max_records=5000)
        if not records:
            continue
        last_ms = now_ms()
        figures.records += len(records)
        figures.bytes += sum([len(record[6] or b"") + len(record[5] or b"") for record in records])
        if last_ms - figures.report_ms >= interval_ms:
            if detailed:
                print(progress_line(figures, last_ms, options.text("date-format")))
            figures.report_ms, figures.reported_bytes, figures.reported_records = (
                last_ms,
                figures.bytes,
                figures.records,
            )
    if figures.records < wanted:
        print(
            f"WARNING: Exiting before consuming the expected number of records: timeout ({timeout_ms} ms) exceeded. "
            "You can use the --timeout option to increase the timeout."
        )


def progress_line(figures: Figures, end_ms: int, date_format: str) -> str:
    elapsed = max(end_ms - figures.report_ms, 1)
    megabytes = (figures.bytes - figures.reported_bytes) / _MB
    records = figures.records - figures.reported_records
    return (
        f"{java_date(end_ms, date_format)}, 0, {figures.bytes / _MB:.4f}, {1000 * megabytes / elapsed:.4f}, "
        f"{figures.records}, {1000 * records / elapsed:.4f}, 0, {elapsed}, "
        f"{1000 * megabytes / elapsed:.4f}, {1000 * records / elapsed:.4f}"
    )


def total_line(figures: Figures, end_ms: int, date_format: str) -> str:
    elapsed_s = max(end_ms - figures.start_ms, 1) / 1000
    fetch_ms = max(end_ms - figures.start_ms - figures.join_ms, 1)
    megabytes = figures.bytes / _MB
    return (
        f"{java_date(figures.start_ms, date_format)}, {java_date(end_ms, date_format)}, {megabytes:.4f}, "
        f"{megabytes / elapsed_s:.4f}, {figures.records}, {figures.records / elapsed_s:.4f}, {figures.join_ms}, "
        f"{fetch_ms}, {megabytes / (fetch_ms / 1000):.4f}, {figures.records / (fetch_ms / 1000):.4f}"
    )


def java_date(time_ms: int, date_format: str) -> str:
    """A time by the common letters of Java's SimpleDateFormat."""
    from datetime import datetime

    moment = datetime.fromtimestamp(time_ms / 1000)

    def part(found: re.Match[str]) -> str:
        if found.group(1) is not None:
            return found.group(1)
        letters = found.group(0)
        return f"{time_ms % 1000:03d}" if letters == "SSS" else moment.strftime(_DATE_PARTS[letters])

    return _JAVA_DATE.sub(part, date_format)


if __name__ == "__main__":
    sys.exit(main())
