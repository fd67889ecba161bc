"""Disks that fail: errors for a while, and no room for a while; and whoever sees to them in the end.

A directory that failed stays out of use until its node is started again, so whoever sees to the disk restarts the node.
Where bits have turned (`rot.py`), the damaged copy is thrown away and fetched anew. Where it has become the last one
that counts, the file is restored from another replica, as the node asks.
"""

from __future__ import annotations

import asyncio
import errno
import os
from random import Random

from tidelog.sim.cluster import SimCluster
from tidelog.sim.fault_tools import FaultTools
from tidelog.sim.machine import Machine
from tidelog.sim.rot import is_spare

FAILING = (("write",), ("fsync",), ("read",), ("write", "fsync"), ("create", "rename", "fsync_dir"))


class DiskFaults(FaultTools):
    async def _eio(self) -> None:
        """Some calls fail, in one directory or in all of them; then the disk is replaced by one that holds the same."""
        machine = self._machine()
        if not self._may_end(machine):
            return
        self._ailing[machine.node_id] = None
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
        self._ailing.pop(machine.node_id, None)

    async def _full(self) -> None:
        machine = self._machine()
        if not self._may_end(machine):
            return
        self._ailing[machine.node_id] = None
        machine.disk.fill(self.random.choice((0, 200, 3000)))
        self.cluster.note(f"the disk of {machine.name} is full")
        await asyncio.sleep(self._span_s())
        self.cluster.note(f"there is room again on {machine.name}")
        machine.disk.capacity_bytes = None
        await self._replaced(machine)


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
        directories = sorted({each.place.directory for each in flips})
        for _ in range(60):
            if all(is_spare(cluster, node_id, each) for each in directories):
                break
            await asyncio.sleep(1.0)
        doomed = [each for each in directories if is_spare(cluster, node_id, each)]
        machine.kill()
        for directory in doomed:
            cluster.note(f"{directory} of {machine.name} is thrown away")
            if machine.disk.exists(directory):
                machine.disk.remove_tree(directory)
        for flip in reversed(flips):
            if flip.place.directory not in doomed:
                cluster.note(f"{flip.place.directory} of {machine.name} is restored")
                flip.undo()
    return await cluster.start_all(patience_s)
