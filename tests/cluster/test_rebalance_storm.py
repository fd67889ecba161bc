"""A broker dies, and with it the host of the workers of many groups. All of them join again at once.

Without a delay each worker that comes starts another rebalance in each of its groups; with one, a group waits for its
workers and rebalances once.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from confluent_kafka import ConsumerGroupState

from cluster.load import admin, create, describe
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster, server_cluster
from tidelog.model.java_hash import coordinator_partition

GROUPS, WORKERS = 10, 4
ROLES = {1: "broker", 2: "broker", 3: "broker", 10: "controller"}
NAMES = [f"group-{number}" for number in range(GROUPS)]
STAGGER_S = 0.3


class Worker:
    """One process, a member of every group; `given` has each assignment it got, in order."""

    def __init__(self, address: str) -> None:
        self.given: list[tuple[str, tuple[int, ...]]] = []
        self.is_up = threading.Event()
        command = [sys.executable, "-m", "cluster.group_worker", address, "jobs", str(GROUPS)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            word, *rest = line.split()
            if word == "up":
                self.is_up.set()
            else:
                self.given.append((rest[0], tuple(map(int, rest[1:]))))

    def join_groups(self) -> None:
        assert self.is_up.wait(60)
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def is_settled(workers: list[Worker]) -> bool:
    """Each worker has one partition in every group, and no two have the same."""
    now = [dict(worker.given) for worker in workers]
    return all(sorted(each.get(group, ()) for each in now) == [(0,), (1,), (2,), (3,)] for group in NAMES)


def storm(address: str) -> tuple[list[Worker], float]:
    """All workers come, shortly one after the other; gives them and how long it took until every group had settled."""
    workers = [Worker(address) for _ in range(WORKERS)]
    for worker in workers:
        assert worker.is_up.wait(60)
    begin = time.monotonic()
    for worker in workers:
        worker.join_groups()
        time.sleep(STAGGER_S)
    wait_for(lambda: is_settled(workers), "every group has settled", 60)
    return workers, time.monotonic() - begin


def all_empty(address: str) -> bool:
    client = admin(address)
    found = client.describe_consumer_groups(NAMES, request_timeout=20).values()
    return all(each.result(20).state == ConsumerGroupState.EMPTY for each in found)


def busiest_coordinator(cluster: ServerCluster) -> int:
    leaders = [describe(cluster.address, "__consumer_offsets", each)[0] for each in range(4)]
    hosts = [leaders[coordinator_partition(group, 4)] for group in NAMES]
    return max(set(hosts), key=hosts.count)


def cpu_seconds(cluster: ServerCluster, without: int) -> float:
    return sum(cluster.nodes[each].cpu_seconds() for each in cluster.brokers if each != without)


def rebalances_after_a_crash(cluster: ServerCluster) -> int:
    """How many assignments the workers went through until all groups had settled again."""
    create(cluster.address, "jobs", WORKERS)
    workers, _ = storm(cluster.address)
    victim = busiest_coordinator(cluster)
    cluster.kill_node(victim)
    for worker in workers:
        worker.kill()
    left = cluster.without(victim)
    wait_for(lambda: all_empty(left), "the coordinators that took over have noticed that all workers are gone", 60)
    before = cpu_seconds(cluster, victim)
    workers, seconds = storm(left)
    used = cpu_seconds(cluster, victim) - before
    for worker in workers:
        worker.kill()
    count = sum(len(worker.given) for worker in workers)
    print(
        f"{GROUPS} groups of {WORKERS}: {count} assignments until all had settled after {seconds:.1f} s, "
        f"{used:.2f} s of the brokers' CPU"
    )
    return count


@pytest.mark.parametrize("delay_ms", [0, 3000])
def test_a_delay_tames_the_storm(tmp_path: Path, delay_ms: int) -> None:
    settings = {"rebalance.delay.ms": str(delay_ms), "group.min.session.timeout.ms": "1000"}
    with server_cluster(tmp_path / "cluster", ROLES, **settings) as cluster:
        count = rebalances_after_a_crash(cluster)
    if delay_ms:
        assert count == GROUPS * WORKERS, "every worker is given its share once"
    else:
        assert count > GROUPS * WORKERS * 1.5, "every worker that comes unsettles those before it"
