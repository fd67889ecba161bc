"""A tiered topic in a cluster: the leader dies in the middle of a copy, another goes on, and all is readable."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import OffsetSpec  # type: ignore[attr-defined]

from cluster.load import PATIENT, QUIET, admin, create, describe
from peer.our_cluster import OurCluster, our_cluster, wait_for

RECORDS = 3000
SETTINGS = {
    "remote.log.storage.system.enable": "true",
    "remote.log.manager.task.interval.ms": "200",
    "log.retention.check.interval.ms": "200",
    "rlmm.config.remote.log.metadata.topic.num.partitions": "3",
    # About three segments a second: there is time to kill a leader between two of them.
    "remote.log.manager.copy.max.bytes.per.second": "150000",
    "tidelog.remote.chunk.bytes": "16384",
}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[OurCluster]:
    settings = {**SETTINGS, "tidelog.remote.storage.url": f"file://{tmp_path}/store"}
    with our_cluster(tmp_path / "cluster", **settings) as found:
        yield found


def produce(address: str, first: int, count: int) -> None:
    producer = Producer({**PATIENT, "bootstrap.servers": address, "batch.num.messages": 20})
    failed: list[object] = []
    for number in range(first, first + count):
        producer.produce(
            "t", b"%08d" % number * 25, on_delivery=lambda error, _: failed.append(error) if error else None
        )
    assert producer.flush(60) == 0
    assert not failed


def consume(address: str, count: int) -> list[bytes]:
    consumer = Consumer({**QUIET, "bootstrap.servers": address, "group.id": "g", "auto.offset.reset": "error"})
    consumer.assign([TopicPartition("t", 0, 0)])
    found: list[bytes] = []
    while len(found) < count:
        messages = consumer.consume(count - len(found), timeout=30)
        assert messages, f"no more after {len(found)} records"
        for message in messages:
            assert message.error() is None, message.error()
            assert message.offset() == len(found)
            found.append((message.value() or b"")[:8])
    consumer.close()
    return found


def stored(tmp_path: Path) -> int:
    return len(list((tmp_path / "store").rglob("*.log")))


def earliest(address: str) -> int:
    client, partition = admin(address), TopicPartition("t", 0)
    first = OffsetSpec.earliest()  # type: ignore[no-untyped-call]
    offset: int = client.list_offsets({partition: first})[partition].result(20).offset
    return offset


def local_segments(cluster: OurCluster, node_id: int) -> int:
    return len(list(cluster.data.glob(f"*{node_id}*/t-0/*.log")))


def test_a_leader_dies_in_the_middle_of_a_copy(cluster: OurCluster, tmp_path: Path) -> None:
    create(
        cluster.address, "t", retention_ms="-1", internal_segment_bytes="50000", local_retention_bytes="1",
        remote_storage_enable="true", file_delete_delay_ms="0",
    )  # fmt: skip
    produce(cluster.address, 0, RECORDS)
    wait_for(lambda: stored(tmp_path) >= 3, "the first segments are copied")
    old, _ = describe(cluster.address, "t")
    cluster.kill_node(old)
    others = ",".join(address for node, address in cluster.addresses.items() if node != old)
    wait_for(lambda: describe(others, "t")[0] not in (old, -1), "another node leads")
    leader, _ = describe(others, "t")
    wait_for(lambda: local_segments(cluster, leader) == 1, "the new leader has only the active segment on disk")
    assert earliest(others) == 0
    assert consume(others, RECORDS) == [b"%08d" % number for number in range(RECORDS)]

    # A node that has lost its log begins behind what is remote.
    produce(others, RECORDS, 200)
    (lost,) = cluster.data.glob(f"*{old}*/t-0")
    shutil.rmtree(lost)
    cluster.start_node(old)
    wait_for(lambda: describe(others, "t")[1] == {1, 2, 3}, "all are in sync")
    assert min(int(path.stem) for path in lost.glob("*.log")) > RECORDS // 2
    assert consume(cluster.address, RECORDS + 200)[-1] == b"%08d" % (RECORDS + 199)
