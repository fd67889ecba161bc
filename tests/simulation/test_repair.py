"""A replica whose log is found damaged at start is fetched anew from the others, and the damaged files are kept."""

from __future__ import annotations

import asyncio
from random import Random

from tidelog.client.admin import Admin
from tidelog.client.producer import Producer
from tidelog.sim.client_world import simulated_clients
from tidelog.sim.clock import SimClock
from tidelog.sim.cluster import SimCluster
from tidelog.sim.loop import SimLoop
from tidelog.sim.network import SimNetwork
from tidelog.sim.probes import batches
from tidelog.sim.process import Process
from tidelog.sim.profile import PROFILES

DIRECTORY = "/data/t-0"


async def write(cluster: SimCluster) -> None:
    common = {"bootstrap.servers": cluster.bootstrap, "client.id": "c"}
    async with Admin(common) as admin:
        await admin.topics.create("t", partitions=1, replication_factor=3)
    async with Producer(common) as producer:
        for number in range(20):
            await (await producer.send("t", b"%d" % number))


def leader_of(cluster: SimCluster) -> int:
    return next(node_id for node_id, each in cluster.replicas("t", 0).items() if each.leader is not None)


async def in_sync(cluster: SimCluster, node_id: int) -> None:
    while True:
        partition = cluster.replicas("t", 0).get(leader_of(cluster))
        if partition is not None and partition.leader is not None and node_id in partition.leader.isr:
            return
        await asyncio.sleep(0.5)


async def story(cluster: SimCluster, client: Process) -> None:
    assert await cluster.start_all(60.0)
    await client.run(write(cluster))
    broken = next(each for each in cluster.machines.values() if each.node_id != leader_of(cluster))
    before = dict(batches(broken, DIRECTORY))
    assert len(before) == 20
    broken.kill()
    (_, inode), *_ = [each for each in broken.disk.files(DIRECTORY) if each[0].endswith(".log")]
    inode.flip(len(inode.data) // 2, 3)
    await broken.start()
    await asyncio.wait_for(in_sync(cluster, broken.node_id), 60.0)
    after = dict(batches(broken, DIRECTORY))
    assert after == before
    assert all(each.is_whole for each in after.values())
    assert [each for each in broken.disk.listdir("/data") if each.startswith("t-0.") and each.endswith("-stray")]


def test_a_damaged_replica_is_fetched_anew() -> None:
    loop = SimLoop(1)
    network = SimNetwork(loop, Random(1))
    cluster = SimCluster(loop, network, PROFILES["calm"], "1", lambda text: None)
    with simulated_clients(SimClock(loop), "1"):
        loop.run_until_complete(story(cluster, Process(loop, "client", network)))
