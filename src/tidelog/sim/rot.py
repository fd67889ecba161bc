"""Bits that turn in what was stored, on one machine in a story, and only in records that the other replicas have too:
what is damaged in every copy is lost, and no program can help it.

In what a checksum covers, and in leader epochs, they turn at any time, but not in the last batch of a file: that one is
cut off by the next recovery, and if no other replica counts any more, what others have goes with it. Offset, length and
magic of a batch are believed by whoever reads from a running node, as in every Kafka: they turn while the machine is
down and others are in sync without it. What recovery reads then has to be found and repaired by the node alone. What
turned earlier may lie where recovery does not look; in the end somebody sees to it (`disk_faults.see_to_disks`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from tidelog.protocol.record_batch import iter_batches
from tidelog.sim.cluster import SimCluster
from tidelog.sim.disk_files import Inode
from tidelog.sim.fault_tools import FaultTools
from tidelog.sim.machine import Machine

# Where things lie in a batch.
EPOCH_FROM, MAGIC_AT, COVERED_FROM = 12, 16, 17
COLD_PATIENCE_S = 30


class Place(NamedTuple):
    """A batch in a file, which is known by itself, because it may have another name by now."""

    path: str
    inode: Inode
    start: int
    end: int
    is_between: bool  # between batches of its own leader, or the last behind one: a wrong epoch shows there

    @property
    def directory(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def has_successor(self) -> bool:
        """Without one, a batch that does not fit its checksum is a torn write to recovery, which cuts it off."""
        return self.end < len(self.inode.data)

    def content(self) -> bytes:
        return bytes(self.inode.data[self.start : self.end])


class Flip(NamedTuple):
    """A bit that turned, and what the batch has been since."""

    place: Place
    position: int
    bit: int
    turned: bytes

    def undo(self) -> None:
        """Restores what another replica has, unless something else is written there by now."""
        if self.place.content() == self.turned:
            self.place.inode.flip(self.position, self.bit)


def flip(place: Place, position: int, bit: int) -> Flip:
    place.inode.flip(position, bit)
    return Flip(place, position, bit, place.content())


class Rot(FaultTools):
    async def _flip(self) -> None:
        """While the machine runs, or not; whoever computes a checksum finds it, or nobody for now."""
        machine = self._rotting()
        found = [each for each in self._shared_batches(machine) if each.has_successor]
        if not found:
            return
        place = self.random.choice(found)
        in_epoch = self.random.random() < 0.25
        position = place.start + EPOCH_FROM + self.random.randrange(4)
        if not in_epoch:
            position = self.random.randrange(place.start + COVERED_FROM, place.end)
        turned = self._turn(machine, place, position)
        self.cluster.rotten.setdefault(machine.node_id, []).append(turned)

    async def _flip_cold(self) -> None:
        """While the machine is down, in a header that recovery will read: the node finds it and has it fetched anew."""
        machine = self._rotting()
        found = [each for each in self._shared_batches(machine) if is_newest(machine, each)]
        if not found or not machine.is_ready:
            return
        place = self.random.choice(found)
        before = place.content()
        machine.kill()
        for _ in range(COLD_PATIENCE_S):
            if leads_without(self.cluster, machine.node_id, place.directory) and place.content() == before:
                offset = self.random.randrange(MAGIC_AT + 1 if place.is_between else EPOCH_FROM)
                self._turn(machine, place, place.start + offset)
                break
            await asyncio.sleep(1.0)
        await self.start(machine)

    def _rotting(self) -> Machine:
        return list(self.cluster.machines.values())[self.cluster.rotting % len(self.cluster.machines)]

    def _turn(self, machine: Machine, place: Place, position: int) -> Flip:
        bit = self.random.randrange(8)
        where = f"{position - place.start} of the batch at {place.start} of {place.path}"
        self.cluster.note(f"bit {bit} of byte {where} turns on {machine.name}")
        return flip(place, position, bit)

    def _shared_batches(self, machine: Machine) -> Iterator[Place]:
        """Batches of clients' partitions that every replica has."""
        for topic, index in self.cluster.watched:
            replicas = self.cluster.replicas(topic, index)
            ends = [each.log_end_offset for node_id, each in replicas.items() if node_id != machine.node_id]
            if len(replicas) < self.cluster.profile.replication or machine.node_id not in replicas:
                continue
            for path, inode in machine.disk.files(f"{replicas[machine.node_id].log.directory}"):
                if path.endswith(".log"):
                    yield from _places(path, inode, min(ends))


def _places(path: str, inode: Inode, end_offset: int) -> Iterator[Place]:
    batches = list(iter_batches(memoryview(bytes(inode.data))))
    epochs = [header.partition_leader_epoch for _, header in batches]
    for number, (start, header) in enumerate(batches):
        if header.last_offset < end_offset:
            around = {*epochs[max(0, number - 1) : number + 2]}
            yield Place(path, inode, start, start + header.size, number > 0 and len(around) == 1)


def is_newest(machine: Machine, place: Place) -> bool:
    """Whether recovery reads it, wherever the recovery point lies."""
    names = [path for path, _ in machine.disk.files(place.directory) if path.endswith(".log")]
    return place.path == max(names, default="")


def leads_without(cluster: SimCluster, node_id: int, directory: str) -> bool:
    """Whether the partition goes on, and this node is not counted on."""
    isr = in_sync(cluster, directory)
    return bool(isr) and node_id not in isr


def is_spare(cluster: SimCluster, node_id: int, directory: str) -> bool:
    """Whether another replica is known to be in sync."""
    return any(each != node_id for each in in_sync(cluster, directory))


def in_sync(cluster: SimCluster, directory: str) -> tuple[int, ...]:
    """According to the newest leader: one that was replaced while it was paused may still take itself for one."""
    topic, _, index = directory.rpartition("/")[2].rpartition("-")
    replicas = cluster.replicas(topic, int(index)).values()
    epoch = max((each.leader_epoch for each in replicas), default=-1)
    for partition in replicas:
        if partition.leader is not None and partition.leader_epoch == epoch:
            return partition.leader.isr
    return ()
