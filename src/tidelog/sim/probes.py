"""What only somebody who sees all nodes at once can check: leaders, high watermarks, replicas, metadata.

- two-leaders: two nodes led a partition, or the metadata quorum, in one epoch
- watermark-back: a leader's high watermark went back within its epoch
- committed-lost: the log of a partition ends before what was once committed in it
- diverged: two in-sync replicas hold different batches below the high watermark
- metadata-diverged: two nodes that have read the metadata log to the same offset know different things
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tidelog.broker.partition import Partition
from tidelog.protocol.record_batch import iter_batches
from tidelog.sim.checker import TopicPartition
from tidelog.sim.cluster import SimCluster
from tidelog.sim.machine import Machine

LOOK_EVERY_S = 0.25
Find = Callable[[str, str], None]


class Probes:
    def __init__(self, cluster: SimCluster, find: Find) -> None:
        self._cluster = cluster
        self._find = find
        self._leaders: dict[tuple[str, int, bytes, int], int] = {}
        self._quorum_leaders: dict[int, int] = {}
        self._watermarks: dict[tuple[str, int, bytes, int], int] = {}
        # The furthest that a leader ever called committed.
        self.committed: dict[TopicPartition, int] = {}
        self._told: set[tuple[str, object]] = set()

    def start(self) -> None:
        self._cluster.loop.call_later(LOOK_EVERY_S, self._look)

    def _look(self) -> None:
        for node_id, machine in self._cluster.machines.items():
            node = machine.node
            if node is None or not machine.is_ready:
                continue
            quorum = node.metadata.quorum
            if getattr(quorum, "is_leader", False):
                self._one_leader(
                    "the quorum", self._quorum_leaders.setdefault(quorum.epoch, node_id), node_id, quorum.epoch
                )
            broker = getattr(node, "broker", None)
            for partition in broker.partitions if broker is not None else ():
                if partition.leader is not None:
                    self._look_at(node_id, partition)
        self.start()

    def _look_at(self, node_id: int, partition: Partition) -> None:
        name = (partition.topic, partition.index)
        key = (*name, partition.topic_id, partition.leader_epoch)
        self._one_leader(f"{name}", self._leaders.setdefault(key, node_id), node_id, partition.leader_epoch)
        watermark = partition.high_watermark
        before = self._watermarks.get(key, 0)
        if watermark < before:
            self._once("watermark-back", key, f"{name} of node {node_id} went from {before} to {watermark}")
        self._watermarks[key] = watermark
        self.committed[name] = max(self.committed.get(name, 0), watermark)

    def _one_leader(self, what: str, first: int, second: int, epoch: int) -> None:
        if first != second:
            self._once("two-leaders", (what, epoch), f"{what} was led by {first} and {second} in epoch {epoch}")

    def _once(self, kind: str, key: object, detail: str) -> None:
        if (kind, key) not in self._told:
            self._told.add((kind, key))
            self._find(kind, detail)

    # when all is quiet

    def compare(self, partitions: list[TopicPartition]) -> None:
        for topic, index in partitions:
            self._compare_replicas(topic, index)
        self._compare_metadata()

    def _compare_replicas(self, topic: str, index: int) -> None:
        replicas = self._cluster.replicas(topic, index)
        leading = {node_id: each for node_id, each in replicas.items() if each.leader is not None}
        if len(leading) != 1:
            self._find("liveness", f"{topic}-{index} is led by {list(leading)} when all is well")
            return
        leader_id, leader = next(iter(leading.items()))
        was = self.committed.get((topic, index), 0)
        if leader.high_watermark < was:
            self._find("committed-lost", f"{topic}-{index} is committed to {leader.high_watermark}, and was to {was}")
        assert leader.leader is not None
        ours = dict(batches(self._cluster.machines[leader_id], topic, index))
        for node_id in sorted(leader.leader.isr):
            if node_id == leader_id or node_id not in replicas:
                continue
            theirs = dict(batches(self._cluster.machines[node_id], topic, index))
            for base_offset, facts in ours.items():
                found = theirs.get(base_offset)
                if base_offset < leader.high_watermark and found != facts:
                    where = f"{topic}-{index} at {base_offset}"
                    self._find("diverged", f"{where}: node {leader_id} has {facts}, node {node_id} has {found}")
                    break

    def _compare_metadata(self) -> None:
        images = [
            (each.node_id, each.node.metadata.image)
            for each in self._cluster.machines.values()
            if each.node is not None
        ]
        by_offset: dict[int, tuple[int, object]] = {}
        for node_id, image in images:
            first_id, first = by_offset.setdefault(image.provenance.offset, (node_id, image))
            if not image.same_state(first):  # type: ignore[arg-type]
                self._find("metadata-diverged", f"nodes {first_id} and {node_id} at offset {image.provenance.offset}")


def batches(machine: Machine, topic: str, index: int) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Base offset, and last offset, CRC and epoch, of every batch that the machine's files hold."""
    directory = f"/data/{topic}-{index}"
    if not machine.disk.exists(directory):
        return
    for name in sorted(machine.disk.listdir(directory)):
        if name.endswith(".log"):
            for _, header in iter_batches(memoryview(machine.disk.read_bytes(f"{directory}/{name}"))):
                yield header.base_offset, (header.last_offset, header.crc, header.partition_leader_epoch)
