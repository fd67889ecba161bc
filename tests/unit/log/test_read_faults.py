"""Disks that cannot be read: which errors fail a directory, and which only say that a file went away."""

from __future__ import annotations

import errno
import os

import pytest

from support.logs import NOW_MS, PARTITION, ManualClock, append
from tidelog.log.cleaner import Cleaner
from tidelog.log.config import LogConfig
from tidelog.log.errors import is_of_device
from tidelog.log.housekeeping import Housekeeping
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.log.reading import IndexMismatch
from tidelog.ports import RangeUnreadable
from tidelog.sim.blocking import SimBlocking
from tidelog.sim.disk import SimDisk

CONFIG = LogConfig(segment_bytes=1000, index_interval_bytes=100, segment_index_bytes=4096, retention_ms=1000)
WELL = (errno.ENOENT, errno.EBADF, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC)
ILL = (errno.EIO, errno.ENXIO, errno.EROFS, errno.EUCLEAN, errno.ESTALE)


def failure(code: int, path: str = "/b/clicks-1/x") -> OSError:
    return OSError(code, os.strerror(code), path)


def managed(disk: SimDisk, config: LogConfig = CONFIG) -> tuple[LogManager, list[Log]]:
    """Two directories with a log of several segments in each, none of whose files is open."""
    manager = LogManager(disk, ManualClock(), ["/a", "/b"])
    manager.load(lambda topic: config)
    for number in range(2):
        log = manager.create(PARTITION._replace(partition=number), bytes(16), config)
        for value in range(40):
            append(log, str(value))
    manager.close()
    manager = LogManager(disk, ManualClock(NOW_MS + 10_000_000), ["/a", "/b"])
    manager.load(lambda topic: config)
    logs = sorted(manager, key=lambda log: log.directory)
    assert [log.directory.rpartition("/")[0] for log in logs] == ["/a", "/b"]
    return manager, logs


def unreadable(disk: SimDisk, where: str, *suffixes: str) -> None:
    def fail(operation: str, path: str, _: int) -> int | None:
        if operation == "read" and path.startswith(where) and path.endswith(suffixes):
            raise failure(errno.EIO, path)
        return None

    disk.plan(fail)


@pytest.mark.parametrize("code", ILL)
def test_an_error_of_the_device_fails_the_directory(code: int) -> None:
    manager, (first, second) = managed(SimDisk())
    second.read_failed(failure(code))
    assert manager.is_offline("/b")
    assert second.offline is not None
    assert first.offline is None


@pytest.mark.parametrize("code", WELL)
def test_a_file_that_went_away_fails_nothing(code: int) -> None:
    manager, (_, second) = managed(SimDisk())
    second.read_failed(failure(code))
    manager.range_unreadable(RangeUnreadable(code, os.strerror(code), "/b/clicks-1/00.log"))
    assert second.offline is None
    assert not manager.is_offline("/b")
    assert not is_of_device(OSError("the file is shorter than what was promised from it"))


def test_a_log_that_was_deleted_meanwhile_fails_nothing() -> None:
    manager, (_, second) = managed(SimDisk())
    manager.delete(second)
    second.read_failed(failure(errno.EIO))
    assert not manager.is_offline("/b")


def test_a_range_that_cannot_be_sent_fails_the_directory_of_its_file() -> None:
    manager, (first, second) = managed(SimDisk())
    manager.range_unreadable(RangeUnreadable(errno.EIO, "Input/output error", "/bb/clicks-1/00.log"))
    assert not manager.is_offline("/b"), "the file lies elsewhere"
    manager.range_unreadable(RangeUnreadable(errno.EIO, "Input/output error", "/b/clicks-1/00.log"))
    assert manager.is_offline("/b")
    assert second.offline is not None
    assert first.offline is None


def test_a_batch_that_is_damaged_is_no_error_of_the_device() -> None:
    disk = SimDisk()
    _, (_, second) = managed(disk)
    (_, inode), *_ = [each for each in disk.files("/b/clicks-1") if each[0].endswith(".log")]
    inode.data[16] = 77  # the magic
    with pytest.raises(IndexMismatch):
        second.read(0, 100, second.log_end_offset)
    assert second.offline is None


def test_a_file_that_is_cut_under_its_reader_is_no_error_of_the_device() -> None:
    disk = SimDisk()
    _, (_, second) = managed(disk)
    second.segments[0].file.truncate(20)
    with pytest.raises(IndexMismatch):
        second.read(0, 100, second.log_end_offset)
    assert second.offline is None


def housekeeping(manager: LogManager, disk: SimDisk) -> Housekeeping:
    blocking: SimBlocking = None  # type: ignore[assignment]
    return Housekeeping(
        manager, disk, ManualClock(NOW_MS + 10_000_000), blocking, lambda: {log.partition: 40 for log in manager}
    )


@pytest.mark.parametrize("ailing", ["/a", "/b"])
def test_retention_that_cannot_read_a_disk_fails_it_and_goes_on_with_the_others(ailing: str) -> None:
    disk = SimDisk()
    manager, logs = managed(disk)
    unreadable(disk, ailing, ".timeindex")
    assert housekeeping(manager, disk).apply_retention() > 2
    assert manager.is_offline(ailing)
    well = next(log for log in logs if not log.directory.startswith(ailing))
    assert well.offline is None
    assert well.log_start_offset == 40


def test_a_compaction_that_cannot_read_a_disk_fails_it_and_goes_on_with_the_others() -> None:
    disk = SimDisk()
    config = LogConfig(
        segment_bytes=1000, compact=True, delete=False, segment_index_bytes=4096, min_compaction_lag_ms=1
    )
    manager, (first, _) = managed(disk, config)
    unreadable(disk, "/b", ".timeindex")
    blocking: SimBlocking = None  # type: ignore[assignment]
    cleaner = Cleaner(manager, ManualClock(), blocking, lambda: {log.partition: 40 for log in manager})
    assert [log for log, _ in cleaner.dirty_parts()] == [first]
    assert manager.is_offline("/b")
    assert not manager.is_offline("/a")
