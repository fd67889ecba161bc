"""Spark's part of a micro-batch query in a few lines of Python: what it calls, in which process, and what it keeps.

Planning, every task and every commit run in a process of their own, as with Spark, so that a test can kill each of
them at a step of the sink's protocol without waiting for a JVM. What must outlive them is in files: the offsets of a
batch before it runs, its commit afterwards. Rows are decided by the batch alone, so running it again gives the same.
"""

import json
import os
import pickle
import signal
import traceback
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from tidelog.client.blocking import BlockingCluster
from tidelog.spark import steps
from tidelog.spark.sink import SinkSettings, SinkTask, TidelogStreamWriter

HOOK = "spark.engine:on_step"
Trap = Callable[[str], None]
_traps: list[Trap] = []


def on_step(name: str) -> None:
    for trap in _traps:
        trap(name)


class ProcessDied(Exception):
    """A part of the query was killed."""


class Engine:
    """One query over `tasks` tasks. Each batch writes `rows` rows a task, with keys that tell where they come from."""

    def __init__(self, folder: Path, settings: SinkSettings, tasks: int = 2, rows: int = 50) -> None:
        self.folder = folder
        self.tasks = tasks
        self.rows = rows
        self.settings = settings._replace(checkpoint=str(folder))
        (folder / "offsets").mkdir(parents=True, exist_ok=True)
        (folder / "commits").mkdir(exist_ok=True)
        metadata = folder / "metadata"
        if not metadata.exists():
            metadata.write_text(json.dumps({"id": str(uuid.uuid4())}))
        self.query = json.loads(metadata.read_text())["id"]

    @property
    def next_batch(self) -> int:
        return len(list((self.folder / "commits").iterdir()))

    def keys(self, batch: int, task: int) -> list[str]:
        return [f"{batch}/{task}/{row}" for row in range(self.rows)]

    def model(self) -> list[str]:
        """Every key that batches with a commit must have written, once."""
        return sorted(
            k for batch in range(self.next_batch) for task in range(self.tasks) for k in self.keys(batch, task)
        )

    def arrow(self, batch: int, task: int) -> Iterator[pa.RecordBatch]:
        """The rows of a task in two Arrow batches."""
        keys = self.keys(batch, task)
        for piece in (keys[: self.rows // 2], keys[self.rows // 2 :]):
            yield pa.record_batch({"key": pa.array(piece), "value": pa.array([f"value of {key}" for key in piece])})

    def run_batch(self, trap: Trap | None = None) -> None:
        """One batch from planning to Spark's own commit log; raises when a part of it died or failed."""
        batch = self.next_batch
        self._write_offsets(batch)
        writer = in_process(lambda: pickle.dumps(TidelogStreamWriter(self.settings)), trap)
        messages: list[Any] = []
        try:
            for task in range(self.tasks):
                data = in_process(lambda task=task: self.run_task(writer, batch, task), trap)
                messages.append(pickle.loads(data))
            in_process(lambda: TidelogStreamWriter(self.settings).commit(messages, batch), trap)
        except TaskFailed:
            in_process(lambda: TidelogStreamWriter(self.settings).abort(messages, batch), None)
            raise
        (self.folder / "commits" / str(batch)).write_text("v1")

    def run_task(self, writer: bytes, batch: int, task: int) -> bytes:
        sent = pickle.loads(writer)
        with BlockingCluster(self.settings.client) as cluster:
            work = SinkTask(cluster, self.settings, sent.name, self.query, batch, task)
            return pickle.dumps(work.run(self.arrow(batch, task), sent._intent, sent._driver))

    def _write_offsets(self, batch: int) -> None:
        """As Spark writes them: the position of a source that has read ten offsets a batch."""
        position = {"source": {"0": 10 * (batch + 1)}, "@": {"group": f"group-{self.query}", "ids": {}, "lost": 0}}
        (self.folder / "offsets" / str(batch)).write_text(f"v1\n{{}}\n{json.dumps(position)}")


class TaskFailed(Exception):
    """A part of the query raised an exception, which Spark would have seen."""


def in_process(work: Callable[[], Any], trap: Trap | None) -> Any:
    """The result of `work` in a child process; `trap` is called there at each step."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _child(work, trap, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status) or not data:
        raise ProcessDied
    worked, result = pickle.loads(data)
    if not worked:
        raise TaskFailed(result)
    return result


def _child(work: Callable[[], Any], trap: Trap | None, writing: int) -> None:
    try:
        os.environ[steps.VARIABLE] = HOOK
        _traps[:] = [trap] if trap else []
        found = (True, work())
    except BaseException:
        found = (False, traceback.format_exc())
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(pickle.dumps(found))
    os._exit(0)


class KillAt:
    """A trap that kills the process that reaches a step for the n-th time, once. Counts are kept in a file."""

    def __init__(self, file: Path, step: str, times: int = 1) -> None:
        self.file = file
        self.step = step
        self.times = times
        file.write_text("0")

    def __call__(self, name: str) -> None:
        if name != self.step:
            return
        count = int(self.file.read_text()) + 1
        self.file.write_text(str(count))
        if count == self.times:
            self.strike()

    def strike(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    @property
    def struck(self) -> bool:
        return int(self.file.read_text()) >= self.times
