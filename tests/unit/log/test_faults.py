"""Devices that fail: what the log does, and what it never does."""

from __future__ import annotations

import errno

import pytest

from support.logs import NOW_MS, PARTITION, ManualClock, append, batch, open_log, read_records, values
from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.sim.disk import SimDisk

CONFIG = LogConfig(segment_bytes=1000, index_interval_bytes=100, segment_index_bytes=4096)


def managed(disk: SimDisk, directories: list[str] | None = None) -> LogManager:
    manager = LogManager(disk, ManualClock(), directories or ["/data"])
    manager.load(lambda topic: CONFIG)
    return manager


def create(manager: LogManager, partition: int = 0) -> Log:
    return manager.create(PARTITION._replace(partition=partition), bytes(16), CONFIG)


def assert_offline(log: Log) -> None:
    assert log.offline is not None
    for action in (lambda: append(log, "x"), lambda: log.read(0, 100, 1)):
        with pytest.raises(KafkaError) as caught:
            action()
        assert caught.value.code is ErrorCode.KAFKA_STORAGE_ERROR


def test_a_full_disk_refuses_the_write_and_reads_go_on() -> None:
    disk = SimDisk(capacity_bytes=3000)
    manager = managed(disk)
    log = create(manager)

    def fill() -> None:
        while True:
            number = log.log_end_offset
            append(log, f"{number}", producer_id=1, producer_epoch=0, base_sequence=number)

    with pytest.raises(OSError, match="space") as caught:
        fill()
    assert caught.value.errno == errno.ENOSPC
    taken = log.log_end_offset
    assert taken > 10
    assert log.offline is None
    assert values(read_records(log)) == [str(number) for number in range(taken)]
    disk.capacity_bytes = None
    assert append(log, "room again", producer_id=1, producer_epoch=0, base_sequence=taken) == taken
    log.check_invariants()
    manager.close()
    assert len(read_records(create(managed(disk)))) == taken + 1


@pytest.mark.parametrize("step", range(12))
def test_no_space_at_any_call_leaves_the_log_as_it_was(step: int) -> None:
    disk = SimDisk()
    log = open_log(disk, "/data/clicks-0", CONFIG)
    count = 0
    disk.fail_at(disk.steps + 20 + step, errno.ENOSPC, ("write", "reserve", "create", "resize"))
    failures = 0
    while failures == 0 or count < 40:
        try:
            append(log, str(count), producer_id=1, producer_epoch=0, base_sequence=count)
        except OSError:
            failures += 1
        else:
            count += 1
    assert failures == 1
    assert log.offline is None
    assert values(read_records(log)) == [str(number) for number in range(count)]
    log.release()
    again = open_log(disk, "/data/clicks-0", CONFIG)
    assert values(read_records(again)) == [str(number) for number in range(count)]


@pytest.mark.parametrize("step", range(3))
def test_a_segment_that_cannot_be_opened_again_keeps_its_indexes(step: int) -> None:
    disk = SimDisk()
    log = open_log(disk, "/data/clicks-0", CONFIG)
    for number in range(8):
        append(log, str(number))
    log.release()
    log = open_log(disk, "/data/clicks-0", CONFIG)
    sizes = log.active.index_bytes()
    assert all(0 < size < CONFIG.segment_index_bytes for size in sizes)
    disk.fail_at(disk.steps + step, errno.ENOSPC, ("read", "resize"))
    with pytest.raises(OSError, match="space"):
        append(log, "8")
    assert log.active.index_bytes() == sizes
    append(log, "8")
    assert values(read_records(log)) == [str(number) for number in range(9)]
    assert not log.active.is_full
    log.check_invariants()


def test_a_follower_writes_nothing_to_a_directory_that_failed() -> None:
    disk = SimDisk()
    manager = managed(disk)
    log = create(manager)
    for number in range(3):
        append(log, str(number))
    disk.fail_at(disk.steps, errno.EIO, ("fsync",))
    with pytest.raises(OSError, match="Input/output"):
        log.flush()
    for action in (
        lambda: log.append_as_follower(batch("x", base_offset=3), NOW_MS),
        lambda: log.truncate_to(1),
        lambda: log.truncate_fully_and_start_at(9),
    ):
        with pytest.raises(KafkaError) as caught:
            action()
        assert caught.value.code is ErrorCode.KAFKA_STORAGE_ERROR
    assert log.log_end_offset == 3


def test_a_cut_that_fails_takes_the_directory_offline() -> None:
    disk = SimDisk()
    log = create(managed(disk))
    for number in range(3):
        append(log, str(number))
    disk.fail_at(disk.steps, errno.EIO, ("truncate", "resize", "fsync", "read"))
    with pytest.raises(OSError, match="Input/output"):
        log.truncate_to(1)
    assert_offline(log)


