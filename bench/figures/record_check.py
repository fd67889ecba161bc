"""What looking at every record of a produced batch costs: the topic setting `tidelog.record.check`, full and header."""

from bench.figure import OURS, Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

MODES = ("full", "header")
SETTING = "tidelog.record.check"


class RecordCheck(Figure):
    name = "record_check"
    title = "Produce 100 B in 64 KB batches, by how much of a batch is checked (ours alone)"
    rows = tuple(Row(f"record_check_{mode}_cpu", f"{SETTING}={mode}", "CPU-s/million", digits=3) for mode in MODES)
    expected_s = 20
    bounded_by = (
        "full: a compiled loop over the records, two nanoseconds or so a field; header: CRC-32C and header alone"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        side = lab.ours()
        if side is None:
            return
        n = lab.amount(2_000_000)
        for mode in MODES:
            side.create_topic(f"check-{mode}", settings={SETTING: mode})
        for repeat in range(lab.repeats + 1):
            for mode in MODES:
                lab.progress.step(f"record check: {mode}", self.expected_s / 2 / (lab.repeats + 1))
                cost = _produce(side, f"check-{mode}", n)
                if repeat:  # the first run warms up
                    samples.add(OURS, {f"record_check_{mode}_cpu": cost})
        side.delete_topics(*(f"check-{mode}" for mode in MODES))


def _produce(side: Side, topic: str, n: int) -> float:
    return side.librdkafka("produce", topic=topic, partitions=1, n=n, size=100)["cpu_s"] / n * 1e6


FIGURE = RecordCheck()
