"""From send to a reader behind a streaming query: our sink in both modes, and Spark's own with both of its triggers."""

from bench.figure import OURS, Figure, Row, Samples
from bench.figures.spark import SparkSteps
from bench.lab import Lab
from bench.loads.spark_latency import RATE

MODES = {
    "exactly": 'format("tidelog"), exactly once',
    "plainly": 'format("tidelog"), at least once',
    "builtin": 'format("kafka"), at least once',
    "realtime": 'format("kafka"), real-time trigger',
}


class SparkLatency(Figure):
    name = "spark_latency"
    title = f"Through a Spark query on our node, local[2], {RATE} records a second, topic to topic"
    rows = tuple(
        Row(f"spark_latency_{mode}_{figure}_ms", f"{label}, {figure}", "ms", digits=0)
        for mode, label in MODES.items()
        for figure in ("p50", "p99")
    )
    expected_s = 120
    bounded_by = "Spark's micro-batches: planning, tasks, and a commit in files for each"

    def measure(self, lab: Lab, samples: Samples) -> None:
        side = lab.ours()
        if side is None:
            samples.notes.append("not measured: the figure needs our node")
            return
        spark = SparkSteps(side)
        try:
            for mode in MODES:
                lab.progress.step(f"latency, {mode}")
                topics = [f"spark-{mode}-{name}" for name in ("in", "out")]
                for topic in topics:
                    side.create_topic(topic, 1, {})
                got = spark.run(mode=mode, topic=topics[0], out=topics[1], seconds=10 if lab.quick else 20)
                samples.add(OURS, {f"spark_latency_{mode}_{figure}_ms": got[figure] for figure in ("p50", "p99")})
        finally:
            spark.close()


FIGURE = SparkLatency()
