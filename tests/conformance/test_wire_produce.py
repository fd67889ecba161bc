"""Produce: every version, and batches with one thing wrong. What is refused must leave nothing behind."""

import struct
import time
from typing import Any

import pytest

from conformance.batches import START_MS, altered, batch, raw_records, record, zigzag
from conformance.brokers import Both, Broker
from conformance.requests import end_offset, fetch, produce
from tidelog.protocol.compression import Codec, compress
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from tidelog.protocol.record_batch import HEADER, Record, build_batch

GOOD = batch()
HOUR_MS = 3_600_000
KEYLESS = batch(key=None)


def attempt(broker: Broker, topic: str, data: bytes | None, **options: Any) -> Any:
    """Produce to a fresh topic; give the answer and what the log holds after it."""
    settings = options.pop("settings", {})
    broker.create(topic, 1, **settings)
    answer = produce(broker, topic, data, **options)
    return {"answer": answer, "end": end_offset(broker, topic), "records": fetch(broker, topic, 0).records}


@pytest.mark.parametrize("version", range(3, 13))
def test_every_version(both: Both, topic: str, version: int) -> None:
    both.same(lambda broker: attempt(broker, topic, GOOD, version=version))


def test_version_13_names_topics_by_id(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        topic_id = broker.create(topic)
        parts = [PartitionProduceData(index=index, records=GOOD) for index in (0, 1)]
        topics = [TopicProduceData(topic_id=each, partition_data=parts) for each in (topic_id, b"\x07" * 16)]
        answer = broker.call(ProduceRequest(acks=-1, timeout_ms=5000, topic_data=topics), 13)
        for each in answer.responses:
            each.partition_responses.sort(key=lambda p: p.index)
        return [each.partition_responses for each in answer.responses]

    both.same(step)


# Each is a batch with one thing wrong; the checksum is right unless it is the thing.
WRONG = {
    "checksum": altered(GOOD, crc=1),
    "payload flipped": GOOD[:-3] + bytes([GOOD[-3] ^ 1]) + GOOD[-2:],
    "magic 0": altered(GOOD, magic=0),
    "magic 1": altered(GOOD, magic=1),
    "magic 3": altered(GOOD, magic=3),
    "magic -1": altered(GOOD, magic=-1),
    "length one short": altered(GOOD, batch_length=len(GOOD) - 13),
    "length one long": altered(GOOD, batch_length=len(GOOD) - 11),
    "length huge": altered(GOOD, batch_length=2**31 - 1),
    "length negative": altered(GOOD, batch_length=-5),
    "length zero": altered(GOOD, batch_length=0),
    "length below the header": altered(GOOD, batch_length=20),
    "count too small": altered(GOOD, records_count=2),
    "count too large": altered(GOOD, records_count=4),
    "count zero": altered(GOOD, records_count=0),
    "count negative": altered(GOOD, records_count=-1),
    "count huge": altered(GOOD, records_count=2**31 - 1),
    "last offset delta small": altered(GOOD, last_offset_delta=1),
    "last offset delta large": altered(GOOD, last_offset_delta=3),
    "last offset delta and count": altered(GOOD, last_offset_delta=3, records_count=4),
    "last offset delta negative": altered(GOOD, last_offset_delta=-1),
    "base offset 7": altered(GOOD, base_offset=7),
    "base offset negative": altered(GOOD, base_offset=-1),
    "leader epoch set": altered(GOOD, partition_leader_epoch=9),
    "control": altered(GOOD, attributes=0x20),
    "transactional": altered(GOOD, attributes=0x10),
    "append time": altered(GOOD, attributes=0x08),
    "delete horizon": altered(GOOD, attributes=0x40),
    "unknown attribute": altered(GOOD, attributes=0x80),
    "unknown codec": altered(GOOD, attributes=5),
    "codec bits without compression": altered(GOOD, attributes=1),
    "zstd bits without compression": altered(GOOD, attributes=4),
    "max timestamp lies": altered(GOOD, max_timestamp=START_MS + 999),
    "max timestamp unset": altered(GOOD, max_timestamp=-1),
    "two batches": GOOD + GOOD,
    "empty": b"",
    "half a header": GOOD[:30],
    "header only": GOOD[: HEADER.size],
    "cut in the records": GOOD[:-1],
    "producer without epoch": altered(GOOD, producer_id=5),
    "epoch without producer": altered(GOOD, producer_epoch=5),
    "sequence without producer": altered(GOOD, base_sequence=5),
    "producer with negative sequence": altered(GOOD, producer_id=5, producer_epoch=0, base_sequence=-3),
}


@pytest.mark.parametrize("name", WRONG)
def test_batches_with_one_thing_wrong(both: Both, topic: str, name: str) -> None:
    both.same(lambda broker: attempt(broker, topic, WRONG[name]))


def test_bytes_after_the_batch(both: Both, topic: str) -> None:
    """Apache drops what cannot be another batch; we refuse the request, since part of what it holds would be lost."""
    assert attempt(both.ours, topic, GOOD + b"garbage")["answer"].error_code == ErrorCode.INVALID_RECORD
    assert end_offset(both.ours, topic) == 0
    assert attempt(both.apache, topic, GOOD + b"garbage")["answer"].error_code == 0


RECORDS = {
    "length too long": raw_records(record(length=100)),
    "length too short": raw_records(record(length=3)),
    "length negative": raw_records(record(length=-1)),
    "length off by one": raw_records(record(length=8), record(1)),
    "key length past the end": raw_records(record(key_length=50)),
    "key length -2": raw_records(record(key=None, key_length=-2)),
    "record attributes set": raw_records(record(attributes=0x55)),
    "header count huge": raw_records(record(headers=zigzag(2**31 - 1))),
    "header count negative": raw_records(record(headers=zigzag(-1))),
    "header count lies": raw_records(record(headers=zigzag(2) + zigzag(1) + b"h" + zigzag(0))),
    "header key null": raw_records(record(headers=zigzag(1) + zigzag(-1) + zigzag(0))),
    "header value past the end": raw_records(record(headers=zigzag(1) + zigzag(1) + b"h" + zigzag(9))),
    "header value null": raw_records(record(headers=zigzag(1) + zigzag(1) + b"h" + zigzag(-1))),
    "header key not utf-8": raw_records(record(headers=zigzag(1) + zigzag(1) + b"\xff" + zigzag(0))),
    "varint too long": raw_records(b"\x80\x80\x80\x80\x80\x80\x01" + record()),
    "bytes after the last record": raw_records(record(), b"\0\0\0", records_count=1),
    "negative timestamp delta": raw_records(record(timestamp_delta=-5)),
    "null value": raw_records(record(value=None)),
    "null key and value": raw_records(record(key=None, value=None)),
    "empty records": raw_records(),
}


@pytest.mark.parametrize("name", RECORDS)
def test_records_with_one_thing_wrong(both: Both, topic: str, name: str) -> None:
    both.same(lambda broker: attempt(broker, topic, RECORDS[name]))


DELTAS = {
    "offset deltas 1, 2": raw_records(record(1), record(2)),
    "offset deltas 0, 2": raw_records(record(0), record(2)),
    "offset deltas 1, 0": raw_records(record(1), record(0)),
    "offset deltas 0, 0": raw_records(record(0), record(0)),
    "negative offset delta": raw_records(record(-1)),
}


@pytest.mark.parametrize("name", DELTAS)
def test_offset_deltas_must_count_up_from_zero(both: Both, topic: str, name: str) -> None:
    """Apache looks at the deltas of compressed batches only; here two records never share an offset or leave a gap."""
    assert attempt(both.ours, topic, DELTAS[name])["answer"].error_code == ErrorCode.INVALID_RECORD
    assert end_offset(both.ours, topic) == 0
    assert attempt(both.apache, topic, DELTAS[name])["answer"].error_code == 0


def compressed(codec: Codec, body: bytes, count: int) -> bytes:
    packed = compress(codec, body)
    return altered(
        GOOD[: HEADER.size] + packed,
        attributes=int(codec),
        batch_length=HEADER.size - 12 + len(packed),
        records_count=count,
        last_offset_delta=count - 1,
    )


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD])
class TestCompressed:
    def test_good(self, both: Both, topic: str, codec: Codec) -> None:
        both.same(lambda broker: attempt(broker, topic, batch(50, codec=codec)))

    @pytest.mark.parametrize("wrong", ["count", "deltas", "keyless", "tail", "truncated", "noise", "empty"])
    def test_wrong_inside(self, both: Both, topic: str, codec: Codec, wrong: str) -> None:
        two = record(0) + record(1)
        whole = compressed(codec, two, 2)
        cut = whole[:-5]
        data = {
            "count": compressed(codec, two, 3),
            "deltas": compressed(codec, record(1) + record(2), 2),
            "keyless": batch(key=None, codec=codec),
            "tail": compressed(codec, two + b"\0\0", 2),
            "truncated": altered(cut, batch_length=len(cut) - 12),
            "noise": altered(GOOD, attributes=int(codec)),
            "empty": altered(GOOD[: HEADER.size], attributes=int(codec), batch_length=HEADER.size - 12),
        }[wrong]
        settings = {"cleanup_policy": "compact"} if wrong == "keyless" else {}
        both.same(lambda broker: attempt(broker, topic, data, settings=settings))


