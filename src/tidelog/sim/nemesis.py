"""Faults with an aim: they watch the cluster and strike in the moment in which it is weakest.

A random kill seldom comes in the millisecond between a follower's look at its log and its next fetch, or between a vote
and its answer. These wait for exactly such a moment, as far as it can be seen from outside, and then draw from the seed
how long after it they strike.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tidelog.broker.partition import Partition
from tidelog.client.admin import Admin
from tidelog.protocol.messages.elect_leaders import ElectLeadersRequest, TopicPartitions
from tidelog.runtime.raft import RaftDriver
from tidelog.sim.fault_tools import FaultTools
from tidelog.sim.machine import Machine
from tidelog.sim.process import Process

STRIKE_AFTER_S = (0.0, 0.0005, 0.003, 0.02, 0.2)
TOPIC, INDEX = "log", 0


def _settle(future: asyncio.Future[Any], value: object) -> None:
    if not future.done():
        future.set_result(value)


class Nemesis(FaultTools):
    def _led_by(self) -> tuple[Machine, list[Machine]] | None:
        """The leader of the first partition and the others that are in sync with it."""
        for node_id, partition in self.cluster.replicas(TOPIC, INDEX).items():
            leader = partition.leader
            if leader is not None and self.cluster.machines[node_id].is_ready:
                others = [self.cluster.machines[each] for each in leader.isr if each != node_id]
                return self.cluster.machines[node_id], [each for each in others if each.is_ready]
        return None

    async def _followed(self, patience_s: float) -> Partition | None:
        """The next time that the first partition follows somebody new."""
        seen: asyncio.Future[Partition] = self.cluster.loop.create_future()
        world = self.cluster.loop.world

        def notice(partition: Partition) -> None:
            if (partition.topic, partition.index) == (TOPIC, INDEX) and partition.leader_id >= 0:
                self.cluster.watch.on_follow = None
                world.call_soon(_settle, seen, partition)

        self.cluster.watch.on_follow = notice
        try:
            return await asyncio.wait_for(seen, patience_s)
        except TimeoutError:
            self.cluster.watch.on_follow = None
            return None

    async def _chase(self) -> None:
        """The leader dies, and the next one as soon as somebody follows it: what did the third one keep?"""
        found = self._led_by()
        if found is None or not found[1]:
            return
        first, others = found
        behind = self.random.choice(others)
        if self.random.random() < 0.7:
            # One of those in sync hears nothing for a moment, so that the others have more than it has.
            self.cluster.network.block(first.name, behind.name)
            await asyncio.sleep(self.random.choice((0.02, 0.1, 0.5, 2.0)))
        first.kill()
        self.cluster.network.heal()
        returning = self.cluster.loop.create_task(self._start_later(first))
        if self.random.random() < 0.7:
            partition = await self._followed(15.0)
            second = self.cluster.machines.get(partition.leader_id) if partition is not None else None
            if second is not None and second is not first:
                await asyncio.sleep(self.random.choice(STRIKE_AFTER_S))
                second.kill()
                await self._start_later(second)
        await returning

    async def _stale(self) -> None:
        """A follower comes back behind the others; as soon as it counts as in sync, those who know more die."""
        found = self._led_by()
        if found is None or len(found[1]) < 2:
            return
        leader, (follower, other) = found[0], found[1][:2]
        follower.kill()
        await asyncio.sleep(self.random.choice((0.5, 2.0, 6.0)))
        start = self.cluster.loop.create_task(self.start(follower))
        for _ in range(5000):
            partition = self.cluster.replicas(TOPIC, INDEX).get(leader.node_id)
            if partition is None or partition.leader is None:
                break
            if follower.node_id in partition.leader.isr and follower.is_running:
                await asyncio.sleep(self.random.choice(STRIKE_AFTER_S[:3]))
                leader.kill()
                other.kill()
                break
            await asyncio.sleep(0.002)
        await asyncio.gather(start, self._start_later(leader), self._start_later(other))

    async def _seesaw(self) -> None:
        """The lead goes to and fro, and both leaders write what nobody else has: whose record stands at an offset?"""
        found = self._led_by()
        preferred = self._preferred()
        if found is None or preferred is None or len(found[1]) < 2:
            return
        leader = found[0]
        if leader is preferred:
            leader.kill()  # another leads when it is back
            await self.start(leader)
            return
        names = [each.name for each in found[1]]
        for name in names:
            self.cluster.network.block(leader.name, name)
        await asyncio.sleep(self.random.choice((0.1, 0.5)))
        elected = Process(self.cluster.loop, "elector", self.cluster.network).run(self._elect_preferred())
        await self._followed(5.0)
        self.cluster.network.isolate([preferred.name], [leader.name, *names])
        await asyncio.sleep(self.random.choice((0.1, 0.5, 2.0)))
        preferred.kill()
        self.cluster.network.heal()
        await asyncio.wait([elected], timeout=10.0)
        await self._start_later(preferred)

    def _preferred(self) -> Machine | None:
        for partition in self.cluster.replicas(TOPIC, INDEX).values():
            if partition.leader is not None:
                return self.cluster.machines[partition.leader.replicas[0]]
        return None

    async def _elect_preferred(self) -> None:
        async with Admin({"bootstrap.servers": self.cluster.bootstrap, "client.id": "elector"}) as admin:
            request = ElectLeadersRequest(topic_partitions=[TopicPartitions(topic=TOPIC, partitions=[INDEX])])
            await admin.cluster.ask_controller(request)

    async def _usurp(self) -> None:
        """Whoever wins the lead of the quorum is cut off before anybody hears of it, and those who voted restart."""
        machines = [self.cluster.machines[each] for each in self.cluster.profile.voter_ids]
        leading = [each for each in machines if each.node is not None and each.node.metadata.is_active]
        if not leading:
            return
        won: asyncio.Future[int] = self.cluster.loop.create_future()
        world = self.cluster.loop.world

        def notice(driver: RaftDriver) -> None:
            self.cluster.watch.on_quorum_leader = None
            winner = self.cluster.machines[driver.node_id]
            self.cluster.network.isolate([winner.name], [each for each in self.cluster.names if each != winner.name])
            world.call_soon(_settle, won, driver.node_id)

        self.cluster.watch.on_quorum_leader = notice
        leading[0].kill()
        starts = [self.cluster.loop.create_task(self._start_later(leading[0]))]
        try:
            winner_id = await asyncio.wait_for(won, 15.0)
        except TimeoutError:
            self.cluster.watch.on_quorum_leader = None
            winner_id = -1
        for machine in machines if winner_id >= 0 else ():
            if machine.node_id != winner_id and machine.is_running:
                machine.kill()
                starts.append(self.cluster.loop.create_task(self.start(machine)))
        await asyncio.sleep(self.random.choice((3.0, 8.0)))
        self.cluster.network.heal()
        await asyncio.gather(*starts)
