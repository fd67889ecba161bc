"""A coordinator dies while its group rebalances: commits are complete before the new generation begins, so whoever gets
a partition begins where the one before it ended, and nothing is processed twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from confluent_kafka import Consumer, KafkaException, Message, Producer, TopicPartition

from cluster.load import PATIENT, QUIET, create, describe
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster, server_cluster
from tidelog.model.java_hash import coordinator_partition

ROLES = {1: "broker", 2: "broker", 3: "broker", 10: "controller"}
PARTITIONS = 3
GROUP = "payments"


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerCluster]:
    with server_cluster(tmp_path_factory.mktemp("cluster"), ROLES) as found:
        yield found


class Ledger:
    """What all members of the group did, together."""

    def __init__(self) -> None:
        self.processed: list[str] = []
        self.committed: dict[int, int] = {}  # the last commit of each partition that was acknowledged
        self.resumed: list[tuple[str, int, int, int]] = []  # who, partition, where it begins, the last commit before


class Member(threading.Thread):
    """Processes a few records, commits, and only then asks for more. A failed commit is tried until it is taken."""

    def __init__(self, name: str, address: str, ledger: Ledger) -> None:
        super().__init__(daemon=True, name=name)
        self.stopping = threading.Event()
        self.generations = 0
        self._ledger = ledger
        settings = {"group.id": GROUP, "auto.offset.reset": "earliest", "enable.auto.commit": False}
        timing = {"session.timeout.ms": 20_000, "heartbeat.interval.ms": 300}
        self._consumer = Consumer({**QUIET, **settings, **timing, "bootstrap.servers": address})
        self._consumer.subscribe(["orders"], on_assign=self._given)
        self.start()

    def _given(self, consumer: Consumer, places: list[TopicPartition]) -> None:
        """Here a new generation begins: what does the coordinator know of the old one?"""
        self.generations += 1
        for each in consumer.committed(places, timeout=60):
            before = self._ledger.committed.get(each.partition, 0)
            self._ledger.resumed.append((self.name, each.partition, max(0, each.offset), before))
        consumer.assign(places)

    def run(self) -> None:
        while not self.stopping.is_set():
            messages = [each for each in self._consumer.consume(10, 0.1) if each.error() is None]
            if messages:
                self._ledger.processed += [(each.value() or b"").decode() for each in messages]
                self._commit({each.partition() or 0: (each.offset() or 0) + 1 for each in messages})
        self._consumer.close()

    def _commit(self, ends: dict[int, int]) -> None:
        places = [TopicPartition("orders", partition, end) for partition, end in ends.items()]
        deadline = time.monotonic() + 60
        while True:
            try:
                self._consumer.commit(offsets=places, asynchronous=False)
            except KafkaException:
                assert time.monotonic() < deadline, "a commit is never taken"
                continue
            self._ledger.committed |= ends
            return


class Feeder(threading.Thread):
    """Sends orders, some hundreds a second, until it is told to stop; `values` are those that were acknowledged."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.values: list[str] = []
        self._stopping = threading.Event()
        self._producer = Producer({**PATIENT, "bootstrap.servers": address})
        self.start()

    def run(self) -> None:
        number = 0
        while not self._stopping.wait(0.01):
            for _ in range(5):
                self._producer.produce(
                    "orders", f"order {number}", partition=number % PARTITIONS, on_delivery=self._told
                )
                number += 1
            self._producer.poll(0)
        assert self._producer.flush(90) == 0

    def _told(self, error: object, message: Message) -> None:
        assert error is None
        self.values.append((message.value() or b"").decode())

    def stop(self) -> list[str]:
        self._stopping.set()
        self.join(100)
        assert not self.is_alive()
        return self.values


def test_commits_are_complete_before_a_rebalance_settles(cluster: ServerCluster) -> None:
    create(cluster.address, "orders", PARTITIONS)
    feeder = Feeder(cluster.address)
    ledger = Ledger()
    members = [Member(name, cluster.address, ledger) for name in ("first", "second")]
    wait_for(lambda: len(ledger.processed) > 200, "the group works")
    coordinator, _ = describe(cluster.address, "__consumer_offsets", coordinator_partition(GROUP, 4))
    members.append(Member("third", cluster.address, ledger))
    cluster.kill_node(coordinator)
    wait_for(lambda: members[-1].generations > 0, "the group rebalances with its new coordinator", 60)
    settled = len(ledger.processed)
    wait_for(lambda: len(ledger.processed) > settled + 200, "the new generation works", 60)
    values = feeder.stop()
    wait_for(lambda: len(ledger.processed) >= len(values), "everything is processed", 60)
    for member in members:
        member.stopping.set()
        member.join(60)
        assert not member.is_alive()
    print(f"{settled} of {len(values)} when the new generation began; positions: {ledger.resumed}")
    assert all(begin == before for _, _, begin, before in ledger.resumed), ledger.resumed
    assert sorted(ledger.processed) == sorted(values), "each once, none twice, none left out"
