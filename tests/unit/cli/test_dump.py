"""What kafka-dump-log prints of files made here."""

import struct
from pathlib import Path

import pytest

from tidelog.cli.dump import Dump
from tidelog.cli.record_decoders import metadata_decoder, offsets_decoder, plain_decoder, upper_name
from tidelog.cli.tool import Failure
from tidelog.protocol.group_records.offset_commit import OffsetCommitKey, OffsetCommitValue
from tidelog.protocol.metadata_records.topic_record import TopicRecord
from tidelog.protocol.primitives import write_uvarint
from tidelog.protocol.record_batch import Record, build_batch

NAME = "00000000000000000000"


def dumped(capfdbinary: pytest.CaptureFixture[bytes], path: Path, **options: object) -> list[str]:
    settings = {"decoder": None, "deep": False, "skip_metadata": False} | options
    dump = Dump(**settings)  # type: ignore[arg-type]
    dump.file(str(path))
    import sys

    sys.stdout.flush()
    lines = capfdbinary.readouterr().out.decode().splitlines()
    return lines[1:] + dump.complaints


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / f"{NAME}.log"
    records = [Record(5, 1000, b"k", b"v", (("h", b"x"),)), Record(6, 1001, None, b"w")]
    first = build_batch(records, base_offset=5, producer_id=9, producer_epoch=1, base_sequence=3)
    path.write_bytes(first + build_batch([Record(7, 1002, None, None)], base_offset=7))
    return path


def test_batches(log: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    lines = dumped(capfdbinary, log)
    assert lines[0] == "Log starting offset: 0"
    assert lines[1].startswith(
        "baseOffset: 5 lastOffset: 6 count: 2 baseSequence: 3 lastSequence: 4 producerId: 9 producerEpoch: 1 "
        "partitionLeaderEpoch: -1 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty "
        "position: 0 CreateTime: 1001 size: 82 magic: 2 compresscodec: none crc: "
    )
    assert lines[1].endswith(" isvalid: true")
    assert len(lines) == 3


def test_records(log: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    decoder = plain_decoder("StringDecoder", "StringDecoder")
    lines = dumped(capfdbinary, log, deep=True, decoder=decoder)
    assert lines[2] == (
        "| offset: 5 CreateTime: 1000 keySize: 1 valueSize: 1 sequence: 3 headerKeys: [h] key: k payload: v"
    )
    assert lines[3] == "| offset: 6 CreateTime: 1001 keySize: -1 valueSize: 1 sequence: 4 headerKeys: [] payload: w"
    assert lines[5] == "| offset: 7 CreateTime: 1002 keySize: -1 valueSize: -1 sequence: -1 headerKeys: []"
    assert dumped(capfdbinary, log, deep=True, decoder=decoder, skip_metadata=True)[2] == "| key: k payload: v"


def test_a_torn_tail_and_a_flipped_bit(log: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    data = bytearray(log.read_bytes())
    data[80] ^= 1
    log.write_bytes(bytes(data) + b"torn")
    lines = dumped(capfdbinary, log)
    assert lines[1].endswith("isvalid: false")
    assert lines[-1] == f"Found 4 invalid bytes at the end of {NAME}.log"


def test_a_gap_between_offsets_is_told(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / f"{NAME}.log"
    path.write_bytes(b"".join(build_batch([Record(o, 1, None, b"v")], base_offset=o) for o in (0, 1, 5)))
    assert dumped(capfdbinary, path, deep=True)[-1] == "  1 is followed by 5"


def test_indexes_are_checked_against_the_log(log: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    index, times = log.with_suffix(".index"), log.with_suffix(".timeindex")
    index.write_bytes(struct.pack(">iiii", 6, 0, 7, 82) + bytes(16))
    assert dumped(capfdbinary, index) == ["offset: 6 position: 0", "offset: 7 position: 82"]
    index.write_bytes(struct.pack(">ii", 5, 0))
    assert dumped(capfdbinary, index)[-1] == "  Index offset: 5, log offset: 6"
    times.write_bytes(struct.pack(">qi", 1001, 6))
    assert dumped(capfdbinary, times) == ["timestamp: 1001 offset: 6"]
    times.write_bytes(struct.pack(">qi", 999, 6))
    assert dumped(capfdbinary, times)[-1] == "  Index timestamp: 999, log timestamp: 1001"


def test_transaction_index(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / f"{NAME}.txnindex"
    path.write_bytes(struct.pack(">hqqqq", 0, 5, 3, 4, 5))
    assert dumped(capfdbinary, path) == ["version: 0 producerId: 5 firstOffset: 3 lastOffset: 4 lastStableOffset: 5"]


def test_a_missing_file_is_named(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(Failure, match="cannot be read"):
        dumped(capfdbinary, tmp_path / f"{NAME}.log")


def test_offset_commits_and_tombstones() -> None:
    key = b"\x00\x01" + OffsetCommitKey(group="g", topic="t", partition=2).encode(0)
    value = b"\x00\x04" + OffsetCommitValue(offset=7, metadata="m", commit_timestamp=9).encode(4)
    decode = offsets_decoder()
    assert decode(Record(0, 0, key, value)) == (
        b'{"type":"1","data":{"group":"g","topic":"t","partition":2}}',
        b'{"version":"4","data":{"offset":7,"leaderEpoch":-1,"metadata":"m","commitTimestamp":9}}',
    )
    assert decode(Record(0, 0, key, None))[1] == b"<DELETE>"
    assert decode(Record(3, 0, b"\x00\x63", b"")) == (b"Unknown record type 99 at offset 3, skipping.", None)


def test_metadata_records() -> None:
    frame = bytearray()
    for number in (1, TopicRecord.API_KEY, 0):
        write_uvarint(frame, number)
    body = TopicRecord(name="t", topic_id=bytes(16)).encode(0)
    _, shown = metadata_decoder()(Record(0, 0, None, bytes(frame) + body))
    assert shown == (b'{"type":"TOPIC_RECORD","version":0,"data":{"name":"t","topicId":"AAAAAAAAAAAAAAAAAAAAAA"}}')
    assert metadata_decoder()(Record(4, 0, None, b"\x01\x7f\x00"))[1] == b"Error at 4, skipping. 127"


def test_names_of_metadata_records() -> None:
    assert upper_name("RegisterBrokerRecord") == "REGISTER_BROKER_RECORD"
