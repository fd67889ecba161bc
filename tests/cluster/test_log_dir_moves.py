"""Replicas move between the log directories of their broker while they are written and read (KIP-113)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.load import Load, create_at, describe
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster

ROLES = {1: "broker", 2: "broker", 3: "broker", 10: "controller"}
ALL = {1, 2, 3}
PARTITIONS = 3
TIMES = 3


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ServerCluster]:
    own = {each: {"log.dirs": ",".join(map(str, directories(tmp_path, each)))} for each in ALL}
    found = ServerCluster(tmp_path / "cluster", ROLES, own=own)
    try:
        found.start()
        yield found
    finally:
        found.close()


def directories(folder: Path, broker: int) -> tuple[Path, Path]:
    return folder / f"{broker}-one", folder / f"{broker}-two"


def reassign(cluster: ServerCluster, *words: str) -> str:
    command = [sys.executable, "-m", "tidelog.cli.kafka_reassign_partitions", "--bootstrap-server", cluster.address]
    done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def lies_in(folder: Path, broker: int, topic: str, index: int) -> int:
    """Which of the two directories has the replica."""
    found = [number for number, each in enumerate(directories(folder, broker)) if (each / f"{topic}-{index}").exists()]
    assert len(found) == 1, f"{topic}-{index} lies in {len(found)} directories of broker {broker}"
    return found[0]


def plan(folder: Path, topic: str, turn: int) -> Path:
    """Every replica to the directory where it is not."""
    rows = []
    for index in range(PARTITIONS):
        replicas = [(index + each) % 3 + 1 for each in range(3)]
        dirs = [str(directories(folder, each)[1 - lies_in(folder, each, topic, index)]) for each in replicas]
        rows.append({"topic": topic, "partition": index, "replicas": replicas, "log_dirs": dirs})
    path = folder / f"plan-{turn}.json"
    path.write_text(json.dumps({"version": 1, "partitions": rows}))
    return path


def epochs(folder: Path, broker: int, topic: str) -> list[str]:
    found = []
    for index in range(PARTITIONS):
        directory = directories(folder, broker)[lies_in(folder, broker, topic, index)]
        found.append((directory / f"{topic}-{index}" / "leader-epoch-checkpoint").read_text())
    return found


def test_all_replicas_move_back_and_forth_under_load(tmp_path: Path, cluster: ServerCluster) -> None:
    create_at(
        cluster.address, "busy", [[index % 3 + 1, (index + 1) % 3 + 1, (index + 2) % 3 + 1] for index in range(3)]
    )
    load = Load(cluster.address, "busy", PARTITIONS)
    load.wait_for_acks(500)
    for turn in range(TIMES):
        file = ["--reassignment-json-file", str(plan(tmp_path, "busy", turn))]
        begun = reassign(cluster, "--execute", *file)
        assert begun.count("Successfully started moving log directory") == 9
        wait_for(
            lambda file=file: reassign(cluster, "--verify", *file).count("completed successfully") == 9,
            "all have moved",
            60,
        )
        load.wait_for_acks(300)
        victim = turn % 3 + 1  # elections write epochs, and a killed node reads what it finds
        cluster.kill_node(victim)
        load.wait_for_acks(100)
        cluster.start_node(victim)
        wait_for(lambda: in_sync(cluster, "busy"), "all are in sync again", 60)
    assert load.judge() > 1500
    assert epochs(tmp_path, 1, "busy") == epochs(tmp_path, 2, "busy") == epochs(tmp_path, 3, "busy")
    assert not list(tmp_path.glob("*/busy-*-future")) + list(tmp_path.glob("*/busy-*-moved"))


def in_sync(cluster: ServerCluster, topic: str) -> bool:
    return all(describe(cluster.address, topic, each)[1] == ALL for each in range(PARTITIONS))


def test_a_move_goes_on_after_a_crash_and_can_be_cancelled(tmp_path: Path, cluster: ServerCluster) -> None:
    create_at(cluster.address, "slow", [[1, 2, 3]] * PARTITIONS)
    load = Load(cluster.address, "slow", PARTITIONS)
    load.wait_for_acks(3000)
    load.stop()
    before = [lies_in(tmp_path, 1, "slow", index) for index in range(PARTITIONS)]
    path = tmp_path / "plan.json"
    rows = [
        {
            "topic": "slow",
            "partition": index,
            "replicas": [1, 2, 3],
            "log_dirs": [str(directories(tmp_path, 1)[1 - before[index]]), "any", "any"],
        }
        for index in range(PARTITIONS)
    ]
    path.write_text(json.dumps({"version": 1, "partitions": rows}))
    file = ["--reassignment-json-file", str(path)]
    reassign(cluster, "--execute", *file, "--replica-alter-log-dirs-throttle", "1000")
    assert reassign(cluster, "--verify", *file).count("is still in progress") == PARTITIONS
    assert describe_log_dirs(cluster).count('"isFuture":true') == PARTITIONS

    cluster.kill_node(1)
    cluster.start_node(1)
    wait_for(lambda: describe_log_dirs(cluster).count('"isFuture":true') == PARTITIONS, "the moves go on")
    cancelled = reassign(cluster, "--cancel", *file)
    assert cancelled.count("Successfully started moving log directory") == PARTITIONS
    wait_for(lambda: '"isFuture":true' not in describe_log_dirs(cluster), "no copies are left")
    assert [lies_in(tmp_path, 1, "slow", index) for index in range(PARTITIONS)] == before

    reassign(cluster, "--execute", *file)
    wait_for(
        lambda: reassign(cluster, "--verify", *file).count("completed successfully") == PARTITIONS, "all have moved"
    )
    assert [lies_in(tmp_path, 1, "slow", index) for index in range(PARTITIONS)] == [1 - each for each in before]
    assert load.judge() > 3000


def describe_log_dirs(cluster: ServerCluster) -> str:
    command = [sys.executable, "-m", "tidelog.cli.kafka_log_dirs", "--bootstrap-server", cluster.address, "--describe"]
    done = subprocess.run([*command, "--broker-list", "1"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_replica_that_comes_from_another_broker_is_made_where_the_plan_says(
    tmp_path: Path, cluster: ServerCluster
) -> None:
    create_at(cluster.address, "far", [[1]] * PARTITIONS, min_insync_replicas="1")
    load = Load(cluster.address, "far", PARTITIONS)
    load.wait_for_acks(300)
    wanted = directories(tmp_path, 2)[1]
    rows = [
        {"topic": "far", "partition": index, "replicas": [2], "log_dirs": [str(wanted)]} for index in range(PARTITIONS)
    ]
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"version": 1, "partitions": rows}))
    file = ["--reassignment-json-file", str(path)]
    reassign(cluster, "--execute", *file)
    wait_for(
        lambda: reassign(cluster, "--verify", *file).count("completed successfully") == PARTITIONS, "all have moved"
    )
    wait_for(lambda: describe(cluster.address, "far") == (2, {2}), "the other broker leads")
    assert [lies_in(tmp_path, 2, "far", index) for index in range(PARTITIONS)] == [1] * PARTITIONS
    load.wait_for_acks(300)
    assert load.judge() > 600
