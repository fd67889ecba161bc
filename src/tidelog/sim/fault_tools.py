"""What all faults need: the cluster, the seed's chance, and a node that is started again."""

from __future__ import annotations

import asyncio
from random import Random

from tidelog.sim.cluster import SimCluster
from tidelog.sim.machine import Machine
from tidelog.sim.process import ProcessEnded

START_PATIENCE_S = 60.0


class FaultTools:
    def __init__(self, cluster: SimCluster, client_hosts: list[str], random: Random) -> None:
        self.cluster = cluster
        self.random = random
        self.count = 0
        self._network = cluster.network
        self._note = cluster.note
        self._clients = client_hosts
        self._tasks: dict[asyncio.Task[None], None] = {}
        # The node that lost power, and records with it, until it has them again.
        self._shorn: int | None = None
        # Nodes whose disk is in trouble, which may end them at any moment.
        self._ailing: dict[int, None] = {}

    def _machine(self) -> Machine:
        return self.random.choice(list(self.cluster.machines.values()))

    def _may_end(self, machine: Machine) -> bool:
        """The others must live on until a machine that lost power has its records again."""
        shorn = self._shorn
        if shorn is not None and self.cluster.has_caught_up(shorn):
            self._shorn = shorn = None
        return shorn in (None, machine.node_id)

    def _span_s(self) -> float:
        """Mostly short, now and then longer than every timeout."""
        span_s = self.random.choice((0.2, 1.0, 3.0, 8.0, 20.0)) * self.random.uniform(0.5, 1.5)
        return span_s * self.cluster.profile.span

    async def _start_later(self, machine: Machine) -> None:
        await asyncio.sleep(self._span_s())
        await self.start(machine)

    async def start(self, machine: Machine) -> None:
        if machine.is_running:
            return
        try:
            await asyncio.wait_for(machine.start(), START_PATIENCE_S)
        except (ProcessEnded, TimeoutError):
            return
        except Exception as error:
            self._note(f"{machine.name} does not start: {error!r}")
            machine.kill()
