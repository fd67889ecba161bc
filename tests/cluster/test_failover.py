"""kill -9, pauses and partitions in a cluster of real processes under load: nothing lost, nothing twice, in order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from cluster.load import Load, create, describe
from peer.our_cluster import OurCluster, our_cluster, wait_for

PARTITIONS = 3


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurCluster]:
    with our_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture(autouse=True)
def _whole(cluster: OurCluster) -> Iterator[None]:
    yield
    cluster.restore()


def in_sync(cluster: OurCluster, topic: str, partitions: int = PARTITIONS) -> bool:
    return all(describe(cluster.address, topic, each)[1] == {1, 2, 3} for each in range(partitions))


def test_every_node_is_killed_once_under_load(cluster: OurCluster) -> None:
    create(cluster.address, "killed", PARTITIONS)
    load = Load(cluster.address, "killed", PARTITIONS)
    load.wait_for_acks(500)
    for node_id in (1, 2, 3):
        cluster.kill_node(node_id)
        load.wait_for_acks(500)
        cluster.start_node(node_id)
        wait_for(lambda: in_sync(cluster, "killed"), f"node {node_id} is in sync again")
        load.wait_for_acks(200)
    assert load.judge() > 2000


def test_all_nodes_are_killed_at_once_and_come_back_with_everything(cluster: OurCluster) -> None:
    """What a process wrote outlives it: the page cache is the kernel's."""
    create(cluster.address, "all-killed", PARTITIONS)
    load = Load(cluster.address, "all-killed", PARTITIONS)
    load.wait_for_acks(500)
    for node_id in (1, 2, 3):
        cluster.kill_node(node_id)
    with ThreadPoolExecutor() as pool:
        list(pool.map(cluster.start_node, (1, 2, 3)))
    wait_for(lambda: in_sync(cluster, "all-killed"), "all are in sync again")
    load.wait_for_acks(200)
    assert load.judge() > 700


def test_a_paused_leader_is_replaced_and_acknowledges_nothing(cluster: OurCluster) -> None:
    create(cluster.address, "paused", PARTITIONS)
    load = Load(cluster.address, "paused", PARTITIONS)
    load.wait_for_acks(500)
    leader, _ = describe(cluster.address, "paused")
    cluster.pause_node(leader)
    try:
        others = ",".join(address for node, address in cluster.addresses.items() if node != leader)
        wait_for(lambda: describe(others, "paused")[0] not in (leader, -1), "another node leads")
        load.wait_for_acks(500)
    finally:
        cluster.resume_node(leader)
    wait_for(lambda: in_sync(cluster, "paused"), "the paused node is back")
    assert load.judge() > 1000


@pytest.mark.parametrize("shape", ["symmetric", "one-way", "bridge"])
def test_a_leader_is_cut_off(cluster: OurCluster, shape: str) -> None:
    topic = f"cut-{shape}"
    create(cluster.address, topic, PARTITIONS)
    load = Load(cluster.address, topic, PARTITIONS)
    load.wait_for_acks(500)
    leader, _ = describe(cluster.address, topic)
    if shape == "symmetric":
        cluster.fault("partition", str(leader))
    elif shape == "one-way":
        cluster.fault("partition", str(leader), "--one-way")
    else:
        # One node reaches both others, which do not reach each other.
        cluster.fault("partition", str(leader), "--from", str(leader % 3 + 1))
    time.sleep(5)  # longer than a broker's session
    load.wait_for_acks(100)
    cluster.fault("heal")
    wait_for(lambda: in_sync(cluster, topic), "everybody is in sync again")
    load.wait_for_acks(100)
    assert load.judge() > 600
