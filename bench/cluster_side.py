"""One of the two clusters of three nodes that are compared, and what all of its nodes use together."""

import shutil
import time
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from bench import load, usage
from bench.quorum import Quorum, describe
from bench.side import APACHE_FLAGS, DATA, OURS, _quiet
from peer.apache_cluster import ApacheCluster
from peer.our_cluster import OurCluster


class ClusterSide:
    """Default settings on both sides, three replicas, two of them needed."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.folder: Path = DATA / f"{kind}-cluster"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.cluster: OurCluster | ApacheCluster
        if kind == OURS:
            self.cluster = OurCluster(self.folder, quick=False)
        else:
            self.cluster = ApacheCluster(self.folder, flags=APACHE_FLAGS)
        self._admin: AdminClient | None = None

    def start(self) -> float:
        """Seconds until all nodes serve."""
        began = time.monotonic()
        self.cluster.start()
        return time.monotonic() - began

    def close(self) -> None:
        self._admin = None
        self.cluster.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def admin(self) -> AdminClient:
        if self._admin is None:
            self._admin = AdminClient({"bootstrap.servers": self.cluster.address}, logger=_quiet)
        return self._admin

    def create_topic(self, name: str, leader: int | None = None) -> None:
        """One partition on all three nodes; `leader` says whose replica is the first."""
        replicas = sorted(self.cluster.pids, key=lambda each: (each != leader, each))
        topic = NewTopic(name, 1, 3) if leader is None else NewTopic(name, 1, replica_assignment=[replicas])
        for made in self.admin().create_topics([topic]).values():
            made.result(30)
        self._wait_until_in_sync(name)

    def bring_back(self, node_id: int) -> None:
        """Starts a killed node again and waits until it is in sync everywhere."""
        self.cluster.start_node(node_id)
        self._wait_until_in_sync()

    def _wait_until_in_sync(self, name: str | None = None) -> None:
        deadline = time.monotonic() + 60
        while not self._is_in_sync(name):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{name or 'some topic'} has no leader with two followers in sync")
            time.sleep(0.05)

    def _is_in_sync(self, name: str | None) -> bool:
        try:
            topics = self.admin().list_topics(name, timeout=20).topics
        except KafkaException:
            return False  # the node that was asked has just died
        found = [each for topic in topics.values() for each in topic.partitions.values()]
        return bool(found) and all(len(each.isrs) == 3 and each.leader > 0 for each in found)

    def quorum(self) -> Quorum:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for address in self.cluster.address.split(","):
                try:
                    found = describe(int(address.rpartition(":")[2]))
                except OSError:
                    continue
                if found is not None:
                    return found
            time.sleep(0.1)
        raise TimeoutError("nobody knows who leads the quorum")

    def leader(self, name: str) -> int:
        return int(self.admin().list_topics(name, timeout=20).topics[name].partitions[0].leader)

    def port_of(self, node_id: int) -> int:
        return int(self.admin().list_topics(timeout=20).brokers[node_id].port)

    def cpu_seconds(self) -> float:
        return sum(usage.cpu_seconds(pid) for pid in self.cluster.pids.values())

    def librdkafka(self, mode: str, **arguments: object) -> dict[str, float]:
        return self._timed("rdload", mode, lib=load.librdkafka(), boot=self.cluster.address, **arguments)

    def raw(self, mode: str, topic: str, **arguments: object) -> dict[str, float]:
        return self._timed("rawload", mode, port=self.port_of(self.leader(topic)), topic=topic, **arguments)

    def _timed(self, name: str, mode: str, **arguments: object) -> dict[str, float]:
        load.program(name)
        before = self.cpu_seconds()
        result = load.run(name, mode, **arguments)
        return {**result, "cpu_s": self.cpu_seconds() - before}
