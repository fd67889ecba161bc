"""A closed log is durable: what a power cut leaves of it afterwards is all of it."""

from __future__ import annotations

import pytest

from support.logs import NOW_MS, PARTITION, ManualClock, append, batch, marker
from tidelog.log.append import Origin
from tidelog.log.config import LogConfig
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.sim.disk import SimDisk

CONFIG = LogConfig(segment_bytes=100_000, index_interval_bytes=100, segment_index_bytes=4096)


def managed(disk: SimDisk) -> tuple[LogManager, Log]:
    manager = LogManager(disk, ManualClock(), ["/a"])
    manager.load(lambda topic: CONFIG)
    return manager, manager.get(PARTITION) or manager.create(PARTITION, bytes(16), CONFIG)


def abort(log: Log, producer_id: int) -> None:
    data = batch("never mind", producer_id=producer_id, producer_epoch=0, base_sequence=0, transactional=True)
    log.append_as_leader(data, 0, NOW_MS, transactional=True)
    log.append_as_leader(marker(producer_id, 0, commit=False), 0, NOW_MS, Origin.COORDINATOR)


def indexed(log: Log) -> tuple[int, int, int]:
    segment = log.active
    return segment.offset_index.count, segment.time_index.count, len(segment.txn_index.entries)


@pytest.mark.parametrize("then", ["", "flushed", "parked", "killed"])
def test_indexes_survive_a_power_cut_after_an_orderly_stop(then: str) -> None:
    disk = SimDisk()
    manager, log = managed(disk)
    for number in range(40):
        append(log, str(number))
    log.plan_flush().run()  # the directory is durable before there is a list of aborted transactions
    abort(log, 7)
    if then == "flushed":
        plan = log.plan_flush()
        plan.run()
        plan.done()
    elif then == "parked":
        log.park()
    elif then == "killed":
        disk.kill()
        disk = disk.successor()
        manager, log = managed(disk)
    manager.close()
    before = indexed(log)
    assert before[0] > 2
    assert before[2] == 1
    disk.crash()
    _, again = managed(disk.successor())
    assert indexed(again) == before
    assert [each.producer_id for each in again.active.txn_index.entries] == [7]
