"""Three nodes with three replicas, acks=all: what replication costs, how soon it answers, and how soon it recovers."""

import time
from collections.abc import Callable
from functools import partial

from bench import failover
from bench.cluster_side import ClusterSide
from bench.figure import Figure, Row, Samples
from bench.lab import Lab

RATE = 1000
DEPTHS = (1, 8)  # requests on the way on the one connection
IDLE_S = 10.0


class Cluster(Figure):
    name = "cluster"
    title = "Three nodes on this machine (three replicas, acks=all, two in sync needed; CPU of all nodes)"
    rows = (
        Row("cluster_ready_s", "start to all three serving", "s", bar=3, absolute=True),
        Row("cluster_idle", "idle, of one core", "%", bar=3, absolute=True),
        Row("cluster_produce_cpu", "replicated produce, 1 KB records", "CPU-s/GB", bar=0.4),
        Row("cluster_produce_rate", "replicated produce, 1 KB records", "MB/s", bar=1, at_least=True, digits=0),
        *(
            Row(f"cluster_request_cpu_{depth}", f"one-record requests, {depth} on the way", "CPU-µs", bar=0.3, digits=0)
            for depth in DEPTHS
        ),
        Row("cluster_latency_p50", f"acknowledgement at {RATE:,}/s, p50", "ms"),
        Row("cluster_latency_p99", f"acknowledgement at {RATE:,}/s, p99", "ms", bar=10, absolute=True),
        Row("cluster_failover_s", "kill -9 of a leader to the next acknowledgement", "s", bar=0.2),
        Row("cluster_controller_failover_s", "the same, and it is the active controller", "s", bar=0.2),
        Row("cluster_election_s", "kill -9 of the active controller to the next one", "s", bar=2, absolute=True),
    )
    expected_s = 420
    bounded_by = (
        "the passes over the bytes on three nodes that share two cores (two more copies and checksums each), and "
        "for single requests the wake-ups of two followers and their next fetch"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        """One cluster at a time: six nodes on two cores would measure each other."""
        for kind in lab.kinds:
            lab.progress.step(f"cluster: starting {kind}", self.expected_s / 4)
            side = ClusterSide(kind)
            try:
                samples.add(kind, {"cluster_ready_s": side.start()})
                self._measure(lab, side, samples)
            finally:
                side.close()

    def _measure(self, lab: Lab, side: ClusterSide, samples: Samples) -> None:
        steps: tuple[tuple[str, Callable[[], dict[str, float]]], ...] = (
            ("produce", partial(_produce, side, lab.amount(200_000))),
            *(
                (f"one-record requests, {n} on the way", partial(_requests, side, n, lab.amount(15_000)))
                for n in DEPTHS
            ),
            ("latency", partial(_latency, side, 3 if lab.quick else 6)),
        )
        for topic in ("replicated", "single", "steady"):
            side.create_topic(topic)
        samples.add(side.kind, _idle(side))
        for label, step in steps:
            for repeat in range(lab.repeats + 1):
                lab.progress.step(f"cluster: {label}, {side.kind}", self.expected_s / 30)
                measured = step()
                if repeat:  # the first one warms up
                    samples.add(side.kind, measured)
        for repeat in range(lab.repeats):
            lab.progress.step(f"cluster: kill -9, {side.kind}", self.expected_s / 20)
            samples.add(side.kind, failover.kill_leader(side, f"leader-{repeat}"))
            samples.add(side.kind, failover.kill_controller(side, f"controller-{repeat}"))


def _idle(side: ClusterSide) -> dict[str, float]:
    time.sleep(2)
    before = side.cpu_seconds()
    time.sleep(IDLE_S)
    return {"cluster_idle": (side.cpu_seconds() - before) / IDLE_S * 100}


def _produce(side: ClusterSide, n: int) -> dict[str, float]:
    got = side.librdkafka("produce", topic="replicated", partitions=1, n=n, size=1000, batch_bytes=65_536)
    return {
        "cluster_produce_cpu": got["cpu_s"] * 1e9 / got["bytes"],
        "cluster_produce_rate": got["bytes"] / got["wall_s"] / 1e6,
    }


def _requests(side: ClusterSide, depth: int, n: int) -> dict[str, float]:
    got = side.raw("produce", topic="single", partitions=1, connections=1, depth=depth, n=n)
    return {f"cluster_request_cpu_{depth}": got["cpu_s"] / n * 1e6}


def _latency(side: ClusterSide, seconds: int) -> dict[str, float]:
    got = side.librdkafka("latency", topic="steady", partitions=1, rate=RATE, seconds=seconds, size=100)
    return {"cluster_latency_p50": got["ack_p50_ms"], "cluster_latency_p99": got["ack_p99_ms"]}


FIGURE = Cluster()
