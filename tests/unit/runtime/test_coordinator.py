"""A shard of counters over a log in memory: it loads, answers after the commit, replays only what was appended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Token
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import HEADER, Record, build_batch, read_header
from tidelog.runtime.coordinator import CoordinatorPartition


class Counters:
    """Adds per key; `later` asks for a tick and answers there."""

    def __init__(self) -> None:
        self.totals: dict[bytes, int] = {}
        self.parked: list[tuple[int, Token]] = []
        self.ended: list[tuple[int, bool]] = []

    def replay(self, offset: int, producer_id: int, producer_epoch: int, record: CoordinatorRecord) -> None:
        assert record.value is not None
        self.totals[record.key] = self.totals.get(record.key, 0) + int(record.value)

    def replay_end_transaction(self, producer_id: int, producer_epoch: int, committed: bool) -> None:
        self.ended.append((producer_id, committed))

    def loaded(self, now_ms: int) -> Effects:
        return Effects()

    def unloaded(self) -> Effects:
        return Effects()

    def next_deadline_ms(self) -> int | None:
        return min((at for at, _ in self.parked), default=None)

    def tick(self, now_ms: int) -> Effects:
        due = [token for at, token in self.parked if at <= now_ms]
        self.parked = [(at, token) for at, token in self.parked if at > now_ms]
        return Effects(replies=[(token, "ticked") for token in due])

    def add(self, token: Token, key: bytes, amount: int) -> Effects:
        record = CoordinatorRecord(key, b"%d" % amount)
        return Effects([record]).reply(token, self.totals.get(key, 0) + amount)


class MemoryLog:
    def __init__(self) -> None:
        self.batches: list[bytes] = []
        self.end_offset = 0
        self.committed = 0
        self.waiting: list[tuple[int, Callable[[ErrorCode], None]]] = []
        self.broken = False
        self.auto_commit = True

    def append(self, batch: bytearray) -> int:
        if self.broken:
            raise KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)
        header = read_header(batch)
        base = self.end_offset
        HEADER.pack_into(batch, 0, *header._replace(base_offset=base))
        self.batches.append(bytes(batch))
        self.end_offset = base + header.records_count
        if self.auto_commit:
            self.commit()
        return base

    def commit(self) -> None:
        self.committed = self.end_offset
        due = [done for offset, done in self.waiting if offset <= self.committed]
        self.waiting = [(offset, done) for offset, done in self.waiting if offset > self.committed]
        for done in due:
            done(ErrorCode.NONE)

    def when_committed(self, next_offset: int, done: Callable[[ErrorCode], None]) -> None:
        if next_offset <= self.committed:
            done(ErrorCode.NONE)
        else:
            self.waiting.append((next_offset, done))

    async def read_all(self) -> AsyncIterator[bytes]:
        for batch in self.batches:
            yield batch


class Clock:
    now = 1_000_000

    def now_ms(self) -> int:
        return self.now

    def monotonic_ms(self) -> int:
        return self.now


async def opened(log: MemoryLog, clock: Clock | None = None) -> CoordinatorPartition[Counters]:
    partition = CoordinatorPartition(Counters(), log, clock or Clock())
    await partition.load()
    return partition


def test_a_new_leader_has_what_the_old_one_appended() -> None:
    async def story() -> None:
        log = MemoryLog()
        first = await opened(log)
        assert await first.submit(lambda shard, token, _: shard.add(token, b"a", 2)) == 2
        assert await first.submit(lambda shard, token, _: shard.add(token, b"a", 3)) == 5
        second = await opened(log)
        assert second.shard.totals == {b"a": 5}

    asyncio.run(story())


def test_the_reply_waits_for_the_commit() -> None:
    async def story() -> None:
        log = MemoryLog()
        partition = await opened(log)
        log.auto_commit = False
        write = partition.submit(lambda shard, token, _: shard.add(token, b"a", 1))
        read = partition.submit(lambda shard, token, _: Effects().reply(token, shard.totals[b"a"]))
        await asyncio.sleep(0)
        assert not write.done()
        assert not read.done(), "a reader must not see what may still be lost"
        log.commit()
        assert (await write, await read) == (1, 1)

    asyncio.run(story())


def test_a_failed_append_changes_nothing_and_is_told() -> None:
    async def story() -> None:
        log = MemoryLog()
        partition = await opened(log)
        log.broken = True
        with pytest.raises(KafkaError) as error:
            await partition.submit(lambda shard, token, _: shard.add(token, b"a", 1))
        assert error.value.code == ErrorCode.COORDINATOR_NOT_AVAILABLE
        assert partition.shard.totals == {}

    asyncio.run(story())


def test_many_records_are_written_in_several_batches() -> None:
    async def story() -> None:
        log = MemoryLog()
        partition = await opened(log)
        records = [CoordinatorRecord(b"%d" % index + b"x" * 99_000, b"1") for index in range(10)]
        assert await partition.submit(lambda shard, token, _: Effects(list(records)).reply(token, "done")) == "done"
        assert [read_header(batch).records_count for batch in log.batches] == [4, 4, 2]
        assert (await opened(log)).shard.totals == partition.shard.totals == {one.key: 1 for one in records}

    asyncio.run(story())


def test_requests_before_the_load_and_after_the_unload_are_refused() -> None:
    async def story() -> None:
        partition = CoordinatorPartition(Counters(), MemoryLog(), Clock())
        with pytest.raises(KafkaError) as early:
            await partition.submit(lambda shard, token, _: Effects().reply(token, 0))
        assert early.value.code == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        await partition.load()
        parked = partition.submit(lambda shard, token, _: Effects())
        partition.unload()
        with pytest.raises(KafkaError) as late:
            await parked
        assert late.value.code == ErrorCode.NOT_COORDINATOR

    asyncio.run(story())


def test_the_timer_follows_the_nearest_deadline() -> None:
    def park(shard: Counters, token: Token, now_ms: int) -> Effects:
        shard.parked.append((now_ms + 5, token))
        return Effects()

    async def story() -> None:
        clock = Clock()
        partition = await opened(MemoryLog(), clock)
        parked = partition.submit(park)
        clock.now += 5
        assert await asyncio.wait_for(parked, 30) == "ticked"

    asyncio.run(story())


def test_markers_in_the_log_reach_the_shard() -> None:
    async def story() -> None:
        log = MemoryLog()
        marker = Record(0, 0, b"\x00\x00\x00\x01", b"\x00\x00\x00\x00\x00\x07", ())
        log.append(bytearray(build_batch([marker], producer_id=9, producer_epoch=0, transactional=True, control=True)))
        partition = await opened(log)
        assert partition.shard.ended == [(9, True)]

    asyncio.run(story())
