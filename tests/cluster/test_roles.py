"""Controllers and brokers as processes of their own, started by kafka-server-start: five controllers that are found by
`controller.quorum.bootstrap.servers`, and a restart of every node in turn, under load."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from cluster.load import Load, create, describe
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster, server_cluster

BROKERS = dict.fromkeys((1, 2, 3), "broker")
FIVE = dict.fromkeys((11, 12, 13, 14, 15), "controller")
COMBINED = dict.fromkeys((1, 2, 3), "broker,controller")


class DynamicCluster(ServerCluster):
    """The first controllers are written into their storage; everybody else asks them who they are."""

    def quorum(self) -> dict[str, str]:
        return {"controller.quorum.bootstrap.servers": ",".join(self.controller_addresses.values())}

    def format(self) -> None:
        ids = {each: tool("kafka_storage", "random-uuid").strip() for each in self.controllers}
        first = ",".join(f"{each}@{self.controller_addresses[each]}:{ids[each]}" for each in self.controllers)
        for node_id, node in self.nodes.items():
            if node_id in self.controllers:
                node.format("--initial-controllers", first)
            else:
                node.format("--no-initial-controllers")


def tool(name: str, *words: str) -> str:
    command = [sys.executable, "-m", f"tidelog.cli.{name}", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def quorum_status(cluster: ServerCluster) -> dict[str, str]:
    text = tool("kafka_metadata_quorum", "--bootstrap-server", cluster.address, "describe", "--status")
    return dict(line.split(":", 1) for line in text.splitlines())


def active_controller(cluster: ServerCluster) -> int:
    return int(quorum_status(cluster)["LeaderId"])


def test_two_of_five_controllers_may_die(tmp_path: Path) -> None:
    cluster = DynamicCluster(tmp_path / "cluster", BROKERS | FIVE)
    try:
        cluster.start()
        assert all(f'"id": {each}' in quorum_status(cluster)["CurrentVoters"] for each in FIVE)
        create(cluster.address, "five", 3)
        load = Load(cluster.address, "five", 3)
        load.wait_for_acks(200)
        dead = []
        for _ in range(2):
            dead.append(active_controller(cluster))
            cluster.kill_node(dead[-1])
            wait_for(lambda: active_controller(cluster) not in (*dead, -1), "another controller is active")
            create(cluster.address, f"without-{len(dead)}")
            load.wait_for_acks(200)
        for node_id in dead:
            cluster.start_node(node_id)
        load.wait_for_acks(200)
        assert load.judge() > 800
    finally:
        cluster.close()


def test_every_node_is_restarted_in_turn_under_load(tmp_path: Path) -> None:
    """An orderly stop moves leadership first: nothing is lost, and nobody waits for a timeout."""
    with server_cluster(tmp_path / "cluster", COMBINED) as cluster:
        create(cluster.address, "rolling", 3)
        load = Load(cluster.address, "rolling", 3)
        load.wait_for_acks(500)
        gaps = Gaps(load)
        for node_id in COMBINED:
            cluster.stop_node(node_id)
            load.wait_for_acks(100)
            cluster.start_node(node_id)
            wait_for(lambda: in_sync(cluster), f"node {node_id} is in sync again")
        longest = gaps.stop()
        acked = load.judge()
        print(f"{acked} acknowledged; the longest time without an acknowledgement was {longest:.2f} s")
        assert acked > 1000


def in_sync(cluster: ServerCluster) -> bool:
    return all(describe(cluster.address, "rolling", each)[1] == {1, 2, 3} for each in range(3))


class Gaps(threading.Thread):
    """Watches the acknowledgements of a load; `longest` is the longest time without one."""

    def __init__(self, load: Load) -> None:
        super().__init__(daemon=True)
        self.longest = 0.0
        self._load = load
        self._stopping = threading.Event()
        self.start()

    def run(self) -> None:
        last, seen = time.monotonic(), self._load.acked
        while not self._stopping.wait(0.005):
            self.longest = max(self.longest, time.monotonic() - last)
            if self._load.acked != seen:
                last, seen = time.monotonic(), self._load.acked

    def stop(self) -> float:
        self._stopping.set()
        self.join()
        return self.longest


def test_voters_move_from_the_settings_into_the_log_while_the_cluster_works(tmp_path: Path) -> None:
    """kraft.version 0 to 1: a controller can be removed and added then, and a restart finds the voters in the log."""
    spare = {4: "controller"}
    cluster = ServerCluster(tmp_path / "cluster", COMBINED | spare)
    named = ",".join(cluster.controller_addresses[each] for each in COMBINED)
    for node_id, node in cluster.nodes.items():  # the spare one is nobody's voter, and looks for those who are
        text = node.file.read_text().replace(f",4@{cluster.controller_addresses[4]}", "")
        if node_id in spare:
            text = re.sub(r"controller\.quorum\.voters=.*", f"controller.quorum.bootstrap.servers={named}", text)
        node.file.write_text(text)
    extra = cluster.nodes.pop(4)
    try:
        cluster.start()
        cluster.nodes[4] = extra
        extra.format("--no-initial-controllers")
        extra.start()
        create(cluster.address, "upgraded", 3)
        load = Load(cluster.address, "upgraded", 3)
        load.wait_for_acks(200)
        assert "directoryId" not in quorum_status(cluster)["CurrentVoters"]
        at = ["--bootstrap-server", cluster.address]
        assert "kraft.version was upgraded to 1." in tool(
            "kafka_features", *at, "upgrade", "--feature", "kraft.version=1"
        )
        assert quorum_status(cluster)["CurrentVoters"].count("directoryId") == 3
        features = [line.split() for line in tool("kafka_features", *at, "describe").splitlines()]
        assert next(line for line in features if line[1] == "kraft.version")[7] == "1"

        added = tool("kafka_metadata_quorum", *at, "--command-config", str(cluster.nodes[4].file), "add-controller")
        assert "Added controller 4 with directory id" in added
        assert quorum_status(cluster)["CurrentVoters"].count("directoryId") == 4
        load.wait_for_acks(200)
        for node_id in cluster.roles:
            cluster.stop_node(node_id)
            cluster.start_node(node_id)
        assert quorum_status(cluster)["CurrentVoters"].count("directoryId") == 4
        load.wait_for_acks(200)
        assert load.judge() > 600
    finally:
        cluster.close()
