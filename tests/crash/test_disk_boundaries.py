"""The process or the power ends at every single change that a log makes to its disk.

Whatever was flushed is there afterwards, in order, and nothing else than a beginning of what was written. A crash never
looks like damage.
"""

from __future__ import annotations

from random import Random

import pytest

from support.logs import NOW_MS, PARTITION, ManualClock, append, marker, read_records, values
from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.log import Log, Origin
from tidelog.log.manager import LogManager
from tidelog.sim.disk import SimDisk, SimulatedCrash

CONFIG = LogConfig(segment_bytes=900, index_interval_bytes=150, segment_index_bytes=1200, retention_ms=-1)
TOPIC_ID = bytes(range(16))


class Life:
    """One run of a node over a disk: what it wrote, and how much of that it was promised to find again."""

    def __init__(self, disk: SimDisk) -> None:
        self.disk = disk
        self.written: list[str] = []
        self.flushed = 0
        self.start = 0

    def open(self) -> Log:
        self.manager = LogManager(self.disk, ManualClock(), ["/data"])
        self.manager.load(lambda topic: CONFIG)
        assert not self.manager.corrupt, self.manager.corrupt
        return self.manager.create(PARTITION, TOPIC_ID, CONFIG)

    def write(self, log: Log, count: int) -> None:
        for _ in range(count):
            number = len(self.written)
            self.written.append(str(number))
            append(log, str(number), producer_id=5, producer_epoch=0, base_sequence=number, epoch=number // 9)

    def flush(self, log: Log) -> None:
        log.flush()
        self.flushed = log.log_end_offset

    def checkpoint(self) -> None:
        for directory in self.manager.online():
            directory.collect()
            directory.write(names.RECOVERY_POINTS, directory.recovery_points)
            directory.write(names.LOG_STARTS, directory.log_starts)

    def cut(self, log: Log, offset: int) -> None:
        """What is cut may be there or not while it is being cut."""
        self.flushed = min(self.flushed, offset)
        before = list(self.written)
        log.truncate_to(offset)
        del self.written[offset:]
        assert before[:offset] == self.written

    def live(self) -> None:
        log = self.open()
        self.write(log, 7)
        self.flush(log)
        self.write(log, 12)
        self.checkpoint()
        self.flush(log)
        self.checkpoint()
        self.write(log, 5)
        self.cut(log, 15)
        self.write(log, 10)
        self.flush(log)
        self.checkpoint()
        self.start = 8
        log.increment_log_start_offset(8, log.log_end_offset)
        log.delete_old_segments(NOW_MS, log.log_end_offset)
        self.write(log, 9)
        self.manager.close()
        self.flushed = len(self.written)
        log = self.open()
        self.write(log, 8)
        self.flush(log)
        self.manager.close()


def total_steps() -> int:
    disk = SimDisk()
    Life(disk).live()
    return disk.steps


STEPS = total_steps()


@pytest.mark.parametrize(
    "how", ["kill", "torn kill", "lost", "some lost 1", "some lost 2", "most kept", "torn, some lost"]
)
def test_nothing_flushed_is_lost_whenever_it_ends(how: str) -> None:
    for step in range(1, STEPS + 1):
        disk = SimDisk()
        life = Life(disk)
        disk.crash_at(step, torn=0.4 if "torn" in how else 0.0)
        with pytest.raises(SimulatedCrash):
            life.live()
        end(disk, how, step)
        survives(life, step)


def end(disk: SimDisk, how: str, step: int) -> None:
    random = Random(f"{how} {step}")
    if "kill" in how:
        disk.kill()
    elif how == "lost":
        disk.crash()
    else:
        disk.crash(random, 0.9 if how == "most kept" else 0.5)


def survives(life: Life, step: int) -> None:
    place = f"step {step}, {life.disk.trace[-1]}"
    log = life.open()
    log.check_invariants()
    found = values(read_records(log))
    numbers = [int(value) for value in found]
    first = log.log_start_offset
    assert numbers == list(range(first, first + len(numbers))), place
    assert log.log_end_offset >= life.flushed, place
    assert first <= life.start, place
    assert found == life.written[first : log.log_end_offset], place
    entry = log.producers.entries.get(5)
    assert entry is None or entry.last_sequence == log.log_end_offset - 1, place
    life.written = [str(number) for number in range(log.log_end_offset)]
    life.write(log, 6)
    life.manager.close()
    again = life.open()
    assert values(read_records(again)) == life.written[again.log_start_offset :], place
    life.manager.close()


def test_aborted_transactions_are_found_again_after_a_crash() -> None:
    disk = SimDisk()
    life = Life(disk)
    log = life.open()
    for number in range(30):
        log.append_as_leader(_txn_batch(number), 0, NOW_MS, transactional=True)
        log.append_as_leader(marker(100 + number, 0, commit=number % 3 > 0), 0, NOW_MS, Origin.COORDINATOR)
    expected = log.aborted_transactions(0, log.read(0, 1 << 20, log.log_end_offset))
    everything = [txn for segment in log.segments for txn in segment.txn_index.entries]
    assert len(everything) == 10
    assert expected == everything[: len(expected)]
    disk.kill()
    log = life.open()
    assert [txn for segment in log.segments for txn in segment.txn_index.entries] == everything
    assert log.producers.first_unstable_offset() is None or log.producers.unreplicated_txns


def _txn_batch(number: int) -> memoryview:
    from support.logs import batch

    return batch(str(number), producer_id=100 + number, producer_epoch=0, base_sequence=0, transactional=True)