LIMITS = {"message_timestamp_before_max_ms": "60000", "message_timestamp_after_max_ms": "60000"}
APPEND_TIME = {"message_timestamp_type": "LogAppendTime"}
TIMESTAMPS = {
    "zero": (0, {}),
    "unset": (-1, {}),
    "negative": (-2, {}),
    "far": (2**62, {}),
    "two hours ahead": ("now", 2 * HOUR_MS, {}),
    "two hours old, limited": ("now", -2 * HOUR_MS, LIMITS),
    "two hours ahead, limited": ("now", 2 * HOUR_MS, LIMITS),
    "unset, limited": (-1, LIMITS),
    "zero, append time": (0, APPEND_TIME),
    "far, append time": (2**62, APPEND_TIME),
    "unset, append time": (-1, APPEND_TIME),
}


@pytest.mark.parametrize("name", TIMESTAMPS)
def test_timestamps(both: Both, topic: str, name: str) -> None:
    *first, settings = TIMESTAMPS[name]
    timestamp = int(time.time() * 1000) + first[1] if first[0] == "now" else first[0]
    both.same(lambda broker: attempt(broker, topic, batch(timestamp=timestamp), settings=settings))


@pytest.mark.parametrize("codec", [Codec.NONE, Codec.GZIP, Codec.ZSTD])
@pytest.mark.parametrize("policy", ["compact", "compact,delete"])
def test_keyless_on_compacted(both: Both, topic: str, codec: Codec, policy: str) -> None:
    mixed = build_batch([Record(0, START_MS, b"k", b"v"), Record(1, START_MS, None, b"v")], codec=codec)
    answer = both.same(lambda broker: attempt(broker, topic, mixed, settings={"cleanup_policy": policy}))
    assert answer["answer"]["error_code"] == 87


