"""The process or the power ends at every single change that a compaction makes to its disk.

Afterwards the log opens, holds the latest value of every key, shows nothing that was aborted, and compacts on.
"""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from support.compaction import InlineBlocking, committed
from support.logs import NOW_MS, PARTITION, ManualClock, marker
from tidelog.log.cleaner import Cleaner, CleanerSettings
from tidelog.log.config import LogConfig
from tidelog.log.log import Log, Origin
from tidelog.log.manager import LogManager
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.sim.disk import SimDisk, SimulatedCrash

CONFIG = LogConfig(
    compact=True, delete=False, segment_bytes=1500, index_interval_bytes=200, segment_index_bytes=1200,
    min_cleanable_dirty_ratio=0.01, delete_retention_ms=500,
)  # fmt: skip
SETTINGS = CleanerSettings(dedupe_buffer_size=24 * 200, io_buffer_size=1600)
TOPIC_ID = bytes(range(16))
State = dict[bytes, bytes | None]


class Life:
    """Writes a log in two parts, compacting after each; `clock` goes on over restarts."""

    def __init__(self, disk: SimDisk) -> None:
        self.disk = disk
        self.clock = ManualClock()
        self.wanted: State = {}
        self.sequences: dict[int, int] = {}

    def open(self) -> Log:
        self.manager = LogManager(self.disk, self.clock, ["/data"], blocking=InlineBlocking())
        self.manager.load(lambda topic: CONFIG)
        assert not self.manager.corrupt, self.manager.corrupt
        return self.manager.create(PARTITION, TOPIC_ID, CONFIG)

    def put(self, log: Log, producer_id: int, pairs: list[tuple[str, str | None]], commit: bool | None) -> None:
        """One batch; with `commit` it is a transaction that ends so."""
        sequence = self.sequences.get(producer_id, 0)
        self.sequences[producer_id] = sequence + len(pairs)
        made = [Record(0, NOW_MS, k.encode(), None if v is None else v.encode()) for k, v in pairs]
        data = build_batch(
            made, producer_id=producer_id, producer_epoch=0, base_sequence=sequence, transactional=commit is not None
        )
        log.append_as_leader(memoryview(bytearray(data)), 0, NOW_MS, Origin.CLIENT, commit is not None)
        if commit is not None:
            log.append_as_leader(marker(producer_id, 0, commit), 0, NOW_MS, Origin.COORDINATOR)

    def write(self, log: Log, round_number: int) -> None:
        for number in range(24):
            keys = [f"k{number % 5}", f"r{number % 7}"]
            pairs: list[tuple[str, str | None]] = [(key, f"{round_number}-{number}") for key in keys]
            if number % 6 == 5:
                pairs[0] = (pairs[0][0], None)
            kind = None if number % 3 else number % 2 == 0
            self.put(log, 1 + number % 3, pairs, kind)
            if number % 4 == 3:
                log.roll(NOW_MS)  # several of these segments become one
            if kind is not False:
                self.wanted.update((k.encode(), None if v is None else v.encode()) for k, v in pairs)
        log.roll(NOW_MS)

    def compact(self, log: Log) -> int:
        """Gives the disk's step at which it was done."""

        async def run() -> None:
            cleaner = Cleaner(
                self.manager, self.clock, InlineBlocking(), lambda: {PARTITION: log.log_end_offset}, SETTINGS
            )
            assert await cleaner.clean_dirtiest()
            assert not cleaner.uncleanable

        asyncio.run(run())
        return self.disk.steps

    def live(self) -> None:
        log = self.open()
        self.write(log, 1)
        log.flush()
        self.compactions = [(self.disk.steps + 1, self.compact(log))]
        self.clock.ms += 1000
        self.write(log, 2)
        log.flush()
        self.compactions.append((self.disk.steps + 1, self.compact(log)))
        self.manager.close()


def latest(log: Log) -> State:
    found: State = {}
    last = -1
    for record in committed(log):
        assert record.offset > last, "offsets go up"
        last = record.offset
        assert record.key is not None
        found[record.key] = record.value
    return found


def without_deleted(state: State) -> State:
    return {key: value for key, value in state.items() if value is not None}


def survives(life: Life) -> None:
    after = Life(life.disk.successor())
    after.clock, after.sequences = life.clock, life.sequences
    log = after.open()
    assert without_deleted(latest(log)) == without_deleted(life.wanted)
    log.roll(NOW_MS)
    after.put(log, 9, [("new", "1")], None)
    log.roll(NOW_MS)
    after.compact(log)
    assert without_deleted(latest(log)) == without_deleted(life.wanted) | {b"new": b"1"}
    leftovers = [name for name in after.disk.listdir(log.directory) if name.endswith((".swap", ".cleaned"))]
    assert leftovers == []
    after.manager.close()
    log = after.open()
    assert without_deleted(latest(log)) == without_deleted(life.wanted) | {b"new": b"1"}
    after.manager.close()


def compaction_steps() -> list[int]:
    life = Life(SimDisk())
    life.live()
    return [step for first, last in life.compactions for step in range(first, last + 1)]


STEPS = compaction_steps()


@pytest.mark.parametrize("how", ["kill", "torn kill", "lost", "some lost", "most kept"])
def test_every_record_survives_a_crash_of_a_compaction(how: str) -> None:
    # Kills leave every change so far; the others depend on what was synced, and half of the steps tell as much.
    for step in STEPS if how == "kill" else STEPS[::2]:
        disk = SimDisk()
        life = Life(disk)
        disk.crash_at(step, torn=0.4 if "torn" in how else 0.0)
        with pytest.raises(SimulatedCrash):
            life.live()
        random = Random(f"{how} {step}")
        if "kill" in how:
            disk.kill()
        elif how == "lost":
            disk.crash()
        else:
            disk.crash(random, 0.9 if how == "most kept" else 0.5)
        survives(life)


def test_a_full_disk_ends_the_compaction_and_not_the_log() -> None:
    for step in STEPS[: len(STEPS) // 2 : 3]:
        disk = SimDisk()
        life = Life(disk)
        log = life.open()
        life.write(log, 1)
        log.flush()
        disk.fail_at(step, 28, ("write", "create"))
        _compact_despite_errors(life, log)
        disk.heal()
        assert log.offline is None
        assert without_deleted(latest(log)) == without_deleted(life.wanted)


@pytest.mark.parametrize("code", [5, 28])
def test_a_device_that_fails_in_a_swap_leaves_what_a_start_sorts_out(code: int) -> None:
    for step in STEPS[: len(STEPS) // 2]:
        disk = SimDisk()
        life = Life(disk)
        log = life.open()
        life.write(log, 1)
        log.flush()
        disk.fail_at(step, code, ("rename", "fsync_dir"))
        _compact_despite_errors(life, log)
        disk.heal()
        if log.offline is None:
            assert without_deleted(latest(log)) == without_deleted(life.wanted)
            life.manager.close()
        disk.kill()
        survives(life)


def _compact_despite_errors(life: Life, log: Log) -> None:
    async def run() -> None:
        settings = CleanerSettings(dedupe_buffer_size=24 * 200, io_buffer_size=1600, backoff_ms=1)
        cleaner = Cleaner(life.manager, life.clock, InlineBlocking(), lambda: {PARTITION: log.log_end_offset}, settings)
        for _, part in cleaner.dirty_parts():
            await cleaner.clean(log, part)
        assert not cleaner.uncleanable, "a full disk is no damage"

    asyncio.run(run())
