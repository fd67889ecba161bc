"""Three Apache Kafka nodes, each broker and controller, on free ports with fresh data."""

import shutil
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path

from peer.apache import QUICK_JVM, ApacheNode
from peer.process import free_port

REPLICATED = {
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "share.coordinator.state.topic.replication.factor": "3",
    "share.coordinator.state.topic.min.isr": "2",
}


class _Member(ApacheNode):
    """A node whose data was formatted for node 1 and is given to another."""

    def __init__(self, folder: Path, node_id: int, properties: Mapping[str, str], flags: tuple[str, ...]) -> None:
        super().__init__(folder, properties, flags)
        file = self.data / "meta.properties"
        directory_id = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")

        fields = dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
        fields |= {"node.id": str(node_id), "directory.id": directory_id.replace("-", "a", 1)}
        file.write_text("".join(f"{key}={value}\n" for key, value in fields.items()))


class ApacheCluster:
    """Started together; `nodes` by id."""

    name = "apache cluster"

    def __init__(
        self, folder: Path, properties: Mapping[str, str] | None = None, flags: tuple[str, ...] = QUICK_JVM
    ) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        controllers = {each: free_port() for each in (1, 2, 3)}
        voters = ",".join(f"{each}@127.0.0.1:{port}" for each, port in controllers.items())
        self.nodes: dict[int, _Member] = {}
        for node_id, controller_port in controllers.items():
            port = free_port()
            settings = {
                **REPLICATED,
                **(properties or {}),
                "node.id": str(node_id),
                "controller.quorum.voters": voters,
                "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}",
                "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
            }
            node = self.nodes[node_id] = _Member(folder / str(node_id), node_id, settings, flags)
            node.port = port

    @property
    def address(self) -> str:
        return ",".join(node.address for node in self.nodes.values())

    @property
    def pids(self) -> dict[int, int]:
        return {node_id: node.pid for node_id, node in self.nodes.items()}

    def start(self, timeout_s: float = 120) -> None:
        for node in self.nodes.values():
            node.launch()
        for node in self.nodes.values():
            node.wait_until_it_serves(timeout_s)

    def kill_node(self, node_id: int) -> None:
        self.nodes[node_id].kill()

    def start_node(self, node_id: int) -> None:
        """Brings a killed node back; returns when it serves."""
        self.nodes[node_id].start()

    def close(self) -> None:
        for node in self.nodes.values():
            node.close()