@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_size_limit_is_exact(both: Both, topic: str, extra: int) -> None:
    both.same(lambda broker: attempt(broker, topic, GOOD, settings={"max_message_bytes": str(len(GOOD) + extra)}))


@pytest.mark.parametrize("kind", ["producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"])
@pytest.mark.parametrize("codec", [Codec.NONE, Codec.GZIP, Codec.LZ4])
def test_recompression(both: Both, topic: str, kind: str, codec: Codec) -> None:
    both.same(lambda b: attempt(b, topic, batch(20, codec=codec), settings={"compression_type": kind}))


def test_recompression_beyond_the_size_limit(both: Both, topic: str) -> None:
    packed = build_batch([Record(0, START_MS, b"k", b"x" * 5000)], codec=Codec.GZIP)
    settings = {"compression_type": "uncompressed", "max_message_bytes": "1000"}
    both.same(lambda broker: attempt(broker, topic, packed, settings=settings))


@pytest.mark.parametrize("acks", [1, -1, 2, -2, 32767])
def test_acks(both: Both, topic: str, acks: int) -> None:
    both.same(lambda broker: attempt(broker, topic, GOOD, acks=acks))


def test_acks_0_has_no_answer_and_an_error_ends_the_connection(both: Both, topic: str) -> None:
    def step(broker: Broker, data: bytes) -> Any:
        parts = [PartitionProduceData(index=0, records=data)]
        request = ProduceRequest(
            acks=0, timeout_ms=5000, topic_data=[TopicProduceData(name=topic, partition_data=parts)]
        )
        with broker.connect() as wire:
            wire.send(request, 9)
            wire.socket.settimeout(1)
            try:
                return wire.is_closed()
            except TimeoutError:
                return "open and silent"

    both.ours.create(topic)
    both.apache.create(topic)
    assert both.same(step, GOOD) == "open and silent"
    both.same(step, altered(GOOD, crc=1))


