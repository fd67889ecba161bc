"""Compaction of one log: what stays, what goes, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.compaction import SETTINGS, batches, compact, part_of, records
from support.logs import NOW_MS, ManualClock, append, batch, marker, open_log, read_records
from tidelog.io.disk import RealDisk
from tidelog.log.clean_job import CleanSettings
from tidelog.log.clean_read import Uncleanable
from tidelog.log.config import LogConfig
from tidelog.log.log import Log, Origin
from tidelog.protocol.compression import Codec
from tidelog.protocol.record_batch import Record, build_batch, check_crc, iter_batches
from tidelog.sim.disk import SimDisk

COMPACT = LogConfig(
    compact=True,
    delete=False,
    segment_bytes=4000,
    index_interval_bytes=100,
    segment_index_bytes=1200,
    delete_retention_ms=1000,
)


def log_of(config: LogConfig = COMPACT) -> Log:
    return open_log(SimDisk(), "/data/clicks-0", config)


def put(log: Log, *pairs: tuple[str, str | None], timestamp: int = NOW_MS, **options: object) -> int:
    """One batch of (key, value) records."""
    made = [Record(0, timestamp, k.encode(), None if v is None else v.encode()) for k, v in pairs]
    data = memoryview(bytearray(build_batch(made, **options)))  # type: ignore[arg-type]
    return log.append_as_leader(data, 0, NOW_MS, Origin.CLIENT, bool(options.get("transactional"))).base_offset


def end_txn(log: Log, producer_id: int, commit: bool) -> None:
    log.append_as_leader(marker(producer_id, 0, commit), 0, NOW_MS, Origin.COORDINATOR)


def left(log: Log) -> list[tuple[int, str, str | None]]:
    return [
        (each.offset, (each.key or b"").decode(), None if each.value is None else each.value.decode())
        for each in records(log)
    ]


def test_the_worked_example() -> None:
    """Ten records of four keys become the latest of each, in the order of their offsets."""
    log = log_of()
    for number, key in enumerate("ABCDABCDCA"):
        put(log, (key, str(number)))
    log.roll(NOW_MS)
    compact(log, NOW_MS)
    assert left(log) == [(5, "B", "5"), (7, "D", "7"), (8, "C", "8"), (9, "A", "9")]
    assert log.log_end_offset == 10


def test_the_active_segment_is_never_touched() -> None:
    log = log_of()
    put(log, ("a", "1"), ("a", "2"))
    log.roll(NOW_MS)
    put(log, ("a", "3"), ("a", "4"))
    active = log.active
    job = compact(log, NOW_MS)
    assert job.end_offset == 2
    assert [each[0] for each in left(log)] == [1, 2, 3]
    assert log.active is active


def test_several_small_segments_become_one() -> None:
    log = log_of()
    for number in range(6):
        put(log, ("k", str(number)), ("other" + str(number), "x"))
        log.roll(NOW_MS)
    compact(log, NOW_MS)
    assert [segment.base_offset for segment in log.segments] == [0, 12]
    assert len([each for each in left(log) if each[1] == "k"]) == 1
    assert not [name for name in log.disk.listdir(log.directory) if name.endswith((".swap", ".cleaned"))]


def test_a_compacted_segment_is_as_old_as_the_newest_that_it_replaces(tmp_path: Path) -> None:
    clock = ManualClock()
    for disk, folder in ((SimDisk(clock.now_ms), "/data"), (RealDisk(), str(tmp_path))):
        disk.makedirs(folder)
        log = open_log(disk, f"{folder}/clicks-0", COMPACT, clock)
        for age_days in (9, 8, 7):
            put(log, ("k", str(age_days)))
            log.roll(NOW_MS)
            disk.set_modified_ms(log.segments[-2].path(".log"), NOW_MS - age_days * 86_400_000)
        compact(log, NOW_MS)
        assert [segment.base_offset for segment in log.segments] == [0, 3]
        assert disk.modified_ms(log.segments[0].path(".log")) == NOW_MS - 7 * 86_400_000


def test_a_reader_in_the_middle_of_a_replaced_segment_is_not_disturbed() -> None:
    log = log_of()
    for number in range(9):
        put(log, ("k", str(number)))
    log.roll(NOW_MS)
    open_range = log.read(3, 1 << 20, log.log_end_offset)
    assert open_range is not None
    before = open_range.file.pread(open_range.length, open_range.position)
    old = log.segments[0]
    compact(log, NOW_MS)
    assert open_range.file.pread(open_range.length, open_range.position) == before
    # A thread that still holds the old segment finds its files under their new names, not those of the new one.
    assert old.path(".log").endswith(".log.deleted")
    assert old.file.size() == old.size
    assert [each.offset for each in read_records(log, 3)] == [8]


def test_a_batch_that_loses_nothing_stays_as_it_is() -> None:
    log = log_of()
    put(log, ("a", "1"), ("b", "2"), codec=Codec.ZSTD)
    put(log, ("c", "1"), ("d", "2"))
    log.roll(NOW_MS)
    before = log.disk.read_bytes(log.segments[0].path(".log"))
    compact(log, NOW_MS)
    assert log.disk.read_bytes(log.segments[0].path(".log")) == before


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize("append_time", [False, True])
def test_batches_are_made_anew_in_their_own_codec(codec: Codec, append_time: bool) -> None:
    log = log_of(LogConfig(compact=True, log_append_time=append_time, segment_index_bytes=1200))
    made = [
        Record(0, NOW_MS - number, f"k{number % 3}".encode(), bytes(200), (("h", None), ("i", b"1")))
        for number in range(9)
    ]
    log.append_as_leader(memoryview(bytearray(build_batch(made, codec=codec))), 3, NOW_MS)
    before = {each.offset: each for each in records(log)}
    log.roll(NOW_MS)
    compact(log, NOW_MS)
    ((header, found),) = batches(log)
    assert (header.codec, header.base_offset, header.last_offset, header.partition_leader_epoch) == (codec, 0, 8, 3)
    assert found == [before[6], before[7], before[8]]
    raw = log.disk.read_bytes(log.segments[0].path(".log"))
    for position, each in iter_batches(raw):
        check_crc(raw, position, each)
    assert header.max_timestamp == (NOW_MS if append_time else NOW_MS - 6)
    assert header.base_timestamp == found[0].timestamp


def test_a_tombstone_gets_a_horizon_and_goes_when_that_is_past() -> None:
    log = log_of()
    put(log, ("a", "1"), ("b", "1"), timestamp=NOW_MS - 500)
    put(log, ("a", None), ("c", "1"), timestamp=NOW_MS - 400)
    log.roll(NOW_MS)
    compact(log, NOW_MS)
    assert left(log) == [(1, "b", "1"), (2, "a", None), (3, "c", "1")]
    horizon = batches(log)[1][0]
    assert horizon.delete_horizon_ms == NOW_MS + 1000
    assert [each.timestamp for each in batches(log)[1][1]] == [NOW_MS - 400] * 2
    compact(log, NOW_MS + 999)
    assert (2, "a", None) in left(log)
    compact(log, NOW_MS + 1000)
    assert left(log) == [(1, "b", "1"), (3, "c", "1")]
    # The horizon stays with the batch, and with it the timestamps.
    assert batches(log)[1][0].delete_horizon_ms == NOW_MS + 1000
    assert batches(log)[1][1][0].timestamp == NOW_MS - 400


def test_the_last_batch_of_a_producer_stays_as_an_empty_one() -> None:
    log = log_of()
    for sequence in range(3):
        put(log, ("a", str(sequence)), producer_id=7, producer_epoch=1, base_sequence=sequence)
    put(log, ("a", "last"))
    put(log, ("z", "last"))
    log.roll(NOW_MS)
    compact(log, NOW_MS)
    header, found = batches(log)[0]
    assert (header.base_offset, header.producer_id, header.last_sequence, found) == (2, 7, 2, [])
    log.close()
    # A restart knows the producer by it: the next sequence is the right one, and the last is a repetition.
    log = open_log(log.disk, log.directory, COMPACT)
    log.snapshots.remove(lambda offset: True)
    again = put(log, ("a", "2"), producer_id=7, producer_epoch=1, base_sequence=2)
    assert again == 2
    assert log.log_end_offset == 5
    assert put(log, ("a", "3"), producer_id=7, producer_epoch=1, base_sequence=3) == 5


def test_the_end_of_what_was_compacted_stays_known() -> None:
    log = log_of()
    put(log, ("a", "1"))
    put(log, ("b", "2"))
    log.roll(NOW_MS)
    put(log, ("a", "3"), ("b", "4"))
    log.roll(NOW_MS)
    compact(log, NOW_MS)
    put(log, ("a", "5"), ("b", "6"))
    log.roll(NOW_MS)
    compact(log, NOW_MS, checkpoint=4)
    assert left(log) == [(4, "a", "5"), (5, "b", "6")]
    # Nothing is left of the first segments but where they ended, if they were not joined with the last.
    assert batches(log)[-1][0].last_offset == 5


class TestTransactions:
    def test_aborted_data_goes_and_its_marker_after_its_horizon(self) -> None:
        log = log_of()
        put(log, ("a", "old"))
        put(log, ("a", "aborted"), producer_id=5, producer_epoch=0, base_sequence=0, transactional=True)
        end_txn(log, 5, commit=False)
        put(log, ("b", "1"), producer_id=5, producer_epoch=0, base_sequence=1)
        log.roll(NOW_MS)
        compact(log, NOW_MS)
        # An aborted value replaces nothing.
        assert left(log) == [(0, "a", "old"), (3, "b", "1")]
        # The data was still there in this round: the marker stays, and the index goes on naming it.
        assert [each.first_offset for each in log.segments[0].txn_index.entries] == [1]
        compact(log, NOW_MS)
        control = [header for header, _ in batches(log) if header.is_control]
        assert [each.delete_horizon_ms for each in control] == [NOW_MS + 1000]
        assert log.segments[0].txn_index.entries == []
        compact(log, NOW_MS + 1000)
        assert not [header for header, _ in batches(log) if header.is_control]

    def test_a_commit_marker_stays_as_long_as_data_of_its_transaction(self) -> None:
        log = log_of()
        put(log, ("a", "1"), producer_id=5, producer_epoch=0, base_sequence=0, transactional=True)
        end_txn(log, 5, commit=True)
        put(log, ("z", "1"))
        log.roll(NOW_MS)
        for now_ms in (NOW_MS, NOW_MS + 5000, NOW_MS + 10_000):
            compact(log, now_ms)
            assert [header.is_control for header, _ in batches(log)] == [False, True, False]
            assert batches(log)[1][0].delete_horizon_ms is None

    def test_a_key_that_looks_like_a_marker_is_a_key(self) -> None:
        log = log_of()
        put(log, ("\0\0\0\1", "1"))
        put(log, ("x", "1"), producer_id=5, producer_epoch=0, base_sequence=0, transactional=True)
        end_txn(log, 5, commit=True)
        log.roll(NOW_MS)
        compact(log, NOW_MS)
        assert left(log) == [(0, "\0\0\0\1", "1"), (1, "x", "1")]

    def test_an_open_transaction_bounds_what_is_compacted(self) -> None:
        log = log_of()
        put(log, ("a", "1"), ("a", "2"))
        log.roll(NOW_MS)
        put(log, ("a", "3"), producer_id=5, producer_epoch=0, base_sequence=0, transactional=True)
        log.roll(NOW_MS)
        put(log, ("a", "4"))
        log.roll(NOW_MS)
        job = compact(log, NOW_MS)
        assert job.end_offset == 2
        assert [each[0] for each in left(log)] == [1, 2, 3]

    def test_a_marker_beyond_what_is_compacted_still_decides(self) -> None:
        """One producer's abort lies behind the last stable offset that another's open transaction holds back."""
        log = log_of()
        put(log, ("a", "good"))
        put(log, ("a", "bad"), producer_id=5, producer_epoch=0, base_sequence=0, transactional=True)
        log.roll(NOW_MS)
        put(log, ("b", "open"), producer_id=6, producer_epoch=0, base_sequence=0, transactional=True)
        end_txn(log, 5, commit=False)
        log.roll(NOW_MS)
        compact(log, NOW_MS)
        assert (0, "a", "good") in left(log)
        assert (1, "a", "bad") not in left(log)


def test_records_without_a_key_go() -> None:
    """Only a topic that was not compacted before can hold them."""
    log = log_of(LogConfig(segment_bytes=4000, segment_index_bytes=1200))
    append(log, "x", key=None)
    append(log, "y", key=b"k")
    log.config = COMPACT
    log.roll(NOW_MS)
    job = compact(log, NOW_MS)
    assert left(log) == [(1, "k", "y")]
    assert job.stats.records_without_key == 1


def test_a_map_that_is_full_ends_the_round_and_the_next_goes_on() -> None:
    log = log_of()
    for number in range(30):
        put(log, (f"k{number % 20}", str(number)), (f"j{number % 15}", str(number)))
    log.roll(NOW_MS)
    expected = {key: value for _, key, value in left(log)}
    small = CleanSettings(dedupe_bytes=24 * 12, load_factor=0.9, piece_bytes=300, seed=SETTINGS.seed)
    checkpoint = None
    rounds = 0
    while checkpoint is None or checkpoint < log.active.base_offset:
        job = compact(log, NOW_MS, checkpoint, small)
        assert job.end_offset > (checkpoint or 0)
        checkpoint = job.end_offset
        rounds += 1
        assert {key: value for _, key, value in left(log)} == expected
    assert rounds > 3
    assert len(left(log)) == len(expected)


@pytest.mark.parametrize("memory", [0, 24, 48])
def test_however_small_the_map_a_round_gets_somewhere(memory: int) -> None:
    log = log_of()
    put(log, ("a", "1"), ("b", "1"), ("a", "2"))
    log.roll(NOW_MS)
    job = compact(log, NOW_MS, None, CleanSettings(memory, 0.0, 1, SETTINGS.seed))
    assert job.end_offset >= 1
    assert {key for _, key, _ in left(log)} == {"a", "b"}


def test_a_damaged_batch_makes_the_log_uncleanable_and_changes_nothing() -> None:
    log = log_of()
    for number in range(4):
        put(log, ("a", str(number)))
    log.roll(NOW_MS)
    path = log.segments[0].path(".log")
    data = bytearray(log.disk.read_bytes(path))
    data[100] ^= 1
    log.disk.open(path).pwrite(data, 0)
    with pytest.raises(Uncleanable, match="checksum"):
        compact(log, NOW_MS)
    assert log.disk.read_bytes(path) == bytes(data)


def test_indexes_lead_to_every_record() -> None:
    log = log_of(LogConfig(compact=True, segment_bytes=1 << 20, index_interval_bytes=100, segment_index_bytes=12_000))
    for number in range(400):
        put(log, (f"k{number % 150}", "v" * 30), timestamp=NOW_MS + number)
    log.roll(NOW_MS)
    compact(log, NOW_MS)
    segment = log.segments[0]
    assert segment.offset_index.count > 50
    assert segment.time_index.count > 50
    for number in range(0, 400, 7):
        wanted = max(number, 250)
        assert read_records(log, number)[0].offset == wanted
        found = log.offset_for_timestamp(NOW_MS + number)
        assert found is not None
        assert found.offset == wanted
    log.close()
    log = open_log(log.disk, log.directory, log.config, is_clean=True)
    assert read_records(log, 3)[0].offset == 250


class TestPlanning:
    def test_ratio_and_lags(self) -> None:
        clock = ManualClock()
        config = LogConfig(compact=True, min_compaction_lag_ms=1000, segment_index_bytes=1200)
        log = open_log(SimDisk(), "/data/clicks-0", config, clock)
        put(log, ("a", "1"), timestamp=NOW_MS - 2000)
        log.roll(NOW_MS)
        put(log, ("a", "2"), timestamp=NOW_MS - 500)
        log.roll(NOW_MS)
        part = part_of(log, NOW_MS)
        assert (part.first_dirty, part.first_uncleanable, part.ratio) == (0, 1, 1.0)
        assert part_of(log, NOW_MS + 500).first_uncleanable == 2
        assert part_of(log, NOW_MS, checkpoint=1).dirty_bytes == 0

    def test_a_record_older_than_the_longest_lag_makes_a_log_due(self) -> None:
        config = LogConfig(compact=True, max_compaction_lag_ms=1000, min_cleanable_dirty_ratio=1.0)
        log = open_log(SimDisk(), "/data/clicks-0", config)
        put(log, ("a", "1"), timestamp=NOW_MS)
        log.roll(NOW_MS)
        assert not part_of(log, NOW_MS + 1000).is_due(config)
        assert part_of(log, NOW_MS + 1001).is_due(config)
        assert config.roll_ms == 1000

    def test_the_high_watermark_bounds_what_is_compacted(self) -> None:
        log = log_of()
        for number in range(3):
            put(log, ("a", str(number)))
            log.roll(NOW_MS)
        assert part_of(log, NOW_MS, high_watermark=2).first_uncleanable == 2

    @pytest.mark.parametrize("checkpoint", [99, 1])
    def test_a_checkpoint_that_does_not_fit_the_log_is_left_out(self, checkpoint: int) -> None:
        log = log_of(LogConfig(compact=True, segment_index_bytes=1200))
        put(log, ("a", "1"), ("b", "1"), ("c", "1"))
        log.roll(NOW_MS)
        log.increment_log_start_offset(2, 3)
        part = part_of(log, NOW_MS, checkpoint)
        assert part.is_reset
        assert part.first_dirty == 2


def test_appends_of_a_compacted_topic_need_keys() -> None:
    from tidelog.log.errors import InvalidRecords

    log = log_of()
    with pytest.raises(InvalidRecords):
        log.append_as_leader(batch("x", key=None), 0, NOW_MS)
