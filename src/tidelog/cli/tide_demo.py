"""`tide demo`: a sample pipeline on a node of its own (or on yours), fed with made-up events; prints what comes out."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tidelog.cli import tide
from tidelog.cli.render import table


def parser() -> argparse.ArgumentParser:
    from tidelog.spark.samples.feed import SAMPLES

    names = "\n".join(f"  {name:<12} {each.about}" for name, each in SAMPLES.items())
    found = argparse.ArgumentParser(
        prog="tide demo",
        description=f"Run a sample pipeline on Spark and show what it makes:\n{names}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument("name", choices=SAMPLES, metavar="NAME")
    found.add_argument("-n", "--records", type=int, default=1000, help="how many events are made up (1000)")
    found.add_argument("-b", "--bootstrap-server", default="", metavar="SERVERS", help="use these brokers (a new node)")
    found.add_argument("--print", action="store_true", dest="source", help="print the pipeline's file, and run nothing")
    return found


def main(words: Sequence[str] | None = None) -> int:
    args = parser().parse_args(words)
    return tide.attempt("tide demo", lambda: demo(args))


def demo(args: argparse.Namespace) -> int:
    from tidelog.spark.samples.feed import SAMPLES
    from tidelog.spark.session import check_ready

    sample = SAMPLES[args.name]
    if args.source:
        print(Path(sample.file).read_text(encoding="utf-8"), end="")
        return 0
    check_ready()
    with ExitStack() as open_things:
        folder = open_things.enter_context(tempfile.TemporaryDirectory(prefix="tidelog-demo-"))
        servers = args.bootstrap_server
        if not servers:
            from tidelog.cli.quickstart import node

            servers = open_things.enter_context(node(folder))
        here = os.getcwd()
        os.chdir(folder)
        open_things.callback(os.chdir, here)
        _run(sample, {"bootstrap.servers": servers}, args.records, Path(folder))
    return 0


def _run(sample: Any, settings: dict[str, str], records: int, folder: Path) -> None:
    from tidelog.cli.quickstart import tick
    from tidelog.cli.tool import run_async
    from tidelog.spark.pipeline.graph import graph_of
    from tidelog.spark.pipeline.loading import load
    from tidelog.spark.pipeline.picture import text
    from tidelog.spark.pipeline.session import open_session
    from tidelog.spark.pipeline.topics import prepare
    from tidelog.spark.samples import feed

    run_async(feed.create(settings, sample.topics))
    sent = run_async(feed.send(settings, feed.events(sample.name, records)))
    tick(f"{sent} events are in {', '.join(sample.topics)}")
    pipeline = load(sample.file)
    print(text(graph_of(pipeline)))
    run_async(prepare(pipeline, settings))
    spark = open_session(pipeline.name)
    tick(f"Spark {spark.version} is up")
    from tidelog.spark.pipeline.run import Runner

    Runner(pipeline, spark, settings, folder / "pipelines" / pipeline.name).run_once()
    spark.stop()
    tick("everything has been read")
    for output in sample.outputs:
        found = feed.newest(run_async(feed.read_all(settings, output)))
        rows = list(found.values())
        print(f"\n{output}: {len(rows)} keys, of them")
        print(table(rows[:8], list(rows[0]) if rows else []))
    if not sample.outputs:
        _show_lake(folder)


def _show_lake(folder: Path) -> None:
    from deltalake import DeltaTable

    from tidelog.spark.lake.iceberg import open_table

    clicks = DeltaTable(str(folder / "lake" / "clicks")).to_pyarrow_table()
    profiles = open_table(str(folder / "lake" / "shop.profiles"))
    assert profiles is not None
    print(f"\nDelta table lake/clicks: {clicks.num_rows} rows in {len(set(clicks['day'].to_pylist()))} days")
    print(f"Iceberg table lake/shop.profiles: {profiles.scan().to_arrow().num_rows} rows, one for each living profile")


if __name__ == "__main__":
    sys.exit(main())
