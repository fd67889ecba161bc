"""A query on a real Spark that is killed and started again, beside the model of what it must have written."""

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from peer.process import NodeProcess, _die_with_parent
from spark import traps
from spark.copy_query import GROUP
from spark.outputs import committed_keys
from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import LATEST, fetch_offsets, list_offsets, partitions_of

ROOT = Path(__file__).parents[2]
NODE_SETTINGS = {"transaction.abort.timed.out.transaction.cleanup.interval.ms": "200"}


class RealQuery:
    """Copies `source` to `out` on a Spark in processes of its own."""

    def __init__(self, node: NodeProcess, folder: Path, name: str = "real") -> None:
        self.node = node
        self.folder = folder
        self.traps = folder / "traps"
        self.source, self.out = f"{name}-source", f"{name}-out"
        self.fed = 0
        self.starts = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.traps.mkdir(parents=True, exist_ok=True)
        admin = AdminClient({"bootstrap.servers": node.address})
        for future in admin.create_topics([NewTopic(self.source, 2, 1), NewTopic(self.out, 2, 1)]).values():
            future.result(60)

    def feed(self, rows: int) -> None:
        producer = Producer({"bootstrap.servers": self.node.address, "enable.idempotence": True})
        for number in range(self.fed, self.fed + rows):
            producer.produce(self.source, f"value of {number}".encode(), str(number).encode(), partition=number % 2)
        self.wait_for(lambda: producer.flush(0.1) == 0)  # a trap that is set may kill the node meanwhile
        self.fed += rows

    # The program.

    def start(self, *, stays: bool = False) -> None:
        command = [sys.executable, "-m", "spark.copy_query", self.node.address, self.source, self.out]
        command += [str(self.folder), str(int(stays))]
        self.starts += 1
        with (self.folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **traps.environment(self.traps)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_die_with_parent,
            )

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def run(self) -> int:
        """Starts the program and waits for its end; gives how it ended."""
        self.start()
        return self._ended()

    def finish(self) -> int:
        """Lets a program that stays copy the rest and end."""
        (self.traps / "done").touch()
        return self._ended()

    def _ended(self) -> int:
        self.wait_for(lambda: not self.is_running)
        assert self.process is not None
        return int(self.process.returncode)

    def wait_for(self, condition: Callable[[], bool], timeout_s: float = 240) -> None:
        """A node that is killed meanwhile is started again."""
        deadline = time.monotonic() + timeout_s
        while not condition():
            self.keep_node_alive()
            if time.monotonic() > deadline:
                raise TimeoutError(f"this was not reached in {timeout_s:g} s:\n{self.tail()}")
            time.sleep(0.02)

    def keep_node_alive(self) -> None:
        assert self.node.process is not None
        if self.node.process.poll() is not None:
            self.node.start()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def tail(self, size: int = 3000) -> str:
        log = self.folder / "log.txt"
        return log.read_text(errors="replace")[-size:] if log.exists() else ""

    # What must be so.

    def committed_rows(self) -> int:
        """How far the group of the query is; its offsets are part of the batches' commits."""
        with BlockingCluster({"bootstrap.servers": self.node.address}) as cluster:
            keys = partitions_of(cluster, [self.source])
            return sum(max(offset, 0) for offset in fetch_offsets(cluster, GROUP, keys).values())

    def check(self) -> None:
        """Every row once, and the group's offsets at the end of what was read."""
        found = Counter(committed_keys(self.node.address, self.out))
        twice = sorted(key for key, count in found.items() if count > 1)
        missing = sorted(str(number) for number in range(self.fed) if str(number) not in found)
        assert not twice, f"{len(twice)} rows are there twice, for example {twice[:5]}"
        assert not missing, f"{len(missing)} of {self.fed} rows are missing, for example {missing[:5]}"
        assert len(found) == self.fed
        with BlockingCluster({"bootstrap.servers": self.node.address}) as cluster:
            keys = partitions_of(cluster, [self.source])
            ends = list_offsets(cluster, dict.fromkeys(keys, LATEST), committed=True)
            assert fetch_offsets(cluster, GROUP, keys) == ends
