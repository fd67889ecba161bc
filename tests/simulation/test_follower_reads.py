"""A consumer with a rack reads from the replica next to it, and from the leader when that one is gone."""

from __future__ import annotations

import asyncio
from random import Random

from tidelog.client.admin import Admin
from tidelog.client.consumer import Consumer
from tidelog.client.producer import Producer
from tidelog.sim.client_world import simulated_clients
from tidelog.sim.clock import SimClock
from tidelog.sim.cluster import SimCluster
from tidelog.sim.loop import SimLoop
from tidelog.sim.network import SimNetwork
from tidelog.sim.process import Process
from tidelog.sim.profile import PROFILES

SELECTOR = {"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"}


async def read(consumer: Consumer, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        found += [(each.value or b"").decode() for each in await consumer.poll(1.0)]
    return found


async def story(cluster: SimCluster) -> None:
    common = {"bootstrap.servers": cluster.bootstrap, "client.id": "c"}
    async with Admin(common) as admin:
        await admin.topics.create("t", partitions=1, replication_factor=3)
    while not any(each.leader is not None for each in cluster.replicas("t", 0).values()):
        await asyncio.sleep(0.1)
    leader = next(node_id for node_id, each in cluster.replicas("t", 0).items() if each.leader is not None)
    near = next(each for each in cluster.machines if each != leader)
    async with Producer(common) as producer:
        for number in range(5):
            await (await producer.send("t", b"%d" % number))
        consumer = Consumer(common | {"client.rack": f"rack{near}", "auto.offset.reset": "earliest"})
        consumer.assign([("t", 0)])
        assert await read(consumer, 5) == ["0", "1", "2", "3", "4"]
        assert consumer.positions.states["t", 0].replica == near
        cluster.machines[near].kill()
        await (await producer.send("t", b"5"))
        assert await read(consumer, 1) == ["5"]
        assert consumer.positions.states["t", 0].replica != near
        await consumer.close()


def test_a_consumer_reads_in_its_rack_and_goes_on_without_it() -> None:
    loop = SimLoop(1)
    network = SimNetwork(loop, Random(1))
    cluster = SimCluster(loop, network, PROFILES["calm"], "1", lambda text: None, SELECTOR)

    async def tell() -> None:
        assert await cluster.start_all(60.0)
        await asyncio.wait_for(Process(loop, "client", network).run(story(cluster)), 120.0)

    with simulated_clients(SimClock(loop), "1"):
        loop.run_until_complete(tell())
