"""The exactly-once sink under random kills: driver, tasks and broker, at any step, again and again.

`./dev soak spark --kills 300` runs until so many kills have struck, then compares what a reader of committed records
finds with the model. An engine stands in for Spark, so that a kill costs a process and not a JVM; `--real` uses Spark.
`--apache` runs either on Apache Kafka.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from peer.apache import ApacheNode
from peer.ours import OurNode
from peer.process import NodeProcess
from spark.engine import Engine, KillAt, ProcessDied, TaskFailed
from spark.real import NODE_SETTINGS
from spark.test_exactly_once import KillNodeAt, check, make_engine, make_topics
from tidelog.spark.steps import STEPS


class Soak:
    def __init__(
        self, node: NodeProcess, folder: Path, kills: int, broker_share: float, seed: int, deadline: float
    ) -> None:
        self.node = node
        self.folder = folder
        self.kills = kills
        self.broker_share = broker_share
        self.random = random.Random(seed)
        self.struck: Counter[str] = Counter()
        self.deadline = deadline

    def run(self) -> Engine:
        make_topics(self.node, "source")
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(self._batches)
            while not work.done():
                assert self.node.process is not None
                if self.node.process.poll() is not None:
                    self.node.start()
                time.sleep(0.02)
            engine = work.result()
        check(self.node, engine)
        return engine

    def _batches(self) -> Engine:
        engine = make_engine(self.node, self.folder / "checkpoint")
        while self.struck.total() < self.kills and time.monotonic() < self.deadline:
            trap = self._trap()
            with suppress(ProcessDied, TaskFailed):
                engine.run_batch(trap)
            if trap.struck:
                self.struck[_victim(trap)] += 1
                print(f"\r{self.struck.total()} of {self.kills} kills", end="", flush=True)
        while True:
            try:
                engine.run_batch()
                return engine
            except (ProcessDied, TaskFailed):
                continue

    def _trap(self) -> KillAt:
        file, step = self.folder / "count", self.random.choice(STEPS)
        if self.random.random() < self.broker_share:
            trap: KillAt = KillNodeAt(file, step, self.node)
            trap.times = 1
            return trap
        return KillAt(file, step, self.random.choice((1, 2)))


def _victim(trap: KillAt) -> str:
    if isinstance(trap, KillNodeAt):
        return "broker"
    return "task" if trap.step.startswith("task ") else "driver"


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev soak spark", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--broker-share", type=float, default=0.1, help="how many of the kills hit the broker")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--real", action="store_true", help="a real Spark: all kills at all steps, then random ones")
    parser.add_argument("--random-only", action="store_true", help="with --real: leave the steps one by one out")
    parser.add_argument("--minutes", type=float, default=600, help="end after so long and compare")
    parser.add_argument("--apache", action="store_true", help="on Apache Kafka")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        node = (ApacheNode if given.apache else OurNode)(Path(folder) / "node", NODE_SETTINGS)
        node.start()
        try:
            return (_real if given.real else _engine)(node, Path(folder), given)
        finally:
            node.close()


def _engine(node: NodeProcess, folder: Path, given: argparse.Namespace) -> int:
    soak = Soak(node, folder, given.kills, given.broker_share, given.seed, time.monotonic() + 60 * given.minutes)
    engine = soak.run()
    print(
        f"\nseed {given.seed} on {node.name}: {soak.struck.total()} kills {dict(soak.struck)}, "
        f"{engine.next_batch} batches, {len(engine.model())} rows, every one there exactly once"
    )
    return 0


def _real(node: NodeProcess, folder: Path, given: argparse.Namespace) -> int:
    from soak.spark_real import RealSoak

    soak = RealSoak(node, folder / "query", given.seed)
    whole = soak.run(given.kills, matrix=not given.random_only, deadline=time.monotonic() + 60 * given.minutes)
    ending = "" if whole else " (ended by the clock)"
    print(
        f"\nseed {given.seed} on {node.name}: {soak.total} kills {dict(soak.struck)}, "
        f"{soak.query.starts} starts of Spark, {soak.query.fed} rows, every one there exactly once{ending}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
