"""A log moves to another directory: the copy has everything that the log has, and a crash at any step loses nothing."""

from __future__ import annotations

import errno

import pytest

from support.logs import PARTITION, ManualClock, append, read_records, values
from tidelog.log import future as futures
from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.ports import Disk
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.sim.disk import SimDisk

TOPIC_ID = bytes(range(16))
CONFIG = LogConfig(segment_bytes=500, file_delete_delay_ms=1000, segment_index_bytes=4096)


def opened(disk: Disk, root: str) -> LogManager:
    manager = LogManager(disk, ManualClock(), [f"{root}/a", f"{root}/b"])
    manager.load(lambda topic: CONFIG)
    return manager


def catch_up(current: Log, future: Log, max_bytes: int = 300) -> None:
    while (found := futures.next_range(current, future, max_bytes)) is not None:
        future.append_as_follower(found.file.pread(found.length, found.position), 0)
    if not futures.is_level(current, future):
        futures.skip_to_end(current, future)


def written(manager: LogManager) -> Log:
    log = manager.create(PARTITION, TOPIC_ID, CONFIG)
    for number in range(30):
        append(log, f"record {number}", epoch=number // 10)
    return log


def moved(manager: LogManager, log: Log) -> Log:
    other = next(each for each in manager.disks if each is not log.host)
    future = futures.open_future(manager, log, other)
    catch_up(log, future)
    return futures.take_over(manager, log, future)


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_log_that_cannot_be_read_fails_its_own_directory_and_not_the_one_of_the_copy(has_begun: bool) -> None:
    disk = SimDisk()
    manager = opened(disk, "/root")
    written(manager)
    manager.close()
    manager = opened(disk, "/root")
    log = manager.create(PARTITION, TOPIC_ID, CONFIG)
    other = next(each for each in manager.disks if each is not log.host)
    copy = lambda: futures.open_future(manager, log, other)  # noqa: E731
    if has_begun:
        future = copy()
        copy = lambda: futures.next_range(log, future, 300)  # type: ignore[assignment,return-value]  # noqa: E731
        future.truncate_fully_and_start_at(5)
    log.release()

    def fail(operation: str, path: str, _: int) -> int | None:
        if operation == "read" and path.startswith(log.directory):
            raise OSError(errno.EIO, "Input/output error", path)
        return None

    disk.plan(fail)
    with pytest.raises(KafkaError) as caught:
        copy()
    assert caught.value.code is ErrorCode.KAFKA_STORAGE_ERROR
    assert log.offline is not None
    assert other.offline is None


def test_the_copy_takes_the_place_of_the_log(disk: Disk, root: str) -> None:
    manager = opened(disk, root)
    log = written(manager)
    records, epochs = read_records(log), log.epochs.entries()
    after = moved(manager, log)
    assert after.directory == f"{root}/b/{PARTITION}"
    assert read_records(after) == records
    assert after.epochs.entries() == epochs
    assert manager.get(PARTITION) is after
    assert [len(each.logs) for each in manager.disks] == [0, 1]
    append(after, "one more", epoch=3)
    after.check_invariants()
    manager.close()
    again = opened(disk, root).get(PARTITION)
    assert again is not None
    assert values(read_records(again))[-2:] == ["record 29", "one more"]


def test_epochs_without_records_go_along(disk: Disk, root: str) -> None:
    """KAFKA-15608: history that stands in no batch must not be lost by a move."""
    manager = opened(disk, root)
    log = written(manager)
    log.epochs.assign(7, log.log_end_offset)
    after = moved(manager, log)
    assert after.epochs.entries()[-1] == (7, 30)
    manager.close()
    again = opened(disk, root).get(PARTITION)
    assert again is not None
    assert again.epochs.entries() == [(0, 0), (1, 10), (2, 20), (7, 30)]


def test_producers_whose_records_are_gone_go_along(disk: Disk, root: str) -> None:
    manager = opened(disk, root)
    log = manager.create(PARTITION, TOPIC_ID, CONFIG)
    append(log, "first", producer_id=5, producer_epoch=0, base_sequence=0)
    for number in range(20):
        append(log, f"record {number}")
    log.increment_log_start_offset(10, 21)
    after = moved(manager, log)
    assert after.log_start_offset == 10
    assert 5 in after.producers.entries
    assert append(after, "second", producer_id=5, producer_epoch=0, base_sequence=1) == 21


def test_deleted_records_may_share_a_batch_with_the_first(disk: Disk, root: str) -> None:
    manager = opened(disk, root)
    log = manager.create(PARTITION, TOPIC_ID, CONFIG)
    append(log, "a", "b", "c")
    append(log, "d")
    log.increment_log_start_offset(2, 4)
    after = moved(manager, log)
    assert after.log_start_offset == 2
    assert values(read_records(after)) == ["c", "d"]


def test_an_empty_log_moves(disk: Disk, root: str) -> None:
    manager = opened(disk, root)
    log = written(manager)
    log.truncate_fully_and_start_at(100)
    after = moved(manager, log)
    assert (after.log_start_offset, after.log_end_offset) == (100, 100)
    assert append(after, "on", epoch=4) == 100


def test_a_copy_is_cut_where_the_log_was_cut_and_went_on_differently(disk: Disk, root: str) -> None:
    manager = opened(disk, root)
    log = written(manager)
    future = futures.open_future(manager, log, manager.disks[1])
    catch_up(log, future)
    log.truncate_to(15)
    for number in range(40):
        append(log, f"other {number}", epoch=5)
    catch_up(log, future)
    after = futures.take_over(manager, log, future)
    assert values(read_records(after)) == [f"record {each}" for each in range(15)] + [f"other {n}" for n in range(40)]
    assert after.epochs.entries() == [(0, 0), (1, 10), (5, 15)]


def test_a_log_whose_beginning_is_deleted_meanwhile(disk: Disk, root: str) -> None:
    manager = opened(disk, root)
    log = written(manager)
    future = futures.open_future(manager, log, manager.disks[1])
    found = futures.next_range(log, future, 100)
    assert found is not None
    future.append_as_follower(found.file.pread(found.length, found.position), 0)
    log.increment_log_start_offset(25, 30)
    catch_up(log, future)
    after = futures.take_over(manager, log, future)
    assert after.log_start_offset == 25
    assert values(read_records(after)) == [f"record {each}" for each in range(25, 30)]


@pytest.mark.parametrize("step", ["copying", "between the names", "after"])
def test_a_crash_during_a_move_leaves_the_log(disk: Disk, root: str, step: str) -> None:
    manager = opened(disk, root)
    log = written(manager)
    log.flush()
    expected = read_records(log)
    other = manager.disks[1]
    future = futures.open_future(manager, log, other)
    catch_up(log, future)
    future.flush()
    if step == "between the names":
        log.release()
        disk.rename(log.directory, f"{root}/a/{names.marked_name(PARTITION, 'f' * 32, names.MOVED_SUFFIX)}")
    elif step == "after":
        futures.take_over(manager, log, future)
    for each in manager.disks:
        each.unlock()
    again = opened(disk, root)
    found = again.get(PARTITION)
    assert found is not None
    assert read_records(found) == expected
    assert again.interrupted_moves == ({} if step == "after" else {PARTITION: again.disks[1]})


@pytest.mark.parametrize("renames", [0, 1, 2, 3])
def test_a_disk_that_fails_while_the_copy_takes_over_leaves_no_log_to_write_to(
    disk: Disk, root: str, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three renames, then the copy is opened; the log's own files are closed from the first of them on."""
    manager = opened(disk, root)
    log = written(manager)
    log.flush()
    expected = read_records(log)
    done: list[str] = []
    rename = disk.rename

    def failing(source: str, target: str) -> None:
        if target.rpartition("/")[2].startswith(str(PARTITION)):  # no checkpoint
            if len(done) == renames:
                raise OSError(errno.EIO, "Input/output error")
            done.append(target)
        rename(source, target)

    def not_opened(*_: object) -> Log:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "rename", failing)
        patch.setattr(futures, "_opened", not_opened)
        with pytest.raises(OSError, match="Input/output"):
            moved(manager, log)
    assert manager.disks[1].offline is not None
    with pytest.raises(KafkaError, match="start the node again"):
        append(log, "on", epoch=2)
    for each in manager.disks:
        each.unlock()
    again = opened(disk, root).get(PARTITION)
    assert again is not None
    assert read_records(again) == expected


def test_a_copy_that_is_not_wanted_any_more_goes(disk: Disk, root: str) -> None:
    manager = opened(disk, root)
    log = written(manager)
    future = futures.open_future(manager, log, manager.disks[1])
    catch_up(log, future)
    futures.discard(future)
    assert [paths for _, paths in manager.removable] == [[future.directory]]
    assert append(log, "on", epoch=2) == 30


def test_a_log_that_is_not_made_yet_is_made_where_it_is_wanted(disk: Disk, root: str) -> None:
    manager = opened(disk, root)
    manager.preferred[PARTITION] = manager.disks[1]
    assert manager.create(PARTITION, TOPIC_ID, CONFIG).host is manager.disks[1]
