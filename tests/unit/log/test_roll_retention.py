"""When a segment is closed, and when it goes."""

from __future__ import annotations

import pytest

from support.logs import NOW_MS, ManualClock, append, batch, open_log, read_records, values
from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.host import LoneHost
from tidelog.log.log import Log
from tidelog.ports import Disk
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.sim.disk import SimDisk

DAY_MS = 86_400_000


def make(**settings: object) -> Log:
    return open_log(SimDisk(), "/data/clicks-0", LogConfig(**settings))  # type: ignore[arg-type]


def test_a_segment_rolls_when_the_next_batch_does_not_fit() -> None:
    size = len(batch("12345"))
    log = make(segment_bytes=3 * size)
    for _ in range(7):
        append(log, "12345")
    assert log.segments.bases == [0, 3, 6]


def test_a_segment_rolls_by_the_timestamps_of_its_records() -> None:
    log = make(segment_ms=DAY_MS)
    start = NOW_MS - 10 * DAY_MS
    append(log, "a", timestamp=start)
    append(log, "b", timestamp=start + DAY_MS)
    assert len(log.segments) == 1
    append(log, "c", timestamp=start + DAY_MS + 1)
    assert log.segments.bases == [0, 2]


def test_a_segment_without_timestamps_rolls_by_the_clock() -> None:
    clock = ManualClock()
    log = open_log(SimDisk(), "/data/clicks-0", LogConfig(segment_ms=DAY_MS), clock)
    log.append_as_leader(batch("a", timestamp=-1), 0, clock.ms)
    log.append_as_leader(batch("b", timestamp=-1), 0, clock.ms + DAY_MS)
    assert len(log.segments) == 1
    log.append_as_leader(batch("c", timestamp=-1), 0, clock.ms + DAY_MS + 1)
    assert log.segments.bases == [0, 2]


