"""Tiered storage under seeded faults: several replicas of one partition, leaders that come and go, one bad store.

Everything but the replication between the logs is the shipped code: copying, the metadata topic's replay, expiry, reads
and rebuilt followers. An old leader may go on for a while without knowing that it is one. What is checked is that a
reader of the present leader gets every committed record from the start of the log on, once and in order; that the log
never begins later than its limits allow; and that in the end nothing is in the store that nobody can read.

    python -m tidelog.sim.tier_story 17        one seed
    python -m tidelog.sim.tier_story 0-4999    many
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from random import Random

from tidelog.log.config import LogConfig
from tidelog.log.errors import WouldBlock
from tidelog.log.log import Log
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import FileRange
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import Record, build_batch, iter_batches
from tidelog.sim.blocking import SimBlocking
from tidelog.sim.clock import SimClock
from tidelog.sim.disk import SimDisk
from tidelog.sim.loop import SimLoop
from tidelog.sim.object_store import SimObjectStore, StoreFaults
from tidelog.sim.tier_topic import SimMetadataTopic
from tidelog.tier.chunks import ChunkCache
from tidelog.tier.manifest import agreed_end
from tidelog.tier.metadata import RemoteMetadata
from tidelog.tier.reader import ReaderLimits, RemoteReader
from tidelog.tier.rebuild import rebuild, segment_before
from tidelog.tier.segments import TopicIdPartition
from tidelog.tier.worker import Settings, Tier, Worker, adopt, closed_segments

PLACE = TopicIdPartition(bytes(range(16)), 0, "t")
REPLICAS = 3
FAILURES = (OSError, KafkaError, TimeoutError)


class Replica:
    """One broker's share: its log, its view of the metadata topic, its workers. `leader_epoch` is what it believes."""

    def __init__(self, story: Story, number: int) -> None:
        self.number = number
        self._story = story
        loop, random = story.loop, story.random
        self.clock = SimClock(loop, random.randrange(-500, 500))
        self.blocking = SimBlocking(loop, Random(f"blocking {story.seed} {number}"))
        self.disk = SimDisk(self.clock.now_ms)
        self.leader_epoch = -1
        self.config = story.config
        self.log = self._open()
        self.metadata = RemoteMetadata(story.topic)
        self.metadata.READ_WAIT_MS = 5000
        self.metadata.follow([0])
        cache = ChunkCache(self.disk, self.blocking, "/cache", story.random.choice((3_000, 50_000)))
        cache.open()
        limits = ReaderLimits(concurrent=3, pending=20, read_ahead=random.randrange(3), timeout_s=3.0, retries=1)
        self.reader = RemoteReader(story.store, cache, self.clock, self.blocking, limits)
        settings = Settings(
            broker_id=number, chunk_bytes=random.choice((400, 1500, 100_000)), copy_timeout_s=20.0,
            request_timeout_s=4.0, sweep_every_ms=20_000, stray_age_ms=60_000,
        )  # fmt: skip
        self.tier = Tier(
            story.store, self.metadata, self.clock, self.blocking, story.new_id, settings, self.reader.forget
        )
        self.worker = Worker(self.tier, PLACE, self)
        self.high_watermark = 0

    def _open(self) -> Log:
        return Log.open(self.disk, f"/b{self.number}/t-0", TopicPartition("t", 0), self.config, self.clock)

    @property
    def last_stable_offset(self) -> int:
        return self.high_watermark

    async def rounds(self) -> None:
        while True:
            await asyncio.sleep(0.5 + 4 * self._story.random.random())
            await self.one_round()

    async def one_round(self) -> None:
        if self.leader_epoch >= 0:
            try:
                await self.worker.round()
            except FAILURES:
                self._story.failed_rounds += 1
        else:
            manifest = self.metadata.manifest(PLACE)
            if manifest is not None:
                adopt(self.log, manifest)
        self.log.delete_old_segments(self.clock.now_ms(), self.high_watermark)
        self.log.check_invariants()


