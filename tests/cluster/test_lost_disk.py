"""A node comes back with its id, but without its disk: it must not help to elect one that lacks what is committed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

from confluent_kafka import Producer

from cluster.load import PATIENT, create, create_at, describe, read_all
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster, server_cluster

ROLES = {1: "broker,controller", 2: "broker,controller", 3: "broker,controller"}
SEVERAL_ELECTIONS_S = 5


def send(address: str, topic: str, count: int) -> list[str]:
    producer = Producer({**PATIENT, "bootstrap.servers": address})
    failed: list[object] = []
    values = [f"{topic} {number}" for number in range(count)]
    for value in values:
        producer.produce(
            topic, value, partition=0, on_delivery=lambda error, _: failed.append(error) if error else None
        )
    assert producer.flush(60) == 0
    assert not failed
    return values


def leader_known_to(cluster: ServerCluster, node_id: int) -> int:
    """As its quorum-state file says."""
    path = cluster.nodes[node_id].data / "__cluster_metadata-0" / "quorum-state"
    try:
        return int(json.loads(path.read_text())["leaderId"])
    except (OSError, ValueError):
        return -1


def lose_the_disk(cluster: ServerCluster, node_id: int) -> None:
    node = cluster.nodes[node_id]
    shutil.rmtree(node.data)
    node.format()


def elect_uncleanly(cluster: ServerCluster, topic: str) -> None:
    command = [sys.executable, "-m", "tidelog.cli.kafka_leader_election", "--bootstrap-server", cluster.address]
    words = ["--election-type", "unclean", "--topic", topic, "--partition", "0"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_node_that_lost_its_disk_does_not_vote_for_one_that_missed_what_is_committed(tmp_path: Path) -> None:
    """Node 1 was away when 2 and 3 decided. Then 3 loses its disk: 1 and the empty 3 are two of three, not enough."""
    with server_cluster(tmp_path / "cluster", ROLES) as cluster:
        create(cluster.address, "early")
        cluster.kill_node(1)
        left = cluster.without(1)
        wait_for(lambda: describe(left, "early")[1] == {2, 3}, "node 1 is out")
        create_at(left, "precious", [[2, 3]])
        values = send(left, "precious", 100)
        for node_id in (2, 3):
            cluster.kill_node(node_id)
        lose_the_disk(cluster, 3)
        for node_id in (1, 3):
            cluster.nodes[node_id].launch()
        deadline = time.monotonic() + SEVERAL_ELECTIONS_S
        while time.monotonic() < deadline:
            assert leader_known_to(cluster, 3) not in (1, 3), "it followed a leader that lacks what is committed"
            time.sleep(0.05)

        cluster.start_node(2)
        for node_id in (1, 3):
            cluster.nodes[node_id].wait_until_it_serves()
        # All replicas died, and nobody can know what page caches lost. If node 2 came back last it is the last known
        # leader; if node 3 did, nobody is, because its disk is empty, and a person decides.
        assert describe(cluster.address, "precious")[0] in (-1, 2)
        elect_uncleanly(cluster, "precious")
        wait_for(lambda: describe(cluster.address, "precious") == (2, {2, 3}), "the empty disk is filled again", 60)
        assert [each.value for each in read_all(cluster.address, "precious", 1)] == values
        cluster.kill_node(2)
        left = cluster.without(2)
        wait_for(lambda: describe(left, "precious")[0] == 3, "what it has now counts: it may lead")
        assert [each.value for each in read_all(left, "precious", 1)] == values
