"""Three replicas, two of which must be in sync: what a producer with acks=all is told as followers go, one by one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from confluent_kafka import KafkaError, Producer

from cluster.load import PATIENT, create_at, describe, read_all
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster, server_cluster

ROLES = {0: "broker", 1: "broker", 2: "broker", 10: "controller"}
AT_ONCE = {"enable.idempotence": False, "retries": 0, "delivery.timeout.ms": 8000}


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerCluster]:
    with server_cluster(tmp_path_factory.mktemp("cluster"), ROLES) as found:
        yield found


def send(address: str, value: str) -> KafkaError | None:
    producer = Producer({**PATIENT, **AT_ONCE, "bootstrap.servers": address})
    ends: list[KafkaError | None] = []
    producer.produce("table", value, partition=0, on_delivery=lambda error, _: ends.append(error))
    producer.flush(30)
    assert ends, "a send has no end"
    return ends[0]


def test_the_table_of_followers_that_go(cluster: ServerCluster) -> None:
    create_at(cluster.address, "table", [[0, 1, 2]])
    assert describe(cluster.address, "table") == (0, {0, 1, 2})
    assert send(cluster.address, "three in sync") is None

    cluster.kill_node(2)
    wait_for(lambda: describe(cluster.addresses[0], "table") == (0, {0, 1}), "one follower is down")
    assert send(cluster.addresses[0], "two in sync") is None

    cluster.kill_node(1)
    wait_for(lambda: describe(cluster.addresses[0], "table") == (0, {0}), "two followers are down")
    refused = send(cluster.addresses[0], "one in sync")
    assert refused is not None
    assert refused.code() == KafkaError.NOT_ENOUGH_REPLICAS

    cluster.start_node(1)
    wait_for(lambda: describe(cluster.addresses[0], "table") == (0, {0, 1}), "one is back")
    assert send(cluster.addresses[0], "two in sync again") is None
    values = [each.value for each in read_all(cluster.addresses[0], "table", 1)]
    assert values == ["three in sync", "two in sync", "two in sync again"], "a refused record is nowhere"
