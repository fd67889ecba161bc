"""A machine that lost power tells nobody; its followers do not wait for what its last process owed them."""

from __future__ import annotations

import asyncio
from random import Random

from tidelog.client.admin import Admin
from tidelog.client.producer import Producer
from tidelog.protocol.messages.elect_leaders import ElectLeadersRequest, TopicPartitions
from tidelog.sim.client_world import simulated_clients
from tidelog.sim.clock import SimClock
from tidelog.sim.cluster import SimCluster
from tidelog.sim.loop import SimLoop
from tidelog.sim.machine import Machine
from tidelog.sim.network import SimNetwork
from tidelog.sim.process import Process
from tidelog.sim.profile import PROFILES


def leader_of(cluster: SimCluster) -> Machine | None:
    leading = [node_id for node_id, each in cluster.replicas("t", 0).items() if each.leader is not None]
    return cluster.machines[leading[0]] if len(leading) == 1 else None


async def led_by(cluster: SimCluster, machine: Machine | None) -> Machine:
    while (found := leader_of(cluster)) is None or (machine is not None and found is not machine):
        await asyncio.sleep(0.1)
    return found


async def story(cluster: SimCluster) -> float:
    """How long an acknowledgement took once the machine led again."""
    common = {"bootstrap.servers": cluster.bootstrap, "client.id": "c"}
    async with Admin(common) as admin, Producer(common) as producer:
        await admin.topics.create("t", partitions=1, replication_factor=3)
        await (await producer.send("t", b"before"))
        first = await led_by(cluster, None)
        first.crash(1.0)
        await asyncio.sleep(0.2)
        await first.start()
        while leader_of(cluster) is not first:
            partition = TopicPartitions(topic="t", partitions=[0])
            await admin.cluster.ask_controller(ElectLeadersRequest(topic_partitions=[partition]))
            await asyncio.sleep(0.2)
        began_s = cluster.loop.time()
        await (await producer.send("t", b"after"))
        return cluster.loop.time() - began_s


def test_followers_ask_a_leader_that_is_back_at_once() -> None:
    loop = SimLoop(1)
    network = SimNetwork(loop, Random(1))
    cluster = SimCluster(loop, network, PROFILES["calm"], "1", lambda text: None)

    async def tell() -> float:
        assert await cluster.start_all(60.0)
        return await asyncio.wait_for(Process(loop, "client", network).run(story(cluster)), 120.0)

    with simulated_clients(SimClock(loop), "1"):
        assert loop.run_until_complete(tell()) < 3.0
