"""The cleaner in the background: what it chooses, when it lets go, and what it does about trouble."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from support.compaction import InlineBlocking, records
from support.logs import NOW_MS, ManualClock
from tidelog.log import checkpoints, names
from tidelog.log import cleaner as cleaner_module
from tidelog.log.clean_totals import Throttle
from tidelog.log.cleaner import Cleaner, CleanerSettings
from tidelog.log.config import LogConfig
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.model.topic_partition import TopicPartition
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.sim.disk import SimDisk

CONFIG = LogConfig(compact=True, delete=False, min_cleanable_dirty_ratio=0.5, segment_index_bytes=1200)


class House:
    """Logs in one directory, and a cleaner for them."""

    def __init__(self, disk: SimDisk | None = None, settings: CleanerSettings | None = None) -> None:
        self.disk = disk or SimDisk()
        self.clock = ManualClock()
        self.manager = LogManager(self.disk, self.clock, ["/data"], blocking=InlineBlocking())
        self.manager.load(lambda topic: CONFIG)
        self.settings = settings or CleanerSettings(dedupe_buffer_size=1 << 16, io_buffer_size=2048)
        self.blocking = InlineBlocking()

    def log(self, topic: str, config: LogConfig = CONFIG, rounds: int = 10) -> Log:
        log = self.manager.create(TopicPartition(topic, 0), bytes(16), config)
        put(log, rounds)
        return log

    def cleaner(self) -> Cleaner:
        return Cleaner(self.manager, self.clock, self.blocking, self.high_watermarks, self.settings)

    def high_watermarks(self) -> dict[TopicPartition, int]:
        return {log.partition: log.log_end_offset for log in self.manager}

    def checkpoint(self) -> dict[TopicPartition, int]:
        return checkpoints.decode_offsets(self.disk.read_bytes(f"/data/{names.CLEANER_OFFSETS}"))


def put(log: Log, rounds: int, values: bytes = b"value") -> None:
    """Each round is a segment with a value for each of four keys."""
    for _ in range(rounds):
        made = [Record(0, NOW_MS, f"k{key}".encode(), values) for key in range(4)]
        log.append_as_leader(memoryview(bytearray(build_batch(made))), 0, NOW_MS)
        log.roll(NOW_MS)


def test_the_dirtiest_log_comes_first() -> None:
    async def story() -> None:
        house = House()
        house.log("plain", LogConfig(segment_index_bytes=1200), rounds=10)
        one, two = house.log("one"), house.log("two")
        cleaner = house.cleaner()
        assert await cleaner.clean_dirtiest()
        assert await cleaner.clean_dirtiest()
        assert not await cleaner.clean_dirtiest(), "everything is clean"
        assert [len(records(each)) for each in (one, two)] == [4, 4]
        put(one, 1)
        put(two, 3)
        assert cleaner.totals.runs == 2
        assert await cleaner.clean_dirtiest()
        assert (len(records(one)), len(records(two))) == (8, 4)
        assert house.checkpoint() == {one.partition: 40, two.partition: 52}
        assert cleaner.totals.max_dirty_ratio > 0.5
        assert 0 < cleaner.totals.last_recopy_ratio < 0.5

    asyncio.run(story())


def test_what_was_compacted_is_known_after_a_restart_and_forgotten_with_the_topic() -> None:
    async def story() -> None:
        house = House()
        log, other = house.log("one"), house.log("two")
        cleaner = house.cleaner()
        while await cleaner.clean_dirtiest():
            pass
        house.manager.close()
        house = House(house.disk.successor())
        again = house.cleaner()
        assert not await again.clean_dirtiest()
        found = house.manager.get(log.partition)
        assert found is not None
        house.manager.delete(found)
        put(house.log("two", rounds=0), 20)
        assert await again.clean_dirtiest()
        assert list(house.checkpoint()) == [other.partition]

    asyncio.run(story())


def test_a_log_that_was_cut_is_dirty_from_there() -> None:
    async def story() -> None:
        house = House()
        log = house.log("one")
        await house.cleaner().clean_dirtiest()
        log.truncate_to(36)
        assert house.checkpoint() == {log.partition: 36}
        put(log, 20, b"new")
        assert await house.cleaner().clean_dirtiest()
        assert [each.value for each in records(log)] == [b"new"] * 4

    asyncio.run(story())


def test_damage_marks_the_partition_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        house = House()
        bad, good = house.log("bad", rounds=20), house.log("good")
        path = bad.segments[3].path(".log")
        data = bytearray(house.disk.read_bytes(path))
        data[-1] ^= 0xFF
        house.disk.open(path).pwrite(data, 0)
        cleaner = house.cleaner()
        while await cleaner.clean_dirtiest():
            pass
        assert list(cleaner.uncleanable) == [bad.partition]
        assert len(records(good)) == 4
        assert len(bad.segments) == 21
        assert bad.offline is None

    asyncio.run(story())
    assert "start the node again" in caplog.text


class Meddling(InlineBlocking):
    """Does something to the log between two steps of its compaction."""

    def __init__(self, act: Callable[[], None], at: int) -> None:
        self._act, self._left = act, at

    async def run(self, work: Callable[..., Any], *args: Any) -> Any:
        self._left -= 1
        if self._left == 0:
            self._act()
        return work(*args)


@pytest.mark.parametrize("what", ["delete", "policy", "truncate"])
def test_a_log_that_changes_under_its_compaction_is_let_go(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaner_module, "STEP_BYTES", 1000)

    async def story(at: int) -> int:
        house = House(settings=CleanerSettings(dedupe_buffer_size=1 << 16, io_buffer_size=400))
        log = house.log("one", rounds=16)

        def act() -> None:
            if what == "delete":
                house.manager.delete(log)
            elif what == "policy":
                log.config = LogConfig()
            else:
                log.truncate_to(30)

        meddling = house.blocking = Meddling(act, at)
        cleaner = house.cleaner()
        await cleaner.clean_dirtiest()
        assert not log.is_cleaning
        assert not cleaner.uncleanable
        assert all(each.offline is None for each in house.manager.disks)
        if what == "truncate" and meddling._left <= 0:
            log.check_invariants()
            latest = {each.key: each.offset for each in records(log)}
            assert len(latest) in (0, 4), "all that was cut, or all that is left before"
            assert house.manager.disks[0].cleaned.get(log.partition, 0) <= 30
            assert all(each.offset < 30 for each in records(log))
        if what != "delete":  # whose directory goes with all that is in it
            leftovers = [name for name in house.disk.listdir(log.directory) if name.endswith((".cleaned", ".swap"))]
            assert leftovers == [], at
        return meddling._left

    at = 1
    while asyncio.run(story(at)) <= 0:
        at += 1
    assert at > 3


def test_stopping_ends_a_compaction_at_its_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaner_module, "STEP_BYTES", 1000)

    async def story() -> None:
        house = House(settings=CleanerSettings(dedupe_buffer_size=1 << 16, io_buffer_size=400))
        log = house.log("one", rounds=50)
        cleaner = house.cleaner()
        house.blocking = Meddling(lambda: setattr(cleaner, "_is_stopping", True), 4)
        cleaner._blocking = house.blocking
        cleaner.start()
        await asyncio.wait_for(asyncio.gather(*cleaner._workers.values()), 10)
        await cleaner.stop()
        assert len(records(log)) == 200
        assert not [name for name in house.disk.listdir(log.directory) if name.endswith((".cleaned", ".swap"))]

    asyncio.run(story())


def test_settings_change_while_it_runs() -> None:
    async def story() -> None:
        house = House(settings=CleanerSettings(threads=0, dedupe_buffer_size=1 << 16, backoff_ms=1))
        log = house.log("one")
        cleaner = house.cleaner()
        cleaner.start()
        await asyncio.sleep(0)
        assert len(records(log)) == 40
        cleaner.reconfigure(CleanerSettings(threads=2, dedupe_buffer_size=1 << 16, backoff_ms=1))
        while len(records(log)) > 4:
            await asyncio.sleep(0.001)
        await cleaner.stop()

    asyncio.run(asyncio.wait_for(story(), 20))


def test_a_worker_too_many_that_is_still_busy_takes_nobodys_place() -> None:
    async def story() -> None:
        cleaner = House(settings=CleanerSettings(threads=3, backoff_ms=1)).cleaner()
        looks, gate = 0, asyncio.Event()

        async def look() -> bool:
            nonlocal looks
            looks += 1
            if looks == 3:
                await gate.wait()
            return False

        cleaner.clean_dirtiest = look  # type: ignore[method-assign]

        async def until_there_are(workers: int) -> None:
            while sum(not each.done() for each in cleaner._workers.values()) != workers:
                await asyncio.sleep(0.001)

        cleaner.start()
        while looks < 3:
            await asyncio.sleep(0.001)
        cleaner.reconfigure(CleanerSettings(threads=1, backoff_ms=1))
        await until_there_are(2)  # the first, and the third, which is at work
        cleaner.reconfigure(CleanerSettings(threads=2, backoff_ms=1))
        gate.set()
        await until_there_are(2)
        assert [number for number, each in cleaner._workers.items() if not each.done()] == [0, 1]
        await cleaner.stop()

    asyncio.run(asyncio.wait_for(story(), 20))


def test_a_pause_lasts_as_long_as_it_should() -> None:
    """The second one too: a worker that finds nothing to do must not spin."""

    async def story() -> None:
        house = House(settings=CleanerSettings(backoff_ms=20))
        cleaner = house.cleaner()
        looks = 0

        async def look() -> bool:
            nonlocal looks
            looks += 1
            return False

        cleaner.clean_dirtiest = look  # type: ignore[method-assign]
        cleaner.start()
        began = asyncio.get_running_loop().time()
        while looks < 4:
            await asyncio.sleep(0)
        assert asyncio.get_running_loop().time() - began >= 0.055
        await cleaner.stop()

    asyncio.run(story())


def test_a_log_that_is_no_longer_compacted_keeps_its_gaps_after_a_crash() -> None:
    async def story() -> None:
        house = House()
        log = house.log("one")
        await house.cleaner().clean_dirtiest()
        put(log, 2)
        log.flush()
        house.disk.kill()
        disk = house.disk.successor()
        disk.remove(f"/data/{names.RECOVERY_POINTS}")
        manager = LogManager(disk, house.clock, ["/data"])
        manager.load(lambda topic: LogConfig(segment_index_bytes=1200))
        again = manager.get(log.partition)
        assert again is not None
        assert [each.offset for each in records(again)] == [36, 37, 38, 39, *range(40, 48)]

    asyncio.run(story())


def test_retention_leaves_a_log_alone_that_is_being_compacted() -> None:
    from tidelog.log.housekeeping import Housekeeping

    house = House()
    log = house.log("one", LogConfig(compact=True, delete=True, retention_ms=1, segment_index_bytes=1200))
    keeping = Housekeeping(house.manager, house.disk, house.clock, house.blocking, house.high_watermarks)
    house.clock.ms += 1000
    log.is_cleaning = True
    assert keeping.apply_retention() == 0
    log.is_cleaning = False
    assert keeping.apply_retention() == 10


def test_a_budget_spreads_bytes_over_time() -> None:
    throttle = Throttle()
    assert throttle.delay_ms(1000, 10_000, 0) == 100
    assert throttle.delay_ms(1000, 10_000, 0) == 200, "two compactions share the budget"
    assert throttle.delay_ms(1000, 10_000, 150) == 150
    assert throttle.delay_ms(0, 10_000, 5000) == 0
    assert throttle.delay_ms(1 << 30, 1e300, 5000) == 0
