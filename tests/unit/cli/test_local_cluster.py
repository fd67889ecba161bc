"""`tide up --nodes 3`, `tide node` and `tide fault`, with real processes."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tidelog.cli.local_cluster import is_alive
from tidelog.cli.tool import Failure
from tidelog.cli.up_cluster import prepare
from tidelog.config.setting import ConfigError

TIDE = [sys.executable, "-m", "tidelog.cli.main"]
PATIENCE_S = 60.0
SESSION_MS = 600_000


class LocalCluster(NamedTuple):
    data: Path
    process: subprocess.Popen[str]
    lines: list[str]
    seconds: float

    @property
    def servers(self) -> str:
        return self.lines[-1].split()[1]

    def pid(self, node_id: int) -> int:
        return int((self.data / f"node-{node_id}.pid").read_text())

    def tide(self, *words: str) -> str:
        done = subprocess.run([*TIDE, *words], capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *words: str) -> Any:
        return json.loads(self.tide(*words, "-o", "json"))

    def nodes(self) -> dict[int, dict[str, Any]]:
        return {each["id"]: each for each in self.json("node", "list", "--data", str(self.data))}

    def fenced(self) -> set[int]:
        return {each["id"] for each in self.json("cluster", "brokers", "-b", self.servers) if each["fenced"]}

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, "it did not come to pass"
            time.sleep(0.05)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    data = tmp_path_factory.mktemp("cluster") / "data"
    began = time.monotonic()
    command = [*TIDE, "up", "--nodes", "3", "--data", str(data), "--host", "127.0.0.1", "--port", "0"]
    command += ["--set", f"broker.session.timeout.ms={SESSION_MS}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or not lines[-1].startswith("ready"):
        line = process.stdout.readline()
        assert line, process.stderr.read() if process.stderr else ""
        lines.append(line.strip())
    yield LocalCluster(data, process, lines, time.monotonic() - began)
    pids = [int(path.read_text()) for path in data.glob("node-*.pid")]
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 0
    assert not any(map(is_alive, pids)), "the nodes end with the command that started them"


def test_three_nodes_say_where_they_are_and_then_that_they_are_ready(cluster: LocalCluster) -> None:
    found = [re.fullmatch(r"node (\d) pid (\d+) (127\.0\.0\.1:\d+)", line) for line in cluster.lines[:-1]]
    assert [each and each[1] for each in found] == ["1", "2", "3"]
    assert cluster.lines[-1] == "ready " + ",".join(each[3] for each in found if each)
    assert len({each[2] for each in found if each}) == 3


def test_topics_have_three_replicas_and_two_must_be_in_sync(cluster: LocalCluster) -> None:
    cluster.tide("kafka-topics", "--bootstrap-server", cluster.servers, "--create", "--topic", "t")
    text = cluster.tide("kafka-topics", "--bootstrap-server", cluster.servers, "--describe", "--topic", "t")
    assert "ReplicationFactor: 3" in text
    assert "min.insync.replicas=2" in text


def test_a_killed_node_is_fenced_at_once_and_comes_back(cluster: LocalCluster) -> None:
    before = cluster.pid(2)
    cluster.tide("fault", "kill", "2", "--data", str(cluster.data))
    # By the end of its process: the session timeout is longer than this test waits for anything.
    cluster.until(lambda: cluster.fenced() == {2})
    assert cluster.nodes()[2]["state"] == "stopped"
    assert cluster.process.poll() is None, "the others go on"
    line = cluster.tide("node", "start", "2", "--data", str(cluster.data))
    assert re.fullmatch(r"node 2 pid \d+ 127\.0\.0\.1:\d+\n", line)
    assert cluster.pid(2) != before
    cluster.until(lambda: cluster.fenced() == set())


def test_health_says_what_is_wrong_and_what_to_do(cluster: LocalCluster) -> None:
    def health() -> tuple[int, str]:
        done = subprocess.run([*TIDE, "cluster", "health", "-b", cluster.servers], capture_output=True, text=True)
        return done.returncode, done.stdout

    cluster.tide("kafka-topics", "--bootstrap-server", cluster.servers, "--create", "--topic", "watched")
    cluster.until(lambda: health()[0] == 0)
    cluster.tide("fault", "kill", "2", "--data", str(cluster.data))
    cluster.until(lambda: cluster.fenced() == {2})
    code, text = health()
    assert code == 1
    assert re.search(r"broker 2 +is fenced.* +start broker 2\n", text)
    assert re.search(r"partition 0 of watched +has replicas that are not in sync", text)
    cluster.tide("node", "start", "2", "--data", str(cluster.data))
    cluster.until(lambda: health()[0] == 0)
    assert cluster.tide("cluster", "elect", "-b", cluster.servers, "--topic", "watched")


def test_a_paused_node_is_not_fenced_and_goes_on(cluster: LocalCluster) -> None:
    cluster.tide("fault", "pause", "3", "--data", str(cluster.data))
    assert cluster.nodes()[3]["state"] == "paused"
    others = ",".join(cluster.servers.split(",")[:2])
    found = cluster.json("cluster", "brokers", "-b", others)
    assert not any(each["fenced"] for each in found), "it is only slow"
    cluster.tide("fault", "heal", "--data", str(cluster.data))
    assert cluster.nodes()[3]["state"] == "running"


def test_a_partition_is_told_to_both_sides_and_heals(cluster: LocalCluster) -> None:
    cluster.tide("fault", "partition", "1", "--data", str(cluster.data))
    assert {each["id"]: each["cut_off"] for each in cluster.nodes().values()} == {1: True, 2: True, 3: True}
    cut = (cluster.data / "node-2.faults").read_text().split()
    assert len(cut) == 2, "both listeners of node 1, and nothing of node 3"
    cluster.tide("fault", "heal", "--data", str(cluster.data))
    assert not any(each["cut_off"] for each in cluster.nodes().values())
    cluster.until(lambda: cluster.fenced() == set())


def test_a_node_stops_in_an_orderly_way(cluster: LocalCluster) -> None:
    pid = cluster.pid(3)
    cluster.tide("node", "stop", "3", "--data", str(cluster.data))
    assert not is_alive(pid)
    cluster.until(lambda: cluster.fenced() == {3})
    cluster.tide("node", "start", "3", "--data", str(cluster.data))


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("node", "start", "9"), 3, "has no node 9; it has 1, 2, 3"),
        (("node", "start", "1"), 1, "is running as process"),
        (("fault", "kill", "7"), 3, "has no node 7"),
        (("fault", "heal", "8"), 3, "has no node 8"),
        (("fault", "partition", "1", "2", "3"), 1, "needs nodes on both sides"),
        (("up", "--nodes", "3"), 1, "is running; stop it first"),
        (("up",), 1, "holds a cluster of 3 nodes; start it with --nodes 3"),
    ],
)
def test_mistakes_are_told_with_what_to_do(
    cluster: LocalCluster, words: tuple[str, ...], code: int, sentence: str
) -> None:
    command = [*TIDE, *words, "--data", str(cluster.data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == code
    assert sentence in done.stderr


def test_every_controller_leads_the_tools_to_the_active_one(cluster: LocalCluster) -> None:
    def run(tool: str, port: str, *words: str) -> str:
        command = [sys.executable, "-m", f"tidelog.cli.{tool}", "--bootstrap-controller", f"127.0.0.1:{port}", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    leaders = set()
    for node_id in (1, 2, 3):
        listeners = re.search(r"^listeners=.*:(\d+)$", (cluster.data / f"node-{node_id}.properties").read_text(), re.M)
        assert listeners is not None
        port = listeners[1]
        leaders.add(run("kafka_metadata_quorum", port, "describe", "--status").splitlines()[1])
        broker = ("--entity-type", "brokers", "--entity-name", str(node_id))
        run("kafka_configs", port, *broker, "--alter", "--add-config", "log.cleaner.threads=2")
        assert "log.cleaner.threads=2" in run("kafka_configs", port, *broker, "--describe")
    assert len(leaders) == 1


def test_a_terminal_that_goes_away_stops_all_nodes_in_order(tmp_path: Path) -> None:
    data = tmp_path / "data"
    command = [*TIDE, "up", "--nodes", "2", "--data", str(data), "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    assert any(line.startswith("ready") for line in process.stdout)
    os.killpg(process.pid, signal.SIGHUP)
    assert process.wait(PATIENCE_S) == 0
    assert len(list(data.glob("node-*/.kafka_cleanshutdown"))) == 2


def test_a_directory_without_a_cluster(tmp_path: Path) -> None:
    done = subprocess.run([*TIDE, "node", "list", "--data", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 3
    assert "tide up --nodes 3" in done.stderr
    assert os.listdir(tmp_path) == []


def test_a_mistake_leaves_nothing_behind(tmp_path: Path) -> None:
    data = tmp_path / "cluster"
    with pytest.raises(Failure, match="--port may be 65533 at most"):
        prepare(str(data), "127.0.0.1", 65_535, 3, {})
    with pytest.raises(ConfigError):
        prepare(str(data), "127.0.0.1", 0, 3, {"min.insync.replicas": "x"})
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(Failure, match=f"127.0.0.1:{taken} is taken; .* with --port"):
            prepare(str(data), "127.0.0.1", taken, 3, {})
    assert not data.exists()


def test_controllers_keep_their_ports(tmp_path: Path) -> None:
    """From kraft.version 1 on they stand in the log, and nobody would find a controller that listens elsewhere."""
    data = str(tmp_path / "cluster")
    first = [node.settings() for node in prepare(data, "127.0.0.1", 0, 3, {})]
    again = [node.settings() for node in prepare(data, "127.0.0.1", 0, 3, {})]
    assert [each["controller.quorum.voters"] for each in again] == [each["controller.quorum.voters"] for each in first]
    taken = int(first[0]["listeners"].rpartition(":")[2])
    with socket.create_server(("127.0.0.1", taken)):
        other = prepare(data, "127.0.0.1", 0, 3, {})[0].settings()
    assert other["controller.quorum.voters"] != first[0]["controller.quorum.voters"]
