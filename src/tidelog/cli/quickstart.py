"""`./dev quickstart`: a node, a topic, some records in and out, told step by step; leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

TOPIC = "hello"
RECORDS = 1000
START_TIMEOUT_S = 20.0


def main(words: Sequence[str] | None = None) -> int:
    from tidelog.cli.tool import is_expected, run_async

    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tidelog-quickstart-") as folder:
        try:
            with node(folder) as address:
                tick(f"a node serves on {address}, data in {folder}")
                run_async(tour(address))
        except Exception as error:
            if not is_expected(error):
                raise
            print(f"quickstart: {error}", file=sys.stderr)
            return 1
        tick("the node is stopped")
    tick("its data is deleted")
    print(f"\nAll of it took {time.monotonic() - began:.1f} s. {NEXT}")
    return 0


NEXT = """To keep a node:

  ./dev tide up                                    a node on localhost:9092, Ctrl-C stops it
  ./dev tide topic create orders -p 3              then, in another terminal
  ./dev tide topic produce orders                  a line is a record; Ctrl-D ends
  ./dev tide topic consume orders
  ./dev run kafka-topics --bootstrap-server localhost:9092 --describe

Any Kafka client works with it: give it localhost:9092 as bootstrap server."""


def tick(text: str) -> None:
    mark = "\033[32m✓\033[0m" if sys.stdout.isatty() else "✓"
    print(f"{mark} {text}", flush=True)


@contextmanager
def node(folder: str) -> Iterator[str]:
    """A node as a process of its own on a free port; gives its address, and stops it in the end."""
    command = [sys.executable, "-m", "tidelog.cli.main", "up", "--data", f"{folder}/data", "--port", "0"]
    with open(f"{folder}/node.log", "w+", encoding="utf-8") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
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
