"""Record batches: every field where Apache puts it, and records that come back as they went in."""

from dataclasses import dataclass

import pytest

from support.kernels import BOTH, use_kernels
from support.raw_batches import batch, record
from tidelog.protocol.compression import Codec
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.record_batch import (
    HEADER,
    LOG_APPEND_TIME,
    BatchHeader,
    CorruptBatch,
    InvalidBatch,
    Record,
    build_batch,
    check_crc,
    decode_records,
    iter_batches,
    marker_type,
    read_header,
    usual_marker,
)

RECORDS = [
    Record(0, 1_700_000_000_005, b"k", b"v", (("trace", b"\x00\x01"), ("n", None))),
    Record(1, 1_700_000_000_000, None, b"x" * 300),
    Record(2, 1_700_000_000_000, b"", None),
]


@dataclass
class Written:
    """A batch of RECORDS as Apache's broker stored it (offset 0, leader epoch 7, producer 4000)."""

    codec: Codec
    head: str
    body: str


BY_APACHE = [
    Written(
        Codec.NONE,
        "0000000000000000000001820000000702d35e54fa0000000000020000018bcfe568050000018bcfe568050000000000000fa0"
        "0003000000000000000328000000026b0276040a7472616365040001026e01e60400090201d804",
        "78" * 300 + "000c000904000100",
    ),
    Written(
        Codec.GZIP,
        "00000000000000000000006e0000000702ec5991380001000000020000018bcfe568050000018bcfe568050000000000000fa0"
        "00030000000000000003",
        "1f8b08000000000000ffd360606060ca662a63e12a294a4c4e65616064ca637cc6c2c0c9c47883a56214100d1878183881a1c7"
        "00004bd4a79051010000",
    ),
    Written(
        Codec.SNAPPY,
        "00000000000000000000007e0000000702c8d3a4880002000000020000018bcfe568050000018bcfe568050000000000000fa0"
        "00030000000000000003",
        "82534e4150505900000000010000000100000039d1027428000000026b0276040a7472616365040001026e01e60400090201d8"
        "0478fe0100fe0100fe0100fe0100aa01001c000c000904000100",
    ),
    Written(
        Codec.LZ4,
        "00000000000000000000006d00000007027ab8b31e0003000000020000018bcfe568050000018bcfe568050000000000000fa0"
        "00030000000000000003",
        "04224d186040822d000000ff0f28000000026b0276040a7472616365040001026e01e60400090201d804780100ff1980000c00"
        "090400010000000000",
    ),
    Written(
        Codec.ZSTD,
        "00000000000000000000006b0000000702a84de5f70004000000020000018bcfe568050000018bcfe568050000000000000fa0"
        "00030000000000000003",
        "28b52ffd0058740100640228000000026b0276040a7472616365040001026e01e60400090201d80478000c000904000100"
        "0100a2a8c009010000",
    ),
]


@pytest.fixture(params=BOTH, autouse=True)
def _kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    use_kernels(monkeypatch, request.param)


@pytest.mark.parametrize("written", BY_APACHE, ids=lambda written: written.codec.name)
def test_reads_what_apache_wrote(written: Written) -> None:
    stored = bytes.fromhex(written.head + written.body)
    header = read_header(stored)
    check_crc(stored, 0, header)
    assert header.size == len(stored)
    assert header.codec == written.codec
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (4000, 3, 0)
    assert header.max_timestamp == 1_700_000_000_005
    assert decode_records(stored) == RECORDS


def test_writes_what_apache_writes_bit_for_bit() -> None:
    ours = build_batch(
        RECORDS, producer_id=4000, producer_epoch=3, base_sequence=0, partition_leader_epoch=7, codec=Codec.NONE
    )
    assert ours.hex() == BY_APACHE[0].head + BY_APACHE[0].body


def test_lz4_batches_are_apaches_bit_for_bit() -> None:
    ours = build_batch(
        RECORDS, producer_id=4000, producer_epoch=3, base_sequence=0, partition_leader_epoch=7, codec=Codec.LZ4
    )
    assert decode_records(ours) == RECORDS
    assert ours[61:68].hex() == BY_APACHE[3].body[:14]


