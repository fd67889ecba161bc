"""What goes wrong, when and for how long: drawn from the seed, one fault after another, some of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tidelog.sim.disk_faults import DiskFaults
from tidelog.sim.machine import Machine
from tidelog.sim.nemesis import Nemesis
from tidelog.sim.process import ProcessEnded
from tidelog.sim.rot import Rot


class Faults(DiskFaults, Rot, Nemesis):
    async def run(self, until_s: float) -> None:
        """Draws faults until the time is over, then undoes what is left of them."""
        profile, loop = self.cluster.profile, self.cluster.loop
        names = [name for name, _ in profile.faults]
        weights = [weight for _, weight in profile.faults]
        while names and loop.time() < until_s:
            await asyncio.sleep(self.random.expovariate(1.0 / profile.fault_every_s))
            if loop.time() >= until_s:
                break
            name = self.random.choices(names, weights)[0]
            act: Callable[[], Awaitable[None]] = getattr(self, f"_{name}")
            self.count += 1
            task = loop.create_task(self._guarded(act))
            self._tasks[task] = None
            task.add_done_callback(lambda done: self._tasks.pop(done, None))
        if not names:
            await asyncio.sleep(max(0.0, until_s - loop.time()))
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.heal()

    async def _guarded(self, act: Callable[[], Awaitable[None]]) -> None:
        try:
            await act()
        except ProcessEnded:
            return  # another fault came in between

    def heal(self) -> None:
        self._note("all faults end")
        self.cluster.watch.on_follow = self.cluster.watch.on_quorum_leader = None
        self._network.heal()
        for machine in self.cluster.machines.values():
            machine.blocking.slow_s = 0.0
            machine.disk.heal()
            machine.disk.capacity_bytes = None

    # processes

    async def _kill(self) -> None:
        machine = self._machine()
        if self._may_end(machine):
            machine.kill()
            await self._start_later(machine)

    async def _crash(self) -> None:
        machines = [self._machine()]
        if self.cluster.profile.power_cuts and self.random.random() < 0.4:
            machines = list(self.cluster.machines.values())
        keep_share = self.random.choice((0.0, 0.0, 0.5, 0.9))
        for machine in machines:
            if self._may_end(machine) and self._may_lose_power(machine):
                machine.crash(keep_share)
        await asyncio.gather(*(self._start_later(machine) for machine in machines))

    def _may_lose_power(self, machine: Machine) -> bool:
        """Without a sync before the acknowledgement only one machine at a time, while the others hold everything."""
        others = [node_id for node_id in self.cluster.machines if node_id != machine.node_id]
        if self.cluster.profile.durable:
            return True
        if not all(self.cluster.has_caught_up(node_id) and node_id not in self._ailing for node_id in others):
            return False
        self._shorn = machine.node_id
        return True

    async def _pause(self) -> None:
        machine = self._machine()
        machine.pause()
        await asyncio.sleep(self._span_s())
        machine.resume()

    async def _restart(self) -> None:
        machine = self._machine()
        if machine.is_ready and not machine.is_paused and self._may_end(machine):
            await self._stop(machine)
            await asyncio.sleep(self.random.uniform(0.1, 3.0))
            await self.start(machine)

    async def _stop(self, machine: Machine) -> None:
        """Whoever stops a node loses patience with one that does not."""
        try:
            await asyncio.wait_for(machine.stop(), 30.0)
        except TimeoutError:
            machine.kill()

    async def _rolling(self) -> None:
        for machine in self.cluster.machines.values():
            if machine.is_ready and not machine.is_paused and self._may_end(machine):
                await self._stop(machine)
                await asyncio.sleep(self.random.uniform(0.1, 1.0))
                await self.start(machine)
                await asyncio.sleep(self.random.uniform(0.5, 5.0))

    # network

    async def _for_a_while(self) -> None:
        await asyncio.sleep(self._span_s())
        self._note("the network heals")
        self._network.heal()

    async def _partition(self) -> None:
        names = self.cluster.names
        self.random.shuffle(names)
        away = names[: self.random.randint(1, max(1, len(names) // 2))]
        rest = [each for each in names if each not in away]
        # Clients may be on either side.
        cut = [each for each in self._clients if self.random.random() < 0.5]
        self._note(f"{away} cannot reach {rest} nor {cut}")
        self._network.isolate(away, rest + cut)
        await self._for_a_while()

    async def _one_way(self) -> None:
        names = self.cluster.names
        source = self.random.choice(names)
        targets = [each for each in names if each != source and self.random.random() < 0.7]
        away = self.random.random() < 0.5
        self._note(f"what {source} {'sends to' if away else 'is sent by'} {targets} is lost")
        for target in targets:
            self._network.block(*((source, target) if away else (target, source)))
        await self._for_a_while()

    async def _bridge(self) -> None:
        """Two halves that see each other only through one node."""
        names = self.cluster.names
        self.random.shuffle(names)
        middle, rest = names[0], names[1:]
        one, other = rest[: len(rest) // 2], rest[len(rest) // 2 :]
        self._note(f"{one} and {other} see each other only through {middle}")
        self._network.isolate(one, other)
        await self._for_a_while()

    async def _reset(self) -> None:
        count = self._network.reset_some(self.random.choice((0.1, 0.5, 1.0)))
        self._note(f"{count} connections are reset")

    async def _lossy(self) -> None:
        self._network.loss = self.random.choice((0.01, 0.1, 0.3))
        self._note(f"{self._network.loss:.0%} of packets are lost")
        await self._for_a_while()

    async def _slow(self) -> None:
        self._network.slow_s = self.random.choice((0.05, 0.3, 1.0))
        self._note(f"packets take up to {self._network.slow_s} s longer")
        await self._for_a_while()

    async def _client_cut(self) -> None:
        client, node = self.random.choice(self._clients), self._machine().name
        self._note(f"{client} cannot reach {node}")
        self._network.block_both(client, node)
        await self._for_a_while()

    async def _late(self) -> None:
        """Requests, or answers, of some clients arrive after the clients have tried again elsewhere."""
        node = self._machine().name
        clients = [each for each in self._clients if self.random.random() < 0.6]
        to_node = self.random.random() < 0.5
        self._note(f"what {clients} {'send to' if to_node else 'are sent by'} {node} comes late")
        for client in clients:
            self._network.block(*((client, node) if to_node else (node, client)))
        await asyncio.sleep(self.random.choice((2.0, 7.0, 13.0)) * self.cluster.profile.span)
        self._network.heal()

    # disks and clocks

    async def _slow_disk(self) -> None:
        machine = self._machine()
        machine.blocking.slow_s = self.random.choice((0.05, 0.5, 3.0))
        self._note(f"the disk of {machine.name} takes up to {machine.blocking.slow_s} s longer")
        await asyncio.sleep(self._span_s())
        machine.blocking.slow_s = 0.0

    async def _clock_jump(self) -> None:
        machine = self._machine()
        jump_ms = self.random.choice((-3_600_000, -10_000, 10_000, 3_600_000))
        self._note(f"the clock of {machine.name} jumps by {jump_ms} ms")
        machine.clock.jump(jump_ms)
        try:
            await asyncio.sleep(self._span_s())
        finally:
            machine.clock.jump(-jump_ms)  # also when all faults end: a clock an hour behind refuses what is written
