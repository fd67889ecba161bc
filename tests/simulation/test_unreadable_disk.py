"""The disk under a leader cannot be read any more: another replica in sync leads, and readers go on there."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from tidelog.broker.fetching import Ask, Reader, read_all
from tidelog.broker.partition import Partition
from tidelog.client.admin import Admin
from tidelog.client.consumer import Consumer
from tidelog.client.producer import Producer
from tidelog.protocol.errors import ErrorCode
from tidelog.sim.client_world import simulated_clients
from tidelog.sim.clock import SimClock
from tidelog.sim.cluster import SimCluster
from tidelog.sim.loop import SimLoop
from tidelog.sim.machine import Machine
from tidelog.sim.network import SimNetwork
from tidelog.sim.process import Process
from tidelog.sim.profile import PROFILES

PARTITIONS = 6
RECORDS = 40
AILING = "/more"  # not where the metadata log lies, so the node lives on
SMALL = {"log.segment.bytes": "1000000", "log.index.interval.bytes": "100"}
Use = Callable[[SimCluster, Machine, Partition], Awaitable[None]]


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.1)


async def write(cluster: SimCluster) -> None:
    common = {"bootstrap.servers": cluster.bootstrap, "client.id": "c"}
    async with Admin(common) as admin:
        await admin.topics.create("t", partitions=PARTITIONS, replication_factor=3)
    async with Producer(common) as producer:
        for index in range(PARTITIONS):
            for number in range(RECORDS):
                await (await producer.send("t", b"%d" % number, partition=index))


def leader_in(cluster: SimCluster, directory: str) -> tuple[Machine, Partition]:
    """Some leader whose log lies there."""
    for index in range(PARTITIONS):
        for node_id, partition in cluster.replicas("t", index).items():
            if partition.leader is not None and partition.log.directory.startswith(directory):
                return cluster.machines[node_id], partition
    raise AssertionError(f"nobody leads from {directory}")


def unreadable(machine: Machine) -> None:
    def fail(operation: str, path: str, _: int) -> int | None:
        if operation == "read" and path.startswith(AILING):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return None

    machine.disk.plan(fail)


def consumer_of(cluster: SimCluster, index: int) -> Consumer:
    consumer = Consumer({"bootstrap.servers": cluster.bootstrap, "client.id": "c", "auto.offset.reset": "earliest"})
    consumer.assign([("t", index)])
    return consumer


async def consume(cluster: SimCluster, machine: Machine, partition: Partition) -> None:
    """The place is known, and the records themselves cannot be read on their way out."""
    unreadable(machine)
    await _read_all(cluster, partition.index)


async def consume_by_index(cluster: SimCluster, machine: Machine, partition: Partition) -> None:
    """The place has to be looked for."""
    partition.log.park()
    unreadable(machine)
    await _read_all(cluster, partition.index)


async def consume_cold(cluster: SimCluster, machine: Machine, partition: Partition) -> None:
    """The place has to be looked for in a file that only a thread may read."""
    partition.log.roll(machine.clock.now_ms())
    file = partition.log.segments[0].file
    assert partition.log.segments[0].offset_index.count
    machine.disk.cold.add(file.path)
    unreadable(machine)
    await _read_all(cluster, partition.index)


async def look_up_time(cluster: SimCluster, machine: Machine, partition: Partition) -> None:
    partition.log.park()
    unreadable(machine)
    consumer = consumer_of(cluster, partition.index)
    place = ("t", partition.index)
    found: dict[Any, Any] = await consumer.offsets_for_times({place: 1})
    assert found[place].offset == 0
    await consumer.close()


async def follow(cluster: SimCluster, machine: Machine, partition: Partition) -> None:
    """A follower that was away asks for what it missed."""
    away = next(each for each in cluster.machines.values() if each is not machine)
    away.kill()
    leader = partition.leader
    assert leader is not None
    await until(lambda: away.node_id not in leader.isr)
    async with Producer({"bootstrap.servers": cluster.bootstrap, "client.id": "c"}) as producer:
        for number in range(5):
            await (await producer.send("t", b"%d" % (RECORDS + number), partition=partition.index))
    unreadable(machine)
    await away.start()


async def _read_all(cluster: SimCluster, index: int) -> None:
    consumer = consumer_of(cluster, index)
    found: list[int] = []
    while len(found) < RECORDS:
        found += [int(each.value or b"-1") for each in await consumer.poll(1.0)]
    assert found[:RECORDS] == list(range(RECORDS))
    await consumer.close()


async def story(cluster: SimCluster, client: Process, use: Use) -> None:
    assert await cluster.start_all(60.0)
    await client.run(write(cluster))
    machine, partition = leader_in(cluster, AILING)
    node = machine.node
    assert node is not None
    elsewhere = [
        each for each in node.broker.partitions if each.topic == "t" and each.log.directory.startswith("/data")
    ]
    assert elsewhere
    await client.run(use(cluster, machine, partition))
    await until(
        lambda: any(
            each.leader is not None and node_id != machine.node_id
            for node_id, each in cluster.replicas("t", partition.index).items()
        )
    )
    assert node.logs.is_offline(AILING)
    assert machine.is_running, "the other directory is well"
    assert all(each.log.offline is None for each in elsewhere)
    machine.disk.heal()
    await client.run(_read_all(cluster, partition.index))


def run(story: Callable[[SimCluster, Process], Awaitable[None]]) -> None:
    loop = SimLoop(1)
    network = SimNetwork(loop, Random(1))
    cluster = SimCluster(loop, network, PROFILES["sick"], "1", lambda text: None, SMALL)
    with simulated_clients(SimClock(loop), "1"):
        loop.run_until_complete(asyncio.wait_for(story(cluster, Process(loop, "client", network)), 600.0))


@pytest.mark.parametrize("use", [consume, consume_by_index, consume_cold, look_up_time, follow])
def test_a_disk_that_cannot_be_read_loses_its_leaders(use: Use) -> None:
    run(lambda cluster, client: story(cluster, client, use))


def test_a_batch_that_is_damaged_is_refused_and_fails_nothing() -> None:
    async def damage(cluster: SimCluster, client: Process) -> None:
        assert await cluster.start_all(60.0)
        await client.run(write(cluster))
        machine, partition = leader_in(cluster, AILING)
        assert machine.node is not None
        partition.log.park()
        (_, inode), *_ = [each for each in machine.disk.files(partition.log.directory) if each[0].endswith(".log")]
        inode.data[16] = 77  # the magic
        ask = Ask((partition.topic_id, partition.index, -1, 0, -1, -1, 1000), partition, None)
        read_all(machine.node.broker, [ask], 1000, Reader(0, -1, -1, True, ""), True)
        assert ask.error == ErrorCode.CORRUPT_MESSAGE
        assert not machine.node.logs.is_offline(AILING)

    run(damage)
