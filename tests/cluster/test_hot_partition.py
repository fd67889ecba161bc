"""Keys that are badly spread: one partition gets nearly everything, and one of its followers cannot keep pace.

The share of the partition, the lag of the follower, the size of the ISR and the latency of a reader all show it. Where
`replica.lag.max.messages` is set, the follower leaves the ISR for it and the readers stop waiting for it; by default
only time decides, and they wait.
"""

from __future__ import annotations

import re
import threading
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from cluster.load import PATIENT, QUIET, create, describe
from peer.namespaces import needs_namespaces
from peer.netns_cluster import NetnsCluster, netns_cluster
from peer.our_cluster import wait_for

PARTITIONS = 6
ROLES = {1: "broker", 2: "broker", 3: "broker", 10: "controller"}
ALL = {1, 2, 3}
METRICS_PORT = 9100
LAG_MAX = 1000
LINK_BYTES_PER_SECOND = 1_000_000
SECONDS, RECORDS_PER_SECOND = 4, 3000
VALUE = b"v" * 1000
LAG = "tidelog_partition_follower_lag_offsets"


@pytest.fixture(params=[-1, LAG_MAX], ids=["time decides", "records count too"])
def cluster(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[NetnsCluster]:
    needs_namespaces()
    settings = {
        "replica.lag.time.max.ms": "30000",
        "tidelog.metrics.host": "0.0.0.0",
        "tidelog.metrics.port": str(METRICS_PORT),
        "replica.lag.max.messages": str(request.param),
    }
    with netns_cluster(tmp_path_factory.mktemp("cluster"), ROLES, **settings) as found:
        yield found


class Reader(threading.Thread):
    """Reads all partitions and keeps how old each record was when it came."""

    def __init__(self, address: str, topic: str) -> None:
        super().__init__(daemon=True)
        self.ages_ms: dict[int, list[float]] = defaultdict(list)
        self.stopping = threading.Event()
        self._consumer = Consumer({**QUIET, "bootstrap.servers": address, "group.id": "reader"})
        self._consumer.assign([TopicPartition(topic, each, 0) for each in range(PARTITIONS)])
        self.start()

    def run(self) -> None:
        while not self.stopping.is_set():
            for message in self._consumer.consume(1000, 0.1):
                if message.error() is None:
                    self.ages_ms[message.partition() or 0].append(time.time() * 1000 - message.timestamp()[1])
        self._consumer.close()

    @property
    def count(self) -> int:
        return sum(map(len, self.ages_ms.values()))


def key(number: int) -> str:
    """Nine of ten records belong to one customer."""
    return "celebrity" if number % 10 else f"customer {number}"


def send_badly_spread(address: str, topic: str) -> None:
    """At a steady rate, so that what is slow is the cluster and not the sender."""
    # Without idempotence a request that is sent again is written again: on a busy machine an answer is waited for.
    settings = {"enable.idempotence": False, "acks": "1", "request.timeout.ms": 60_000, "socket.timeout.ms": 70_000}
    producer = Producer({**PATIENT, **settings, "bootstrap.servers": address})
    begin = time.monotonic()
    for number in range(SECONDS * RECORDS_PER_SECOND):
        producer.produce(topic, VALUE, key(number))
        if number % 100 == 0:
            time.sleep(max(0.0, begin + number / RECORDS_PER_SECOND - time.monotonic()))
            producer.poll(0)
    assert producer.flush(60) == 0


def metric(cluster: NetnsCluster, broker: int, name: str, **labels: object) -> float:
    """One sample of what this broker tells about itself."""
    host = cluster.network.address(broker)
    with urllib.request.urlopen(f"http://{host}:{METRICS_PORT}/metrics", timeout=20) as answer:
        text = answer.read().decode()
    shown = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
    found = re.search(rf"^{name}{{{shown}}} (\S+)$", text, re.MULTILINE)
    assert found is not None, f"{name} of {shown} is not told"
    return float(found[1])


def hot_partition(address: str, topic: str) -> int:
    """Where the busy key goes, as the client itself decides."""
    producer = Producer({**PATIENT, "bootstrap.servers": address})
    found: list[int] = []
    producer.produce(topic, b"first", "celebrity", on_delivery=lambda _, message: found.append(message.partition()))
    assert producer.flush(30) == 0
    return found[0]


class Watch(threading.Thread):
    """The largest lag of one follower, and the smallest ISR, while something happens."""

    def __init__(self, cluster: NetnsCluster, topic: str, hot: int, leader: int, slow: int) -> None:
        super().__init__(daemon=True)
        self.lag, self.in_sync = 0.0, 3.0
        self.stopping = threading.Event()
        self._cluster, self._leader, self._slow = cluster, leader, slow
        self._labels: dict[str, object] = {"topic": topic, "partition": hot}
        self.start()

    def run(self) -> None:
        while not self.stopping.wait(0.1):
            self.lag = max(self.lag, self._metric(LAG, follower=self._slow))
            self.in_sync = min(self.in_sync, self._metric("tidelog_partition_in_sync_replicas"))

    def _metric(self, name: str, **labels: object) -> float:
        return metric(self._cluster, self._leader, name, **self._labels, **labels)


def unseen(cluster: NetnsCluster, leader: int, hot: int) -> float:
    """Records of the partition that readers do not see yet."""
    end = metric(cluster, leader, "tidelog_partition_log_end_offset", topic="orders", partition=hot)
    return end - metric(cluster, leader, "tidelog_partition_high_watermark", topic="orders", partition=hot)


def test_a_hot_partition_shows(cluster: NetnsCluster, request: pytest.FixtureRequest) -> None:
    create(cluster.address, "orders", PARTITIONS)
    hot = hot_partition(cluster.address, "orders")
    leader, isr = describe(cluster.address, "orders", hot)
    assert isr == ALL
    slow = min(ALL - {leader})
    reader = Reader(cluster.address, "orders")
    watch = Watch(cluster, "orders", hot, leader, slow)
    cluster.network.limit(slow, LINK_BYTES_PER_SECOND)
    send_badly_spread(cluster.address, "orders")
    if "records" in request.node.name:
        assert describe(cluster.without(slow), "orders", hot)[1] == ALL - {slow}
        wait_for(lambda: unseen(cluster, leader, hot) == 0, "readers do not wait for it any more")
        assert metric(cluster, leader, LAG, topic="orders", partition=hot, follower=slow) > LAG_MAX, "but it lags on"
    else:
        assert describe(cluster.without(slow), "orders", hot)[1] == ALL
        assert unseen(cluster, leader, hot) > LAG_MAX, "readers wait for the slowest in sync"
    cluster.network.unlimit(slow)
    wait_for(lambda: reader.count == SECONDS * RECORDS_PER_SECOND + 1, "the reader has everything, once")
    wait_for(lambda: describe(cluster.address, "orders", hot)[1] == ALL, "the follower is back in sync")
    for thread in (reader, watch):
        thread.stopping.set()
        thread.join(30)
    ages_ms = sorted(reader.ages_ms[hot])
    share = len(ages_ms) / reader.count
    print(
        f"{share:.0%} of records in one partition, a follower {watch.lag:,.0f} behind, {watch.in_sync:.0f} in sync; "
        f"age of a record when it is read: half over {ages_ms[len(ages_ms) // 2]:,.0f} ms, oldest {ages_ms[-1]:,.0f} ms"
    )
    assert share > 0.9
    assert watch.lag > LAG_MAX
    if "time" in request.node.name:
        assert ages_ms[-1] > 1000, "latency shows it"