def test_jitter_makes_it_roll_earlier() -> None:
    class Jittery(LoneHost):
        def jitter_ms(self, limit_ms: int) -> int:
            return limit_ms // 2

    config = LogConfig(segment_ms=DAY_MS, segment_jitter_ms=DAY_MS)
    log = open_log(SimDisk(), "/data/clicks-0", config, host=Jittery())
    append(log, "a")
    log.roll(NOW_MS)
    append(log, "b", timestamp=NOW_MS - DAY_MS)
    append(log, "c", timestamp=NOW_MS - DAY_MS // 2)
    append(log, "d", timestamp=NOW_MS - DAY_MS // 2 + 1)
    assert log.segments.bases == [0, 1, 3]


@pytest.mark.parametrize("index_bytes", [16, 24])
def test_a_full_index_rolls_the_segment(index_bytes: int) -> None:
    log = make(segment_index_bytes=index_bytes, index_interval_bytes=1)
    for number in range(20):
        append(log, str(number), timestamp=NOW_MS + number)
    assert len(log.segments) > 3
    assert values(read_records(log)) == [str(number) for number in range(20)]


def test_offsets_that_do_not_fit_the_index_roll_the_segment(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    far = 2**31
    data = bytearray(batch("a"))
    log.append_as_follower(data, NOW_MS)
    data[0:8] = far.to_bytes(8, "big")
    log.append_as_follower(data, NOW_MS)
    assert log.segments.bases == [0, far]
    assert [record.offset for record in read_records(log)] == [0, far]


def test_a_closed_segment_has_its_files_cut_to_size_and_a_snapshot_beside_it(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0", LogConfig(index_interval_bytes=100))
    for number in range(10):
        append(log, str(number), timestamp=NOW_MS + number)
    path = log.active.path
    assert disk.size(path(names.INDEX)) == 10_485_760
    assert disk.size(path(names.TIME_INDEX)) == 10_485_756
    log.roll(NOW_MS)
    assert disk.size(path(names.INDEX)) == 8 * log.segments[0].offset_index.count > 0
    times = log.segments[0].time_index
    assert disk.size(path(names.TIME_INDEX)) == 12 * times.count
    assert (times.last_timestamp, times.last_offset) == (NOW_MS + 9, 9)
    assert disk.exists(f"{log.directory}/00000000000000000010.snapshot")
    assert log.roll(NOW_MS) is log.active  # an empty segment is not closed again
    assert len(log.segments) == 2


def aged(disk: Disk, root: str, **settings: object) -> Log:
    """Ten segments of one batch each, a day apart; the newest is of now."""
    log = open_log(disk, f"{root}/clicks-0", LogConfig(**settings))  # type: ignore[arg-type]
    for number in range(10):
        append(log, str(number), timestamp=NOW_MS - (9 - number) * DAY_MS)
        if number < 9:
            log.roll(NOW_MS)
    return log


def test_retention_by_time_deletes_whole_old_segments(disk: Disk, root: str) -> None:
    log = aged(disk, root, retention_ms=3 * DAY_MS)
    assert log.delete_old_segments(NOW_MS, 10) == 6
    assert (log.log_start_offset, len(log.segments)) == (6, 4)
    assert values(read_records(log)) == ["6", "7", "8", "9"]
    with pytest.raises(KafkaError) as caught:
        log.read(5, 100, 10)
    assert caught.value.code is ErrorCode.OFFSET_OUT_OF_RANGE


def test_retention_never_passes_the_high_watermark(disk: Disk, root: str) -> None:
    log = aged(disk, root, retention_ms=0)
    assert log.delete_old_segments(NOW_MS + DAY_MS, 4) == 4
    assert log.log_start_offset == 4


def test_retention_of_everything_begins_a_new_segment(disk: Disk, root: str) -> None:
    log = aged(disk, root, retention_ms=0)
    assert log.delete_old_segments(NOW_MS + DAY_MS, 10) == 10
    assert (log.log_start_offset, log.log_end_offset, len(log.segments)) == (10, 10, 1)
    assert log.delete_old_segments(NOW_MS + 2 * DAY_MS, 10) == 0
    assert append(log, "next") == 10


def test_retention_by_size_keeps_at_least_that_much(disk: Disk, root: str) -> None:
    size = len(batch("0"))
    log = aged(disk, root, retention_bytes=3 * size + 1, retention_ms=-1)
    assert log.delete_old_segments(NOW_MS, 10) == 6
    assert log.size >= 3 * size + 1


def test_without_the_delete_policy_only_deleted_records_go(disk: Disk, root: str) -> None:
    log = aged(disk, root, retention_ms=0, retention_bytes=0, delete=False, compact=True)
    assert log.delete_old_segments(NOW_MS + DAY_MS, 10) == 0
    log.increment_log_start_offset(3, 10)
    assert log.delete_old_segments(NOW_MS + DAY_MS, 10) == 3


def test_deleted_files_are_renamed_first(disk: Disk, root: str) -> None:
    host = LoneHost()
    log = open_log(disk, f"{root}/clicks-0", LogConfig(segment_bytes=100, retention_ms=0), host=host)
    for number in range(4):
        append(log, str(number))
    found = log.read(0, 1000, 4)
    assert found is not None
    log.delete_old_segments(NOW_MS + 1, 4)
    assert all(name.endswith(names.DELETED) for name in map(str, host.removable))
    assert all(disk.exists(path) for path in host.removable)
    assert len(found.file.pread(found.length, found.position)) == found.length  # who reads it reads on
    assert f"{log.directory}/00000000000000000001.snapshot.deleted" in host.removable


def test_deleting_records_moves_the_start_at_once(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    for number in range(10):
        append(log, str(number), epoch=number // 4)
    assert log.increment_log_start_offset(5, 10)
    assert values(read_records(log)) == ["5", "6", "7", "8", "9"]
    assert log.epochs.entries() == [(1, 5), (2, 8)]
    assert not log.increment_log_start_offset(3, 10)
    with pytest.raises(KafkaError) as caught:
        log.increment_log_start_offset(11, 10)
    assert caught.value.code is ErrorCode.OFFSET_OUT_OF_RANGE
    log.close()
    again = open_log(disk, f"{root}/clicks-0", is_clean=True, recovery_point=10, log_start_offset=5)
    assert again.log_start_offset == 5
