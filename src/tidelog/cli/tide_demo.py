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

ROWS = 8


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
        return _run(sample, {"bootstrap.servers": servers}, args.records, Path(folder), not args.bootstrap_server)


def _run(sample: Any, settings: dict[str, str], records: int, folder: Path, is_new: bool) -> int:
    from tidelog.cli.pipeline_stop import INTERRUPTED, log_to, stoppable
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
    print(text(graph_of(pipeline)), flush=True)
    run_async(prepare(pipeline, settings))
    log = folder / "spark.log"
    spark = open_session(pipeline.name, log=log)
    log_to(log)
    tick(f"Spark {spark.version} is up")
    from tidelog.spark.pipeline.run import Runner

    with stoppable(spark, log) as stop:
        Runner(pipeline, spark, settings, folder / "pipelines" / pipeline.name, stopping=stop).run_once()
    if stop.asked:
        return INTERRUPTED
    tick("everything has been read")
    wanted = list(feed.events(sample.name, records)) if is_new else None
    return _show(pipeline, sample, settings, folder, wanted)


def _show(pipeline: Any, sample: Any, settings: dict[str, str], folder: Path, events: list[Any] | None) -> int:
    """Prints the outputs; with the events that were all there is, also whether they are right."""
    from tidelog.cli.quickstart import tick
    from tidelog.cli.tool import Failure, run_async
    from tidelog.spark.samples import model, outputs

    found = run_async(outputs.written(pipeline, settings, folder))
    for name in sample.outputs:
        rows = sorted(found[name], key=lambda row: [str(value) for value in row.values()])
        print(f"\n{name}: {len(rows)} rows" + (f", of them {ROWS}" if len(rows) > ROWS else ""))
        print(table(_spread(rows), list(rows[0]) if rows else []))
    letters = run_async(outputs.dead_letters(pipeline, settings))
    if letters:
        print(f"\n{pipeline.dead_letters}: {len(letters)} records")
        print(table(letters[:ROWS], list(letters[0])))
    if events is None:
        return 0
    wrong = model.differences(found, model.expected(sample.name, events))
    if wrong:
        raise Failure("not what the events make: " + "; ".join(wrong))
    print()
    tick("every output is what a plain loop over the same events gives")
    return 0


def _spread(rows: list[Any]) -> list[Any]:
    """Some rows from all over."""
    return rows if len(rows) <= ROWS else [rows[number * len(rows) // ROWS] for number in range(ROWS)]


if __name__ == "__main__":
    sys.exit(main())
