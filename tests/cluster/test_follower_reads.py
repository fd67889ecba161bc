"""Clients that name their rack read from the replica there (KIP-392): three nodes in three racks, a reader of
confluent-kafka and one of Apache's, and what each broker gave away."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from cluster.load import PATIENT, QUIET, create_at, describe
from peer.apache import java
from peer.our_cluster import wait_for
from peer.process import free_port
from peer.server_cluster import ServerCluster
from peer.toolchain import needs

ROLES = {1: "broker", 2: "broker", 3: "broker", 10: "controller"}
RECORDS, VALUE = 2000, b"v" * 500
SELECTOR = "org.apache.kafka.common.replica.RackAwareReplicaSelector"


@pytest.fixture(scope="module")
def ports() -> dict[int, int]:
    return {each: free_port() for each in (1, 2, 3)}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, ports: dict[int, int]) -> Iterator[ServerCluster]:
    own = {each: {"broker.rack": f"rack-{each}", "tidelog.metrics.port": str(port)} for each, port in ports.items()}
    found = ServerCluster(tmp_path_factory.mktemp("cluster"), ROLES, {"replica.selector.class": SELECTOR}, own)
    try:
        found.start()
        create_at(found.address, "near", [[1, 2, 3]])
        fill(found.address)
        yield found
    finally:
        found.close()


def fill(address: str) -> None:
    producer = Producer({**PATIENT, "bootstrap.servers": address})
    for _ in range(RECORDS):
        producer.produce("near", VALUE, partition=0)
    assert producer.flush(60) == 0
    wait_for(lambda: describe(address, "near") == (1, {1, 2, 3}), "all are in sync")


def given(ports: dict[int, int]) -> dict[int, float]:
    """Bytes of records that each broker has given to readers and followers so far."""
    found = {}
    for broker, port in ports.items():
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
            matched = re.search(r"^tidelog_fetched_bytes_total (\S+)$", answer.read().decode(), re.MULTILINE)
        assert matched is not None
        found[broker] = float(matched[1])
    return found


def read_by_confluent(address: str, rack: str) -> int:
    settings = {"bootstrap.servers": address, "group.id": f"readers-{rack}", "client.rack": rack}
    consumer = Consumer({**QUIET, **settings, "fetch.message.max.bytes": 100_000})
    try:
        consumer.assign([TopicPartition("near", 0, 0)])
        count, deadline = 0, time.monotonic() + 60
        while count < RECORDS:
            assert time.monotonic() < deadline, f"only {count} of {RECORDS} were read"
            count += sum(each.error() is None for each in consumer.consume(500, 1.0))
        return count
    finally:
        consumer.close()


def read_by_java(address: str, rack: str) -> int:
    words = ["--bootstrap-server", address, "--topic", "near", "--partition", "0", "--offset", "earliest"]
    limits = ["--max-messages", str(RECORDS), "--timeout-ms", "60000"]
    properties = [
        "--consumer-property",
        f"client.rack={rack}",
        "--consumer-property",
        "max.partition.fetch.bytes=100000",
    ]
    command = java("org.apache.kafka.tools.consumer.ConsoleConsumer", *words, *limits, *properties)
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.count(VALUE)


@pytest.mark.parametrize("rack", ["rack-2", "rack-3"])
def test_confluent_kafka_reads_in_its_rack(cluster: ServerCluster, ports: dict[int, int], rack: str) -> None:
    check_who_gave(cluster, ports, rack, read_by_confluent)


@pytest.mark.apache
@pytest.mark.parametrize("rack", ["rack-2", "rack-3"])
def test_javas_consumer_reads_in_its_rack(cluster: ServerCluster, ports: dict[int, int], rack: str) -> None:
    needs("java", "mvn")
    check_who_gave(cluster, ports, rack, read_by_java)


def check_who_gave(cluster: ServerCluster, ports: dict[int, int], rack: str, read: object) -> None:
    before = given(ports)
    assert read(cluster.address, rack) == RECORDS  # type: ignore[operator]
    gave = {broker: count - before[broker] for broker, count in given(ports).items()}
    near = int(rack.rpartition("-")[2])
    assert gave[near] >= RECORDS * len(VALUE), gave
    assert sum(gave.values()) - gave[near] < RECORDS * len(VALUE) / 2, f"others gave records too: {gave}"


def test_the_reader_goes_on_when_the_replica_in_its_rack_dies(cluster: ServerCluster) -> None:
    settings = {"bootstrap.servers": cluster.address, "group.id": "g", "client.rack": "rack-3"}
    consumer = Consumer({**QUIET, **settings, "fetch.message.max.bytes": 20_000, "queued.min.messages": 1})
    try:
        consumer.assign([TopicPartition("near", 0, 0)])
        count = len([each for each in consumer.consume(100, 30.0) if each.error() is None])
        cluster.kill_node(3)
        offsets = list(range(count))
        deadline = time.monotonic() + 60
        while len(offsets) < RECORDS:
            assert time.monotonic() < deadline, f"only {len(offsets)} of {RECORDS} were read"
            offsets += [each.offset() or 0 for each in consumer.consume(500, 1.0) if each.error() is None]
        assert offsets == list(range(RECORDS)), "every record once, in order"
    finally:
        consumer.close()
        cluster.start_node(3)


def test_the_node_that_was_started_says_its_rack(cluster: ServerCluster) -> None:
    command = [sys.executable, "-m", "tidelog.cli.kafka_cluster", "list-endpoints", "--bootstrap-server"]
    done = subprocess.run([*command, cluster.address], capture_output=True, text=True, timeout=60, check=False)
    assert [f"rack-{each}" in done.stdout for each in (1, 2, 3)] == [True] * 3, done.stdout + done.stderr
