"""Some simulated machines that are one cluster: made, formatted, started, and looked into."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition
from tidelog.node.storage_format import FormatOptions, InitialController, format_storage
from tidelog.sim.loop import SimLoop
from tidelog.sim.machine import Machine
from tidelog.sim.network import SimNetwork
from tidelog.sim.process import ProcessEnded
from tidelog.sim.profile import Profile
from tidelog.sim.watch import Watch

if TYPE_CHECKING:
    from tidelog.sim.rot import Flip

BROKER_PORT, CONTROLLER_PORT = 9092, 9093
CLUSTER_ID = "c2ltdWxhdGVkY2x1c3RlcQ"


class SimCluster:
    def __init__(
        self,
        loop: SimLoop,
        network: SimNetwork,
        profile: Profile,
        seed: str,
        note: Callable[[str], None],
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.loop = loop
        self.network = network
        self.profile = profile
        self.note = note
        self.watch = Watch()
        # Which partitions clients write to; the machine whose disk loses bits, and where it has.
        self.watched: list[tuple[str, int]] = []
        self.rotting = 0
        self.rotten: dict[int, list[Flip]] = {}
        self.machines = {
            node_id: Machine(
                loop,
                network,
                f"node{node_id}",
                {**(settings or {}), **properties(profile, node_id), "broker.rack": f"rack{node_id}"},
                seed,
                note,
            )
            for node_id in profile.node_ids
        }
        for machine in self.machines.values():
            options = format_options(profile, machine.node_id)
            format_storage(machine.config, options, machine.disk, machine.random_bytes, machine.clock.now_ms())
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

    def has_caught_up(self, node_id: int) -> bool:
        """Whether the node is in sync in everything that it hosts, and really has what is committed."""
        machine = self.machines[node_id]
        broker = getattr(machine.node, "broker", None)
        return machine.is_ready and all(
            self._has_committed(each, node_id) for each in (broker.partitions if broker is not None else ())
        )

    def _has_committed(self, own: Partition, node_id: int) -> bool:
        leaders = [each for each in self.replicas(own.topic, own.index).values() if each.leader is not None]
        newest = max(leaders, key=lambda each: each.leader_epoch, default=None)
        if newest is None or newest.leader is None:
            return False
        return node_id in newest.leader.isr and own.log.log_end_offset >= newest.high_watermark


def format_options(profile: Profile, node_id: int) -> FormatOptions:
    """Where the voters change, the log names the first ones and the settings name nobody."""
    first = list(profile.voter_ids)[: profile.first_voters]
    if node_id not in profile.voter_ids or not first:
        return FormatOptions(CLUSTER_ID)
    if node_id not in first:
        return FormatOptions(CLUSTER_ID, no_initial_controllers=True)
    voters = [InitialController(each, f"node{each}", CONTROLLER_PORT, bytes([each]) * 16) for each in first]
    return FormatOptions(CLUSTER_ID, initial_controllers=voters)


def _quorum(profile: Profile) -> dict[str, str]:
    places = {each: f"node{each}:{CONTROLLER_PORT}" for each in profile.voter_ids}
    if profile.first_voters:
        return {"controller.quorum.bootstrap.servers": ",".join(places.values())}
    return {"controller.quorum.voters": ",".join(f"{each}@{place}" for each, place in places.items())}


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
        **_quorum(profile),
        "log.dirs": ",".join(profile.directories),
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
        **dict(profile.settings),
    }
