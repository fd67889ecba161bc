"""A thousand brokers follow the metadata log of three controllers, and all of them know of a change in half a second.

The controllers are whole nodes; of the brokers only that part runs which follows the metadata.
"""

from __future__ import annotations

import asyncio
from random import Random

from tidelog.config.broker_config import BrokerConfig
from tidelog.controller.result import Result
from tidelog.metadata.configs import TOPIC
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import ConfigRecord
from tidelog.node.storage_format import FormatOptions, format_storage
from tidelog.runtime.metadata import MetadataRuntime
from tidelog.runtime.peers import Peers
from tidelog.sim.blocking import SimBlocking
from tidelog.sim.clock import SimClock
from tidelog.sim.cluster import CLUSTER_ID, SimCluster, properties
from tidelog.sim.disk import SimDisk
from tidelog.sim.loop import SimLoop
from tidelog.sim.network import ProcessNetwork, SimNetwork
from tidelog.sim.process import Process
from tidelog.sim.profile import Profile

BROKERS, CHANGES = 1000, 2
# Between machines of one region: a packet takes about a millisecond, now and then several.
LATENCY_S = 0.001


class Follower:
    """What of a broker follows the metadata, and when it heard of each change."""

    def __init__(self, loop: SimLoop, network: SimNetwork, node_id: int) -> None:
        self._loop = loop
        self.process = Process(loop, f"broker{node_id}", network)
        self._random = Random(node_id)
        self.heard: list[float] = []
        roles = {"process.roles": "broker", "node.id": str(node_id), "listeners": f"PLAINTEXT://broker{node_id}:9092"}
        settings = properties(Profile("brokers", brokers=0, controllers=3), 1) | roles
        self.config = BrokerConfig.from_properties(settings | {"internal.metadata.log.segment.bytes": "1048576"})
        self.clock = SimClock(loop)
        self.disk = SimDisk(self.clock.now_ms)
        format_storage(self.config, FormatOptions(CLUSTER_ID), self.disk, self._random.randbytes, 0)

    async def start(self, network: SimNetwork) -> None:
        peers = Peers(ProcessNetwork(network, self.process), self.clock, "broker")
        blocking = SimBlocking(self._loop, self._random)
        self.metadata = MetadataRuntime.open(
            self.config, CLUSTER_ID, self.disk, self.clock, blocking, self._random.randbytes, peers
        )
        self.metadata.subscribe(self._changed)
        await self.metadata.start()
        await self.metadata.ready()

    def _changed(self, delta: MetadataDelta, image: MetadataImage) -> None:
        if (TOPIC, "watched") in delta.configs.changed:
            self.heard.append(self._loop.time())


async def tell(loop: SimLoop, network: SimNetwork) -> list[float]:
    """How long each change took until the last of the brokers knew."""
    cluster = SimCluster(loop, network, Profile("controllers", brokers=0, controllers=3), "1", lambda text: None)
    assert await cluster.start_all(60.0)
    followers = [Follower(loop, network, 100 + number) for number in range(BROKERS)]
    await asyncio.gather(*(each.process.run(each.start(network)) for each in followers))
    (active,) = [each for each in cluster.machines.values() if each.node is not None and each.node.metadata.is_active]
    assert active.node is not None
    assert active.process is not None
    metadata = active.node.metadata
    took = []
    for number in range(CHANGES):
        record = ConfigRecord(
            resource_type=TOPIC, resource_name="watched", name="retention.ms", value=str(1000 + number)
        )

        async def change(record: ConfigRecord = record) -> None:
            await metadata.submit(lambda image, environment: Result([record], None))

        began = loop.time()
        await active.process.run(change())
        await asyncio.sleep(0.5)
        assert all(len(each.heard) == number + 1 for each in followers)
        took.append(max(each.heard[-1] for each in followers) - began)
    return took


def test_every_broker_knows_of_a_change_in_half_a_second() -> None:
    loop = SimLoop(1)
    network = SimNetwork(loop, Random(1))
    network.latency_s = LATENCY_S
    took = loop.run_until_complete(tell(loop, network))
    print("the last of", BROKERS, "brokers knew after", [f"{each * 1000:.1f} ms" for each in took])
    assert max(took) < 0.5
