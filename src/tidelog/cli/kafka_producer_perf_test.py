"""kafka-producer-perf-test: send records as fast as it goes, or at a rate, and print figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import Failure, is_expected, pairs, run_async

if TYPE_CHECKING:
    from tidelog.cli.perf_stats import PerfStats
    from tidelog.client.accumulator import Batch
    from tidelog.client.producer import Producer

_POOL_BYTES = 1 << 20
_BURST = 256
"""Records sent between two looks at the event loop, so that answers are taken in."""


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="kafka-producer-perf-test",
        description="Send records as fast as it goes and print figures.",
        allow_abbrev=False,
    )
    add = found.add_argument
    add("--bootstrap-server", metavar="SERVERS", help="the brokers to connect to first")
    add("--topic", required=True, help="the topic to send to")
    add("--num-records", required=True, type=int, help="how many records to send")
    add("--throughput", required=True, type=float, help="records a second at most; -1 for no limit")
    payload = found.add_mutually_exclusive_group(required=True)
    payload.add_argument("--record-size", type=int, help="bytes of each record")
    payload.add_argument("--payload-file", metavar="FILE", help="take the records from this file, at random")
    payload.add_argument("--payload-monotonic", action="store_true", help="records are the numbers 0, 1, 2, ...")
    add("--payload-delimiter", default="\\n", help="what separates the records of --payload-file (\\n)")
    for name in ("--command-property", "--producer-props"):
        add(name, nargs="+", action="extend", default=[], metavar="NAME=VALUE", dest="props", help="producer settings")
    add("--command-config", "--producer.config", dest="config", metavar="FILE", help="a properties file")
    add("--print-metrics", action="store_true", help="print the client's metrics at the end")
    add("--transactional-id", help="send in transactions under this id")
    add("--transaction-duration-ms", type=int, help="how long each transaction lasts")
    add("--warmup-records", type=int, default=0, help="records at the start that the steady-state line leaves out")
    add("--reporting-interval", type=int, default=5000, metavar="MS", help="how often to print progress (5000)")
    return found


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    if len(sys.argv) < 2:
        parser().print_help()
        return 0
    try:
        args = parser().parse_args()
    except SystemExit as end:
        return 1 if end.code == 2 or "-h" in sys.argv or "--help" in sys.argv else 0
    try:
        run_async(run(args))
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not is_expected(error):
            raise
        print(f"kafka-producer-perf-test: {error}", file=sys.stderr)
        return 1
    return 0


def settings(args: argparse.Namespace) -> dict[str, str]:
    found: dict[str, str] = {}
    if args.config is not None:
        from tidelog.client.properties import read_properties

        found.update(read_properties(args.config))
    found |= pairs(args.props)
    if args.bootstrap_server is not None:
        found["bootstrap.servers"] = args.bootstrap_server
    if "bootstrap.servers" not in found:
        raise Failure("no servers are named; add --bootstrap-server HOST:PORT")
    if args.transactional_id or args.transaction_duration_ms:
        found["transactional.id"] = args.transactional_id or "performance-producer"
    found.setdefault("client.id", "perf-producer-client")
    return found


async def run(args: argparse.Namespace) -> None:
    from tidelog.cli.perf_stats import PerfStats
    from tidelog.client.producer import Producer

    if args.num_records < 1:
        raise Failure("--num-records must be greater than zero")
    if not 0 <= args.warmup_records < args.num_records:
        raise Failure("--warmup-records must be less than --num-records, and not negative")
    if args.warmup_records:
        print(
            f"Warmup first {args.warmup_records} records. "
            "Steady state results will print after the complete test summary."
        )
    values = payloads(args)
    async with Producer(settings(args)) as producer:
        await producer.partitions_for(args.topic)
        stats = PerfStats(args.num_records, args.reporting_interval, now_ms)
        steady = await _send_all(producer, args, values, stats)
        await producer.flush()
        print(stats.total_line())
        if steady is not None:
            print(steady.total_line())
        if args.print_metrics:
            _print_metrics(stats)


def now_ms() -> int:
    import time

    return time.time_ns() // 1_000_000


async def _send_all(
    producer: Producer, args: argparse.Namespace, values: Iterator[bytes], stats: PerfStats
) -> PerfStats | None:
    """Sends everything; gives the figures after the warm-up when there is one."""
    import asyncio

    from tidelog.cli.perf_stats import PerfStats, Throttle
    from tidelog.client.errors import BufferExhausted

    steady: PerfStats | None = None

    def settled(batch: Batch) -> None:
        if batch.error is not None:
            print(f"{batch.error}", file=sys.stderr)
            return
        now = now_ms()
        latencies = [now - record.timestamp for record in batch.records]
        sizes = [len(record.value or b"") for record in batch.records]
        warm = max(0, args.warmup_records - stats.count)
        stats.record(latencies, sum(sizes))
        if steady is not None and warm < len(sizes):
            steady.record(latencies[warm:], sum(sizes[warm:]))

    producer.on_batch(settled)
    loop = asyncio.get_running_loop()
    throttle = Throttle(args.throughput, loop.time())
    send = producer.send_nowait
    for done in range(args.num_records):
        if args.warmup_records and done == args.warmup_records:
            steady = PerfStats(args.num_records - args.warmup_records, 0, now_ms, steady=True)
        value = next(values)
        try:
            send(args.topic, value)
        except BufferExhausted:
            await producer.send(args.topic, value)
        if args.throughput > 0 or done % _BURST == 0:
            rest_s = throttle.delay(done, loop.time())
            if rest_s > 0.001 or done % _BURST == 0:
                await asyncio.sleep(rest_s)
    return steady


def payloads(args: argparse.Namespace) -> Iterator[bytes]:
    """Endless values of the asked kind."""
    import random

    if args.payload_monotonic:
        return (str(number).encode() for number in range(sys.maxsize))
    chance = random.Random(0)
    if args.payload_file is not None:
        lines = read_payloads(args.payload_file, args.payload_delimiter)
        return (lines[chance.randrange(len(lines))] for _ in range(sys.maxsize))
    if args.record_size <= 0:
        raise Failure("--record-size should be greater than zero.")
    # Random letters are made once; each record is a window of them, which is as hard to compress and far cheaper.
    size = args.record_size
    pool = bytes(65 + byte % 26 for byte in chance.randbytes(_POOL_BYTES))
    pool *= 2 + size // _POOL_BYTES
    return (pool[start : start + size] for start in iter(lambda: chance.randrange(_POOL_BYTES), -1))


def read_payloads(path: str, delimiter: str) -> list[bytes]:
    import re
    from pathlib import Path

    print(f"Reading payloads from: {Path(path).absolute()}")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    if not text:
        raise Failure("File does not exist or empty file provided.")
    found = re.split(delimiter, text)
    while found and not found[-1]:
        found.pop()
    print(f"Number of messages read: {len(found)}")
    return [line.encode() for line in found]


def _print_metrics(stats: PerfStats) -> None:
    rows = {"producer-metrics:record-send-total": stats.count, "producer-metrics:byte-total": stats.bytes}
    width = max(map(len, rows))
    print(f"\n{'Metric Name':<{width}} Value")
    for name, value in rows.items():
        print(f"{name:<{width}} : {float(value):.3f}")


if __name__ == "__main__":
    sys.exit(main())
