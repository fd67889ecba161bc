"""Reads at random offsets of logs with 1, 10 and 100 segments: finding a place must not cost more in a larger log."""

from functools import partial

from bench.figure import APACHE, OURS, Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

SEGMENT_BYTES = 1 << 20  # the smallest that Apache Kafka 4 allows
COUNTS = (1, 10, 100)
RECORD_BYTES = 1000
BATCH_BYTES = 4096


class Segments(Figure):
    name = "segments"
    title = "Fetch of 4 KB at a random offset, by the number of segments in the log"
    rows = (
        *(Row(f"segments_{n}_cpu", f"{n} segment{'s' * (n > 1)}", "CPU-µs/fetch", digits=1) for n in COUNTS),
        Row("segments_growth", "100 segments over 1", "times", bar=1.15, absolute=True),
    )
    expected_s = 70
    bounded_by = "one bisection over the segments' base offsets and one over a memory-mapped index, then one sendfile"

    def measure(self, lab: Lab, samples: Samples) -> None:
        for count in COUNTS:
            topic = f"segments-{count}"
            # Ten percent short of full: the last segment is open, and batches carry more than the records' bytes.
            records = int(count * SEGMENT_BYTES * 0.9 / (RECORD_BYTES + 30))
            with lab.topics(topic, settings={"segment.bytes": str(SEGMENT_BYTES)}):
                for side in lab.sides():
                    _fill(side, topic, records)
                step = partial(_fetch, topic=topic, count=count, records=records, n=lab.amount(30_000))
                label, expected_s = f"random reads over {count} segments", self.expected_s / len(COUNTS)
                lab.compare(label, step, samples, expected_s, warm_by=f"segments_{count}_cpu")
        for kind in (OURS, APACHE):
            one, many = samples.median("segments_1_cpu", kind), samples.median("segments_100_cpu", kind)
            if one and many:
                samples.add(kind, {"segments_growth": many / one})


def _fill(side: Side, topic: str, records: int) -> None:
    side.librdkafka("produce", topic=topic, partitions=1, n=records, size=RECORD_BYTES, batch_bytes=BATCH_BYTES)


def _fetch(side: Side, topic: str, count: int, records: int, n: int) -> dict[str, float]:
    got = side.raw("fetch", topic=topic, connections=4, depth=4, n=n, offsets=records)
    return {f"segments_{count}_cpu": got["cpu_s"] / n * 1e6}


FIGURE = Segments()
