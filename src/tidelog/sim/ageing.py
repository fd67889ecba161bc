"""What time alone does to a cluster, and whether it was done: for stories of hours, in which little else happens.

Two topics age. `aged` keeps half an hour: nothing younger may be gone, nothing much older may be left. `keyed` is
compacted: every key has its last acknowledged value, and what was overwritten long ago is gone. Beside them a group and
a transactional id are used once and then left alone until the cluster forgets them. After a long silence the judge
also looks for producers that were not forgotten, leaders that were not given back, snapshots of the metadata that are
too old, and for nodes that are busy with nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

from tidelog.client.admin import Admin
from tidelog.client.consumer import Consumer
from tidelog.client.producer import Producer
from tidelog.protocol.errors import KafkaError
from tidelog.runtime import raft_wire
from tidelog.sim.cluster import SimCluster
from tidelog.sim.workloads import FAILURES, Setting, until_stopped

MINUTE_MS = 60_000
SEGMENT_MS = 10 * MINUTE_MS
RETENTION_MS = 30 * MINUTE_MS
COMPACTION_LAG_MS = 30 * MINUTE_MS
SNAPSHOT_MS = 60 * MINUTE_MS
EXPIRATION_MS = 60 * MINUTE_MS
CHECK_MS = 5 * MINUTE_MS
# Clocks differ by half a second, jump by seconds, and what is due is looked for once in a while.
SLACK_MS = 2 * CHECK_MS
QUIET_S = 2.5 * 3600
# A quiet cluster of three nodes runs 10 to 20 callbacks in a second.
IDLE_CALLBACKS_PER_S = 60

BROKER = {
    "replica.fetch.wait.max.ms": "20000",
    "replica.lag.time.max.ms": "60000",
    "broker.heartbeat.interval.ms": "10000",
    "broker.session.timeout.ms": "40000",
    "controller.quorum.fetch.timeout.ms": "20000",
    "controller.quorum.request.timeout.ms": "10000",
    "log.cleaner.backoff.ms": "30000",
    "replica.high.watermark.checkpoint.interval.ms": "10000",
    "log.flush.offset.checkpoint.interval.ms": "60000",
    "group.consumer.heartbeat.interval.ms": "15000",
    "log.retention.check.interval.ms": str(CHECK_MS),
    "leader.imbalance.check.interval.seconds": "300",
    "metadata.log.max.snapshot.interval.ms": str(SNAPSHOT_MS),
    "producer.id.expiration.ms": str(EXPIRATION_MS),
    "transactional.id.expiration.ms": str(EXPIRATION_MS),
    "transaction.remove.expired.transaction.cleanup.interval.ms": str(CHECK_MS),
    "offsets.retention.minutes": "60",
    "offsets.retention.check.interval.ms": str(CHECK_MS),
}
READER = {"fetch.max.wait.ms": "60000"}
CLASSIC = {"heartbeat.interval.ms": "20000", "session.timeout.ms": "60000"}
AGED = {"retention.ms": str(RETENTION_MS), "segment.ms": str(SEGMENT_MS), "file.delete.delay.ms": "1000"}
KEYED = {
    "cleanup.policy": "compact",
    "segment.ms": str(SEGMENT_MS),
    "min.cleanable.dirty.ratio": "0.9",
    "max.compaction.lag.ms": str(COMPACTION_LAG_MS),
    "message.timestamp.type": "LogAppendTime",
}
KEYS = 6
QUORUM_FETCH_WAIT_MS = 5000


@contextmanager
def unhurried(is_wanted: bool) -> Iterator[None]:
    """Followers of the quorum ask ten times less often than they would: it is most of what a quiet hour costs."""
    before = raft_wire.FETCH_WAIT_MS
    try:
        if is_wanted:
            raft_wire.FETCH_WAIT_MS = QUORUM_FETCH_WAIT_MS
        yield
    finally:
        raft_wire.FETCH_WAIT_MS = before


class Written(NamedTuple):
    key: str
    value: str
    offset: int
    acknowledged_s: float


class Ageing:
    def __init__(self, setting: Setting, cluster: SimCluster, find: Callable[[str, str], None]) -> None:
        self._setting = setting
        self._cluster = cluster
        self._find = find
        self.aged: list[Written] = []
        self.keyed: list[Written] = []
        # Of each key, what was sent and never answered: it may be the last value or not.
        self.unsure: dict[str, set[str]] = {}
        self.left_alone_s: float | None = None

    @property
    def _now_s(self) -> float:
        return self._cluster.loop.time()

    async def prepare(self, admin: Admin, replication: int, topic: dict[str, str]) -> None:
        small = {"internal.segment.bytes": topic["internal.segment.bytes"], "segment.index.bytes": "4096"}
        await admin.topics.create("aged", partitions=1, replication_factor=replication, configs=small | AGED)
        await admin.topics.create("keyed", partitions=1, replication_factor=replication, configs=small | KEYED)

    # what clients do

    async def write(self, name: str) -> None:
        random = self._setting.random(name)

        async def life(who: str) -> None:
            producer = Producer(self._setting.producing(who) | {"delivery.timeout.ms": "60000"})
            try:
                while not self._setting.stopping:
                    await self._write(producer, random, who)
                    if random.random() < 0.05:
                        await self._check_young()
                    await self._setting.sleep(random.expovariate(1 / 240.0))
            finally:
                await producer.close(flush=False)

        await until_stopped(self._setting, name, life)

    async def _write(self, producer: Producer, random: Random, who: str) -> None:
        value = f"{who}:{self._now_s:.3f}"
        sent = await (await producer.send("aged", value.encode(), partition=0))
        self.aged.append(Written("", value, sent.offset, self._now_s))
        key = f"key{random.randrange(KEYS)}"
        self.unsure.setdefault(key, set()).add(value)
        sent = await (await producer.send("keyed", value.encode(), key=key.encode(), partition=0))
        self.unsure[key].discard(value)
        self.keyed.append(Written(key, value, sent.offset, self._now_s))

    async def use_once(self) -> None:
        """A group and a transactional id, from which nobody hears again."""
        common = self._setting.common("once")
        while self.left_alone_s is None and not self._setting.stopping:
            try:
                await self._use_once(common)
                self.left_alone_s = self._now_s
            except FAILURES as error:
                self._setting.note(f"once ends: {type(error).__name__} {error}")
                await asyncio.sleep(10.0)

    async def _use_once(self, common: dict[str, str]) -> None:
        producer = Producer(common | {"transactional.id": "once", "delivery.timeout.ms": "60000"})
        try:
            await producer.init_transactions()
            producer.begin_transaction()
            await producer.send("aged", b"once", partition=0)
            await producer.commit_transaction()
        finally:
            await producer.close(flush=False)
        consumer = Consumer(common | {"group.id": "once", "enable.auto.commit": "false"})
        try:
            consumer.assign([("aged", 0)])
            await consumer.commit({("aged", 0): 1})
        finally:
            await consumer.close()

    async def _check_young(self) -> None:
        """While clients write: everything that is younger than the retention is there."""
        expected, since_s = self.aged[-20:], self._now_s
        there = {value for _, _, value in await self._read("aged", expected[-1].offset + 1)}
        for written in expected:
            age_ms = (self._now_s - written.acknowledged_s) * 1000
            if age_ms < RETENTION_MS - SLACK_MS and written.value not in there:
                waited_s = self._now_s - since_s
                self._find(
                    "gone-early", f"{written.value}, {age_ms / MINUTE_MS:.0f} min old, read for {waited_s:.0f} s"
                )

    # the judge, after a long silence

    async def judge(self) -> None:
        before, since_s = self._cluster.loop.callbacks_run, self._now_s
        await asyncio.sleep(QUIET_S / 2)
        rate = (self._cluster.loop.callbacks_run - before) / (self._now_s - since_s)
        if rate > IDLE_CALLBACKS_PER_S:
            self._find("busy-idle", f"{rate:.0f} callbacks in a second in which nobody wants anything")
        await self._close_the_last_segment()
        await asyncio.sleep(QUIET_S / 2)
        await self._check_aged()
        await self._check_keyed()
        await self._check_forgotten()
        self._check_producers()
        self._check_leaders()
        self._check_snapshots()

    async def _close_the_last_segment(self) -> None:
        async with Producer(self._setting.common("closing") | {"delivery.timeout.ms": "120000"}) as producer:
            for topic, written in (("aged", self.aged), ("keyed", self.keyed)):
                value = f"last of {topic}"
                sent = await (await producer.send(topic, value.encode(), key=b"last", partition=0))
                written.append(Written("last", value, sent.offset, self._now_s))

    async def _read(self, topic: str, end: int | None = None) -> list[tuple[int, str, str]]:
        common = self._setting.common(f"age-of-{topic}")
        consumer = Consumer(common | {"auto.offset.reset": "earliest", "isolation.level": "read_committed"})
        found: list[tuple[int, str, str]] = []
        try:
            consumer.assign([(topic, 0)])
            if end is None:
                end = (await consumer.end_offsets([(topic, 0)]))[topic, 0]
            while await consumer.position((topic, 0)) < end:
                records = await consumer.poll(1.0)
                found += [(each.offset, (each.key or b"").decode(), (each.value or b"").decode()) for each in records]
        finally:
            await consumer.close()
        return found

    async def _check_aged(self) -> None:
        there = {value for _, _, value in await self._read("aged")}
        oldest_ms = RETENTION_MS + SEGMENT_MS + SLACK_MS
        for written in self.aged:
            age_ms = (self._now_s - written.acknowledged_s) * 1000
            if age_ms < RETENTION_MS - SLACK_MS and written.value not in there:
                self._find("gone-early", f"{written.value} is {age_ms / MINUTE_MS:.0f} minutes old and gone")
            if age_ms > oldest_ms and written.value in there:
                self._find("kept-late", f"{written.value} is {age_ms / MINUTE_MS:.0f} minutes old and still there")

    async def _check_keyed(self) -> None:
        found = await self._read("keyed")
        values = {key: value for _, key, value in found}
        last = {each.key: each for each in self.keyed}
        for key, written in last.items():
            if values.get(key) != written.value and values.get(key) not in self.unsure.get(key, ()):
                self._find("key-lost", f"{key} is {values.get(key)}, and {written.value} was acknowledged last")
        newest = {key: offset for offset, key, _ in found}
        times = {each.offset: each.acknowledged_s for each in self.keyed}
        for offset, key, value in found:
            replaced_s = times.get(newest[key], self._now_s)
            if newest[key] != offset and self._now_s - replaced_s > (COMPACTION_LAG_MS + SEGMENT_MS + SLACK_MS) / 1000:
                self._find("not-compacted", f"{value} of {key} at {offset} was replaced {replaced_s:.0f} s into it")

    async def _check_forgotten(self) -> None:
        if self.left_alone_s is None or self._now_s - self.left_alone_s < (EXPIRATION_MS + SLACK_MS) / 1000:
            return
        async with Admin(self._setting.common("forgotten")) as admin:
            if await admin.groups.offsets("once"):
                self._find("kept-late", "the offsets of a group that nobody uses")
            try:
                state = await admin.transactions.describe("once")
            except KafkaError:
                return
            self._find("kept-late", f"a transactional id that nobody uses: {state}")

    def _check_producers(self) -> None:
        for machine in self._cluster.machines.values():
            broker = getattr(machine.node, "broker", None)
            for partition in broker.partitions if broker is not None else ():
                for entry in partition.log.producers.entries.values():
                    age_ms = machine.clock.now_ms() - entry.last_timestamp
                    if entry.txn_first_offset < 0 and age_ms > EXPIRATION_MS + 2 * SLACK_MS:
                        where = f"{partition.topic}-{partition.index} of {machine.name}"
                        self._find("kept-late", f"producer {entry.producer_id} in {where}, idle for {age_ms} ms")

    def _check_leaders(self) -> None:
        image = next(each.node.metadata.image for each in self._cluster.machines.values() if each.node is not None)
        for topic in image.topics.by_id.values():
            for index, partition in enumerate(topic.partitions):
                if partition.leader != partition.replicas[0]:
                    where = f"{topic.name}-{index} is led by {partition.leader} of {partition.replicas}"
                    self._find("not-balanced", f"{where}, in sync {partition.isr}")

    def _check_snapshots(self) -> None:
        """The newest snapshot lacks nothing that has been there for longer than the interval."""
        directory = "/data/__cluster_metadata-0"
        for machine in self._cluster.machines.values():
            if machine.node is None:
                continue
            names = [each for each in machine.disk.listdir(directory) if each.endswith(".checkpoint")]
            end_offset = max((int(each.partition("-")[0]) for each in names), default=0)
            known = machine.node.metadata.image.provenance
            age_ms = machine.clock.now_ms() - known.timestamp_ms
            if end_offset <= known.offset and age_ms > SNAPSHOT_MS + SLACK_MS:
                detail = f"{machine.name} has records up to {known.offset} for {age_ms / MINUTE_MS:.0f} minutes"
                self._find("no-snapshot", f"{detail}, and a snapshot up to {end_offset}")
