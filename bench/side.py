"""One of the two nodes that are compared: started with fresh data, loaded, and asked what it used."""

import logging
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from bench import load, usage, wire
from peer.apache import SERVER_JVM, ApacheNode
from peer.ours import OurNode
from peer.process import NodeProcess

OURS, APACHE = "ours", "apache"
DATA = load.CACHE / "data"

# The rest of what Apache Kafka's own start script gives a server.
APACHE_FLAGS = (*SERVER_JVM, "-XX:InitiatingHeapOccupancyPercent=35", "-XX:+ExplicitGCInvokesConcurrent")
NO_SETTINGS: Mapping[str, str] = {}
_quiet = logging.Logger("librdkafka", level=logging.CRITICAL)


class Side:
    """A running node of one kind."""

    def __init__(self, kind: str, label: str = "main", properties: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self.folder: Path = DATA / f"{kind}-{label}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.node: NodeProcess = (
            OurNode(self.folder, properties)
            if kind == OURS
            else ApacheNode(self.folder, properties, flags=APACHE_FLAGS)
        )
        self._admin: AdminClient | None = None

    @property
    def port(self) -> int:
        return self.node.port

    def start(self) -> None:
        self.node.start()

    def launch(self) -> None:
        """Begin the process without waiting for it to serve."""
        self.node.launch()

    def alive(self) -> bool:
        return self.node.process is not None and self.node.process.poll() is None

    def close(self) -> None:
        self._admin = None
        self.node.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def admin(self) -> AdminClient:
        if self._admin is None:
            self._admin = AdminClient({"bootstrap.servers": self.node.address}, logger=_quiet)
        return self._admin

    def create_topic(self, name: str, partitions: int = 1, settings: Mapping[str, str] = NO_SETTINGS) -> None:
        for made in self.admin().create_topics([NewTopic(name, partitions, 1, config=dict(settings))]).values():
            made.result(30)
        wire.wait_for_leaders(self.port, name, partitions)

    def delete_topics(self, *names: str) -> None:
        for gone in self.admin().delete_topics(list(names)).values():
            gone.result(30)

    def cpu_seconds(self) -> float:
        return usage.cpu_seconds(self.node.pid)

    def memory_bytes(self) -> tuple[int, int]:
        return usage.memory_bytes(self.node.pid)

    def librdkafka(self, mode: str, **arguments: object) -> dict[str, float]:
        return self._timed("rdload", mode, lib=load.librdkafka(), boot=self.node.address, **arguments)

    def raw(self, mode: str, **arguments: object) -> dict[str, float]:
        return self._timed("rawload", mode, port=self.port, **arguments)

    def _timed(self, name: str, mode: str, **arguments: object) -> dict[str, float]:
        """Run a load; the node's CPU seconds over its run are part of the answer."""
        load.program(name)
        before = self.cpu_seconds()
        result = load.run(name, mode, **arguments)
        return {**result, "cpu_s": self.cpu_seconds() - before}

    def settle(self, seconds: float = 1.0) -> None:
        """Wait until the node does next to nothing: work left over from a load belongs to no later figure."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            before = self.cpu_seconds()
            time.sleep(seconds)
            if self.cpu_seconds() - before < 0.1 * seconds:
                return
