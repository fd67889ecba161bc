"""Spark on our node: format("tidelog") beside Spark's own format("kafka"), same data, same session."""

import json
import subprocess
import sys
from typing import Any

from bench import ROOT
from bench.figure import APACHE, OURS, Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side
from peer.spark_jars import connector_jars

FORMS = {OURS: "tidelog", APACHE: "kafka"}
STEPS = (  # step, record bytes, records, the most that ours may take over the built-in one's time
    ("read", 100, 2_000_000, 0.5),
    ("read", 1000, 400_000, 0.5),
    ("copy", 100, 1_000_000, 1.0),
    ("window", 100, 1_000_000, 1.0),
)
LABELS = {
    "read": "read {} B into Spark",
    "copy": "{} B topic to topic, exactly once | at least once",
    "window": "windowed count, topic to topic",
}


def _rows(step: str, size: int, bar: float) -> tuple[Row, Row]:
    label, key = LABELS[step].format(size), f"spark_{step}_{size}"
    return Row(f"{key}_s", label, "s/million rows", bar=bar), Row(f"{key}_cpu", label, "CPU-s/million rows")


class SparkSteps:
    """The child process with the session."""

    def __init__(self, side: Side) -> None:
        command = [sys.executable, "-m", "bench.loads.spark_steps", f"127.0.0.1:{side.port}", connector_jars()]
        self._side = side
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("Spark ended before it had an answer")
        found: dict[str, Any] = json.loads(line)
        return found

    def run(self, **step: Any) -> dict[str, float]:
        """Wall and CPU seconds of a step; the node's CPU is part of it."""
        assert self._process.stdin is not None
        before = self._side.node.cpu_seconds()
        self._process.stdin.write(json.dumps(step) + "\n")
        self._process.stdin.flush()
        found = self._answer()
        return {"wall_s": found["wall_s"], "cpu_s": found["cpu_s"] + self._side.node.cpu_seconds() - before}

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)


class Spark(Figure):
    name = "spark"
    title = 'Spark, local[2], two partitions, both on our node: format("tidelog") as ours, format("kafka") as Apache\'s'
    rows = tuple(row for step, size, _, bar in STEPS for row in _rows(step, size, bar))
    expected_s = 240
    bounded_by = "the JVM's side: rows become its own and are thrown away"

    def measure(self, lab: Lab, samples: Samples) -> None:
        side = lab.ours()
        if side is None:
            samples.notes.append("not measured: the figure needs our node")
            return
        topics = {size: f"spark-{size}" for _, size, _, _ in STEPS}
        most = {size: max(lab.amount(n) for _, each, n, _ in STEPS if each == size) for size in topics}
        spark = SparkSteps(side)
        try:
            for size, topic in topics.items():
                side.create_topic(topic, 2, {})
                side.librdkafka("produce", topic=topic, partitions=2, n=most[size], size=size)
            for step, size, _, _ in STEPS:
                self._step(lab, side, spark, samples, step, topics[size], size, most[size])
        finally:
            spark.close()

    def _step(
        self, lab: Lab, side: Side, spark: SparkSteps, samples: Samples, step: str, topic: str, size: int, n: int
    ) -> None:
        for repeat in range(lab.repeats + 1):
            for kind, form in FORMS.items():
                lab.progress.step(f"{step} {size} B by {form}, {repeat} of {lab.repeats}")
                out = f"spark-out-{step}-{form}-{repeat}"
                side.create_topic(out, 2, {})
                got = spark.run(step=step, form=form, topic=topic, rows=n, out=out)
                side.delete_topics(out)
                if repeat:  # the first round warms the JVM up
                    key = f"spark_{step}_{size}"
                    scale = 1e6 / n
                    samples.add(kind, {f"{key}_s": got["wall_s"] * scale, f"{key}_cpu": got["cpu_s"] * scale})


FIGURE = Spark()
