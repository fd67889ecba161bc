"""Finding records by time; transactions for readers of committed records."""

from __future__ import annotations

import random

import pytest

from support.logs import NOW_MS, append, batch, marker, open_log, read_records
from tidelog.log.config import LogConfig
from tidelog.log.errors import WouldBlock
from tidelog.log.log import Log, Origin
from tidelog.ports import Disk
from tidelog.protocol.compression import Codec
from tidelog.protocol.record_batch import Record, build_batch, iter_batches
from tidelog.sim.disk import SimDisk

CONFIG = LogConfig(segment_bytes=900, index_interval_bytes=100, segment_index_bytes=4096)


def test_the_first_record_not_before_a_time_is_found(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0", CONFIG)
    source = random.Random(4)
    for number in range(80):
        records = [Record(0, NOW_MS + number * 10 + source.randrange(-40, 40), None, b"v") for _ in range(3)]
        data = bytearray(build_batch(records, codec=list(Codec)[number % 5]))
        log.append_as_leader(memoryview(data), number // 30, NOW_MS)
    records = read_records(log)
    assert len(log.segments) > 3
    for timestamp in range(NOW_MS - 60, NOW_MS + 900, 7):
        expected = next((record for record in records if record.timestamp >= timestamp), None)
        found = log.offset_for_timestamp(timestamp)
        if expected is None:
            assert found is None
        else:
            assert found is not None
            assert (found.offset, found.timestamp) == (expected.offset, expected.timestamp)
            assert found.leader_epoch == expected.offset // 90
    latest = log.max_timestamp_offset()
    best = max(record.timestamp for record in records)
    assert latest is not None
    assert latest[:2] == next((r.timestamp, r.offset) for r in records if r.timestamp == best)


def test_deleted_records_are_not_found(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "a", "b", "c", timestamp=NOW_MS)
    log.increment_log_start_offset(2, 3)
    found = log.offset_for_timestamp(NOW_MS - 100)
    assert found is not None
    assert found.offset == 2


def test_an_empty_log_has_no_times(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    assert log.offset_for_timestamp(0) is None
    assert log.max_timestamp_offset() is None


def transact(log: Log, producer: int, count: int, commit: bool | None) -> None:
    for number in range(count):
        entry = log.producers.entries.get(producer)
        sequence = entry.last_sequence + 1 if entry else 0
        data = batch(f"{producer}:{number}", producer_id=producer, producer_epoch=0, base_sequence=sequence,
                     transactional=True)  # fmt: skip
        log.append_as_leader(data, 0, NOW_MS, transactional=True)
    if commit is not None:
        log.append_as_leader(marker(producer, 0, commit), 0, NOW_MS, Origin.COORDINATOR)


def test_aborted_transactions_of_what_was_read(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0", CONFIG)
    for number in range(30):
        transact(log, number, 2, commit=number % 3 > 0)
    everything = [txn for segment in log.segments for txn in segment.txn_index.entries]
    assert [txn.producer_id for txn in everything] == list(range(0, 30, 3))
    end = log.log_end_offset
    for offset in range(0, end, 5):
        found = log.read(offset, 400, end)
        assert found is not None
        *_, (_, last) = iter_batches(found.file.pread(found.length, found.position))
        needed = [txn for txn in everything if txn.first_offset <= last.last_offset and txn.last_offset >= offset]
        listed = log.aborted_transactions(offset, found)
        assert [txn for txn in listed if txn in needed] == needed
        assert all(txn in everything for txn in listed)
    assert log.aborted_transactions(0, None) == []


def test_the_last_stable_offset_follows_open_transactions_and_the_high_watermark(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "plain")
    transact(log, 1, 2, commit=None)
    append(log, "plain")
    assert log.last_stable_offset(4) == 1
    assert log.last_stable_offset(0) == 0
    log.append_as_leader(marker(1, 0, commit=True), 0, NOW_MS, Origin.COORDINATOR)
    assert log.last_stable_offset(4) == 1  # decided, but not under the high watermark yet
    assert log.last_stable_offset(5) == 5


def test_a_cold_read_says_so_instead_of_waiting() -> None:
    disk = SimDisk()
    log = open_log(disk, "/data/clicks-0", CONFIG)
    for number in range(60):
        append(log, str(number))
    path = log.segments[0].path(".log")
    disk.cold.add(path)
    with pytest.raises(WouldBlock):
        log.read(5, 1000, 60, nowait=True)
    assert log.read(5, 1000, 60) is not None
    assert log.read(59, 1000, 60, nowait=True) is not None  # the tail is remembered


def test_the_cost_of_a_read_does_not_grow_with_the_log() -> None:
    counts = []
    for segments in (1, 10, 100):
        disk = SimDisk()
        log = open_log(
            disk, "/data/clicks-0", LogConfig(segment_bytes=20_000, index_interval_bytes=500, segment_index_bytes=4096)
        )
        while len(log.segments) < segments or log.active.size < 15_000:
            append(log, "x" * 100)
        middle = log.log_end_offset // 2
        disk.counts.clear()
        for offset in range(middle - 20, middle + 20):
            assert log.read(offset, 1000, log.log_end_offset) is not None
        counts.append(disk.counts["read"])
    assert max(counts) <= 40 * 2
    assert counts[1] == counts[2]


def test_reading_on_and_at_the_tail_costs_nothing_but_the_bytes() -> None:
    disk = SimDisk()
    log = open_log(disk, "/data/clicks-0")
    for _ in range(200):
        append(log, "x" * 100)
    disk.counts.clear()
    for offset in range(100, 200):
        assert log.read(offset, 1 << 20, 200) is not None
    assert "read" not in disk.counts
