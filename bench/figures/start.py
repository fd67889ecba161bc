"""From the start of the process, on fresh data, to the first acknowledged record of a new topic."""

import time

from bench import wire
from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side


class Start(Figure):
    name = "start"
    title = "Start (fresh data; Apache Kafka's has been formatted beforehand, ours formats it as it starts)"
    rows = (
        Row("start_s", "start to first acknowledgement", "s", bar=0.2),
        Row("start_cpu", "start to first acknowledgement", "CPU-s"),
    )
    expected_s = 35
    bounded_by = "the interpreter reading its modules: most of the time goes by before the first line of our own runs"

    def measure(self, lab: Lab, samples: Samples) -> None:
        runs = 1 if lab.quick else lab.repeats
        for run in range(runs):
            for kind in lab.kinds:
                lab.progress.step(f"start: {kind}, {run + 1} of {runs}", self.expected_s / runs / len(lab.kinds))
                samples.add(kind, start_to_first_ack(kind))


def start_to_first_ack(kind: str) -> dict[str, float]:
    side = Side(kind, "start")
    try:
        began = time.monotonic()
        side.launch()
        wire.first_ack(side.port, "start")
        return {"start_s": time.monotonic() - began, "start_cpu": side.cpu_seconds()}
    finally:
        side.close()


FIGURE = Start()
