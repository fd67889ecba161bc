"""Consume by librdkafka from the first record to the last."""

from functools import partial

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

SHAPES = ((100, 3_000_000), (1000, 1_000_000))  # record bytes, records
LOOPS = 2


def _rows(size: int) -> tuple[Row, Row]:
    unit = "CPU-s/GB" if size >= 1000 else "CPU-s/million"
    return (
        Row(f"consume_{size}_cpu", f"consume {size} B", unit, bar=1.0, digits=3),
        Row(f"consume_{size}_rate", f"consume {size} B", "MB/s", digits=0),
    )


class Consume(Figure):
    name = "consume"
    title = "Consume (librdkafka, one partition, from the beginning)"
    rows = tuple(row for size, _ in SHAPES for row in _rows(size))
    expected_s = 90
    bounded_by = "the kernel's copy from the page cache to the socket, which is most of it on both nodes"

    def measure(self, lab: Lab, samples: Samples) -> None:
        for size, records in SHAPES:
            topic, n = f"consume-{size}", lab.amount(records)
            with lab.topics(topic):
                for side in lab.sides():
                    side.librdkafka("produce", topic=topic, partitions=1, n=n, size=size)
                step = partial(_consume, topic=topic, size=size, n=n)
                expected_s = self.expected_s / len(SHAPES)
                lab.compare(f"consume {size} B", step, samples, expected_s, warm_by=f"consume_{size}_cpu")


def _consume(side: Side, topic: str, size: int, n: int) -> dict[str, float]:
    got = side.librdkafka("consume", topic=topic, partitions=1, n=n, loops=LOOPS)
    unit = 1e9 / got["bytes"] if size >= 1000 else 1e6 / got["n"]
    return {f"consume_{size}_cpu": got["cpu_s"] * unit, f"consume_{size}_rate": got["bytes"] / got["wall_s"] / 1e6}


FIGURE = Consume()
