"""What a producer may not send, and which error it gets."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from crc32c import crc32c

from support.logs import NOW_MS, append, batch, open_log, read_records, values
from tidelog.log.config import LogConfig
from tidelog.log.errors import InvalidRecords
from tidelog.log.log import Log, Origin
from tidelog.protocol.compression import Codec
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import Record, build_batch, read_header
from tidelog.sim.disk import SimDisk

HOUR_MS = 3_600_000


def make_log(**settings: object) -> Log:
    return open_log(SimDisk(), "/data/clicks-0", LogConfig(**settings))  # type: ignore[arg-type]


def refused(log: Log, data: memoryview | bytes, **options: object) -> KafkaError:
    with pytest.raises(KafkaError) as caught:
        log.append_as_leader(data, 0, NOW_MS, **options)  # type: ignore[arg-type]
    assert log.log_end_offset == 0
    assert log.active.size == 0
    return caught.value


def patched(data: memoryview, position: int, form: str, value: int, reseal: bool = True) -> memoryview:
    struct.pack_into(form, data, position, value)
    if reseal:
        struct.pack_into(">I", data, 17, crc32c(data[21:]))
    return data


HEADERS: list[tuple[str, Callable[[], memoryview], ErrorCode]] = [
    ("empty", lambda: memoryview(b""), ErrorCode.INVALID_RECORD),
    ("shorter than a header", lambda: batch("a")[:60], ErrorCode.INVALID_RECORD),
    ("cut off", lambda: batch("a")[:-1], ErrorCode.INVALID_RECORD),
    ("two batches", lambda: memoryview(bytearray(bytes(batch("a")) * 2)), ErrorCode.INVALID_RECORD),
    ("magic 0", lambda: patched(batch("a"), 16, ">b", 0), ErrorCode.INVALID_RECORD),
    ("magic 1", lambda: patched(batch("a"), 16, ">b", 1), ErrorCode.INVALID_RECORD),
    ("magic 3", lambda: patched(batch("a"), 16, ">b", 3), ErrorCode.CORRUPT_MESSAGE),
    ("length of nothing", lambda: patched(batch("a"), 8, ">i", 0), ErrorCode.CORRUPT_MESSAGE),
    ("negative length", lambda: patched(batch("a"), 8, ">i", -1), ErrorCode.CORRUPT_MESSAGE),
    ("huge length", lambda: patched(batch("a"), 8, ">i", 2**31 - 1), ErrorCode.INVALID_RECORD),
    ("base offset", lambda: patched(batch("a"), 0, ">q", 5), ErrorCode.INVALID_RECORD),
    ("wrong checksum", lambda: patched(batch("a"), 17, ">I", 1, reseal=False), ErrorCode.CORRUPT_MESSAGE),
    ("flipped bit", lambda: patched(batch("a"), 65, ">b", 99, reseal=False), ErrorCode.CORRUPT_MESSAGE),
    ("count too high", lambda: patched(batch("a"), 57, ">i", 2), ErrorCode.INVALID_RECORD),
    ("count negative", lambda: patched(batch("a"), 57, ">i", -1), ErrorCode.INVALID_RECORD),
    ("no records", lambda: patched(patched(batch("a"), 57, ">i", 0), 23, ">i", -1), ErrorCode.INVALID_RECORD),
    ("last delta wrong", lambda: patched(batch("a"), 23, ">i", 7), ErrorCode.INVALID_RECORD),
    (
        "count and delta too high",
        lambda: patched(patched(batch("a"), 57, ">i", 9), 23, ">i", 8),
        ErrorCode.INVALID_RECORD,
    ),
    ("control batch", lambda: batch("a", control=True), ErrorCode.INVALID_RECORD),
    ("producer without sequence", lambda: batch("a", producer_id=1, producer_epoch=0), ErrorCode.INVALID_RECORD),
    ("codec 5", lambda: patched(batch("a"), 21, ">h", 5), ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
    ("not what the codec says", lambda: patched(batch("a" * 50), 21, ">h", 4), ErrorCode.INVALID_RECORD),
    (
        "transactional without a transactional id",
        lambda: batch("a", producer_id=1, producer_epoch=0, base_sequence=0, transactional=True),
        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
    ),
]


@pytest.mark.parametrize(("make", "code"), [each[1:] for each in HEADERS], ids=[each[0] for each in HEADERS])
def test_a_bad_batch_is_refused_and_leaves_no_trace(make: Callable[[], memoryview], code: ErrorCode) -> None:
    assert refused(make_log(), make()).code is code


def test_records_that_do_not_add_up_are_refused() -> None:
    data = batch("a", "b")
    for position in range(61, len(data)):
        for value in (0, 1, 0x7F, 0xFF):
            changed = memoryview(bytearray(data))
            if changed[position] != value:
                changed[position] = value
                struct.pack_into(">I", changed, 17, crc32c(changed[21:]))
                log = make_log()
                if accepts(log, changed):
                    assert len(read_records(log)) == 2  # the change hit a key, a value or a timestamp


def accepts(log: Log, data: memoryview) -> bool:
    """False when it is refused with one of the errors for records that are not right."""
    try:
        log.append_as_leader(data, 0, NOW_MS)
    except KafkaError as error:
        if error.code not in (ErrorCode.INVALID_RECORD, ErrorCode.INVALID_TIMESTAMP):
            raise
        return False
    return True


def test_a_batch_larger_than_max_message_bytes() -> None:
    assert refused(make_log(max_message_bytes=100), batch("x" * 100)).code is ErrorCode.MESSAGE_TOO_LARGE
    assert make_log(max_message_bytes=200).append_as_leader(batch("x" * 100), 0, NOW_MS).base_offset == 0


def test_a_batch_larger_than_a_segment() -> None:
    assert refused(make_log(segment_bytes=100), batch("x" * 100)).code is ErrorCode.RECORD_LIST_TOO_LARGE


def test_a_compacted_topic_needs_keys_and_says_which_records_lack_them() -> None:
    error = refused(make_log(compact=True), memoryview(bytearray(build_batch(
        [Record(0, NOW_MS, key, b"v") for key in (b"k", None, b"k", None)]
    ))))  # fmt: skip
    assert isinstance(error, InvalidRecords)
    assert error.code is ErrorCode.INVALID_RECORD
    assert [each.batch_index for each in error.record_errors] == [1, 3]


@pytest.mark.parametrize("timestamp", [NOW_MS + HOUR_MS + 1, NOW_MS - 1001])
def test_timestamps_have_limits(timestamp: int) -> None:
    log = make_log(timestamp_before_max_ms=1000)
    error = refused(log, batch("a", timestamp=timestamp))
    assert error.code is ErrorCode.INVALID_TIMESTAMP
    assert isinstance(error, InvalidRecords)
    assert [each.batch_index for each in error.record_errors] == [0]


@pytest.mark.parametrize("timestamp", [-1, NOW_MS + HOUR_MS, NOW_MS - 1000])
def test_timestamps_within_the_limits_and_none_at_all_are_taken(timestamp: int) -> None:
    log = make_log(timestamp_before_max_ms=1000)
    append(log, "a", timestamp=timestamp)
    assert read_records(log)[0].timestamp == timestamp


def test_log_append_time_takes_any_timestamp_and_writes_its_own() -> None:
    log = make_log(log_append_time=True, timestamp_before_max_ms=0, timestamp_after_max_ms=0)
    info = log.append_as_leader(batch("a", "b", timestamp=5), 0, NOW_MS)
    assert info.log_append_time_ms == NOW_MS
    assert [record.timestamp for record in read_records(log)] == [NOW_MS, NOW_MS]
    found = log.read(0, 1000, 2)
    assert found is not None
    header = read_header(found.file.pread(found.length, 0))
    assert (header.timestamp_type, header.max_timestamp, header.base_timestamp) == (1, NOW_MS, 5)
    assert crc32c(found.file.pread(found.length, 0)[21:]) == header.crc


def test_a_producer_cannot_choose_the_timestamp_type() -> None:
    log = make_log()
    append(log, "a", append_timestamp=5)
    found = log.read(0, 1000, 1)
    assert found is not None
    assert read_header(found.file.pread(found.length, 0)).timestamp_type == 0
    assert refused(make_log(log_append_time=True), batch("a", append_timestamp=5)).code is ErrorCode.INVALID_TIMESTAMP


def test_a_wrong_max_timestamp_is_put_right() -> None:
    log = make_log()
    data = patched(batch("a"), 35, ">q", 17)
    log.append_as_leader(data, 0, NOW_MS)
    found = log.read(0, 1000, 1)
    assert found is not None
    raw = found.file.pread(found.length, 0)
    assert read_header(raw).max_timestamp == NOW_MS
    assert crc32c(raw[21:]) == read_header(raw).crc


@pytest.mark.parametrize("sent", list(Codec))
@pytest.mark.parametrize("wanted", list(Codec))
def test_a_topic_may_want_another_codec(sent: Codec, wanted: Codec) -> None:
    log = make_log(compression=wanted)
    append(log, "a" * 100, "b" * 100, codec=sent)
    found = log.read(0, 1000, 2)
    assert found is not None
    raw = found.file.pread(found.length, 0)
    assert read_header(raw).codec == wanted
    assert crc32c(raw[21:]) == read_header(raw).crc
    assert values(read_records(log)) == ["a" * 100, "b" * 100]


def test_a_batch_that_grows_over_the_limit_when_recompressed() -> None:
    data = batch("x" * 5000, codec=Codec.GZIP)
    log = make_log(compression=Codec.NONE, max_message_bytes=1000)
    assert refused(log, data).code is ErrorCode.MESSAGE_TOO_LARGE


def test_a_compressed_bomb_is_refused() -> None:
    data = batch(b"\0" * 2_000_000, codec=Codec.ZSTD)
    assert refused(make_log(inflated_bytes_max=1_000_000), data).code is ErrorCode.INVALID_RECORD


def test_with_header_checks_only_the_records_are_trusted() -> None:
    log = make_log(check_records=False)
    data = batch("a", "b")
    data[61:] = bytes(len(data) - 61)
    struct.pack_into(">I", data, 17, crc32c(data[21:]))
    assert log.append_as_leader(data, 0, NOW_MS).last_offset == 1
    log = make_log(check_records=False)
    assert refused(log, patched(batch("a"), 65, ">b", 1, reseal=False)).code is ErrorCode.CORRUPT_MESSAGE
    late = batch("a", timestamp=NOW_MS + 2 * HOUR_MS)
    assert refused(log, late).code is ErrorCode.INVALID_TIMESTAMP


def test_a_coordinator_may_write_control_batches() -> None:
    log = make_log()
    log.append_as_leader(batch("a", control=True), 0, NOW_MS, Origin.COORDINATOR)
    assert log.log_end_offset == 1


def test_config_reads_topic_settings() -> None:
    config = LogConfig.from_settings(
        {
            "segment.bytes": 123,
            "cleanup.policy": ("compact",),
            "compression.type": "zstd",
            "compression.zstd.level": 7,
            "message.timestamp.type": "LogAppendTime",
            "tidelog.record.check": "header",
        }
    )
    assert (config.segment_bytes, config.compact, config.delete) == (123, True, False)
    assert (config.compression, config.compression_level) == (Codec.ZSTD, 7)
    assert config.log_append_time
    assert not config.check_records
    assert LogConfig.from_settings({"compression.type": "producer"}).compression is None
    assert LogConfig.from_settings({"compression.type": "uncompressed"}).compression is Codec.NONE


def test_a_file_is_the_same_whoever_wrote_it(tmp_path: Path) -> None:
    """Nothing but the offset and the epoch of a batch changes on the way to the disk."""
    log = make_log()
    sent = bytes(batch("a", "b", codec=Codec.LZ4))
    log.append_as_leader(sent, 9, NOW_MS)
    found = log.read(0, 1000, 2)
    assert found is not None
    raw = found.file.pread(found.length, 0)
    assert raw[8:12] == sent[8:12]
    assert raw[16:] == sent[16:]
