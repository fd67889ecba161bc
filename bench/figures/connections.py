"""Five thousand connections that do nothing: what they hold and what they cost."""

import time

from bench import wire
from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

COUNT = 5000
SECONDS = 5


class Connections(Figure):
    name = "connections"
    title = f"{COUNT:,} idle connections, each after one ApiVersions exchange"
    rows = (
        Row("connections_kb", "memory of one", "KB"),
        Row("connections_open_cpu", "to open one", "CPU-µs", digits=0),
        Row("connections_idle_cpu", "all of them idle", "CPU-ms/s", digits=1),
    )
    expected_s = 35
    bounded_by = (
        "the transport, protocol and session objects of a connection; its receive buffer exists only while it receives"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        for side in lab.sides():
            lab.progress.step(f"{COUNT} idle connections: {side.kind}", self.expected_s / len(lab.kinds))
            samples.add(side.kind, _hold(side, 1 if lab.quick else SECONDS))


def _hold(side: Side, seconds: int) -> dict[str, float]:
    side.settle()
    memory, cpu_s = side.memory_bytes()[0], side.cpu_seconds()
    with wire.idle_connections(side.port, COUNT):
        opened_s = side.cpu_seconds()
        side.settle()
        idle_s = side.cpu_seconds()
        time.sleep(seconds)
        return {
            "connections_kb": (side.memory_bytes()[0] - memory) / COUNT / 1e3,
            "connections_open_cpu": (opened_s - cpu_s) / COUNT * 1e6,
            "connections_idle_cpu": (side.cpu_seconds() - idle_s) / seconds * 1e3,
        }


FIGURE = Connections()
