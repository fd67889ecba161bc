"""Transactions over partitions that different nodes lead, and a coordinator that dies in the middle of them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from cluster.load import PATIENT, QUIET, create, describe
from peer.our_cluster import OurCluster, our_cluster, wait_for
from tidelog.model.java_hash import coordinator_partition

PARTITIONS = 3


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurCluster]:
    with our_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def producer(cluster: OurCluster, name: str) -> Producer:
    settings = {**PATIENT, "delivery.timeout.ms": 50_000, "transaction.timeout.ms": 60_000}
    found = Producer({**settings, "bootstrap.servers": cluster.address, "transactional.id": name})
    found.init_transactions(30)
    return found


def committed(cluster: OurCluster, topic: str, expected: int) -> list[bytes]:
    """What a read_committed reader finds; waits for that many."""
    consumer = Consumer(
        {
            **QUIET,
            "bootstrap.servers": cluster.address,
            "group.id": "reader",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
        }
    )
    try:
        consumer.assign([TopicPartition(topic, each, 0) for each in range(PARTITIONS)])
        found: list[bytes] = []
        deadline = time.monotonic() + 60
        while len(found) < expected and time.monotonic() < deadline:
            found += [each.value() or b"" for each in consumer.consume(1000, 0.5) if each.error() is None]
        found += [each.value() or b"" for each in consumer.consume(1000, 1.0) if each.error() is None]
        return sorted(found)
    finally:
        consumer.close()


def send(client: Producer, topic: str, label: str) -> None:
    for partition in range(PARTITIONS):
        client.produce(topic, f"{label} {partition}", partition=partition)


def commits(client: Producer) -> bool:
    try:
        client.commit_transaction(15)
    except KafkaException as error:
        if not error.args[0].retriable():
            raise
        return False
    return True


def test_a_transaction_spans_partitions_of_several_nodes(cluster: OurCluster) -> None:
    create(cluster.address, "spread", PARTITIONS)
    assert len({describe(cluster.address, "spread", each)[0] for each in range(PARTITIONS)}) == 3
    client = producer(cluster, "spreader")
    for number in range(5):
        client.begin_transaction()
        send(client, "spread", f"kept {number}")
        client.commit_transaction(30)
        client.begin_transaction()
        send(client, "spread", f"dropped {number}")
        client.flush(30)
        client.abort_transaction(30)
    wanted = sorted(f"kept {number} {each}".encode() for number in range(5) for each in range(PARTITIONS))
    assert committed(cluster, "spread", len(wanted)) == wanted


def test_a_coordinator_dies_between_the_sends_and_the_commit(cluster: OurCluster) -> None:
    create(cluster.address, "moved", PARTITIONS)
    client = producer(cluster, "mover")
    client.begin_transaction()
    send(client, "moved", "first")
    client.flush(30)
    coordinator, _ = describe(cluster.address, "__transaction_state", coordinator_partition("mover", 4))
    cluster.kill_node(coordinator)
    wait_for(lambda: commits(client), "the next coordinator commits the transaction", 60)
    client.begin_transaction()
    send(client, "moved", "second")
    client.commit_transaction(30)
    wanted = sorted(f"{label} {each}".encode() for label in ("first", "second") for each in range(PARTITIONS))
    assert committed(cluster, "moved", len(wanted)) == wanted
    cluster.start_node(coordinator)