@pytest.mark.parametrize("version", [3, 9, 12])
def test_unknown_topics_and_partitions(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        return [
            produce(broker, f"{topic}-nowhere", GOOD, version),
            produce(broker, topic, GOOD, version, index=1),
            produce(broker, topic, GOOD, version, index=-1),
            produce(broker, "bad name", GOOD, version),
            produce(broker, "", GOOD, version),
        ]

    both.same(step)


def test_one_request_with_good_and_bad_partitions(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 3)
        datas = (GOOD, WRONG["checksum"], WRONG["count too large"], GOOD)
        parts = [PartitionProduceData(index=index, records=data) for index, data in enumerate(datas)]
        topics = [TopicProduceData(name=topic, partition_data=parts)]
        answer = broker.call(ProduceRequest(acks=-1, timeout_ms=5000, topic_data=topics), 12)
        answer.responses[0].partition_responses.sort(key=lambda p: p.index)
        return answer

    both.same(step)


def test_the_same_partition_twice_in_a_request(both: Both, topic: str) -> None:
    """No client does it. Apache keeps the second batch and forgets the first; we keep both and answer for both."""
    for broker, count in ((both.ours, 2), (both.apache, 1)):
        broker.create(topic)
        parts = [PartitionProduceData(index=0, records=GOOD) for _ in range(2)]
        topics = [TopicProduceData(name=topic, partition_data=parts)]
        answer = broker.call(ProduceRequest(acks=-1, timeout_ms=5000, topic_data=topics), 12)
        assert [part.error_code for part in answer.responses[0].partition_responses] == [0] * count
        assert end_offset(broker, topic) == 3 * count


def test_internal_topics_are_not_written_by_clients(both: Both) -> None:
    both.same(lambda broker: produce(broker, "__cluster_metadata", GOOD))


def test_a_transactional_request_with_a_plain_batch(both: Both, topic: str) -> None:
    both.same(lambda broker: attempt(broker, topic, GOOD, transactional_id="someone"))


def test_no_topics(both: Both) -> None:
    both.same(lambda broker: broker.call(ProduceRequest(acks=-1, timeout_ms=5000, topic_data=[]), 12))


def test_records_length_beyond_the_frame(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        body = struct.pack(">hhi", -1, -1, 5000) + struct.pack(">i", 1) + struct.pack(">h", 1) + b"t"
        body += struct.pack(">iii", 1, 0, 1 << 30) + GOOD
        with broker.connect() as wire:
            return wire.exchange(struct.pack(">hhih", 0, 3, 1, -1) + body)

    assert both.same(step) == "closed"
