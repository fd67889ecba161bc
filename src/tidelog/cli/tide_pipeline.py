"""`tide pipeline`: run, check, graph, replay, status, state."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tidelog.cli import tide
from tidelog.cli.render import show

if TYPE_CHECKING:
    from tidelog.spark.pipeline.loading import Pipeline


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide pipeline", description="Run pipelines on Spark, and look at them.")
    commands = found.add_subparsers(metavar="COMMAND")
    common, spark = tide.common(), _spark()

    one = commands.add_parser("run", help="run every step until Ctrl-C", parents=[common, spark])
    one.add_argument("--once", action="store_true", help="stop when what is there now has been read")
    one.add_argument("--every", default="1 second", metavar="TIME", help="how often a micro-batch begins (1 second)")
    one.add_argument("--step", default="", help="only this step")
    one.add_argument(
        "--max-records", type=int, metavar="N", help="at most so many records of a stream in a micro-batch"
    )
    one.set_defaults(work=run)

    one = commands.add_parser("check", help="what it reads and writes, and what is wrong", parents=[common, spark])
    one.add_argument("--quick", action="store_true", help="without the schemas, for which Spark must start")
    one.set_defaults(work=check)

    one = commands.add_parser("graph", help="a picture of it", parents=[common, _file()])
    one.add_argument(
        "--form", choices=("text", "mermaid", "svg"), default="text", help="the form of the picture (text)"
    )
    one.set_defaults(work=graph)

    one = commands.add_parser("replay", help="run it over a range of time into new outputs", parents=[common, spark])
    one.add_argument(
        "--from", dest="start", default="", metavar="TIME", help="records from this time on, as 2026-11-15T10:00"
    )
    one.add_argument("--to", dest="end", default="", metavar="TIME", help="records before this time")
    one.add_argument("--suffix", default="", help="what the names of the outputs end with (.replay-TIME)")
    one.set_defaults(work=replay)

    one = commands.add_parser("status", help="its queries: batch, rate, lag", parents=[common, _file()])
    one.set_defaults(work=status)

    one = commands.add_parser("state", help="look into the state of a step", parents=[common, spark])
    one.add_argument("step", metavar="STEP", help="the function's name")
    one.add_argument("--store", default="", help="which store, as listed without it")
    one.add_argument("--operator", type=int, help="of which stateful operator, as listed without it")
    one.add_argument("--where", default="", metavar="SQL", help="only rows that fit, such as \"key.user_id = 'u1'\"")
    one.add_argument("--limit", type=int, default=20, help="at most so many rows (20)")
    one.set_defaults(work=state)
    return found


def _file() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(add_help=False)
    found.add_argument("file", metavar="FILE", help="the Python file with the pipeline")
    found.add_argument(
        "--home",
        default=os.environ.get("TIDE_PIPELINES", "tidelog-pipelines"),
        metavar="DIR",
        help="where checkpoints are kept (TIDE_PIPELINES, or tidelog-pipelines)",
    )
    return found


def _spark() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(add_help=False, parents=[_file()])
    found.add_argument("--master", default="", help="where Spark runs, as local[2] or spark://host:7077 (this machine)")
    found.add_argument("--conf", action="append", default=[], metavar="NAME=VALUE", help="a setting of Spark")
    return found


def main(words: Sequence[str] | None = None) -> int:
    given = parser()
    args = given.parse_args(words)
    if not hasattr(args, "work"):
        given.print_help()
        return tide.NOT_UNDERSTOOD
    return tide.attempt(given.prog, lambda: args.work(args) or 0)


def _loaded(args: argparse.Namespace) -> Pipeline:
    from tidelog.spark.pipeline.loading import load

    return load(args.file)


def _sound(args: argparse.Namespace) -> Pipeline:
    """Loaded, and refused when its graph is wrong or Spark cannot run here."""
    from tidelog.cli.tool import Failure
    from tidelog.spark.pipeline.check import complaints
    from tidelog.spark.session import check_ready

    check_ready()
    pipeline = _loaded(args)
    found = complaints(pipeline)
    if found:
        raise Failure("; ".join(found))
    return pipeline


def _session(args: argparse.Namespace, name: str, log: Path | None = None) -> Any:
    """What Spark says goes to `log`; a command that only looks has no folder of its own for it."""
    from tidelog.cli.flags import UsageError
    from tidelog.cli.pipeline_stop import log_to
    from tidelog.cli.tool import pairs
    from tidelog.spark.java import own_folder
    from tidelog.spark.pipeline.session import open_session

    log = log or own_folder() / f"{name}.log"
    conf = pairs(args.conf, what="setting")
    wrong = [word for word in args.conf if "=" not in word]
    if wrong:
        raise UsageError(f"'{wrong[0]}' is not a setting; write --conf name=value")
    spark = open_session(name, args.master, conf, log)
    log_to(log)
    return spark


def _home(args: argparse.Namespace, pipeline: Pipeline) -> Path:
    from tidelog.cli.flags import UsageError

    if "://" in args.home:
        raise UsageError(f"--home is a folder, not '{args.home}'; on a cluster, one that all its machines have mounted")
    return Path(args.home).absolute() / pipeline.name


def _check_workers(spark: Any, home: Path | None = None, stopping: Callable[[], bool] = lambda: False) -> None:
    from tidelog.spark.pipeline.cluster import check_workers, is_elsewhere

    if is_elsewhere(spark.sparkContext.master):
        check_workers(spark, home, lambda said: print(said, file=sys.stderr, flush=True), stopping)


def run(args: argparse.Namespace) -> int:
    from tidelog.cli.pipeline_progress import Progress
    from tidelog.cli.pipeline_stop import INTERRUPTED, stoppable
    from tidelog.spark.pipeline.topics import prepare

    pipeline = _sound(args)
    home = _home(args, pipeline)
    if args.step:
        pipeline.check_writer(args.step)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    settings = tide.settings(args)
    for name in asyncio.run(prepare(pipeline, settings)):
        print(f"created topic '{name}'", file=sys.stderr)
    log = home / "spark.log"
    spark = _session(args, pipeline.name, log)
    from tidelog.spark.pipeline.run import Runner

    limits = {"maxOffsetsPerTrigger": str(args.max_records)} if args.max_records else {}
    progress = Progress(sys.stderr)
    with stoppable(spark, log) as stop:
        _check_workers(spark, home, stop)
        runner = Runner(pipeline, spark, settings, home, args.every, limits, stopping=stop)
        if args.once and not args.step:
            runner.run_once(progress.show)
        else:
            runner.start(once=args.once, only=args.step)
            print(f"running {', '.join(runner.queries)}; Ctrl-C stops", file=sys.stderr)
            runner.wait(progress.show)
        runner.stop()
    return INTERRUPTED if stop.asked and args.once else 0


def check(args: argparse.Namespace) -> int:
    from tidelog.spark.pipeline.check import complaints, describe, schemas

    pipeline = _loaded(args)
    rows, wrong = describe(pipeline), complaints(pipeline)
    columns = ["step", "reads", "writes"]
    if not args.quick and not wrong:
        spark = _session(args, pipeline.name)
        found, wrong = schemas(pipeline, spark)
        spark.stop()
        rows = [row | {"columns": found.get(row["step"])} for row in rows]
        columns.append("columns")
    show(rows, args.output, columns)
    for each in wrong:
        print(f"✗ {each}", file=sys.stderr)
    return tide.FAILED if wrong else 0


def graph(args: argparse.Namespace) -> None:
    from tidelog.spark.pipeline.graph import graph_of
    from tidelog.spark.pipeline.picture import draw

    print(draw(graph_of(_loaded(args)), args.form))


def replay(args: argparse.Namespace) -> None:
    from tidelog.cli.kafka_transactions import now_ms
    from tidelog.spark.pipeline.topics import prepare

    pipeline = _sound(args)
    from tidelog.spark.pipeline.replay import Replay, bounds

    start, end = bounds(args.start, args.end)
    suffix = args.suffix or f".replay-{now_ms()}"
    settings = tide.settings(args)
    asyncio.run(prepare(pipeline, settings, suffix))
    spark = _session(args, pipeline.name)
    _check_workers(spark)
    work = Replay(pipeline, spark, settings, suffix, start, end)
    rows = [{"step": name, "output": place} for name, place in work.run().items()]
    bad = work.dead_letters()
    spark.stop()
    show(rows, args.output, ["step", "output"])
    if bad:
        print(f"{bad} records do not decode and were left out", file=sys.stderr)


def status(args: argparse.Namespace) -> None:
    from tidelog.cli.tool import Failure
    from tidelog.spark.pipeline.status import is_running, lag, saved

    pipeline = _loaded(args)
    home = _home(args, pipeline)
    found = saved(home)
    if not found:
        raise Failure(f"nothing has run in {home}; start it with: tide pipeline run {args.file}")
    rows = []
    for query, row in found.items():
        behind = asyncio.run(lag(tide.settings(args), query))
        rows.append({"query": query, **row, "running": is_running(row), "lag": behind})
    columns = ["query", "running", "batch", "rows_per_second", "lag", "state_rows", "late_rows"]
    show(rows, args.output, columns, ["watermark", "at", "pid"])


def state(args: argparse.Namespace) -> None:
    pipeline = _loaded(args)
    from tidelog.spark.pipeline.session import session_of
    from tidelog.spark.pipeline.state import checkpoint, choice, found_rows, stores

    home = _home(args, pipeline)
    pipeline.check_writer(args.step)
    query = f"{pipeline.name}.{args.step}"
    checkpoint(home, query)  # what is not there is told before Spark starts
    with session_of(_session(args, pipeline.name)) as spark:
        _check_workers(spark, home)
        known = stores(spark, home, query)
        chosen = choice(known, args.operator, args.store)
        if chosen is None:
            show(known, args.output, ["operator", "kind", "store", "batch"])
            print("choose one with --operator and --store to see its rows", file=sys.stderr)
            return
        show(found_rows(spark, home, query, chosen, args.where, args.limit), args.output)


if __name__ == "__main__":
    sys.exit(main())
