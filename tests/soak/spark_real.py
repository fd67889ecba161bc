"""The exactly-once sink on a real Spark: first every step of the protocol with every kind of kill, then random ones.

One query and one checkpoint live through all of it. A kill is set while the query may still be recovering from the one
before, so that recoveries are killed as well. Now and then everything is let through and compared with the model.
"""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.usage import family

from peer.process import NodeProcess
from spark.real import RealQuery
from spark.traps import BROKER, DRIVER, TARGETS, WORKER, ZOMBIE, Trap, disarm
from tidelog.spark.steps import STEPS

CHECK_EVERY = 20
ROWS = 60
OF_EACH_TASK = ("task taken over", "task wrote some", "task wrote all", "one task ended")
"""Steps that a batch comes to twice."""
MOMENT = "a moment"
"""Instead of a step: whatever runs after a random time."""


class RealSoak:
    def __init__(self, node: NodeProcess, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.query = RealQuery(node, folder)
        self.struck: Counter[str] = Counter()

    def run(self, kills: int, *, matrix: bool, deadline: float) -> bool:
        """Whether all kills were made; a deadline ends it before, and what was done is checked all the same."""
        self.query.start(stays=True)
        try:
            for number, (step, target) in enumerate(self._plan(kills, matrix)):
                if time.monotonic() > deadline:
                    break
                self._kill(step, target)
                if number % CHECK_EVERY == CHECK_EVERY - 1:
                    self._settle()
            self._settle()
        finally:
            self.query.stop()
        return self.total >= kills

    @property
    def total(self) -> int:
        return sum(self.struck.values())

    def _plan(self, kills: int, matrix: bool) -> Iterator[tuple[str, str]]:
        every = [(step, target) for target in (WORKER, BROKER, DRIVER, ZOMBIE) for step in STEPS] if matrix else []
        yield from every[:kills]
        for _ in range(kills - len(every)):
            target = self.random.choices(TARGETS, (6, 1, 1, 2))[0]
            yield (MOMENT if self.random.random() < 0.3 and target != ZOMBIE else self.random.choice(STEPS)), target

    def _kill(self, step: str, target: str) -> None:
        """Until it has struck: a query that still suffers from the kill before may end without coming to the step."""
        query = self.query
        while not (self._kill_at_a_moment(target) if step == MOMENT else self._kill_at_a_step(step, target)):
            self._revive()
        self.struck[f"{target} at {'a random moment' if step == MOMENT else 'a step'}"] += 1
        self._revive()
        print(f"\r{self.total} kills, {query.starts} starts of Spark, {query.fed} rows", end="", flush=True)

    def _kill_at_a_step(self, step: str, target: str) -> bool:
        query = self.query
        times = self.random.choice((1, 2)) if step in OF_EACH_TASK else 1
        trap = Trap(query.traps, step, times, target, query.node.pid)
        query.feed(ROWS)
        query.wait_for(lambda: trap.has_struck or not query.is_running)
        disarm(query.traps)
        return trap.has_struck

    def _kill_at_a_moment(self, target: str) -> bool:
        """Nothing is waited for here but time: where it strikes is left to chance."""
        query = self.query
        query.feed(ROWS)
        time.sleep(self.random.uniform(0, 3))
        assert query.process is not None
        if target == BROKER:
            os.kill(query.node.pid, signal.SIGKILL)
            return True
        pids = family(query.process.pid)
        java = [pid for pid in pids if _name(pid) == "java"]
        if target == WORKER:
            workers = [pid for pid in pids if pid not in (query.process.pid, *java)]
            victims = [self.random.choice(workers)] if workers else []
        else:
            victims = [query.process.pid, *java]
        return sum(map(_killed, victims)) > 0

    def _revive(self) -> None:
        self.query.keep_node_alive()
        if not self.query.is_running:
            self.query.start(stays=True)

    def _settle(self) -> None:
        """Lets the query come to the end of its source, and compares."""
        query = self.query
        wanted = query.fed

        def is_through() -> bool:
            self._revive()
            return query.committed_rows() >= wanted

        query.wait_for(is_through, timeout_s=300)
        query.check()


def _killed(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