class Story:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random = Random(f"tier {seed}")
        self.loop = SimLoop(seed)  # type: ignore[abstract]
        self.store = SimObjectStore(Random(f"store {seed}"), lambda: 1_767_225_600_000 + int(self.loop.time() * 1000))
        self.topic = SimMetadataTopic(Random(f"topic {seed}"))
        self.config = LogConfig(
            segment_bytes=random.choice((700, 1500, 4000)),
            segment_index_bytes=4096,
            index_interval_bytes=random.choice((1, 300, 4096)),
            retention_ms=-1,
            retention_bytes=random.choice((-1, -1, 6_000, 20_000)),
            local_retention_bytes=random.choice((0, 2_000)),
            file_delete_delay_ms=0,
            remote_storage=True,
        )
        self.replicas: list[Replica] = []
        self.leader = 0
        self.epoch = 0
        self.committed: list[tuple[int, int, bytes]] = []  # first offset, next offset and bytes of each batch
        self.deleted_until = 0  # by request
        self.failed_rounds = 0
        self.reads = 0
        self.remote_reads = 0
        self.rebuilt = 0

    def new_id(self) -> bytes:
        return self.random.randbytes(16)

    # the cluster

    @property
    def now_leading(self) -> Replica:
        return self.replicas[self.leader]

    def _lead(self, number: int) -> None:
        self.leader = number
        self.epoch += 1
        leader = self.now_leading
        leader.leader_epoch = self.epoch
        leader.log.epochs.assign(self.epoch, leader.log.log_end_offset)

    def append(self) -> None:
        leader = self.now_leading
        for _ in range(self.random.randrange(1, 6)):
            value = self.random.randbytes(self.random.randrange(20, 200))
            count = self.random.randrange(1, 4)
            records = [Record(number, leader.clock.now_ms(), None, value, ()) for number in range(count)]
            batch = bytearray(build_batch(records))
            leader.log.append_as_leader(memoryview(batch), self.epoch, leader.clock.now_ms())

    def replicate(self, follower: Replica) -> None:
        """As much as the leader has on local disk; what is only remote is the business of `rebuild`."""
        leader, log = self.now_leading, follower.log
        if follower is leader or follower.leader_epoch >= 0:
            return
        self._agree(log, leader.log)
        while log.log_end_offset < leader.log.log_end_offset:
            try:
                found = leader.log.read(log.log_end_offset, 2_000, leader.log.log_end_offset)
            except KafkaError:
                return
            assert found is not None
            log.append_as_follower(found.file.pread(found.length, found.position), follower.clock.now_ms())
        follower.high_watermark = min(leader.high_watermark, log.log_end_offset)
        if leader.log.log_start_offset > log.log_start_offset:
            log.increment_log_start_offset(
                min(leader.log.log_start_offset, follower.high_watermark), follower.high_watermark
            )

    def _agree(self, log: Log, leader: Log) -> None:
        """Cuts what the leader does not have."""
        while log.log_end_offset and log.epochs.latest >= 0:
            epoch, end = leader.epochs.end_offset_for(log.epochs.latest, leader.log_end_offset)
            if epoch == log.epochs.latest and end >= log.log_end_offset:
                return
            mine, my_end = log.epochs.end_offset_for(epoch, log.log_end_offset)
            cut = min(end, my_end) if mine == epoch else min(end, log.epochs.starts[-1])
            if cut < 0 or cut >= log.log_end_offset:
                return
            log.truncate_to(cut)

    async def rebuild(self, follower: Replica) -> None:
        leader = self.now_leading
        local_start = leader.log.local_start_offset
        if follower is leader or follower.leader_epoch >= 0 or follower.log.log_end_offset >= local_start:
            return
        try:
            manifest = await follower.metadata.refresh(PLACE)
            epoch = leader.log.epochs.epoch_at(local_start - 1)
            segment = segment_before(manifest, local_start, epoch) if manifest is not None else None
            if segment is None:
                return
            aux = await follower.reader.aux(segment)
        except FAILURES:
            return
        still = follower.leader_epoch < 0 and leader is self.now_leading
        if still and local_start == leader.log.local_start_offset:
            rebuild(follower.log, segment, aux, leader.log.log_start_offset)
            follower.high_watermark = follower.log.log_end_offset
            self.rebuilt += 1

    def commit(self) -> None:
        """The high watermark is what all replicas have: any of them may be the next leader."""
        leader = self.now_leading
        end = min(each.log.log_end_offset for each in self.replicas)
        if end <= leader.high_watermark or end < leader.log.epochs.starts[-1]:
            return
        if any(each.log.epochs.latest != self.epoch for each in self.replicas):
            return  # it may still hold what the leader does not
        offset = self.committed[-1][1] if self.committed else 0
        while offset < end:
            found = leader.log.read(offset, 10_000, end)
            assert found is not None
            data = found.file.pread(found.length, found.position)
            for position, header in iter_batches(data):
                self.committed.append((header.base_offset, header.next_offset, data[position : position + header.size]))
                offset = header.next_offset
        leader.high_watermark = end

    async def elect(self) -> None:
        """One of the replicas that have everything committed; the old leader may hear of it late."""
        old = self.now_leading
        end = self.committed[-1][1] if self.committed else 0
        able = [each.number for each in self.replicas if each.log.log_end_offset >= end and each is not old]
        if not able or any(each.leader_epoch >= 0 for each in self.replicas if each is not old):
            return
        number = self.random.choice(able)
        self._lead(number)
        self.now_leading.high_watermark = max(self.now_leading.high_watermark, self.now_leading.log.log_start_offset)
        if self.random.random() < 0.5:
            await asyncio.sleep(6 * self.random.random())
        old.leader_epoch = -1

    def wipe(self, replica: Replica) -> None:
        """The broker lost its disk and starts with nothing."""
        if replica is not self.now_leading and replica.leader_epoch < 0:
            replica.log.truncate_fully_and_start_at(0)
            replica.high_watermark = 0

    # reading

    async def read_through(self) -> bool:
        """From the start of the log to what is committed, as a consumer does; False when the store was in the way."""
        leader = self.now_leading
        start = offset = leader.log.log_start_offset
        end = leader.high_watermark
        self._check_start(leader)
        while offset < end:
            if leader is not self.now_leading:
                return False
            offset = max(offset, leader.log.log_start_offset)
            try:
                found = await self._read(leader, offset, end)
            except FAILURES:
                return False
            if found is None:
                return False
            data = await leader.blocking.run(found.file.pread, found.length, found.position)
            offset = self._check(data, offset)
        self.reads += 1
        assert start <= offset
        return True

    async def _read(self, leader: Replica, offset: int, end: int) -> FileRange | None:
        try:
            return leader.log.read(offset, 3_000, end)
        except KafkaError as error:
            if error.code is not ErrorCode.OFFSET_MOVED_TO_TIERED_STORAGE:
                raise
        manifest = await leader.metadata.refresh(PLACE)
        assert manifest is not None
        segment = manifest.find(offset, leader.log.epochs)
        if segment is None:
            moved = offset < leader.log.log_start_offset or offset >= leader.log.local_start_offset
            retired = manifest.retired_until(offset, leader.log.epochs) > offset
            assert moved or retired or leader is not self.now_leading, f"offset {offset} is nowhere"
            return None
        await leader.reader.load(segment, offset)
        self.remote_reads += 1
        last = agreed_end(segment, leader.log.epochs)
        upper = last + 1 if last < segment.end_offset else None
        try:
            return leader.reader.cached(segment, offset, 3_000, True, False, upper)
        except WouldBlock:
            return None

    def _check(self, data: bytes, offset: int) -> int:
        """Every batch is the committed one of its place; gives the offset behind the last."""
        expected = next(number for number, (_, after, _) in enumerate(self.committed) if after > offset)
        for position, header in iter_batches(data):
            known = self.committed[expected]
            assert header.base_offset == known[0], f"offset {header.base_offset} comes where {known[0]} belongs"
            assert data[position : position + header.size] == known[2], f"other bytes at offset {known[0]}"
            offset, expected = header.next_offset, expected + 1
        return offset

    def _check_start(self, leader: Replica) -> None:
        start = leader.log.log_start_offset
        if self.config.retention_bytes < 0:
            assert start <= self.deleted_until, f"the log begins at {start}, and nobody asked for that"
        elif start > self.deleted_until:
            kept = sum(len(batch) for first, _, batch in self.committed if first >= start)
            kept += leader.log.size  # what is not committed yet counts as well
            assert kept >= self.config.retention_bytes * 0.7, f"only {kept} bytes are kept"

    # the story

    async def run(self) -> None:
        random = self.random
        self.replicas = [Replica(self, number) for number in range(REPLICAS)]
        self._lead(0)
        tasks = [asyncio.ensure_future(each.rounds()) for each in self.replicas]
        self.store.faults = _faults(random)
        self.topic.faults = random.choice((0.0, 0.05, 0.2))
        for _ in range(random.randrange(30, 90)):
            await asyncio.sleep(random.random())
            await self._happen(random.random())
        self.store.faults, self.topic.faults = StoreFaults(), 0.0
        await self._settle()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for each in self.replicas:
            await each.reader.close()
            await each.metadata.close()

    async def _happen(self, chance: float) -> None:
        self.append()
        for replica in self.replicas:
            if self.random.random() < 0.8:
                self.replicate(replica)
                await self.rebuild(replica)
        self.commit()
        if chance < 0.08:
            await self.elect()
        elif chance < 0.12:
            self.wipe(self.random.choice(self.replicas))
        elif chance < 0.15:
            self._delete_records()
        elif chance < 0.4:
            await self.read_through()

    def _delete_records(self) -> None:
        leader = self.now_leading
        if leader.high_watermark > leader.log.log_start_offset:
            offset = self.random.randrange(leader.log.log_start_offset, leader.high_watermark)
            self.deleted_until = max(self.deleted_until, offset)
            leader.log.increment_log_start_offset(offset, leader.high_watermark)

    async def _settle(self) -> None:
        """The store is well again: soon everything is where it belongs."""
        for _ in range(9):
            await asyncio.sleep(12)
            for replica in self.replicas:
                replica.leader_epoch = self.epoch if replica is self.now_leading else -1
                self.replicate(replica)
                await self.rebuild(replica)
                self.replicate(replica)
            self.commit()
        assert await self._until(self.read_through), "the log cannot be read although the store is well"
        self._check_store()

    async def _until(self, attempt: Callable[[], object]) -> bool:
        for _ in range(10):
            if await attempt():  # type: ignore[misc]
                return True
            await asyncio.sleep(5)
        return False

    def _check_store(self) -> None:
        leader = self.now_leading
        manifest = leader.metadata.manifest(PLACE)
        assert manifest is not None
        manifest.check_invariants()
        wanted = {key for segment in manifest.live for key in (segment.log_key, segment.aux_key)}
        stored = set(self.store.objects)
        assert stored == wanted, f"strays {sorted(stored - wanted)[:3]}, missing {sorted(wanted - stored)[:3]}"
        log = leader.log
        for segment, next_base in closed_segments(log, leader.high_watermark):
            is_copied = manifest.covered_until(segment.base_offset, log.epochs) >= next_base
            assert is_copied or next_base <= log.log_start_offset, f"{segment.base_offset} was not copied"
        for other in self.replicas:
            theirs = other.metadata.manifest(PLACE)
            assert theirs is not None
            assert theirs.segments == manifest.segments


def _faults(random: Random) -> StoreFaults:
    """A store that is well, a little ill, or ill in one way."""
    kind = random.random()
    if kind < 0.15:
        return StoreFaults()
    if kind < 0.5:
        return StoreFaults(0.05, 0.05, 0.03, 0.03, 0.03, 0.05, 0.02, 0.3)
    chosen = random.choice(StoreFaults._fields)
    return StoreFaults(**{chosen: random.choice((0.2, 0.5))})


def play(seed: int) -> Story:
    story = Story(seed)
    try:
        story.loop.run_until_complete(story.run())
        assert not story.loop.unheard, story.loop.unheard[0]
    finally:
        story.loop.close()
    return story


def main(arguments: list[str]) -> int:
    import logging

    logging.disable(logging.CRITICAL)
    first, _, last = (arguments[0] if arguments else "0-99").partition("-")
    failed = remote = elected = 0
    seeds = range(int(first), int(last or first) + 1)
    for seed in seeds:
        try:
            story = play(seed)
            remote += story.remote_reads
            elected += story.epoch
        except Exception as error:
            failed += 1
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
            if len(seeds) == 1:
                raise
    print(f"{len(seeds)} seeds, {failed} failed, {elected} elections, {remote} remote reads")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