def test_the_header_is_61_bytes_and_reads_back() -> None:
    assert HEADER.size == 61
    made = build_batch(
        RECORDS,
        base_offset=2**40,
        producer_id=2**62,
        producer_epoch=32767,
        base_sequence=2**31 - 2,
        partition_leader_epoch=2**31 - 1,
        transactional=True,
    )
    header = read_header(made)
    assert header._asdict() | {"crc": 0} == {
        "base_offset": 2**40,
        "batch_length": len(made) - 12,
        "partition_leader_epoch": 2**31 - 1,
        "magic": 2,
        "crc": 0,
        "attributes": 0x10,
        "last_offset_delta": 2,
        "base_timestamp": 1_700_000_000_005,
        "max_timestamp": 1_700_000_000_005,
        "producer_id": 2**62,
        "producer_epoch": 32767,
        "base_sequence": 2**31 - 2,
        "records_count": 3,
    }
    assert header.last_offset == 2**40 + 2
    assert header.next_offset == 2**40 + 3
    assert header.last_sequence == 0  # wraps behind 2^31-1


def header(attributes: int, base_timestamp: int = 5) -> BatchHeader:
    return BatchHeader(0, 49, 0, 2, 0, attributes, 0, base_timestamp, 9, -1, -1, -1, 0)


def test_attribute_bits() -> None:
    assert [header(bits).codec for bits in range(8)] == list(range(8))
    assert header(0).timestamp_type == 0
    assert header(0x08).timestamp_type == LOG_APPEND_TIME
    assert header(0x10).is_transactional
    assert header(0x20).is_control
    assert not header(0x4F).is_transactional
    assert not header(0x4F).is_control
    assert header(0).delete_horizon_ms is None
    assert header(0x40, 123).delete_horizon_ms == 123
    assert header(0).last_sequence == -1


@pytest.mark.parametrize("codec", list(Codec))
def test_append_time_replaces_the_records_timestamps(codec: Codec) -> None:
    made = build_batch(RECORDS, codec=codec, append_timestamp=42)
    assert read_header(made).timestamp_type == LOG_APPEND_TIME
    assert [found.timestamp for found in decode_records(made)] == [42, 42, 42]


def test_a_delete_horizon_stands_in_the_base_timestamp_and_keeps_the_records() -> None:
    made = build_batch(RECORDS, delete_horizon_ms=1_800_000_000_000)
    assert read_header(made).delete_horizon_ms == 1_800_000_000_000
    assert read_header(made).max_timestamp == 1_700_000_000_005
    assert decode_records(made) == RECORDS


def test_offsets_with_gaps_survive_compaction() -> None:
    kept = [Record(103, 7, b"a", b"1"), Record(109, 8, b"b", None)]
    made = build_batch(kept, base_offset=100, keep_offsets=True, last_offset_delta=20)
    assert decode_records(made) == kept
    assert read_header(made).last_offset == 120
    assert read_header(build_batch(kept, base_offset=100, keep_offsets=True)).last_offset == 109


def test_a_batch_that_compaction_emptied() -> None:
    made = build_batch([], base_offset=50, last_offset_delta=9, producer_id=1, producer_epoch=0, base_sequence=4)
    assert decode_records(made) == []
    assert read_header(made).records_count == 0
    assert read_header(made).next_offset == 60
    assert read_header(made).max_timestamp == -1


@pytest.mark.parametrize(
    ("key", "expected"), [(b"\0\0\0\0", False), (b"\0\0\0\1", True), (b"\0\0\0\2", None), (b"\0\1\0\1", True)]
)
def test_transaction_markers(key: bytes, expected: bool | None) -> None:
    made = build_batch([Record(0, 1, key, b"\0\0\0\0\0\5")], producer_id=3, producer_epoch=1, control=True)
    assert read_header(made).is_control
    assert marker_type(made) is expected


