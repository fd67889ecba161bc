"""The file of a leader's log cannot be read any more: the kernel says EIO, another broker leads, readers go on there.

In the place of the file lies the memory of the process itself, which the kernel lets nobody read at its beginning.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from confluent_kafka import Consumer, ElectionType, KafkaError, KafkaException, Producer, TopicPartition

from cluster.load import PATIENT, QUIET, admin, create_at, describe
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster

ROLES = {1: "broker", 2: "broker", 3: "broker", 10: "controller"}
PARTITIONS = 4
RECORDS = 500


def write(address: str) -> None:
    producer = Producer({**PATIENT, "bootstrap.servers": address})
    for number in range(RECORDS * PARTITIONS):
        producer.produce("orders", b"%d" % (number // PARTITIONS), partition=number % PARTITIONS)
        producer.poll(0)
    assert producer.flush(60) == 0


def consumer_at(address: str) -> Consumer:
    return Consumer({**QUIET, "bootstrap.servers": address, "group.id": "readers", "enable.auto.commit": False})


def read(address: str, partition: int) -> list[int]:
    """All of its records, from whoever leads it."""
    consumer = consumer_at(address)
    consumer.assign([TopicPartition("orders", partition, 0)])
    found: list[int] = []

    def is_complete() -> bool:
        found.extend(int(each.value() or b"-1") for each in consumer.consume(RECORDS, 1.0) if each.error() is None)
        return len(found) >= RECORDS

    wait_for(is_complete, f"all records of partition {partition}", 60)
    consumer.close()
    return found


def look_up(address: str, partition: int) -> int:
    """The first record of all, found by its time; librdkafka gives a storage error back, and finds the new leader."""
    consumer = consumer_at(address)
    offsets: list[int] = []

    def is_found() -> bool:
        try:
            [found] = consumer.offsets_for_times([TopicPartition("orders", partition, 1)], timeout=60)
        except KafkaException as error:
            if error.args[0].code() not in (KafkaError.KAFKA_STORAGE_ERROR, KafkaError.NOT_LEADER_FOR_PARTITION):
                raise
            return False
        offsets.append(int(found.offset))
        return True

    wait_for(is_found, "the offset of a time", 60)
    consumer.close()
    return offsets[0]


def lead_again(cluster: ServerCluster, partition: int) -> bool:
    """Whether broker 1 leads; if not, it is asked to."""
    leader, isr = describe(cluster.address, "orders", partition)
    if leader != 1 and isr == {1, 2, 3}:
        client = admin(cluster.address)
        client.elect_leaders(ElectionType.PREFERRED, [TopicPartition("orders", partition)]).result(30)
    return leader == 1


@pytest.mark.parametrize("suffix", [".log", ".index", ".timeindex"])
def test_another_broker_leads_what_cannot_be_read_here(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    own = {1: {"log.dirs": f"{first},{second}", "metadata.log.dir": str(first)}}
    cluster = ServerCluster(tmp_path / "cluster", ROLES, own=own)
    try:
        cluster.start()
        create_at(cluster.address, "orders", [[1, 2, 3]] * PARTITIONS)
        write(cluster.address)
        cluster.stop_node(1)
        cluster.start_node(1)  # from now on it has no file of a log open before somebody reads it
        for each in range(PARTITIONS):
            wait_for(lambda each=each: lead_again(cluster, each), "broker 1 leads again", 60)
        there = sorted(int(path.name.rpartition("-")[2]) for path in second.glob("orders-*"))
        assert 0 < len(there) < PARTITIONS
        file = second / f"orders-{there[0]}" / f"00000000000000000000{suffix}"
        file.unlink()
        file.symlink_to("/proc/self/mem")
        if suffix == ".timeindex":
            assert look_up(cluster.address, there[0]) == 0
        assert read(cluster.address, there[0]) == list(range(RECORDS))
        for each in there:
            wait_for(lambda each=each: describe(cluster.address, "orders", each)[0] in (2, 3), "another broker leads")
        for each in set(range(PARTITIONS)) - set(there):
            assert describe(cluster.address, "orders", each)[0] == 1, "what lies in the other directory stays"
        assert "Input/output error" in cluster.nodes[1].output.read_text()
    finally:
        cluster.close()
