"""Logs over several directories: placing, deleting, checkpoints, flushes beside the loop, housekeeping."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from support.logs import PARTITION, ManualClock, append, read_records, values
from tidelog.io.blocking import ThreadBlocking
from tidelog.io.disk import RealDisk
from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.housekeeping import Housekeeping
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Disk
from tidelog.protocol.errors import KafkaError
from tidelog.sim.disk import SimDisk

TOPIC_ID = bytes(range(16))
CONFIG = LogConfig(segment_bytes=500, file_delete_delay_ms=1000, segment_index_bytes=4096)


class Inline:
    """Blocking work done at once; a gate can hold it back."""

    def __init__(self) -> None:
        self.gate: asyncio.Event | None = None
        self.count = 0

    def run(self, work: Callable[..., Any], *args: Any) -> Awaitable[Any]:
        return self._run(work, *args)

    async def _run(self, work: Callable[..., Any], *args: Any) -> Any:
        self.count += 1
        if self.gate is not None:
            await self.gate.wait()
        return work(*args)


def open_manager(disk: Disk, *directories: str, **options: Any) -> LogManager:
    manager = LogManager(disk, options.pop("clock", None) or ManualClock(), directories, **options)
    manager.load(lambda topic: CONFIG)
    return manager


def create(manager: LogManager, topic: str = "clicks", index: int = 0, topic_id: bytes = TOPIC_ID) -> Log:
    return manager.create(TopicPartition(topic, index), topic_id, CONFIG)


def test_logs_go_to_the_directory_with_the_fewest(disk: Disk, root: str) -> None:
    manager = open_manager(disk, f"{root}/a", f"{root}/b", f"{root}/c")
    for index in range(7):
        create(manager, index=index)
    assert sorted(len(directory.logs) for directory in manager.disks) == [2, 2, 3]
    assert len(manager) == 7


def test_everything_is_there_after_a_clean_restart_without_reading_it_again(disk: Disk, root: str) -> None:
    manager = open_manager(disk, f"{root}/a", f"{root}/b")
    for index in range(4):
        append(create(manager, index=index), f"{index}")
    manager.disks[0].high_watermarks[next(iter(manager.disks[0].logs))] = 1
    manager.close(broker_epoch=33)
    for directory in ("a", "b"):
        assert disk.read_bytes(f"{root}/{directory}/.kafka_cleanshutdown") == b'{"version":0,"brokerEpoch":33}'
        assert not disk.exists(f"{root}/{directory}/.lock")
    again = open_manager(disk, f"{root}/a", f"{root}/b")
    assert all(directory.is_clean and directory.broker_epoch == 33 for directory in again.disks)
    assert not disk.exists(f"{root}/a/.kafka_cleanshutdown")
    for index in range(4):
        log = again.get(PARTITION._replace(partition=index))
        assert log is not None
        assert log.topic_id == TOPIC_ID
        assert log.recovery_point == 1
        assert values(read_records(log)) == [f"{index}"]
    assert sorted(again.high_watermark(log) for log in again) == [0, 0, 0, 1]


def test_checkpoint_files_as_apache_has_them() -> None:
    disk = SimDisk()
    manager = open_manager(disk, "/data")
    log = create(manager)
    append(log, "a", "b", "c")
    log.increment_log_start_offset(2, 3)
    manager.close()
    assert disk.read_bytes(f"/data/{names.RECOVERY_POINTS}") == b"0\n1\nclicks 0 3\n"
    assert disk.read_bytes(f"/data/{names.LOG_STARTS}") == b"0\n1\nclicks 0 2\n"
    assert disk.read_bytes(f"/data/{names.HIGH_WATERMARKS}") == b"0\n0\n"
    assert (
        disk.read_bytes(f"/data/clicks-0/{names.PARTITION_METADATA}") == b"version: 0\ntopic_id: AAECAwQFBgcICQoLDA0ODw"
    )
    assert disk.read_bytes(f"/data/clicks-0/{names.EPOCHS}") == b"0\n1\n0 2\n"


def test_a_deleted_log_is_out_of_sight_at_once_and_gone_later() -> None:
    disk, clock = SimDisk(), ManualClock()
    manager = open_manager(disk, "/data", clock=clock)
    log = create(manager)
    append(log, "a")
    manager.delete(log)
    assert manager.get(PARTITION) is None
    [name] = [name for name in disk.listdir("/data") if name.endswith("-delete")]
    assert name.startswith("clicks-0.")
    with pytest.raises(KafkaError):
        append(log, "b")
    fresh = create(manager)
    assert fresh.log_end_offset == 0
    keeper = Housekeeping(manager, disk, clock, Inline(), dict)
    asyncio.run(keeper.tick())
    assert disk.exists(f"/data/{name}")
    clock.ms += 1000
    asyncio.run(keeper.tick())
    assert not disk.exists(f"/data/{name}")
    assert disk.exists("/data/clicks-0")


def test_a_directory_marked_for_deletion_is_removed_after_a_restart() -> None:
    disk = SimDisk()
    manager = open_manager(disk, "/data")
    manager.delete(create(manager))
    disk.kill()
    again = open_manager(disk, "/data")
    assert len(again) == 0
    asyncio.run(Housekeeping(again, disk, ManualClock(), Inline(), dict).tick())
    assert not [name for name in disk.listdir("/data") if name.endswith("-delete")]


def test_a_log_of_another_topic_id_is_put_aside(caplog: pytest.LogCaptureFixture) -> None:
    disk = SimDisk()
    manager = open_manager(disk, "/data")
    append(create(manager), "old")
    fresh = create(manager, topic_id=bytes(range(1, 17)))
    assert fresh.log_end_offset == 0
    [stray] = [name for name in disk.listdir("/data") if name.endswith("-stray")]
    assert "it is kept as" in caplog.text
    disk.kill()
    again = open_manager(disk, "/data")
    assert [str(log.partition) for log in again] == ["clicks-0"]
    assert disk.exists(f"/data/{stray}")


def test_a_flush_is_shared_by_everyone_who_waits() -> None:
    async def scenario() -> None:
        disk, blocking = SimDisk(), Inline()
        manager = open_manager(disk, "/data", blocking=blocking)
        log = create(manager)
        append(log, "a")
        blocking.gate = asyncio.Event()
        first = asyncio.ensure_future(manager.flush(log))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        append(log, "b")
        later = [asyncio.ensure_future(manager.flush(log)) for _ in range(50)]
        await asyncio.sleep(0)
        assert not first.done()
        blocking.gate.set()
        await first
        await asyncio.gather(*later)
        assert log.recovery_point == 2
        assert blocking.count == 2
        await manager.flush(log)
        assert blocking.count == 2

    asyncio.run(scenario())


def test_a_failed_flush_fails_for_everyone_and_for_good() -> None:
    async def scenario() -> None:
        disk, blocking = SimDisk(), Inline()
        manager = open_manager(disk, "/data", blocking=blocking)
        log = create(manager)
        append(log, "a")
        disk.fail_at(disk.steps, errno.EIO, ("fsync",))
        results = await asyncio.gather(*[manager.flush(log) for _ in range(3)], return_exceptions=True)
        assert all(isinstance(result, OSError | KafkaError) for result in results)
        with pytest.raises(KafkaError):
            await manager.flush(log)
        assert manager.is_offline("/data")
        assert log.recovery_point == 0

    asyncio.run(scenario())


def test_closed_segments_are_flushed_in_the_background() -> None:
    async def scenario() -> None:
        disk = SimDisk()
        manager = open_manager(disk, "/data", blocking=Inline())
        log = create(manager)
        while len(log.segments) < 3:
            append(log, "x" * 100)
        await manager.flusher.settle()
        assert log.recovery_point == log.active.base_offset

    asyncio.run(scenario())


def test_a_log_that_is_deleted_under_a_flush_harms_nobody() -> None:
    async def scenario() -> None:
        disk, blocking = SimDisk(), Inline()
        manager = open_manager(disk, "/data", blocking=blocking)
        log, other = create(manager), create(manager, "orders")
        append(log, "a")
        append(other, "b")
        blocking.gate = asyncio.Event()
        flush = asyncio.ensure_future(manager.flush(log))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        manager.delete(log)
        blocking.gate.set()
        await asyncio.gather(flush, return_exceptions=True)
        assert not manager.is_offline("/data")
        await manager.flush(other)

    asyncio.run(scenario())


def test_needs_flush_follows_flush_messages() -> None:
    disk = SimDisk()
    manager = open_manager(disk, "/data")
    log = manager.create(PARTITION, TOPIC_ID, LogConfig(flush_messages=3))
    append(log, "a", "b")
    assert not log.needs_flush
    append(log, "c")
    assert log.needs_flush
    log.flush()
    assert not log.needs_flush


def test_a_flush_waits_in_a_thread_of_its_own(tmp_path: Path) -> None:
    async def scenario() -> None:
        blocking = ThreadBlocking()
        seen = []

        class Watching(RealDisk):
            def fsync_dir(self, path: str) -> None:
                seen.append(threading.current_thread())
                super().fsync_dir(path)

        manager = open_manager(Watching(), str(tmp_path / "data"), blocking=blocking)
        seen.clear()
        log = create(manager)
        append(log, "a")
        await manager.flush(log)
        assert seen
        assert threading.main_thread() not in seen
        assert log.recovery_point == 1
        manager.close()
        blocking.close()

    asyncio.run(scenario())


def test_logs_are_opened_in_threads_at_start(tmp_path: Path) -> None:
    async def scenario() -> None:
        disk, blocking = RealDisk(), ThreadBlocking()
        root = str(tmp_path / "data")
        manager = open_manager(disk, root)
        for index in range(20):
            for number in range(20):
                append(create(manager, index=index), f"{number}")
        for log in manager:
            log.release()
        manager.disks[0].unlock()
        again = LogManager(disk, ManualClock(), [root], blocking=blocking)
        await again.start(lambda topic: CONFIG)
        assert not again.corrupt
        assert all(len(read_records(log)) == 20 for log in again)
        assert len(again) == 20
        again.close()
        blocking.close()

    asyncio.run(scenario())


def test_housekeeping_applies_retention_flushes_and_checkpoints() -> None:
    async def scenario() -> None:
        disk, clock, blocking = SimDisk(), ManualClock(), Inline()
        manager = open_manager(disk, "/data", clock=clock, blocking=blocking)
        config = LogConfig(segment_bytes=500, retention_ms=1000, flush_ms=2000, file_delete_delay_ms=500)
        log = manager.create(PARTITION, TOPIC_ID, config)
        while len(log.segments) < 4:
            append(log, "x" * 100)
        keeper = Housekeeping(manager, disk, clock, blocking, lambda: {PARTITION: log.log_end_offset})
        await keeper.tick()
        assert log.recovery_point < log.log_end_offset
        clock.ms += 2000
        await keeper.tick()
        assert log.recovery_point == log.log_end_offset
        assert len(log.segments) == 4
        clock.ms += 300_000
        await keeper.tick()
        assert (len(log.segments), log.log_start_offset) == (1, log.log_end_offset)
        end = log.log_end_offset
        assert disk.read_bytes(f"/data/{names.RECOVERY_POINTS}") == f"0\n1\nclicks 0 {end}\n".encode()
        assert disk.read_bytes(f"/data/{names.HIGH_WATERMARKS}") == f"0\n1\nclicks 0 {end}\n".encode()
        clock.ms += 1000
        await keeper.tick()
        assert not [name for name in disk.listdir("/data/clicks-0") if name.endswith(".deleted")]

    asyncio.run(scenario())


def test_open_files_of_closed_segments_are_bounded(tmp_path: Path) -> None:
    manager = open_manager(RealDisk(), str(tmp_path / "data"), open_segments_max=10)
    log = create(manager)
    while len(log.segments) < 60:
        append(log, "x" * 200)
    assert len(read_records(log)) == log.log_end_offset
    opened = [segment for segment in log.segments if segment.open_file is not None]
    assert len(opened) <= 11


def test_many_logs_are_closed_with_one_sync() -> None:
    disk = SimDisk()
    manager = open_manager(disk, "/data")
    for index in range(120):
        append(create(manager, index=index), f"{index}")
    disk.counts.clear()
    manager.close()
    assert disk.counts["fsync"] < 20
    disk.crash()
    again = open_manager(disk, "/data")
    assert again.disks[0].is_clean
    assert [values(read_records(log)) for log in sorted(again, key=lambda each: each.partition)] == [
        [f"{index}"] for index in range(120)
    ]


def test_idle_logs_let_go_of_their_files(tmp_path: Path) -> None:
    disk, clock = RealDisk(), ManualClock()
    manager = open_manager(disk, str(tmp_path / "data"), clock=clock)
    log, busy = create(manager), create(manager, "orders")
    append(log, "a")
    append(busy, "a")
    keeper = Housekeeping(manager, disk, clock, Inline(), dict)
    assert keeper.park_idle() == 0
    append(busy, "b")
    assert keeper.park_idle() == 1
    assert log.active.open_file is None
    assert busy.active.is_active
    assert append(log, "b") == 1
    assert values(read_records(log)) == ["a", "b"]
    log.check_invariants()
    manager.close()
