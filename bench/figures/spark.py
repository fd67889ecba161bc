"""Spark on our node: format("tidelog") beside Spark's own format("kafka"), same data, same session."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench import ROOT
from bench.figure import APACHE, OURS, Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side
from peer.spark_jars import connector_jars

FORMS = {OURS: "tidelog", APACHE: "kafka"}
STEPS = (  # step, record bytes, records, the most that ours may take over the built-in one's time
    ("read", 100, 4_000_000, 0.5),
    ("read", 1000, 1_000_000, 0.5),
    ("copy", 100, 1_000_000, 1.0),
    ("copy_plainly", 100, 1_000_000, None),
    ("window", 100, 4_000_000, 1.0),
)
LABELS = {
    "read": "read {} B into Spark",
    "copy": "{} B topic to topic, exactly once | at least once",
    "copy_plainly": "{} B topic to topic, at least once",
    "window": "windowed count, topic to topic",
}
PARTS = {"jvm": "JVM", "python": "Python workers", "broker": "broker"}


def _rows(step: str, size: int, bar: float | None) -> list[Row]:
    label, key = LABELS[step].format(size), f"spark_{step}_{size}"
    return [
        Row(f"{key}_s", label, "s/million rows", bar=bar),
        Row(f"{key}_rate", label, "thousand rows/s", digits=0),
        Row(f"{key}_cpu", label, "CPU-s/million rows"),
        *(Row(f"{key}_{part}", f"  of it {name}", "CPU-s/million rows") for part, name in PARTS.items()),
    ]


class SparkSteps:
    """The child process with the session."""

    def __init__(self, side: Side) -> None:
        command = [sys.executable, "-m", "bench.loads.spark_steps", f"127.0.0.1:{side.port}", connector_jars()]
        self._side = side
        self._errors: Path = side.folder.parent / "spark-errors.txt"
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        self.start_s: float = self._answer()["start"]

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            said = self._errors.read_text(errors="replace")[-4000:]
            raise RuntimeError(f"Spark ended before it had an answer:\n{said}")
        found: dict[str, Any] = json.loads(line)
        return found

    def run(self, **step: Any) -> dict[str, float]:
        """Wall seconds of a step, and CPU seconds of each part."""
        assert self._process.stdin is not None
        before = self._side.node.cpu_seconds()
        self._process.stdin.write(json.dumps(step) + "\n")
        self._process.stdin.flush()
        return {**self._answer(), "broker": self._side.node.cpu_seconds() - before}

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)


class Spark(Figure):
    name = "spark"
    title = 'Spark, local[2], two partitions, both on our node: format("tidelog") as ours, format("kafka") as Apache\'s'
    rows = tuple(row for step, size, _, bar in STEPS for row in _rows(step, size, bar))
    expected_s = 300
    bounded_by = "the JVM's side: rows become its own and are thrown away"

    def measure(self, lab: Lab, samples: Samples) -> None:
        side = lab.ours()
        if side is None:
            samples.notes.append("not measured: the figure needs our node")
            return
        topics = {(size, n): f"spark-{size}-{n}" for _, size, n, _ in STEPS}
        spark = SparkSteps(side)
        samples.notes.append(f"the session took {spark.start_s:.1f} s to start, which no row holds")
        try:
            for (size, n), topic in topics.items():
                side.create_topic(topic, 2, {})
                side.librdkafka("produce", topic=topic, partitions=2, n=lab.amount(n), size=size)
            for step, size, n, _ in STEPS:
                self._step(lab, side, spark, samples, step, topics[size, n], size, lab.amount(n))
        finally:
            spark.close()

    def _step(
        self, lab: Lab, side: Side, spark: SparkSteps, samples: Samples, step: str, topic: str, size: int, n: int
    ) -> None:
        """The first round warms the JVM and the workers up; then the order flips each time."""
        firsts = []
        for repeat in range(lab.repeats + 1):
            for kind, form in list(FORMS.items())[:: 1 if repeat % 2 else -1]:
                lab.progress.step(f"{step} {size} B by {form}, {repeat} of {lab.repeats}")
                out = f"spark-out-{step}-{form}-{repeat}"
                side.create_topic(out, 2, {})
                got = spark.run(step=step, form=form, topic=topic, rows=n, out=out)
                side.delete_topics(out)
                if repeat:
                    samples.add(kind, _measured(f"spark_{step}_{size}", got, n))
                else:
                    firsts.append(f"{form} {got['wall']:.1f} s")
        samples.notes.append(f"{step} {size} B, the first time: {', '.join(firsts)}")


def _measured(key: str, got: dict[str, float], rows: int) -> dict[str, float]:
    million = rows / 1e6
    cpu = {part: got[part] for part in PARTS}
    return {
        f"{key}_s": got["wall"] / million,
        f"{key}_rate": rows / got["wall"] / 1000,
        f"{key}_cpu": sum(cpu.values()) / million,
        **{f"{key}_{part}": used / million for part, used in cpu.items()},
    }


FIGURE = Spark()
