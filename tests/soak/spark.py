"""The exactly-once sink under random kills: driver, tasks and broker, at any step, again and again.

`./dev soak spark --kills 300` runs until so many kills have struck, then compares what a reader of committed records
finds with the model. The engine stands in for Spark, so that a kill costs a process and not a JVM.
"""

import argparse
import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from peer.ours import OurNode
from spark.engine import KillAt, ProcessDied, TaskFailed
from spark.test_exactly_once import KillNodeAt, check, make_engine, make_topics
from tidelog.spark.steps import STEPS


class Soak:
    def __init__(self, folder: Path, kills: int, broker_share: float, seed: int) -> None:
        self.folder = folder
        self.kills = kills
        self.broker_share = broker_share
        self.random = random.Random(seed)
        self.node = OurNode(folder / "node", {"transaction.abort.timed.out.transaction.cleanup.interval.ms": "200"})
        self.struck = {"process": 0, "broker": 0}

    def run(self) -> int:
        self.node.start()
        try:
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
            return int(engine.next_batch)
        finally:
            self.node.close()

    def _batches(self):  # type: ignore[no-untyped-def]
        engine = make_engine(self.node, self.folder / "checkpoint")
        while sum(self.struck.values()) < self.kills:
            trap = self._trap()
            with suppress(ProcessDied, TaskFailed):
                engine.run_batch(trap)
            if trap.struck:
                print(f"\r{sum(self.struck.values()) + 1} of {self.kills} kills", end="", flush=True)
                self.struck["broker" if isinstance(trap, KillNodeAt) else "process"] += 1
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev soak spark", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--broker-share", type=float, default=0.1, help="how many of the kills hit the broker")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), given.kills, given.broker_share, given.seed)
        batches = soak.run()
    print(f"\nseed {given.seed}: {soak.struck} kills, {batches} batches, every row there exactly once")
    return 0


if __name__ == "__main__":
    sys.exit(main())
