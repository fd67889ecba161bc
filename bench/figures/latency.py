"""From send to acknowledgement, and from send to a waiting consumer, at a steady thousand messages a second."""

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

RATE = 1000


class Latency(Figure):
    name = "latency"
    title = f"Latency at {RATE:,} messages a second (librdkafka, 100 B, acks=all, no linger, a consumer waiting)"
    rows = (
        Row("latency_ack_p50_ms", "acknowledgement, p50", "ms", digits=3),
        Row("latency_ack_p99_ms", "acknowledgement, p99", "ms", bar=1.0, digits=3),
        Row("latency_end_to_end_p50_ms", "end to end, p50", "ms", digits=3),
        Row("latency_end_to_end_p99_ms", "end to end, p99", "ms", digits=3),
        Row("latency_cpu", "at that rate", "CPU-µs/message", digits=0),
    )
    expected_s = 85
    bounded_by = "wake-ups: two process switches and librdkafka's own threads are most of a round trip on one machine"

    def measure(self, lab: Lab, samples: Samples) -> None:
        seconds = 3 if lab.quick else 6

        def step(side: Side) -> dict[str, float]:
            got = side.librdkafka("latency", topic="latency", partitions=1, rate=RATE, seconds=seconds, size=100)
            kept = {row.key: got[row.key.removeprefix("latency_")] for row in self.rows if row.unit == "ms"}
            return {**kept, "latency_cpu": got["cpu_s"] / got["n"] * 1e6}

        with lab.topics("latency"):
            lab.compare("latency", step, samples, self.expected_s)


FIGURE = Latency()
