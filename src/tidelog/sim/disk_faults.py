"""Disks that fail: errors for a while, no room for a while, and bits that turn in what was stored.

A directory that failed stays out of use until its node is started again, so whoever sees to the disk restarts the node.
Bits turn on one machine in a story, and only in records that the other replicas have too: what is damaged in every copy
is lost, and no program can help it. Whoever sees to that disk throws the damaged copy away and lets it be fetched anew.
Where the damaged copy has become the last one that counts, the file is restored from another replica, as the node asks.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from crc32c import crc32c

from tidelog.protocol.record_batch import iter_batches
from tidelog.sim.cluster import SimCluster
from tidelog.sim.disk_files import Inode
from tidelog.sim.fault_tools import FaultTools
from tidelog.sim.machine import Machine

# The checksum covers a batch from here on.
CRC_FROM = 21
FAILING = (("write",), ("fsync",), ("read",), ("write", "fsync"), ("create", "rename", "fsync_dir"))


class Flip(NamedTuple):
    """A bit that turned; the file is known by itself, because it may have another name by now."""

    directory: str
    inode: Inode
    position: int
    bit: int

    def undo(self) -> None:
        """Restores what another replica has, unless something else is written there by now."""
        data = memoryview(bytes(self.inode.data))
        for start, header in iter_batches(data):
            end = start + header.size
            if start + CRC_FROM <= self.position < end and crc32c(data[start + CRC_FROM : end]) != header.crc:
                self.inode.flip(self.position, self.bit)


class DiskFaults(FaultTools):
    # errors and room

    async def _eio(self) -> None:
        """Some calls fail, in one directory or in all of them; then the disk is replaced by one that holds the same."""
        machine = self._machine()
        operations, share = self.random.choice(FAILING), self.random.choice((0.1, 0.5, 1.0))
        where = self.random.choice((*self.cluster.profile.directories, "/"))
        random = Random(self.random.random())

        def fail(operation: str, path: str, _: int) -> int | None:
            if operation in operations and path.startswith(where) and random.random() < share:
                raise OSError(errno.EIO, os.strerror(errno.EIO), path)
            return None

        self.cluster.note(f"{share:.0%} of {operations} below {where} of {machine.name} fail")
        machine.disk.plan(fail)
        await asyncio.sleep(self._span_s())
        await self._replaced(machine)

    async def _replaced(self, machine: Machine) -> None:
        machine.disk.heal()
        if not machine.is_running or has_failed(machine):
            restart(self.cluster, machine)
            await asyncio.sleep(0.5)
            await self.start(machine)

    async def _full(self) -> None:
        machine = self._machine()
        machine.disk.fill(self.random.choice((0, 200, 3000)))
        self.cluster.note(f"the disk of {machine.name} is full")
        await asyncio.sleep(self._span_s())
        self.cluster.note(f"there is room again on {machine.name}")
        machine.disk.capacity_bytes = None
        await self._replaced(machine)

    # bits

    async def _flip(self) -> None:
        machine = list(self.cluster.machines.values())[self.cluster.rotting % len(self.cluster.machines)]
        found = list(self._shared_batches(machine))
        if not found:
            return
        path, inode, start, end = self.random.choice(found)
        position, bit = self.random.randrange(start + CRC_FROM, end), self.random.randrange(8)
        self.cluster.note(f"bit {bit} of byte {position} of {path} turns on {machine.name}")
        inode.flip(position, bit)
        self.cluster.rotten.setdefault(machine.node_id, []).append(Flip(path.rpartition("/")[0], inode, position, bit))

    def _shared_batches(self, machine: Machine) -> Iterator[tuple[str, Inode, int, int]]:
        """Batches of clients' partitions that every replica has: path, file, from, to."""
        for topic, index in self.cluster.watched:
            replicas = self.cluster.replicas(topic, index)
            ends = [each.log_end_offset for node_id, each in replicas.items() if node_id != machine.node_id]
            if len(replicas) < self.cluster.profile.replication or machine.node_id not in replicas:
                continue
            for path, inode in machine.disk.files(f"{replicas[machine.node_id].log.directory}"):
                if path.endswith(".log"):
                    for position, header in iter_batches(memoryview(bytes(inode.data))):
                        if header.last_offset < min(ends):
                            yield path, inode, position, position + header.size


def restart(cluster: SimCluster, machine: Machine) -> None:
    """After a failed sync the cache holds what the platter does not, and nobody can tell: the machine is rebooted.

    Where nothing is synced before it is acknowledged, a reboot would lose what was acknowledged.
    """
    if cluster.profile.durable:
        machine.crash(0.0)
    else:
        machine.kill()


def has_failed(machine: Machine) -> bool:
    logs = getattr(machine.node, "logs", None)
    return logs is not None and any(each.offline is not None for each in logs.disks)


async def see_to_disks(cluster: SimCluster, patience_s: float) -> bool:
    """Restarts nodes with directories that failed, and has damaged copies fetched anew once the others are in sync."""
    for machine in cluster.machines.values():
        if has_failed(machine):
            restart(cluster, machine)
    if not await cluster.start_all(patience_s):
        return False
    for node_id, flips in cluster.rotten.items():
        machine = cluster.machines[node_id]
        directories = sorted({each.directory for each in flips})
        for _ in range(60):
            if all(_is_spare(cluster, node_id, each) for each in directories):
                break
            await asyncio.sleep(1.0)
        doomed = [each for each in directories if _is_spare(cluster, node_id, each)]
        machine.kill()
        for directory in doomed:
            cluster.note(f"{directory} of {machine.name} is thrown away")
            if machine.disk.exists(directory):
                machine.disk.remove_tree(directory)
        for flip in flips:
            if flip.directory not in doomed:
                cluster.note(f"{flip.directory} of {machine.name} is restored")
                flip.undo()
    return await cluster.start_all(patience_s)


def _is_spare(cluster: SimCluster, node_id: int, directory: str) -> bool:
    """Whether another replica is known to be in sync."""
    topic, _, index = directory.rpartition("/")[2].rpartition("-")
    for partition in cluster.replicas(topic, int(index)).values():
        if partition.leader is not None:
            return any(each != node_id for each in partition.leader.isr)
    return False
