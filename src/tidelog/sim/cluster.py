"""Some simulated machines that are one cluster: made, formatted, started, and looked into."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tidelog.broker.partition import Partition
from tidelog.node.storage_format import FormatOptions, format_storage
from tidelog.sim.loop import SimLoop
from tidelog.sim.machine import Machine
from tidelog.sim.network import SimNetwork
from tidelog.sim.process import ProcessEnded
from tidelog.sim.profile import Profile

BROKER_PORT, CONTROLLER_PORT = 9092, 9093
CLUSTER_ID = "c2ltdWxhdGVkY2x1c3RlcQ"


class SimCluster:
    def __init__(
        self, loop: SimLoop, network: SimNetwork, profile: Profile, seed: str, note: Callable[[str], None]
    ) -> None:
        self.loop = loop
        self.network = network
        self.profile = profile
        self.note = note
        self.machines = {
            node_id: Machine(loop, network, f"node{node_id}", properties(profile, node_id), seed, note)
            for node_id in profile.node_ids
        }
        for machine in self.machines.values():
            format_storage(
                machine.config, FormatOptions(CLUSTER_ID), machine.disk, machine.random_bytes, machine.clock.now_ms()
            )
            machine.disk.sync_tree("/")

    @property
    def bootstrap(self) -> str:
        return ",".join(f"node{each}:{BROKER_PORT}" for each in range(1, 1 + self.profile.brokers))

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.machines.values()]

    async def start_all(self, patience_s: float) -> bool:
        """Brings up what is down; False when not all of them serve in time."""
        deadline = self.loop.time() + patience_s
        while self.loop.time() < deadline:
            waiting = []
            for machine in self.machines.values():
                if machine.is_paused:
                    machine.resume()
                if not machine.is_running:
                    waiting.append(machine.start())
            if waiting:
                await asyncio.wait(waiting, timeout=max(0.0, deadline - self.loop.time()))
                self._tell_failures(waiting)
            if all(each.is_ready for each in self.machines.values()):
                return True
            await asyncio.sleep(0.5)
        return False

    def _tell_failures(self, starts: list[asyncio.Future[None]]) -> None:
        for future in starts:
            if future.done() and (error := future.exception()) and not isinstance(error, ProcessEnded):
                self.note(f"a start failed: {error!r}")
        for machine in self.machines.values():
            # A node whose start raised has no process any more, as the command would have ended.
            if machine.is_running and not machine.is_ready and machine.start_failed:
                machine.kill()

    def replicas(self, topic: str, index: int) -> dict[int, Partition]:
        """The partition as each running broker hosts it."""
        found = {}
        for node_id, machine in self.machines.items():
            broker = getattr(machine.node, "broker", None)
            partition = broker.partitions.get(topic, index) if broker is not None else None
            if partition is not None:
                found[node_id] = partition
        return found


def properties(profile: Profile, node_id: int) -> dict[str, str]:
    """As `server.properties` of one node; small files and few internal partitions, so that much happens in them."""
    is_broker = node_id <= profile.brokers
    is_controller = node_id in profile.voter_ids
    listeners = []
    if is_broker:
        listeners.append(f"PLAINTEXT://node{node_id}:{BROKER_PORT}")
    if is_controller:
        listeners.append(f"CONTROLLER://node{node_id}:{CONTROLLER_PORT}")
    replication = str(profile.replication)
    return {
        "node.id": str(node_id),
        "process.roles": ",".join(["broker"] * is_broker + ["controller"] * is_controller),
        "listeners": ",".join(listeners),
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.voters": ",".join(f"{each}@node{each}:{CONTROLLER_PORT}" for each in profile.voter_ids),
        "log.dirs": "/data",
        "log.index.size.max.bytes": "4096",
        "log.segment.bytes": "1048576",
        "default.replication.factor": replication,
        "min.insync.replicas": str(profile.min_insync),
        "offsets.topic.num.partitions": "2",
        "offsets.topic.replication.factor": replication,
        "transaction.state.log.num.partitions": "2",
        "transaction.state.log.replication.factor": replication,
        "transaction.state.log.min.isr": str(profile.min_insync),
        "group.initial.rebalance.delay.ms": "500",
        "transaction.max.timeout.ms": "900000",
        **({"log.flush.interval.messages": "1"} if profile.durable else {}),
    }
