"""Memory of a fresh node, idle and after produce, consume and many connections."""

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

MB = 1e6


class Memory(Figure):
    name = "memory"
    title = "Memory (Apache Kafka with the one-gigabyte heap that its start script gives)"
    rows = (
        Row("memory_idle_rss", "idle, resident", "MB", bar=0.15, digits=0),
        Row("memory_idle_pss", "idle, proportional", "MB", digits=0),
        Row("memory_loaded_rss", "after load, resident", "MB", bar=0.15, digits=0),
        Row("memory_loaded_pss", "after load, proportional", "MB", digits=0),
    )
    expected_s = 45
    bounded_by = "the interpreter and the modules it holds; a receive buffer per busy connection comes on top"

    def measure(self, lab: Lab, samples: Samples) -> None:
        for kind in lab.kinds:
            lab.progress.step(f"memory: {kind}", self.expected_s / len(lab.kinds))
            with lab.fresh(kind, "memory") as side:
                samples.add(kind, _sample(side, "idle"))
                _load(lab, side)
                samples.add(kind, _sample(side, "loaded"))


def _sample(side: Side, when: str) -> dict[str, float]:
    side.settle()
    resident, proportional = side.memory_bytes()
    return {f"memory_{when}_rss": resident / MB, f"memory_{when}_pss": proportional / MB}


def _load(lab: Lab, side: Side) -> None:
    small, large = lab.amount(3_000_000), lab.amount(1_000_000)
    side.create_topic("small", 4)
    side.create_topic("large", 4)
    side.librdkafka("produce", topic="small", partitions=4, n=small, size=100)
    side.librdkafka("produce", topic="large", partitions=4, n=large, size=1000)
    side.librdkafka("consume", topic="large", partitions=4, n=large)
    side.raw("produce", topic="small", partitions=4, connections=200, depth=4, n=lab.amount(60_000))


FIGURE = Memory()
