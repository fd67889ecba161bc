"""Produced batches that are right, wrong in one place, or to be rewritten: what becomes of each.

Where a comment says so, Apache's broker answers otherwise; tests/conformance/test_record_checks.py asks it.
"""

from dataclasses import dataclass, replace

import pytest

from support.kernels import BOTH, use_kernels
from support.produced import CASES, Case
from support.raw_batches import NOW_MS, batch, record, varint
from tidelog.protocol.compression import Codec, compress
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import LOG_APPEND_TIME, check_crc, decode_records, read_header
from tidelog.protocol.records_validate import InvalidRecords, prepare_batch

ALL = [Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD]


@dataclass(frozen=True)
class Rules:
    max_message_bytes: int = 1_048_588
    inflated_bytes_max: int = 10_000_000
    check_records: bool = True
    compact: bool = False
    log_append_time: bool = False
    timestamp_before_max_ms: int = 2**63 - 1
    timestamp_after_max_ms: int = 3_600_000
    compression: int | None = None
    compression_level: int | None = None


RULES = {
    "": Rules(),
    "compacted": Rules(compact=True),
    "append time": Rules(log_append_time=True),
    "bounded": Rules(timestamp_before_max_ms=5_000),
    "small": Rules(max_message_bytes=1_000),
}


@pytest.fixture(params=BOTH, autouse=True)
def _kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    use_kernels(monkeypatch, request.param)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_bad_batch_gets_its_error(case: Case) -> None:
    rules = RULES[case.topic]
    made = bytearray(case.batch)
    if case.error is ErrorCode.NONE:
        prepared, *_ = prepare_batch(memoryview(made), rules, NOW_MS)
        check_crc(prepared, 0, read_header(prepared))
        return
    with pytest.raises(KafkaError) as caught:
        prepare_batch(memoryview(made), rules, NOW_MS)
    assert caught.value.code is case.error, caught.value
    assert caught.value.message.endswith(".")
    if isinstance(caught.value, InvalidRecords):
        assert [error.batch_index for error in caught.value.record_errors] == list(case.bad_records)
    assert made == case.batch  # a refused batch is left as it was


def body_of(*records: bytes) -> bytes:
    return b"".join(records)


GOOD = body_of(record(0, 5, headers=[(b"a", b"b")]), record(1, 9, key=None), record(2, 9, value=b"x" * 500))


def packed(codec: Codec, body: bytes = GOOD, count: int = 3, **changed: int) -> memoryview:
    changed.setdefault("max_timestamp", NOW_MS + 9)
    attributes = codec | changed.pop("attributes", 0)
    return memoryview(bytearray(batch(compress(codec, body), count, attributes=attributes, **changed)))


@pytest.mark.parametrize("codec", ALL)
def test_a_good_batch_passes_as_it_is(codec: Codec) -> None:
    made = packed(codec, producer_id=7, producer_epoch=2, base_sequence=11)
    before = bytes(made)
    prepared, header, max_timestamp, max_delta = prepare_batch(made, Rules(), NOW_MS)
    assert prepared is made
    assert bytes(made) == before
    assert header == tuple(read_header(before))
    assert (max_timestamp, max_delta) == (NOW_MS + 9, 1)


@pytest.mark.parametrize("codec", ALL)
@pytest.mark.parametrize("stated", [NOW_MS, NOW_MS + 10**9, -1])
def test_the_header_gets_the_records_latest_timestamp(codec: Codec, stated: int) -> None:
    prepared, _, max_timestamp, _ = prepare_batch(packed(codec, max_timestamp=stated), Rules(), NOW_MS)
    assert read_header(prepared).max_timestamp == NOW_MS + 9 == max_timestamp
    check_crc(prepared, 0, read_header(prepared))


@pytest.mark.parametrize("codec", ALL)
def test_append_time_is_written_into_the_header(codec: Codec) -> None:
    made = packed(codec)
    body = bytes(made[61:])
    prepared, _, max_timestamp, max_delta = prepare_batch(made, Rules(log_append_time=True), NOW_MS + 777)
    header = read_header(prepared)
    assert header.timestamp_type == LOG_APPEND_TIME
    assert header.max_timestamp == NOW_MS + 777 == max_timestamp
    assert max_delta == 2
    check_crc(prepared, 0, header)
    assert bytes(prepared[61:]) == body
    assert {found.timestamp for found in decode_records(prepared)} == {NOW_MS + 777}


def test_a_read_only_batch_is_copied_before_it_is_changed() -> None:
    made = bytes(packed(Codec.NONE))
    prepared, *_ = prepare_batch(memoryview(made), Rules(log_append_time=True), NOW_MS)
    assert read_header(prepared).timestamp_type == LOG_APPEND_TIME
    assert not prepared.readonly


def test_the_bit_for_append_time_is_taken_off_where_the_topic_keeps_create_time() -> None:
    prepared, *_ = prepare_batch(packed(Codec.NONE, attributes=8), Rules(), NOW_MS)
    assert read_header(prepared).attributes == 0
    check_crc(prepared, 0, read_header(prepared))


