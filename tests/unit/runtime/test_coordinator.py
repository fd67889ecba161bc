"""A shard of counters over a log in memory: it loads, answers after the commit, replays only what was appended."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable

import pytest

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Token
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import HEADER, Record, build_batch, read_header
from tidelog.runtime.coordinator import CoordinatorPartition
from tidelog.runtime.turn import Turn


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

    def append(self, batch: bytearray, count: int, now_ms: int, in_transaction: bool) -> int:
        if self.broken:
            raise KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)
        header = read_header(batch)
        assert (header.records_count, header.is_transactional) == (count, in_transaction)
        assert header.max_timestamp == now_ms
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

    def is_committed(self, next_offset: int) -> bool:
        return next_offset <= self.committed

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


def test_a_glance_sees_only_what_is_committed() -> None:
    async def story() -> None:
        log = MemoryLog()
        partition = CoordinatorPartition(Counters(), log, Clock())
        assert partition.glance(lambda shard, _: dict(shard.totals)) is None, "not loaded"
        await partition.load()
        assert partition.glance(lambda shard, _: dict(shard.totals)) == {}
        log.auto_commit = False
        written = partition.submit(lambda shard, token, _: shard.add(token, b"a", 1))
        assert partition.glance(lambda shard, _: dict(shard.totals)) is None
        log.commit()
        assert await written == 1
        assert partition.glance(lambda shard, _: dict(shard.totals)) == {b"a": 1}

    asyncio.run(story())


def test_what_was_decided_is_carried_out_when_too_few_replicas_are_back_in_sync() -> None:
    """The log keeps the record, so whoever asked is refused, and what follows from the record happens later."""

    async def story() -> None:
        log, sent = MemoryLog(), list[str]()
        partition = CoordinatorPartition(Counters(), log, Clock(), sent.append)
        await partition.load()
        log.auto_commit = False
        effects = Effects([CoordinatorRecord(b"a", b"1")], sends=["marker"])
        asked = partition.submit(lambda shard, token, _: effects.reply(token, "done"))
        waiting, log.waiting = log.waiting, []
        for _, done in waiting:
            done(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
        with pytest.raises(KafkaError):
            await asked
        assert sent == []
        log.commit()
        assert sent == ["marker"]

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
        batch = build_batch([marker], producer_id=9, producer_epoch=0, transactional=True, control=True)
        log.append(bytearray(batch), 1, marker.timestamp, True)
        partition = await opened(log)
        assert partition.shard.ended == [(9, True)]

    asyncio.run(story())


def test_a_marker_that_is_written_while_the_shard_loads_is_not_lost() -> None:
    """Its transaction would be pending for ever, and what it committed would be gone until the next load."""

    async def story() -> None:
        log = MemoryLog()
        first = await opened(log)
        for amount in (1, 2, 3):
            await first.submit(lambda shard, token, _, n=amount: shard.add(token, b"a", n))
        second = CoordinatorPartition(Counters(), log, Clock())
        loading = asyncio.create_task(second.load())
        await asyncio.sleep(0)
        second.apply_marker(7, 0, True, 2)  # the load finds this one in the log itself
        second.apply_marker(9, 0, True, 4)
        assert second.shard.ended == [], "before the records that it ends were replayed"
        await loading
        assert (second.shard.totals, second.shard.ended) == ({b"a": 6}, [(9, True)])
        second.apply_marker(9, 1, False, 5)
        assert second.shard.ended == [(9, True), (9, False)]

    asyncio.run(story())


def test_others_have_their_turn_while_a_long_log_is_loaded() -> None:
    class OneChunk(MemoryLog):
        async def read_all(self) -> AsyncIterator[bytes]:
            yield b"".join(self.batches)

    async def story() -> None:
        log = OneChunk()
        first = await opened(log)
        for _ in range(1000):
            await first.submit(lambda shard, token, _: shard.add(token, b"a", 1))
        second = CoordinatorPartition(Counters(), log, Clock())
        loading = asyncio.create_task(second.load())
        seen = []
        while not loading.done():
            await asyncio.sleep(0)
            seen.append(second.shard.totals.get(b"a", 0))
        assert max(after - before for before, after in itertools.pairwise(seen)) <= 256
        assert seen[-1] == 1000

    asyncio.run(story())


class Askers:
    """Who asks, and what each was told, in the order of the answers."""

    def __init__(self, partition: CoordinatorPartition[Counters]) -> None:
        self.partition = partition
        self.told: list[tuple[str, object]] = []

    def _answers(self, name: str) -> tuple[Callable[[object], None], Callable[[KafkaError], None]]:
        return (
            lambda reply: self.told.append((name, reply)),
            lambda error: self.told.append((name, error.code)),
        )

    def stage(self, name: str, key: bytes = b"a", size: int = 1) -> None:
        added = CoordinatorRecord(key.ljust(size, b"."), b"1")
        self.partition.stage(lambda _, token, __: Effects([added]).reply(token, "staged"), *self._answers(name))

    def total(self, name: str, key: bytes = b"a") -> None:
        self.partition.ask(lambda shard, token, _: Effects().reply(token, shard.totals.get(key)), *self._answers(name))


async def in_a_turn(log: MemoryLog) -> tuple[Turn, Askers]:
    turn = Turn()
    partition = CoordinatorPartition(Counters(), log, Clock(), turn=turn)
    await partition.load()
    turn.depth = 1
    return turn, Askers(partition)


def counts(log: MemoryLog) -> list[int]:
    return [read_header(batch).records_count for batch in log.batches]


def test_what_is_staged_in_a_turn_is_one_batch_and_answered_after_it() -> None:
    async def story() -> None:
        log = MemoryLog()
        turn, askers = await in_a_turn(log)
        for name in "xyz":
            askers.stage(name)
        assert (log.batches, askers.told, askers.partition.shard.totals) == ([], [], {})
        turn.finish()
        assert counts(log) == [3]
        assert askers.told == [(name, "staged") for name in "xyz"]
        assert (await opened(log)).shard.totals == askers.partition.shard.totals == {b"a": 3}
        turn.depth = 0
        askers.stage("outside of a turn")
        assert counts(log) == [3, 1]

    asyncio.run(story())


def test_what_is_staged_waits_for_the_commit_as_anything_does() -> None:
    async def story() -> None:
        log = MemoryLog()
        turn, askers = await in_a_turn(log)
        log.auto_commit = False
        askers.stage("x")
        askers.stage("y")
        turn.finish()
        assert (counts(log), askers.told) == ([2], [])
        log.commit()
        assert askers.told == [("x", "staged"), ("y", "staged")]

    asyncio.run(story())


def test_a_batch_that_cannot_be_written_refuses_all_in_it_and_changes_nothing() -> None:
    async def story() -> None:
        log = MemoryLog()
        turn, askers = await in_a_turn(log)
        log.broken = True
        askers.stage("x")
        askers.stage("y")
        turn.finish()
        assert askers.told == [(name, ErrorCode.COORDINATOR_NOT_AVAILABLE) for name in "xy"]
        assert askers.partition.shard.totals == {}
        log.broken = False
        askers.stage("z")
        turn.finish()
        assert askers.partition.shard.totals == {b"a": 1}

    asyncio.run(story())


def test_any_other_step_finds_what_was_staged_before_it() -> None:
    async def story() -> None:
        log = MemoryLog()
        turn, askers = await in_a_turn(log)
        askers.stage("x")
        askers.total("y")
        askers.stage("z")
        assert askers.told == [("x", "staged"), ("y", 1)]
        askers.partition.apply_marker(9, 0, True, 7)
        assert askers.told == [("x", "staged"), ("y", 1), ("z", "staged")], "a marker comes behind what came before"
        askers.stage("u")
        askers.partition.feed(lambda shard, _: shard.add("nobody", b"a", shard.totals[b"a"]))
        assert askers.partition.shard.totals == {b"a": 6}, "three, and as many again"
        turn.finish()
        assert counts(log) == [1, 1, 1, 1]

    asyncio.run(story())


def test_what_is_staged_when_the_leadership_ends_is_refused_and_not_written() -> None:
    async def story() -> None:
        log = MemoryLog()
        turn, askers = await in_a_turn(log)
        askers.stage("x")
        askers.partition.unload()
        turn.finish()
        askers.stage("y")
        assert askers.told == [(name, ErrorCode.NOT_COORDINATOR) for name in "xy"]
        assert log.batches == []

    asyncio.run(story())


def test_requests_that_do_not_fit_into_one_batch_are_never_torn_apart() -> None:
    async def story() -> None:
        log = MemoryLog()
        turn, askers = await in_a_turn(log)
        for name in "vwxyz":
            askers.stage(name, name.encode(), 150_000)
        turn.finish()
        assert counts(log) == [2, 2, 1]
        assert askers.told == [(name, "staged") for name in "vwxyz"]

    asyncio.run(story())


def test_an_asker_that_fails_at_its_answer_is_refused_and_stops_nobody_else() -> None:
    async def story() -> None:
        turn, askers = await in_a_turn(MemoryLog())
        refused: list[ErrorCode] = []

        def fails(_: object) -> None:
            raise ZeroDivisionError

        askers.partition.stage(
            lambda _, token, __: Effects().reply(token, 1), fails, lambda error: refused.append(error.code)
        )
        askers.stage("y")
        turn.finish()
        assert refused == [ErrorCode.UNKNOWN_SERVER_ERROR]
        assert askers.told == [("y", "staged")]

    asyncio.run(story())


def test_a_deadline_that_moves_away_leaves_its_timer_and_one_that_comes_nearer_does_not() -> None:
    def park(delay_ms: int) -> Callable[[Counters, Token, int], Effects]:
        def parked(shard: Counters, token: Token, now_ms: int) -> Effects:
            shard.parked.append((now_ms + delay_ms, token))
            return Effects()

        return parked

    async def story() -> None:
        clock = Clock()
        partition = await opened(MemoryLog(), clock)
        partition.submit(park(3_600_000))
        near = partition.submit(park(5))
        clock.now += 5
        assert await asyncio.wait_for(near, 30) == "ticked"
        partition.unload()

    asyncio.run(story())
