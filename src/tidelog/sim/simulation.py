"""One seed, from an empty disk to the verdict.

The cluster starts, clients work, faults come and go, everything heals, and then it must serve again: everything that
was acknowledged is read from the beginning, and the judge compares. The same seed is the same story to the byte.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import warnings
from collections.abc import Coroutine
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tidelog.client.admin import Admin
from tidelog.client.errors import ClientError
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.sim import ageing
from tidelog.sim.checker import check
from tidelog.sim.client_world import simulated_clients
from tidelog.sim.clock import SimClock
from tidelog.sim.cluster import SimCluster
from tidelog.sim.disk_faults import see_to_disks
from tidelog.sim.faults import Faults
from tidelog.sim.history import Anomaly
from tidelog.sim.loop import SimLoop, Stuck
from tidelog.sim.network import SimNetwork
from tidelog.sim.probes import Probes
from tidelog.sim.process import Process
from tidelog.sim.profile import Profile, vary
from tidelog.sim.recorder import Recorder
from tidelog.sim.story import Story
from tidelog.sim.swarm import Swarm
from tidelog.sim.workload_admin import administrate
from tidelog.sim.workload_followers import peek
from tidelog.sim.workload_groups import all_partitions, ask_ends, copy, drain, member, undecided, watch_commits, witness
from tidelog.sim.workloads import FAILURES, Setting, produce, transact

# How long a healed cluster may take until it serves again, and clients until they have finished.
SERVE_PATIENCE_S = 180.0
FINISH_PATIENCE_S = 240.0
TOPICS = ("log", "txn", "copy")


@dataclass(slots=True)
class Verdict:
    seed: int
    profile: str
    anomalies: list[Anomaly] = field(default_factory=list)
    simulated_s: float = 0.0
    faults: int = 0
    acknowledged: int = 0
    read: int = 0
    transactions: int = 0
    callbacks: int = 0
    cpu_s: float = 0.0
    digest: str = ""
    lines: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not self.anomalies


class Simulation:
    def __init__(self, seed: int, profile: Profile, trace: bool = False) -> None:
        self.seed = seed
        text = f"{profile.name} {seed}"
        self.random = Random(f"story {text}")
        self.profile = vary(profile, self.random)
        self.loop = SimLoop(text)  # type: ignore[abstract]
        self.story = Story(self.loop, trace, logging.INFO if trace else logging.ERROR)
        self.network = SimNetwork(self.loop, Random(f"network {text}"))
        self.network.latency_s = self.random.choice((0.0002, 0.0005, 0.002, 0.01))
        if trace:
            self.network.on_arrival = self.story.arrival
        self.clock = SimClock(self.loop)
        self.recorder = Recorder(self.loop.time)
        self.verdict = Verdict(seed, profile.name)
        self.swarm = Swarm.drawn(text)
        if self.profile.ages:
            self.swarm = self.swarm.unhurried(ageing.BROKER, ageing.READER, ageing.CLASSIC)
        self.cluster = SimCluster(self.loop, self.network, self.profile, text, self.story.tell, self.swarm.broker)
        self.setting = Setting(self.cluster.bootstrap, self.recorder, text, self.profile.pace_s, self.story.tell)
        self.setting.swarm = self.swarm
        self.setting.hasty = self.profile.hasty
        self.clients: dict[str, asyncio.Future[Any]] = {}
        self.probes = Probes(self.cluster, self._find)
        self.recorder.reigns = self.probes.reigns
        self.ageing = ageing.Ageing(self.setting, self.cluster, self._find) if self.profile.ages else None
        self._text = text

    # the story

    def run(self) -> Verdict:
        verdict = self.verdict
        logger = logging.getLogger("tidelog")
        before = logger.level, logger.propagate
        logger.addHandler(self.story)
        logger.setLevel(self.story.level)
        logger.propagate = False
        try:
            unhurried = ageing.unhurried(self.profile.ages)
            with simulated_clients(self.clock, self._text), unhurried, self.cluster.watch.watching():
                self.loop.run_until_complete(self._tell())
        except Stuck as error:
            self._find("stuck", str(error))
        finally:
            logger.removeHandler(self.story)
            logger.setLevel(before[0])
            logger.propagate = before[1]
            self.loop.close()
        verdict.simulated_s = self.loop.time()
        verdict.callbacks = self.loop.callbacks_run
        verdict.acknowledged = self.recorder.acknowledged
        verdict.read = len(self.recorder.reads)
        verdict.transactions = len(self.recorder.transactions)
        verdict.lines = self.story.lines
        verdict.digest = self.story.digest()
        return verdict

    async def _tell(self) -> None:
        self.story.tell(f"seed {self.seed}, {self.profile}")
        self.story.tell(self.swarm.told())
        if not await self.cluster.start_all(SERVE_PATIENCE_S):
            self._find("liveness", "the cluster does not start")
            return
        if not await self._prepare():
            return
        self.cluster.watched = all_partitions(self.setting)
        self.cluster.rotting = self.random.randrange(len(self.cluster.machines))
        self.probes.start()
        self._start_clients()
        faults = Faults(self.cluster, list(self.clients), Random(f"faults {self._text}"))
        await faults.run(self.loop.time() + self.profile.faults_s)
        self.verdict.faults = faults.count
        await self._settle()
        self._judge()

    async def _prepare(self) -> bool:
        async def create() -> None:
            async with Admin(self.setting.common("setup")) as admin:
                for topic in TOPICS:
                    self.setting.partitions[topic] = self.profile.partitions
                    await _created(admin, topic, self.profile, self.swarm.topic)
                if self.ageing is not None:
                    await self.ageing.prepare(admin, self.profile.replication, self.swarm.topic)

        return await self._in_time("setup", create(), SERVE_PATIENCE_S) is not False

    def _start_clients(self) -> None:
        profile, setting = self.profile, self.setting
        for index in range(profile.producers):
            self._client(f"producer{index}", produce(setting, f"producer{index}"))
        for index in range(profile.transactions):
            self._client(f"transactor{index}", transact(setting, f"transactor{index}"))
        for index in range(profile.copies):
            self._client(f"copier{index}", copy(setting, f"copier{index}"))
        for index in range(profile.classic_members):
            self._client(f"classic{index}", member(setting, f"classic{index}", "classics", "classic"))
        for index in range(profile.consumer_members):
            self._client(f"modern{index}", member(setting, f"modern{index}", "moderns", "consumer"))
        for index in range(profile.admins):
            self._client(f"admin{index}", administrate(setting, f"admin{index}", profile))
        if self.ageing is not None:
            self._client("ageing", self.ageing.write("ageing"))
            self._client("once", self.ageing.use_once())
        if profile.peek_every_s:
            brokers = list(range(1, 1 + profile.brokers))
            self._client("peeker", peek(setting, "peeker", brokers, profile.peek_every_s))
        self._client("asker", ask_ends(setting, "asker"))
        self._client("witness", witness(setting, "witness", "read_uncommitted"))
        self._client("observer", watch_commits(setting, "observer", ("classics", "moderns", "copiers")))

    def _client(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self.clients[name] = Process(self.loop, name, self.network).run(work)

    async def _settle(self) -> None:
        """Everything is well again, so everything must work again, in bounded time."""
        if not await see_to_disks(self.cluster, SERVE_PATIENCE_S):
            down = [each.name for each in self.cluster.machines.values() if not each.is_ready]
            self._find("liveness", f"{down} do not serve {SERVE_PATIENCE_S:.0f} s after all faults were over")
            return
        if await self._in_time("probe", self._probe(), SERVE_PATIENCE_S) is False:
            return
        self.setting.stopping = True
        waiting = list(self.clients.values())
        if waiting:
            await asyncio.wait(waiting, timeout=FINISH_PATIENCE_S)
        for name, future in self.clients.items():
            if not future.done():
                self._find("liveness", f"{name} does not come to an end")
            elif future.exception() is not None:
                self._find("client-failed", f"{name}: {future.exception()!r}")
        # What was left open is ended by its timeout; until then a reader of committed records stops before it.
        await asyncio.sleep(45.0)
        if self.ageing is not None:
            await self._in_time("ageing", self.ageing.judge(), ageing.QUIET_S + SERVE_PATIENCE_S)
        for stuck in await self._in_time("undecided", undecided(self.setting), SERVE_PATIENCE_S) or ():
            self._find("lso-stuck", stuck)
        await self._in_time("drain-committed", drain(self.setting, "committed", "read_committed"), SERVE_PATIENCE_S)
        self.probes.compare(all_partitions(self.setting))
        await self._in_time("last-commits", self._last_commits(), SERVE_PATIENCE_S)

    async def _probe(self) -> None:
        """A write to every partition is acknowledged."""
        from tidelog.client.producer import Producer

        async with Producer(self.setting.common("probe") | {"delivery.timeout.ms": "120000"}) as producer:
            for topic, count in self.setting.partitions.items():
                for index in range(count):
                    sent = self.recorder.send("probe", (topic, index), f"probe:{topic}:{index}")
                    sent.acknowledged((await (await producer.send(topic, sent.value.encode(), partition=index))).offset)

    async def _last_commits(self) -> None:
        async with Admin(self.setting.common("last-commits")) as admin:
            for group in ("classics", "moderns", "copiers"):
                for partition, committed in (await admin.groups.offsets(group)).items():
                    self.recorder.commits.append((group, partition, committed.offset))

    async def _in_time(self, name: str, work: Coroutine[Any, Any, Any], patience_s: float) -> Any:
        """The result, or False with an anomaly noted."""
        process = Process(self.loop, name, self.network)
        future = process.run(work)
        await asyncio.wait([future], timeout=patience_s)
        if not future.done():
            self._find("liveness", f"{name} takes longer than {patience_s:.0f} s")
            return False
        error = future.exception()
        if error is None:
            return future.result()
        kind = "liveness" if isinstance(error, FAILURES) else "client-failed"
        self._find(kind, f"{name}: {type(error).__name__} {error}")
        return False

    # the verdict

    def _find(self, kind: str, detail: str) -> None:
        self.story.tell(f"ANOMALY {kind}: {detail}")
        self.verdict.anomalies.append(Anomaly(kind, detail))

    def _judge(self) -> None:
        for anomaly in check(self.recorder.history()):
            self._find(anomaly.kind, anomaly.detail)
        for defect in self.story.defects:
            self._find("defect", defect)
        for unheard in self.loop.unheard:
            self._find("unheard", unheard)


async def _created(admin: Admin, topic: str, profile: Profile, settings: dict[str, str]) -> None:
    """Until all brokers are there, a topic with so many replicas cannot be."""
    while True:
        try:
            await admin.topics.create(
                topic, partitions=profile.partitions, replication_factor=profile.replication, configs=settings
            )
            return
        except KafkaError as error:
            if error.code is ErrorCode.TOPIC_ALREADY_EXISTS:
                return
            if error.code is not ErrorCode.INVALID_REPLICATION_FACTOR:
                raise
        except ClientError:
            pass
        await asyncio.sleep(0.5)


def simulate(seed: int, profile: Profile, trace: bool = False) -> Verdict:
    """One seed. Collections of garbage wait until the story is over: a destructor in the middle would be part of it."""
    gc.collect()
    # What is there before the first story stays; looking through it again after each would take longer than some do.
    gc.freeze()
    gc.disable()
    hook = sys.unraisablehook
    try:
        simulation = Simulation(seed, profile, trace)
        verdict = simulation.run()
        # What is left of nodes and clients is taken apart here, where it has no loop and no voice.
        sys.unraisablehook = _silent
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            del simulation
            gc.collect()
    finally:
        gc.enable()
        sys.unraisablehook = hook
    return verdict


def _silent(_: object) -> None:
    pass