@pytest.mark.parametrize("source", ALL)
@pytest.mark.parametrize("target", ALL)
@pytest.mark.parametrize("append_time", [False, True])
def test_recompression(source: Codec, target: Codec, append_time: bool) -> None:
    made = packed(source, attributes=0x10, producer_id=7, producer_epoch=2, base_sequence=11)
    expected = decode_records(made)
    rules = Rules(compression=target, log_append_time=append_time)
    prepared, _, max_timestamp, _ = prepare_batch(made, rules, NOW_MS + 50)
    header = read_header(prepared)
    check_crc(prepared, 0, header)
    assert header.size == len(prepared)
    assert header.codec == target
    assert header.is_transactional
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (7, 2, 11)
    assert header.max_timestamp == max_timestamp == NOW_MS + (50 if append_time else 9)
    if append_time:
        expected = [found._replace(timestamp=NOW_MS + 50) for found in expected]
    assert decode_records(prepared) == expected
    assert (prepared is made) == (source == target)


def test_recompression_uses_the_level() -> None:
    body = body_of(*(record(index, value=b"%d text " % index * 9) for index in range(300)))
    sizes = [
        len(prepare_batch(packed(Codec.NONE, body, 300, max_timestamp=NOW_MS), rules, NOW_MS)[0])
        for rules in (Rules(compression=4, compression_level=1), Rules(compression=4, compression_level=19))
    ]
    assert sizes[1] < sizes[0]


def test_too_large_after_recompression() -> None:
    body = record(value=bytes(50_000))
    made = packed(Codec.ZSTD, body, 1, max_timestamp=NOW_MS)
    with pytest.raises(KafkaError) as caught:
        prepare_batch(made, Rules(compression=0, max_message_bytes=10_000), NOW_MS)
    assert caught.value.code is ErrorCode.MESSAGE_TOO_LARGE
    prepare_batch(made, Rules(compression=1, max_message_bytes=10_000), NOW_MS)


@pytest.mark.parametrize("codec", ALL[1:])
def test_a_bomb_is_refused(codec: Codec) -> None:
    made = packed(codec, record(value=bytes(3_000_000)), 1, max_timestamp=NOW_MS)
    with pytest.raises(InvalidRecords, match="2000000 bytes allowed"):
        prepare_batch(made, Rules(inflated_bytes_max=2_000_000), NOW_MS)


@pytest.mark.parametrize("codec", ALL)
def test_a_topic_may_trust_header_and_checksum(codec: Codec) -> None:
    made = packed(codec, b"no records at all", 3)
    prepared, _, max_timestamp, _ = prepare_batch(made, Rules(check_records=False), NOW_MS)
    assert prepared is made
    assert max_timestamp == NOW_MS + 9
    with pytest.raises(KafkaError):
        prepare_batch(memoryview(bytearray(batch(GOOD, 3, crc=1))), Rules(check_records=False), NOW_MS)
    with pytest.raises(KafkaError) as caught:
        prepare_batch(packed(codec, max_timestamp=NOW_MS + 10**9), Rules(check_records=False), NOW_MS)
    assert caught.value.code is ErrorCode.INVALID_TIMESTAMP
    for unknown in (5, 6, 7):
        with pytest.raises(KafkaError) as caught:
            prepare_batch(memoryview(bytearray(batch(GOOD, 3, attributes=unknown))), Rules(check_records=False), NOW_MS)
        assert caught.value.code is ErrorCode.UNSUPPORTED_COMPRESSION_TYPE


def test_the_first_thousand_bad_records_are_named() -> None:
    body = body_of(*(record(index, key=None) for index in range(5_000)))
    with pytest.raises(InvalidRecords) as caught:
        prepare_batch(packed(Codec.NONE, body, 5_000, max_timestamp=NOW_MS), Rules(compact=True), NOW_MS)
    assert [error.batch_index for error in caught.value.record_errors] == list(range(1000))


def test_every_single_byte_changed_under_a_right_checksum_is_answered() -> None:
    """No byte of a record can be set to anything that does more than change the records or be refused."""
    for position in range(len(GOOD)):
        for value in {0, 1, 0x7F, 0x80, 0xFF, GOOD[position] ^ 1}:
            body = GOOD[:position] + bytes([value]) + GOOD[position + 1 :]
            try:
                prepared, *_ = prepare_batch(packed(Codec.NONE, body), Rules(), NOW_MS)
            except KafkaError:
                continue
            assert [found.offset for found in decode_records(prepared)] == [0, 1, 2]


def test_a_timestamp_at_the_very_edge_passes() -> None:
    rules = Rules(timestamp_before_max_ms=1000, timestamp_after_max_ms=2000)
    for delta, fits in ((-1000, True), (-1001, False), (2000, True), (2001, False)):
        made = packed(Codec.NONE, record(0, delta), 1, max_timestamp=NOW_MS + delta)
        if fits:
            prepare_batch(made, rules, NOW_MS)
        else:
            with pytest.raises(InvalidRecords) as caught:
                prepare_batch(made, rules, NOW_MS)
            assert caught.value.code is ErrorCode.INVALID_TIMESTAMP


def test_absurd_bounds_do_not_overflow() -> None:
    rules = Rules(timestamp_before_max_ms=2**63 - 1, timestamp_after_max_ms=2**63 - 1)
    made = packed(Codec.NONE, record(timestamp_varint=varint(2**62)), 1, base_timestamp=2**62, max_timestamp=0)
    checked = prepare_batch(made, rules, NOW_MS)
    assert checked.max_timestamp == 2**63 - 1
    with pytest.raises(InvalidRecords):
        prepare_batch(made, replace(rules, timestamp_after_max_ms=0), NOW_MS)
