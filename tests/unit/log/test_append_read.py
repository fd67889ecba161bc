"""Appending and reading back, by offset."""

from __future__ import annotations

import pytest

from support.logs import NOW_MS, append, batch, open_log, read_records, values
from tidelog.log.config import LogConfig
from tidelog.ports import Disk
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import read_header


def test_batches_get_consecutive_offsets_and_come_back(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    assert append(log, "a", "b") == 0
    assert append(log, "c") == 2
    assert log.log_end_offset == 3
    assert values(read_records(log)) == ["a", "b", "c"]
    assert [record.offset for record in read_records(log)] == [0, 1, 2]


def test_the_leader_epoch_is_patched_in_and_remembered(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "a", epoch=4)
    append(log, "b", epoch=7)
    found = log.read(1, 1000, 2)
    assert found is not None
    assert read_header(found.file.pread(found.length, found.position)).partition_leader_epoch == 7
    assert log.epochs.entries() == [(4, 0), (7, 1)]


def test_the_buffer_is_patched_in_place(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "a")
    sent = batch("b")
    log.append_as_leader(sent, 3, NOW_MS)
    assert read_header(sent).base_offset == 1
    assert read_header(sent).partition_leader_epoch == 3


def test_an_immutable_buffer_is_taken_too(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "a")
    sent = bytes(batch("b"))
    assert log.append_as_leader(sent, 0, NOW_MS).base_offset == 1
    assert read_header(sent).base_offset == 0


def test_a_segment_rolls_by_size_and_reads_go_over_the_edge(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0", LogConfig(segment_bytes=1000, index_interval_bytes=100))
    expected = [f"value {number}" for number in range(100)]
    for value in expected:
        append(log, value)
    assert len(log.segments) > 5
    assert all(segment.size <= 1000 for segment in log.segments)
    assert values(read_records(log)) == expected
    for offset in range(100):
        assert values(read_records(log, offset, offset + 1)) == [expected[offset]]


def test_a_read_ends_between_batches_and_keeps_to_its_limits(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0", LogConfig(index_interval_bytes=100))
    for number in range(50):
        append(log, f"{number:04}", f"{number:04}")
    size = len(batch("0000", "0000"))
    found = log.read(0, 3 * size + 10, 100)
    assert found is not None
    assert found.length in range(size, 3 * size + 1, size)
    bounded = log.read(10, 1 << 20, 20)
    assert bounded is not None
    assert (bounded.position, bounded.length) == (5 * size, 5 * size)
    inside = log.read(11, 1 << 20, 12)
    assert inside is not None
    assert inside.position == 5 * size


def test_one_batch_is_given_however_small_the_limit_if_asked(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "x" * 500)
    append(log, "y")
    whole = log.read(0, 10, 2, min_one_batch=True)
    assert whole is not None
    assert whole.length == len(batch("x" * 500))
    assert log.read(0, 10, 2, min_one_batch=False) is None


def test_nothing_is_read_at_the_end_or_past_the_bound(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "a")
    assert log.read(1, 100, 1) is None
    assert log.read(0, 100, 0) is None


@pytest.mark.parametrize("offset", [-1, 3, 99])
def test_an_offset_that_the_log_does_not_hold_is_out_of_range(disk: Disk, root: str, offset: int) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "a", "b")
    with pytest.raises(KafkaError) as caught:
        log.read(offset, 100, 2)
    assert caught.value.code is ErrorCode.OFFSET_OUT_OF_RANGE


def test_a_closed_log_opens_with_everything_it_had(disk: Disk, root: str) -> None:
    config = LogConfig(segment_bytes=1000, index_interval_bytes=100)
    log = open_log(disk, f"{root}/clicks-0", config)
    for number in range(40):
        append(log, f"{number}", epoch=number // 10, producer_id=7, producer_epoch=0, base_sequence=number)
    log.close()
    again = open_log(disk, f"{root}/clicks-0", config, is_clean=True, recovery_point=40)
    assert again.log_end_offset == 40
    assert values(read_records(again)) == [str(number) for number in range(40)]
    assert again.epochs.entries() == [(0, 0), (1, 10), (2, 20), (3, 30)]
    assert again.producers.entries[7].last_sequence == 39
    again.check_invariants()
    assert append(again, "40", producer_id=7, producer_epoch=0, base_sequence=40) == 40


def test_a_follower_writes_batches_as_they_come(disk: Disk, root: str) -> None:
    leader = open_log(disk, f"{root}/leader-0", LogConfig(segment_bytes=700))
    for number in range(30):
        append(leader, f"{number}", epoch=number // 7, producer_id=7, producer_epoch=0, base_sequence=number)
    follower = open_log(disk, f"{root}/follower-0", LogConfig(segment_bytes=900))
    while follower.log_end_offset < 30:
        found = leader.read(follower.log_end_offset, 500, 30)
        assert found is not None
        follower.append_as_follower(found.file.pread(found.length, found.position), NOW_MS)
    assert read_records(follower) == read_records(leader)
    assert follower.epochs.entries() == leader.epochs.entries()
    assert follower.producers.entries[7].batches == leader.producers.entries[7].batches
    follower.check_invariants()


def test_gaps_that_compaction_left_are_read_over(disk: Disk, root: str) -> None:
    """From an offset in a gap the next batch is read, and a bound in a gap keeps the batch before it."""
    log = open_log(disk, f"{root}/clicks-0", LogConfig(segment_bytes=300))
    for offset in (0, 5, 9, 20, 30, 31, 50):
        data = bytearray(batch(f"{offset:02}"))
        data[0:8] = offset.to_bytes(8, "big")
        log.append_as_follower(data, NOW_MS)
    size = len(batch("00"))
    for offset, expected in ((1, 5), (6, 9), (9, 9), (10, 20), (32, 50)):
        found = log.read(offset, size, 51, min_one_batch=False)
        assert found is not None
        assert read_header(found.file.pread(found.length, found.position)).base_offset == expected
    bounded = log.read(0, 1000, 7)
    assert bounded is not None
    assert bounded.length == 2 * size
    assert [record.offset for record in read_records(log)] == [0, 5, 9, 20, 30, 31, 50]


def test_a_follower_refuses_what_it_has_and_what_is_damaged(disk: Disk, root: str) -> None:
    leader = open_log(disk, f"{root}/leader-0")
    append(leader, "a")
    found = leader.read(0, 500, 1)
    assert found is not None
    data = bytearray(found.file.pread(found.length, 0))
    follower = open_log(disk, f"{root}/follower-0")
    follower.append_as_follower(data, NOW_MS)
    with pytest.raises(KafkaError) as caught:
        follower.append_as_follower(data, NOW_MS)
    assert caught.value.code is ErrorCode.OFFSET_OUT_OF_RANGE
    data[-1] ^= 1
    with pytest.raises(KafkaError) as caught:
        follower.append_as_follower(data, NOW_MS)
    assert caught.value.code is ErrorCode.CORRUPT_MESSAGE
