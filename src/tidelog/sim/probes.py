"""What only somebody who sees all nodes at once can check: leaders, high watermarks, replicas, metadata.

- two-leaders: two nodes led a partition, or the metadata quorum, in one epoch
- watermark-back: a leader's high watermark went back within its epoch
- committed-lost: the log of a partition ends before what was once committed in it
- damaged: a leader holds a batch whose checksum is wrong
- diverged: two in-sync replicas hold different batches below the high watermark
- not-in-sync: a replica does not catch up although all is well
- storm: somebody asks somebody else as fast as the network answers
- metadata-diverged: two nodes that have read the metadata log to the same offset know different things
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from crc32c import crc32c

from tidelog.broker.partition import Partition
from tidelog.protocol.record_batch import iter_batches
from tidelog.sim.cluster import SimCluster
from tidelog.sim.history import TopicPartition
from tidelog.sim.machine import Machine

LOOK_EVERY_S = 0.25
CRC_FROM = 21  # what the checksum of a batch covers
STORM_EVERY_S = 10.0
# Busy stories stay below a thousand; without any pause it is two thousand on links of 2 ms and more on quicker ones.
STORM_PACKETS = 2000
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
        # Since when somebody led a partition in an epoch: at most one look earlier than it was seen.
        self.reigns: dict[TopicPartition, dict[int, float]] = {}
        self._told: set[tuple[str, object]] = set()
        self._storm_since_s = 0.0

    def start(self) -> None:
        self._storm_since_s = self._cluster.loop.time()
        self._cluster.network.sent.clear()
        self._again()

    def _again(self) -> None:
        self._cluster.loop.call_later(LOOK_EVERY_S * self._cluster.profile.span, self._look)

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
        if self._cluster.loop.time() - self._storm_since_s >= STORM_EVERY_S:
            self._look_for_storms()
        self._again()

    def _look_for_storms(self) -> None:
        sent, now_s = self._cluster.network.sent, self._cluster.loop.time()
        for between, count in sent.items():
            if count > STORM_PACKETS * (now_s - self._storm_since_s) / STORM_EVERY_S:
                self._once("storm", between, f"{count} packets from {between[0]} to {between[1]} up to {now_s:.0f} s")
        sent.clear()
        self._storm_since_s = now_s

    def _look_at(self, node_id: int, partition: Partition) -> None:
        name = (partition.topic, partition.index)
        key = (*name, partition.topic_id, partition.leader_epoch)
        self._one_leader(f"{name}", self._leaders.setdefault(key, node_id), node_id, partition.leader_epoch)
        since_s = self._cluster.loop.time() - LOOK_EVERY_S * self._cluster.profile.span
        self.reigns.setdefault(name, {}).setdefault(partition.leader_epoch, since_s)
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
        ours = dict(batches(self._cluster.machines[leader_id], leader.log.directory))
        if not all(each.is_whole for each in ours.values()):
            self._find("damaged", f"{topic}-{index} of node {leader_id}, which leads")
        if set(leader.leader.isr) != set(leader.leader.replicas):
            self._find("not-in-sync", f"{topic}-{index}: only {leader.leader.isr} of {leader.leader.replicas}")
        for node_id in sorted(leader.leader.isr):
            if node_id == leader_id or node_id not in replicas:
                continue
            theirs = dict(batches(self._cluster.machines[node_id], replicas[node_id].log.directory))
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


class Facts(NamedTuple):
    last_offset: int
    crc: int
    epoch: int
    is_whole: bool


def batches(machine: Machine, directory: str) -> Iterator[tuple[int, Facts]]:
    """Base offset and facts of every batch that the machine's files hold."""
    for name in sorted(machine.disk.listdir(directory)):
        if name.endswith(".log"):
            data = memoryview(machine.disk.read_bytes(f"{directory}/{name}"))
            for position, header in iter_batches(data):
                is_whole = crc32c(data[position + CRC_FROM : position + header.size]) == header.crc
                facts = Facts(header.last_offset, header.crc, header.partition_leader_epoch, is_whole)
                yield header.base_offset, facts
