"""One-record Produce requests, ready-made and pipelined: the fixed cost of a request."""

from functools import partial

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

SHAPES = ((1, 30_000, 0.3), (50, 100_000, 0.8))  # connections, requests a run, bar
DEPTH = 8


def _rows(connections: int, bar: float) -> tuple[Row, Row, Row]:
    key, label = f"requests_{connections}", f"one-record requests on {connections} connection{'s' * (connections > 1)}"
    return (
        Row(f"{key}_cpu", label, "CPU-µs/request", bar=bar, digits=1),
        Row(f"{key}_rate", label, "requests/s", digits=0),
        Row(f"{key}_p99", label, "p99 ms", digits=2),
    )


class Requests(Figure):
    name = "requests"
    title = f"One-record produce requests (100 B, acks=all, {DEPTH} on the way per connection)"
    rows = tuple(row for connections, _, bar in SHAPES for row in _rows(connections, bar))
    expected_s = 75
    bounded_by = (
        "the system calls of a request (one append; receive and send, shared by the requests that arrive together) "
        "and the interpreter's steps between them"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        for connections, requests, _ in SHAPES:
            topic, n = f"requests-{connections}", lab.amount(requests)
            step = partial(_send, topic=topic, connections=connections, n=n)
            with lab.topics(topic, partitions=connections):
                label, expected_s = f"one-record requests, {connections} connections", self.expected_s / len(SHAPES)
                lab.compare(label, step, samples, expected_s, warm_by=f"requests_{connections}_cpu")


def _send(side: Side, topic: str, connections: int, n: int) -> dict[str, float]:
    got = side.raw("produce", topic=topic, partitions=connections, connections=connections, depth=DEPTH, n=n)
    key = f"requests_{connections}"
    return {f"{key}_cpu": got["cpu_s"] / n * 1e6, f"{key}_rate": n / got["wall_s"], f"{key}_p99": got["p99_ms"]}


FIGURE = Requests()
