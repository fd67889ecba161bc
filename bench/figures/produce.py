"""Produce by librdkafka, acks=all: what a million small records and a gigabyte of larger ones cost."""

from functools import partial
from typing import NamedTuple

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side


class Shape(NamedTuple):
    """Records of one size in batches of one size."""

    size: int
    records: int
    batch_bytes: int

    @property
    def key(self) -> str:
        return f"produce_{self.size}_{self.batch_bytes}"

    @property
    def label(self) -> str:
        return f"produce {self.size} B in {self.batch_bytes // 1024} KB batches"

    def rows(self) -> tuple[Row, Row]:
        unit = "CPU-s/GB" if self.size >= 1000 else "CPU-s/million"
        return (
            Row(f"{self.key}_cpu", self.label, unit, bar=0.4, digits=3),
            Row(f"{self.key}_rate", self.label, "MB/s", digits=0),
        )


SHAPES = (
    Shape(100, 2_000_000, 65_536),
    Shape(1000, 500_000, 65_536),
    Shape(100, 1_000_000, 16_384),
    Shape(1000, 300_000, 16_384),
)


class Produce(Figure):
    name = "produce"
    title = "Produce (librdkafka, acks=all, one partition)"
    rows = tuple(row for shape in SHAPES for row in shape.rows())
    expected_s = 150
    bounded_by = (
        "three passes over the bytes that no broker can leave out (the kernel's copy from the socket, the CRC-32C, the "
        "kernel's copy into the page cache), then the walk over the records that checks them (100 B) and the fixed "
        "cost of a request (16 KB batches)"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        for shape in SHAPES:
            topic = shape.key.replace("_", "-")
            step = partial(_produce, shape=shape, topic=topic, n=lab.amount(shape.records))
            with lab.topics(topic):
                lab.compare(shape.label, step, samples, self.expected_s / len(SHAPES), warm_by=f"{shape.key}_cpu")


def _produce(side: Side, shape: Shape, topic: str, n: int) -> dict[str, float]:
    got = side.librdkafka("produce", topic=topic, partitions=1, n=n, size=shape.size, batch_bytes=shape.batch_bytes)
    unit = 1e9 / got["bytes"] if shape.size >= 1000 else 1e6 / n
    return {f"{shape.key}_cpu": got["cpu_s"] * unit, f"{shape.key}_rate": got["bytes"] / got["wall_s"] / 1e6}


FIGURE = Produce()
