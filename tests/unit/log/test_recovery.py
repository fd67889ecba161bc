"""Opening a log that was not closed: torn tails are cut, damage is reported."""

from __future__ import annotations

import logging
import random

import pytest

from support.logs import NOW_MS, PARTITION, ManualClock, append, batch, marker, open_log, read_records, values
from tidelog.log import names
from tidelog.log.append import Origin
from tidelog.log.config import LogConfig
from tidelog.log.errors import CorruptLogError
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.ports import Disk
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.sim.disk import SimDisk

CONFIG = LogConfig(segment_bytes=2000, index_interval_bytes=200, segment_index_bytes=4096)
BATCHES = 60


def written(disk: Disk, root: str, count: int = BATCHES) -> Log:
    log = open_log(disk, f"{root}/clicks-0", CONFIG)
    for number in range(count):
        append(log, f"value {number:03}", producer_id=5, producer_epoch=0, base_sequence=number)
    return log


def reopen(disk: Disk, root: str, recovery_point: int = 0) -> Log:
    log = open_log(disk, f"{root}/clicks-0", CONFIG, recovery_point=recovery_point)
    log.check_invariants()
    return log


def change(disk: Disk, path: str, position: int, data: bytes) -> None:
    disk.open(path).pwrite(data, position)


def flip(disk: Disk, path: str, bit: int) -> None:
    file = disk.open(path)
    byte = file.pread(1, bit // 8)[0]
    file.pwrite(bytes([byte ^ 1 << bit % 8]), bit // 8)


def test_everything_is_found_again_without_any_index(disk: Disk, root: str) -> None:
    log = written(disk, root)
    bases = log.segments.bases
    log.release()
    for name in disk.listdir(log.directory):
        if not name.endswith(names.LOG):
            disk.remove(f"{log.directory}/{name}")
    again = reopen(disk, root)
    assert values(read_records(again)) == [f"value {number:03}" for number in range(BATCHES)]
    assert again.segments.bases == bases
    assert again.producers.entries[5].last_sequence == BATCHES - 1
    assert again.snapshots.offsets == bases[1:]
    assert append(again, "more", producer_id=5, producer_epoch=0, base_sequence=BATCHES) == BATCHES


def test_rebuilt_indexes_are_those_that_were_written(disk: Disk, root: str) -> None:
    log = written(disk, root)
    log.close()
    files = {name: disk.read_bytes(f"{log.directory}/{name}") for name in disk.listdir(log.directory)}
    for name in files:
        if name.endswith(("index", names.SNAPSHOT)):
            disk.remove(f"{log.directory}/{name}")
    reopen(disk, root).close()
    assert {name: disk.read_bytes(f"{log.directory}/{name}") for name in disk.listdir(log.directory)} == files


@pytest.mark.parametrize("cut", [1, 12, 30, 60, 61, 70, 71])
def test_a_torn_tail_is_cut(disk: Disk, root: str, cut: int, caplog: pytest.LogCaptureFixture) -> None:
    log = written(disk, root)
    path = log.active.path(names.LOG)
    log.release()
    disk.open(path).truncate(disk.size(path) - cut)
    again = reopen(disk, root)
    assert again.log_end_offset == BATCHES - 1
    assert "were being written when the node stopped" in caplog.text
    assert append(again, "again", producer_id=5, producer_epoch=0, base_sequence=BATCHES - 1) == BATCHES - 1


@pytest.mark.parametrize("tail", [bytes(5), bytes(1000), b"\xff" * 100, b"garbage" * 20, bytes(batch("x"))[:40]])
def test_garbage_behind_the_last_batch_is_cut(disk: Disk, root: str, tail: bytes) -> None:
    log = written(disk, root)
    path, size = log.active.path(names.LOG), log.active.size
    log.release()
    change(disk, path, size, tail)
    again = reopen(disk, root)
    assert again.log_end_offset == BATCHES
    assert disk.size(path) == size


def test_a_preallocated_segment_ends_where_its_batches_end(disk: Disk, root: str) -> None:
    config = LogConfig(segment_bytes=20_000, preallocate=True)
    log = open_log(disk, f"{root}/clicks-0", config)
    append(log, "a")
    assert disk.size(log.active.path(names.LOG)) == 20_000
    log.release()
    again = open_log(disk, f"{root}/clicks-0", config)
    assert again.log_end_offset == 1
    append(again, "b")
    again.close()
    assert disk.size(again.active.path(names.LOG)) == again.active.size


def test_a_flipped_bit_in_the_middle_is_reported_and_nothing_is_cut(disk: Disk, root: str) -> None:
    log = written(disk, root)
    path = log.segments[1].path(names.LOG)
    log.release()
    before = {
        name: disk.size(f"{log.directory}/{name}") for name in disk.listdir(log.directory) if name.endswith(".log")
    }
    flip(disk, path, 8 * 700)
    with pytest.raises(CorruptLogError, match=r"there is damage at position \d+ \(offset \d+\).*Restore"):
        reopen(disk, root)
    after = {
        name: disk.size(f"{log.directory}/{name}") for name in disk.listdir(log.directory) if name.endswith(".log")
    }
    assert after == before


def test_any_flipped_bit_in_what_was_flushed_is_reported() -> None:
    disk = SimDisk()
    log = written(disk, "/data", 20)
    path, size = log.active.path(names.LOG), log.active.size
    original = disk.read_bytes(path)
    log.release()
    one = size // 20
    newest = range(size - one + 12, size - one + 16)  # a newer leader may have written it: see test_leader_epochs
    for bit in random.Random(1).sample(range(size * 8), 400):
        flip(disk, path, bit)
        if bit // 8 not in newest:
            with pytest.raises(CorruptLogError):
                reopen(disk, "/data", recovery_point=20)
        disk.open(path).truncate(0)
        change(disk, path, 0, original)


def test_any_flipped_bit_before_the_last_batch_is_reported_even_unflushed() -> None:
    disk = SimDisk()
    log = written(disk, "/data", 20)
    path, size = log.active.path(names.LOG), log.active.size
    original = disk.read_bytes(path)
    log.release()
    one = size // 20
    for bit in random.Random(2).sample(range((size - one) * 8), 300):
        flip(disk, path, bit)
        with pytest.raises(CorruptLogError):
            reopen(disk, "/data")
        change(disk, path, 0, original)


def test_flushed_records_that_are_gone_are_reported(disk: Disk, root: str) -> None:
    log = written(disk, root)
    path = log.active.path(names.LOG)
    log.release()
    disk.open(path).truncate(disk.size(path) - 71)
    with pytest.raises(CorruptLogError, match="had been flushed"):
        reopen(disk, root, recovery_point=BATCHES)


def test_a_lost_page_between_written_ones_is_a_torn_write(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    for number in range(10):
        append(log, bytes([number + 1]) * 3000)
    path = log.active.path(names.LOG)
    log.release()
    change(disk, path, 4096, bytes(4096))
    again = open_log(disk, f"{root}/clicks-0")
    assert again.log_end_offset == 1
    assert len(read_records(again)) == 1


def test_a_corrupt_log_stays_closed_while_the_others_open(caplog: pytest.LogCaptureFixture) -> None:
    disk = SimDisk()
    manager = LogManager(disk, ManualClock(), ["/data"])
    manager.load(lambda topic: CONFIG)
    logs = [manager.create(PARTITION._replace(partition=number), bytes(16), CONFIG) for number in range(3)]
    for log in logs:
        for number in range(10):
            append(log, str(number))
    flip(disk, logs[1].active.path(names.LOG), 8 * 100)
    disk.kill()
    again = LogManager(disk, ManualClock(), ["/data"])
    again.load(lambda topic: CONFIG)
    assert list(again.corrupt) == [PARTITION._replace(partition=1)]
    assert "clicks-1" in again.corrupt[PARTITION._replace(partition=1)]
    assert "Restore the files" in caplog.text
    closed = again.create(PARTITION._replace(partition=1), bytes(16), CONFIG)
    for log in again:
        if log is closed:
            with pytest.raises(KafkaError, match="Restore the files") as caught:
                append(log, "x")
            assert caught.value.code is ErrorCode.KAFKA_STORAGE_ERROR
        else:
            assert append(log, "x") == 10
    again.close()
    # Not marked clean: the damage is looked for again, and the recovery point is kept.
    assert not disk.exists("/data/.kafka_cleanshutdown")
    third = LogManager(disk, ManualClock(), ["/data"])
    third.load(lambda topic: CONFIG)
    assert list(third.corrupt) == [PARTITION._replace(partition=1)]


@pytest.mark.parametrize(
    "garbage", [b"", b"\0\0\0", b"0\n5\nx", b"not a checkpoint", b"0\n1\nclicks 0 99999999\n"[:10]]
)
@pytest.mark.parametrize("name", [names.RECOVERY_POINTS, names.LOG_STARTS, names.HIGH_WATERMARKS])
def test_garbage_in_a_checkpoint_is_survived(name: str, garbage: bytes) -> None:
    disk = SimDisk()
    manager = LogManager(disk, ManualClock(), ["/data"])
    manager.load(lambda topic: CONFIG)
    append(manager.create(PARTITION, bytes(16), CONFIG), "a", "b")
    manager.close()
    disk.write_atomic(f"/data/{name}", garbage)
    again = LogManager(disk, ManualClock(), ["/data"])
    again.load(lambda topic: CONFIG)
    log = again.get(PARTITION)
    assert log is not None
    assert values(read_records(log)) == ["a", "b"]


@pytest.mark.parametrize("garbage", [b"", b"\0" * 40, b"0\n1\n"])
def test_a_garbage_epoch_file_is_made_anew(
    disk: Disk, root: str, garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    log = open_log(disk, f"{root}/clicks-0", CONFIG)
    for number in range(50):
        append(log, str(number), epoch=number // 20)
    log.close()
    disk.write_atomic(f"{log.directory}/{names.EPOCHS}", garbage)
    again = open_log(disk, f"{root}/clicks-0", CONFIG, is_clean=True, recovery_point=50)
    assert again.epochs.entries() == [(0, 0), (1, 20), (2, 40)]
    assert "is made anew from the log" in caplog.text


def test_a_damaged_snapshot_is_left_out(disk: Disk, root: str, caplog: pytest.LogCaptureFixture) -> None:
    log = written(disk, root)
    log.close()
    newest = log.snapshots.path(log.snapshots.offsets[-1])
    flip(disk, newest, 100)
    again = open_log(disk, f"{root}/clicks-0", CONFIG, is_clean=True, recovery_point=BATCHES)
    assert again.producers.entries[5].last_sequence == BATCHES - 1
    assert "is left out" in caplog.text


def test_a_missing_index_is_made_anew_after_a_clean_shutdown(disk: Disk, root: str) -> None:
    log = written(disk, root)
    log.close()
    for suffix in (names.INDEX, names.TIME_INDEX):
        disk.remove(log.segments[1].path(suffix))
    again = open_log(disk, f"{root}/clicks-0", CONFIG, is_clean=True, recovery_point=BATCHES)
    assert values(read_records(again)) == [f"value {number:03}" for number in range(BATCHES)]
    assert again.segments[1].offset_index.count > 3


def test_flipped_bits_in_an_index_never_give_wrong_records() -> None:
    disk = SimDisk()
    log = written(disk, "/data")
    log.close()
    expected = [f"value {number:03}" for number in range(BATCHES)]
    source = random.Random(3)
    logging.disable(logging.WARNING)
    try:
        for _ in range(150):
            path = log.segments[source.randrange(len(log.segments))].path(names.INDEX)
            original = disk.read_bytes(path)
            flip(disk, path, source.randrange(len(original) * 8))
            again = open_log(disk, "/data/clicks-0", CONFIG, is_clean=True, recovery_point=BATCHES)
            for offset in range(0, BATCHES, 7):
                assert values(read_records(again, offset)) == expected[offset:]
            disk.write_atomic(path, original)
    finally:
        logging.disable(logging.NOTSET)


def test_leftovers_are_removed(disk: Disk, root: str) -> None:
    log = written(disk, root, 10)
    log.close()
    for name in (
        "00000000000000000000.log.deleted",
        "00000000000000000099.index",
        "x.tmp",
        "00000000000000000005.log.cleaned",
    ):
        disk.open(f"{log.directory}/{name}", create=True).close()
    open_log(disk, f"{root}/clicks-0", CONFIG, is_clean=True, recovery_point=10)
    left = disk.listdir(log.directory)
    assert not [name for name in left if name.endswith((".deleted", ".tmp", ".cleaned")) or "99.index" in name]


def test_an_aborted_transaction_of_a_log_that_syncs_every_append_survives_the_roll_and_the_crash() -> None:
    """Its index entry was written to a segment of which nothing was left to flush when it was closed."""
    disk = SimDisk()
    disk.makedirs("/data")
    disk.sync_tree("/")
    log = open_log(disk, "/data/clicks-0", CONFIG)
    batch_of_txn = batch("aborted", producer_id=5, producer_epoch=0, base_sequence=0, transactional=True)
    log.append_as_leader(batch_of_txn, 0, NOW_MS, transactional=True)
    log.append_as_leader(marker(5, 0, commit=False), 0, NOW_MS, Origin.COORDINATOR)
    while len(log.segments) == 1:
        append(log, "value" * 20)
        log.flush()
    disk.crash()
    after = reopen(disk, "/data", log.recovery_point)
    aborted = after.aborted_transactions(0, after.read(0, 1000, after.log_end_offset))
    assert [txn.producer_id for txn in aborted] == [5]