def test_a_failing_write_takes_the_directory_offline_and_leaves_the_others() -> None:
    disk = SimDisk()
    failed = []
    manager = LogManager(disk, ManualClock(), ["/a", "/b"], on_directory_failed=failed.append)
    manager.load(lambda topic: CONFIG)
    logs = [create(manager, number) for number in range(4)]
    for log in logs:
        append(log, "before")
    bad = [log for log in logs if log.directory.startswith("/a")]
    good = [log for log in logs if log.directory.startswith("/b")]
    assert len(bad) == len(good) == 2
    disk.fail_at(disk.steps, errno.EIO, ("write",))
    with pytest.raises(OSError, match="Input/output"):
        append(bad[0], "during")
    for log in bad:
        assert_offline(log)
    for log in good:
        assert append(log, "after") == 1
    assert manager.is_offline("/a")
    assert not manager.is_offline("/b")
    assert [directory.path for directory in failed] == ["/a"]
    assert create(manager, 9).directory == "/b/clicks-9"
    manager.close()
    assert not disk.exists("/a/.kafka_cleanshutdown")
    assert disk.exists("/b/.kafka_cleanshutdown")


@pytest.mark.parametrize("operation", ["fsync", "fsync_dir"])
def test_a_failed_sync_is_never_tried_again_as_a_success(operation: str) -> None:
    disk = SimDisk()
    manager = managed(disk)
    log = create(manager)
    append(log, "a")
    disk.fail_at(disk.steps, errno.EIO, (operation,))
    with pytest.raises(OSError, match="Input/output"):
        log.flush()
    assert log.recovery_point == 0
    assert_offline(log)
    manager.close()
    assert log.recovery_point == 0
    assert not disk.exists("/data/.kafka_cleanshutdown")


def test_no_space_at_a_sync_is_a_failed_sync() -> None:
    disk = SimDisk()
    log = create(managed(disk))
    append(log, "a")
    disk.fail_at(disk.steps, errno.ENOSPC, ("fsync",))
    with pytest.raises(OSError, match="space"):
        log.flush()
    assert_offline(log)


def test_a_write_that_cannot_be_taken_back_takes_the_log_offline() -> None:
    disk = SimDisk()
    log = create(managed(disk))
    append(log, "a")
    disk.fail_at(disk.steps, errno.ENOSPC, ("write",))
    disk.fail_at(disk.steps, errno.EIO, ("truncate",))
    with pytest.raises(OSError, match="space"):
        append(log, "b")
    assert_offline(log)


def test_every_call_failing_once_never_loses_what_was_flushed() -> None:
    """EIO at the n-th change: the log may go offline, but what it promised is there after a restart."""

    def live(disk: SimDisk) -> int:
        flushed = 0
        try:
            manager = managed(disk)
            log = create(manager)
            for number in range(25):
                append(log, str(number))
                if number % 6 == 5:
                    log.flush()
                    flushed = log.log_end_offset
            manager.close()
            if not manager.is_offline("/data"):
                flushed = 25
        except (OSError, KafkaError):
            pass
        return flushed

    clean = SimDisk()
    assert live(clean) == 25
    for step in range(1, clean.steps):
        disk = SimDisk()
        disk.fail_at(step, errno.EIO)
        flushed = live(disk)
        disk.crash()
        log = create(managed(disk))
        found = values(read_records(log))
        assert found == [str(number) for number in range(len(found))]
        assert len(found) >= flushed, (step, disk.trace[step - 1])


def test_a_log_that_finds_no_room_is_closed_and_the_directory_works_on() -> None:
    disk = SimDisk()
    manager = managed(disk)
    good = create(manager, 0)
    disk.fail_at(disk.steps, errno.ENOSPC, ("create",))
    closed = create(manager, 1)
    assert_offline(closed)
    assert append(good, "a") == 0
    assert not manager.is_offline("/data")
    manager.close()
    again = managed(disk)
    assert append(create(again, 1), "room now") == 0


def test_a_directory_in_use_is_refused() -> None:
    disk = SimDisk()
    managed(disk)
    with pytest.raises(Exception, match="is in use by another process; stop that node"):
        managed(disk)


def test_all_directories_bad() -> None:
    disk = SimDisk()
    disk.fail_at(0, errno.EROFS, ("makedirs",), times=9)
    with pytest.raises(OSError, match=r"none of log\.dirs can be used"):
        managed(disk, ["/a", "/b"])


def test_one_bad_directory_of_two_at_start() -> None:
    disk = SimDisk()
    disk.makedirs("/b")
    disk.fail_at(0, errno.EROFS, ("makedirs",))
    manager = managed(disk, ["/a", "/b"])
    assert manager.is_offline("/a")
    assert create(manager).directory == "/b/clicks-0"


def test_a_short_write_is_completed_or_taken_back() -> None:
    disk = SimDisk(capacity_bytes=150)
    log = open_log(disk, "/data/clicks-0", CONFIG)
    log.append_as_leader(batch("x"), 0, NOW_MS)
    with pytest.raises(OSError, match="space"):
        log.append_as_leader(batch("y" * 50), 0, NOW_MS)
    assert disk.size(log.active.path(names.LOG)) == len(batch("x"))


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_an_index_that_cannot_be_made_leaves_no_half_open_segment(code: int) -> None:
    disk = SimDisk()
    manager = managed(disk)
    log = create(manager)
    disk.fail_at(disk.steps, code, ("create",))
    with pytest.raises(OSError, match="index"):
        append(log, "x")
    if code == errno.EIO:
        assert_offline(log)
    else:
        assert append(log, "room again") == 0
        assert values(read_records(log)) == ["room again"]
