"""What goes wrong, when and for how long: drawn from the seed, one fault after another, some of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

from tidelog.sim.cluster import SimCluster
from tidelog.sim.machine import Machine
from tidelog.sim.process import ProcessEnded

START_PATIENCE_S = 60.0


class Faults:
    def __init__(self, cluster: SimCluster, client_hosts: list[str], random: Random) -> None:
        self.cluster = cluster
        self.random = random
        self.count = 0
        self._network = cluster.network
        self._note = cluster.note
        self._clients = client_hosts
        self._tasks: dict[asyncio.Task[None], None] = {}

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
        self._network.heal()
        for machine in self.cluster.machines.values():
            machine.blocking.slow_s = 0.0
            machine.disk.heal()

    def _machine(self) -> Machine:
        return self.random.choice(list(self.cluster.machines.values()))

    def _span_s(self) -> float:
        """Mostly short, now and then longer than every timeout."""
        return self.random.choice((0.2, 1.0, 3.0, 8.0, 20.0)) * self.random.uniform(0.5, 1.5)

    # processes

    async def _kill(self) -> None:
        machine = self._machine()
        machine.kill()
        await self._start_later(machine)

    async def _crash(self) -> None:
        machines = [self._machine()]
        if self.cluster.profile.power_cuts and self.random.random() < 0.4:
            machines = list(self.cluster.machines.values())
        keep_share = self.random.choice((0.0, 0.0, 0.5, 0.9))
        for machine in machines:
            machine.crash(keep_share)
        await asyncio.gather(*(self._start_later(machine) for machine in machines))

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

    async def _chase(self) -> None:
        """The leader of a partition is killed, and the next one as soon as it leads: what did the third one keep?"""
        leader = self._leader(0)
        if leader is None:
            return
        leader.kill()
        first = self.cluster.loop.create_task(self._start_later(leader))
        for _ in range(200):
            await asyncio.sleep(0.05)
            after = self._leader(0)
            if after is not None:
                await asyncio.sleep(self.random.choice((0.0, 0.001, 0.01, 0.1)))
                after.kill()
                await self._start_later(after)
                break
        await first

    def _leader(self, index: int) -> Machine | None:
        for node_id, partition in self.cluster.replicas("log", index).items():
            if partition.leader is not None and self.cluster.machines[node_id].is_ready:
                return self.cluster.machines[node_id]
        return None

    async def _pause(self) -> None:
        machine = self._machine()
        machine.pause()
        await asyncio.sleep(self._span_s())
        machine.resume()

    async def _restart(self) -> None:
        machine = self._machine()
        if machine.is_ready and not machine.is_paused:
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
            if machine.is_ready and not machine.is_paused:
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
        await asyncio.sleep(self._span_s())
        machine.clock.jump(-jump_ms)
