"""A cluster of nodes that kafka-storage formats and kafka-server-start runs: brokers, controllers or both."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from peer.our_cluster import QUICK
from peer.process import NodeProcess, write_properties

BROKER_PORT, CONTROLLER_PORT = 9092, 9093
CLUSTER_ID = "3Db5QLSqSZieL3rJBUUegA"
REPLICATED = {
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "group.initial.rebalance.delay.ms": "0",
}


_clusters = itertools.count()


class ServerNode(NodeProcess):
    """One node; `prefix` stands before its command."""

    def __init__(self, folder: Path, settings: Mapping[str, str], prefix: list[str]) -> None:
        super().__init__(folder, port=1)
        self.name = f"node {settings['node.id']}"
        self.file = write_properties(folder / "server.properties", {"log.dirs": str(self.data), **settings})
        self._prefix = prefix

    def command(self) -> list[str]:
        return [*self._prefix, sys.executable, "-m", "tidelog.cli.kafka_server_start", str(self.file)]

    def format(self, *words: str) -> None:
        tool = [sys.executable, "-m", "tidelog.cli.kafka_storage", "format", "-t", CLUSTER_ID, "-g", *words, "-c"]
        done = subprocess.run([*tool, str(self.file)], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def serves(self, output: str) -> bool:
        return "ready" in output.split()


class ServerCluster:
    """`roles` by node id, each at a loopback address of its own. `own` adds settings to single nodes.

    Its ports are none that the kernel gives to connections, so a node that was stopped finds them free again.
    """

    def __init__(
        self,
        folder: Path,
        roles: Mapping[int, str],
        properties: Mapping[str, str] | None = None,
        own: Mapping[int, Mapping[str, str]] | None = None,
    ) -> None:
        self._network = f"127.{os.getpid() % 250 + 2}.{next(_clusters) % 250 + 1}"
        self.roles = dict(roles)
        self.brokers = [each for each, kind in roles.items() if "broker" in kind]
        self.controllers = [each for each, kind in roles.items() if "controller" in kind]
        self.addresses = {each: self.broker_address(each) for each in self.brokers}
        self.controller_addresses = {each: self.controller_address(each) for each in self.controllers}
        self.nodes: dict[int, ServerNode] = {}
        for each in roles:
            settings = {**self._settings(each), **(properties or {}), **(own or {}).get(each, {})}
            self.nodes[each] = ServerNode(folder / str(each), settings, self.prefix(each))

    def broker_address(self, node_id: int) -> str:
        return f"{self._network}.{node_id + 1}:{BROKER_PORT}"

    def controller_address(self, node_id: int) -> str:
        return f"{self._network}.{node_id + 1}:{CONTROLLER_PORT}"

    def prefix(self, node_id: int) -> list[str]:
        return []

    def quorum(self) -> dict[str, str]:
        """How nodes find the controllers."""
        voters = (f"{each}@{address}" for each, address in self.controller_addresses.items())
        return {"controller.quorum.voters": ",".join(voters)}

    def _settings(self, node_id: int) -> dict[str, str]:
        listeners = []
        if node_id in self.addresses:
            listeners.append(f"PLAINTEXT://{self.addresses[node_id]}")
        if node_id in self.controller_addresses:
            listeners.append(f"CONTROLLER://{self.controller_addresses[node_id]}")
        return {
            "process.roles": self.roles[node_id],
            "node.id": str(node_id),
            **self.quorum(),
            "listeners": ",".join(listeners),
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            **REPLICATED,
            **QUICK,
        }

    @property
    def address(self) -> str:
        return ",".join(self.addresses.values())

    def without(self, *gone: int) -> str:
        """The addresses of the other brokers."""
        return ",".join(address for node, address in self.addresses.items() if node not in gone)

    def format(self) -> None:
        for node in self.nodes.values():
            node.format()

    def start(self, timeout_s: float = 60) -> None:
        self.format()
        for node in self.nodes.values():
            node.launch()
        for node in self.nodes.values():
            node.wait_until_it_serves(timeout_s)

    def kill_node(self, node_id: int) -> None:
        self.nodes[node_id].kill()

    def stop_node(self, node_id: int) -> None:
        assert self.nodes[node_id].stop() == 0, self.nodes[node_id].tail()

    def start_node(self, node_id: int) -> None:
        self.nodes[node_id].start()

    def pause_node(self, node_id: int) -> None:
        os.kill(self.nodes[node_id].pid, signal.SIGSTOP)

    def resume_node(self, node_id: int) -> None:
        os.kill(self.nodes[node_id].pid, signal.SIGCONT)

    def restore(self) -> None:
        """Every node runs, whatever a test left behind."""
        for node_id, node in self.nodes.items():
            if node.process is not None and node.process.poll() is not None:
                self.start_node(node_id)
            self.resume_node(node_id)

    def close(self) -> None:
        for node in self.nodes.values():
            if node.process is not None and node.process.poll() is None:
                node.process.kill()
                node.process.wait()


@contextlib.contextmanager
def server_cluster(folder: Path, roles: Mapping[int, str], **properties: str) -> Iterator[ServerCluster]:
    cluster = ServerCluster(folder, roles, {name.replace("_", "."): value for name, value in properties.items()})
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.close()
