"""Faults by chance on three real nodes under load, for as long as you like: `./dev soak cluster --minutes 30`.

Each round makes one fault (kill -9 of one node or of all, a pause, a partition of some shape), lets the load go on
under it, heals it, and waits until everybody is in sync. In the end every acknowledgement is held against what a
reader finds. With `--netns` three brokers and three controllers run in network namespaces (as root), packets are really
dropped, and Java clients are part of the load.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

from cluster.java_load import program
from cluster.load import Load, create, describe
from cluster.namespace_faults import ASYMMETRIC, CRASHES, PARTITIONED, ROLES, Story
from peer.namespaces import why_not
from peer.netns_cluster import netns_cluster
from peer.our_cluster import OurCluster, our_cluster, wait_for
from soak.folder import soak_folder

PARTITIONS = 6
NODES = (1, 2, 3)


class Soak:
    def __init__(self, cluster: OurCluster, random: Random) -> None:
        self._cluster = cluster
        self._random = random
        self.faults: dict[str, Callable[[], None]] = {
            "kill": self._kill,
            "kill all": self._kill_all,
            "pause": self._pause,
            "partition": self._cut,
            "one-way partition": lambda: self._cut("--one-way"),
            "bridge": self._bridge,
        }

    def round(self, topic: str) -> str:
        """One fault from its beginning to its end; gives its name."""
        name = self._random.choice(list(self.faults))
        self.faults[name]()
        wait_for(lambda: self._in_sync(topic), f"everybody is in sync after: {name}", 120)
        return name

    def _in_sync(self, topic: str) -> bool:
        return all(describe(self._cluster.address, topic, each)[1] == set(NODES) for each in range(PARTITIONS))

    def _last(self) -> None:
        """A fault stays long enough to be noticed by every timer, or not at all."""
        time.sleep(self._random.choice((0.2, 1.0, 6.0)))

    def _kill(self) -> None:
        node = self._random.choice(NODES)
        self._cluster.kill_node(node)
        self._last()
        self._cluster.start_node(node)

    def _kill_all(self) -> None:
        for node in NODES:
            self._cluster.kill_node(node)
        with ThreadPoolExecutor() as pool:  # none of them serves before a majority is there
            list(pool.map(self._cluster.start_node, self._random.sample(NODES, 3)))

    def _pause(self) -> None:
        node = self._random.choice(NODES)
        self._cluster.pause_node(node)
        self._last()
        self._cluster.resume_node(node)

    def _cut(self, *words: str) -> None:
        self._cluster.fault("partition", str(self._random.choice(NODES)), *words)
        self._last()
        self._cluster.fault("heal")

    def _bridge(self) -> None:
        one, other = self._random.sample(NODES, 2)
        self._cluster.fault("partition", str(one), "--from", str(other))
        self._last()
        self._cluster.fault("heal")


def in_namespaces(minutes: float, random: Random) -> str:
    reason = why_not()
    if reason:
        raise SystemExit(reason)
    program()
    with soak_folder("netns") as folder, netns_cluster(folder / "cluster", ROLES) as cluster:
        story = Story(cluster, "soak")
        faults = [*CRASHES, *PARTITIONED, *ASYMMETRIC]

        def one() -> str:
            fault = random.choice(faults)
            story.during(fault)
            return fault.__name__.replace("_", " ")

        return go_on(minutes, story.load, one)


def on_loopback(minutes: float, random: Random) -> str:
    with soak_folder("cluster") as folder, our_cluster(folder / "cluster") as cluster:
        create(cluster.address, "soak", PARTITIONS)
        load = Load(cluster.address, "soak", PARTITIONS, producers=3)
        soak = Soak(cluster, random)
        return go_on(minutes, load, lambda: soak.round("soak"))


def go_on(minutes: float, load: Load, one: Callable[[], str]) -> str:
    """One fault after the other until the time is over; gives the verdict."""
    deadline = time.monotonic() + minutes * 60
    rounds = 0
    while time.monotonic() < deadline:
        load.wait_for_acks(200, 120)
        rounds += 1
        print(f"round {rounds}: {one()}, {load.acked:,} acknowledged", flush=True)
    acked = load.judge()
    return f"{rounds} faults, {acked:,} acknowledged: none lost, none twice, all in order"


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev soak cluster", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long (10)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the faults' order")
    parser.add_argument("--netns", action="store_true", help="on network namespaces, with Java clients (needs root)")
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    run = in_namespaces if args.netns else on_loopback
    print(run(args.minutes, Random(args.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
