"""Every bad batch of the unit tests, given to a real log of Apache Kafka: the same answer, or the one we know of.

What it stores is compared too: header, timestamps and records, with every codec read there and every codec read here.
"""

import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from peer.programs import java_program
from support.produced import CASES, Case
from support.raw_batches import NOW_MS, batch, record
from tidelog.log.config import LogConfig
from tidelog.protocol.compression import Codec, compress
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.record_batch import check_crc, decode_records, read_header
from tidelog.protocol.records_validate import prepare_batch

pytestmark = pytest.mark.apache

SETTINGS = {
    "": "-",
    "compacted": "cleanup.policy=compact",
    "append time": "message.timestamp.type=LogAppendTime",
    "bounded": "message.timestamp.before.max.ms=5000",
    "small": "max.message.bytes=1000",
}
TYPES = {Codec.NONE: "uncompressed", Codec.GZIP: "gzip", Codec.SNAPPY: "snappy", Codec.LZ4: "lz4", Codec.ZSTD: "zstd"}
BODY = record(0, 5, headers=[(b"a", b"b"), (b"c", None)]) + record(1, 9, key=None) + record(2, 7, value=b"x" * 70_000)
PAIRS = [(source, target) for source in Codec for target in Codec]


class Answer(NamedTuple):
    error: str
    kind: str
    message: str
    bad_records: tuple[int, ...]
    stored: bytes


def produced(codec: Codec) -> bytes:
    return batch(compress(codec, BODY), 3, attributes=codec, max_timestamp=NOW_MS + 9)


def _parse(line: str) -> Answer:
    error, kind, message, each, stored = line.split("\t")
    bad = tuple(int(row.partition(":")[0]) for row in each.split(";") if row)
    return Answer(error, kind, message, bad, bytes.fromhex(stored))


@cache
def answers() -> dict[object, Answer]:
    """One JVM answers for all."""
    questions: dict[object, str] = {case.name: f"{SETTINGS[case.topic]} {case.batch.hex()}" for case in CASES}
    for source, target in PAIRS:
        for time in ("CreateTime", "LogAppendTime"):
            settings = f"compression.type={TYPES[target]},message.timestamp.type={time}"
            questions[source, target, time] = f"{settings} {produced(source).hex()}"
    command = java_program(Path(__file__).parent / "records_oracle", "RecordsOracle")
    done = subprocess.run(
        [*command, str(NOW_MS)], input="\n".join(questions.values()), capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(zip(questions, map(_parse, done.stdout.splitlines()), strict=True))


def test_names_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_apache_answers_the_same_or_as_we_know(case: Case) -> None:
    answer = answers()[case.name]
    assert answer.error == (case.apache or case.error.name), answer.message
    if case.apache is None and case.error is not ErrorCode.NONE:
        assert answer.bad_records == case.bad_records


@pytest.mark.parametrize("case", [case for case in CASES if case.error is ErrorCode.NONE], ids=lambda case: case.name)
def test_the_stored_batch_is_the_same(case: Case) -> None:
    settings = {"append time": LogConfig(log_append_time=True), "compacted": LogConfig(compact=True)}
    ours, *_ = prepare_batch(memoryview(bytearray(case.batch)), settings.get(case.topic, LogConfig()), NOW_MS)
    theirs = answers()[case.name].stored
    assert bytes(ours[16:]) == theirs[16:]  # before that come the offset and the epoch, which the log assigns


@pytest.mark.parametrize("time", ["CreateTime", "LogAppendTime"])
@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda codec: codec.name)
def test_recompression_stores_the_same_records(source: Codec, target: Codec, time: str) -> None:
    rules = LogConfig(compression=target, log_append_time=time == "LogAppendTime")
    ours, *_ = prepare_batch(memoryview(bytearray(produced(source))), rules, NOW_MS)
    answer = answers()[source, target, time]
    assert answer.error == "NONE", answer.message
    theirs, header = read_header(answer.stored), read_header(ours)
    check_crc(answer.stored, 0, theirs)
    assert (header.attributes, header.max_timestamp) == (theirs.attributes, theirs.max_timestamp)
    expected = [found._replace(offset=index) for index, found in enumerate(decode_records(answer.stored))]
    assert decode_records(ours) == expected