@pytest.mark.parametrize("unusual", ["header", "value", "codec", "second"])
def test_markers_of_another_shape_than_the_usual(unusual: str) -> None:
    usual = Record(0, 1, b"\0\0\0\1", b"\0\0\0\0\0\5")
    assert usual_marker(build_batch([usual], control=True)) == (1, 5)
    records = {
        "header": [usual._replace(headers=(("h", b""),))],
        "value": [usual._replace(value=b"\0\1\0\0\0\5\0")],
        "codec": [usual],
        "second": [usual, usual],
    }[unusual]
    made = build_batch(records, codec=Codec.GZIP if unusual == "codec" else Codec.NONE, control=True)
    assert usual_marker(made) is None
    assert marker_type(made) is True


@pytest.mark.parametrize("key", [None, b"", b"\0\0\0"])
def test_a_control_batch_without_a_control_record_is_invalid(key: bytes | None) -> None:
    with pytest.raises(InvalidBatch):
        marker_type(build_batch([Record(0, 1, key, b"")], control=True))


def test_iterating_stops_before_a_batch_that_is_cut_off() -> None:
    one, two = build_batch(RECORDS), build_batch(RECORDS, base_offset=3, codec=Codec.ZSTD)
    assert [(pos, found.base_offset) for pos, found in iter_batches(one + two)] == [(0, 0), (len(one), 3)]
    for cut in (1, 12, 61, len(two) - 1):
        assert [pos for pos, _ in iter_batches(memoryview(one + two[:cut]))] == [0]


@pytest.mark.parametrize(
    "spoilt", [batch(b"", 0, magic=1), batch(b"", 0, batch_length=48), batch(b"", 0, batch_length=-1)]
)
def test_iterating_over_something_else_raises(spoilt: bytes) -> None:
    with pytest.raises(CorruptBatch) as caught:
        list(iter_batches(spoilt))
    assert caught.value.code is ErrorCode.CORRUPT_MESSAGE


@pytest.mark.parametrize("position", [17, 21, 30, 60, 61, 100, 397])
def test_a_flipped_bit_fails_the_checksum(position: int) -> None:
    made = bytearray(bytes.fromhex(BY_APACHE[0].head + BY_APACHE[0].body))
    made[position] ^= 4
    with pytest.raises(CorruptBatch):
        check_crc(made, 0, read_header(made))


def test_offset_and_epoch_are_not_covered_by_the_checksum() -> None:
    made = bytearray(build_batch(RECORDS))
    made[:8] = (77).to_bytes(8, "big")
    made[12:16] = (5).to_bytes(4, "big")
    check_crc(made, 0, read_header(made))


@pytest.mark.parametrize("length", [0, 12, 60])
def test_too_few_bytes_for_a_header(length: int) -> None:
    with pytest.raises(CorruptBatch):
        read_header(bytes(length))


@pytest.mark.parametrize("claimed", [-1, 10, 48, 10_000])
def test_a_length_that_does_not_fit_is_corrupt(claimed: int) -> None:
    with pytest.raises(CorruptBatch):
        decode_records(batch(record(), 1, batch_length=claimed))


def test_inflating_is_bounded() -> None:
    made = build_batch([Record(0, 0, None, bytes(1_000_000))], codec=Codec.ZSTD)
    with pytest.raises(InvalidBatch, match="100000 bytes allowed"):
        decode_records(made, max_bytes=100_000)


@pytest.mark.parametrize("count", [-1, 2, 1000, 2**31 - 1])
def test_a_count_beyond_the_records_costs_nothing(count: int) -> None:
    with pytest.raises(InvalidBatch):
        decode_records(batch(record(), 1, records_count=count))


def test_a_header_key_that_is_no_text_does_not_stop_a_reader() -> None:
    assert decode_records(batch(record(headers=[(b"\xff", b"1")]), 1))[0].headers == (("�", b"1"),)


def test_absurd_timestamps_are_held_at_64_bits() -> None:
    made = batch(record(timestamp_delta=2**63 - 1) + record(1, -(2**63)), 2, base_timestamp=5)
    assert [found.timestamp for found in decode_records(made)] == [2**63 - 1, -(2**63) + 5]
    made = batch(record(timestamp_delta=-(2**63)), 1, base_timestamp=-5)
    assert decode_records(made)[0].timestamp == -(2**63)
