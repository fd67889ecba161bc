"""`tide perf`: the two performance tests with less typing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from tidelog.cli import tide


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide perf", description="Measure produce and consume.")
    commands = found.add_subparsers(metavar="COMMAND")
    common = tide.common()
    produce = commands.add_parser("produce", help="send records", parents=[common])
    produce.add_argument("topic")
    produce.add_argument("-n", "--num", type=int, default=1_000_000, help="how many records (1000000)")
    produce.add_argument("-s", "--size", type=int, default=100, help="bytes of each (100)")
    produce.add_argument("-t", "--throughput", type=int, default=-1, help="records a second at most")
    produce.set_defaults(noun="produce")
    consume = commands.add_parser("consume", help="read records", parents=[common])
    consume.add_argument("topic")
    consume.add_argument("-n", "--num", type=int, default=1_000_000, help="how many records (1000000)")
    consume.set_defaults(noun="consume")
    return found


def main(words: Sequence[str] | None = None) -> int:
    args = parser().parse_args(words)
    if not hasattr(args, "noun"):
        parser().print_help()
        return tide.NOT_UNDERSTOOD
    given = ["--bootstrap-server", args.bootstrap_server, "--topic", args.topic, "--num-records", str(args.num)]
    if args.noun == "produce":
        name = "kafka_producer_perf_test"
        given += ["--record-size", str(args.size), "--throughput", str(args.throughput)]
        given += ["--command-property", *args.settings] if args.settings else []
    else:
        name = "kafka_consumer_perf_test"
        given += [word for each in args.settings for word in ("--command-property", each)]
    sys.argv = [name, *given]
    return int(import_module(f"tidelog.cli.{name}").main())
