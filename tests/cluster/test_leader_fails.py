"""A leader fails with records that not everybody has: 100 at the leader, 99 and 98 at its followers, 98 committed.

One of the followers leads on, both stay in sync, what was committed is there, and what only the old leader had is gone.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from cluster.load import PATIENT, QUIET, create_at, describe, read_all
from peer.namespaces import needs_namespaces
from peer.netns_cluster import NetnsCluster, netns_cluster
from peer.our_cluster import wait_for
from tidelog.protocol.record_batch import decode_records, iter_batches

TOPIC = "records"
BROKERS = {0, 1, 2}
ROLES = {0: "broker", 1: "broker", 2: "broker", 10: "controller"}
# Nobody leaves the in-sync replicas for being slow while the scene is set.
SLOW_IS_FINE = {
    "replica.lag.time.max.ms": "60000",
    "broker.session.timeout.ms": "60000",
    "replica.socket.timeout.ms": "60000",
    "unclean.leader.election.enable": "false",
}


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NetnsCluster]:
    needs_namespaces()
    with netns_cluster(tmp_path_factory.mktemp("cluster"), ROLES, **SLOW_IS_FINE) as found:
        yield found


def send(cluster: NetnsCluster, value: str, acks: str) -> None:
    settings = {**PATIENT, "enable.idempotence": False, "acks": acks, "bootstrap.servers": cluster.address}
    producer = Producer(settings)
    failed: list[object] = []
    producer.produce(TOPIC, value, partition=0, on_delivery=lambda error, _: failed.append(error) if error else None)
    assert producer.flush(30) == 0
    assert not failed


def log_end(cluster: NetnsCluster, node_id: int) -> int:
    """The offset that the next record gets in the file of this replica."""
    end = 0
    for path in cluster.nodes[node_id].data.glob(f"{TOPIC}-0/*.log"):
        raw = path.read_bytes()
        for position, _ in iter_batches(raw):
            end = max(record.offset for record in decode_records(raw, position)) + 1
    return end


def high_watermark(address: str) -> int:
    consumer = Consumer({**QUIET, "bootstrap.servers": address, "group.id": "nobody"})
    try:
        return consumer.get_watermark_offsets(TopicPartition(TOPIC, 0), timeout=20)[1]
    finally:
        consumer.close()


def test_the_leader_of_100_99_98_fails(cluster: NetnsCluster) -> None:
    create_at(cluster.address, TOPIC, [[0, 1, 2]])
    for number in range(1, 99):
        send(cluster, f"record {number}", "all")
    cluster.network.drop(0, 2)  # what the leader answers no longer arrives there
    send(cluster, "record 99", "1")
    wait_for(lambda: log_end(cluster, 1) == 99, "the first follower has 99 records")
    cluster.network.drop(0, 1)
    send(cluster, "record 100", "1")
    assert [log_end(cluster, each) for each in sorted(BROKERS)] == [100, 99, 98]
    assert high_watermark(cluster.addresses[0]) == 98
    assert describe(cluster.address, TOPIC) == (0, BROKERS)

    cluster.kill_node(0)
    left = cluster.without(0)
    wait_for(lambda: describe(left, TOPIC) == (1, {1, 2}), "the first of those in sync leads")
    wait_for(lambda: high_watermark(left) == 99, "the second one catches up")
    assert [log_end(cluster, each) for each in (1, 2)] == [99, 99]
    values = [each.value for each in read_all(left, TOPIC, 1)]
    assert values == [f"record {number}" for number in range(1, 100)], "98 were committed; the 99th had a second copy"

    # Another record takes the place of the one that is lost, and the old leader gives its own up when it is back.
    cluster.heal()
    settled = Producer({**PATIENT, "bootstrap.servers": left})
    settled.produce(TOPIC, "another record 100", partition=0)
    assert settled.flush(30) == 0
    cluster.start_node(0)
    wait_for(lambda: describe(cluster.address, TOPIC)[1] == BROKERS, "the old leader follows and is in sync")
    wait_for(lambda: [log_end(cluster, each) for each in sorted(BROKERS)] == [100] * 3, "all have the same end")
    copies = [(cluster.nodes[each].data / f"{TOPIC}-0" / f"{0:020}.log").read_bytes() for each in sorted(BROKERS)]
    assert copies[0] == copies[1] == copies[2], "all replicas have converged, byte for byte"
    assert b"another record 100" in copies[0]
