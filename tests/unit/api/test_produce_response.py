"""The packed Produce answers say the same as the generated codec reads."""

from __future__ import annotations

import struct

import pytest

from tidelog.api.context import Connection, RequestContext
from tidelog.api.produce_response import _encode_fast, encode_one
from tidelog.log.append import AppendInfo
from tidelog.protocol.messages.produce import ProduceResponse

TOPIC_ID = bytes(range(16))


def context(version: int) -> RequestContext:
    return RequestContext(0, version, 77, "me", Connection("h", 1, "PLAINTEXT", "PLAINTEXT"), lambda: None)


@pytest.mark.parametrize("version", range(3, 14))
@pytest.mark.parametrize("name", [b"t", b"n" * 249])
def test_one_partition(version: int, name: bytes) -> None:
    topic = TOPIC_ID if version >= 13 else name
    frame = encode_one(context(version), topic, 5, AppendInfo(1234, 1236, 99, False), 12)
    size, correlation_id = struct.unpack_from(">ii", frame)
    assert size == len(frame) - 4
    assert correlation_id == 77
    header = 9 if version >= 9 else 8
    response = ProduceResponse.decode(frame[header:], version)
    (answer,) = response.responses
    (partition,) = answer.partition_responses
    assert answer.topic_id == TOPIC_ID if version >= 13 else answer.name == name.decode()
    assert (partition.index, partition.error_code, partition.base_offset) == (5, 0, 1234)
    assert partition.log_append_time_ms == 99
    assert partition.log_start_offset == (12 if version >= 5 else -1)
    assert partition.record_errors == []
    assert partition.error_message is None


@pytest.mark.parametrize("version", range(3, 14))
def test_many_partitions(version: int) -> None:
    topics = [bytes([n]) * 16 if version >= 13 else b"topic%d" % n for n in range(3)]
    results = [
        (topic, index, 0, index * 10, -1, 3, None, ())
        for number, topic in enumerate(topics)
        for index in range(number * 100)
    ]
    response = ProduceResponse.decode(_encode_fast(version, results), version)
    found = [
        (each.topic_id if version >= 13 else each.name.encode(), part.index, part.base_offset)
        for each in response.responses
        for part in each.partition_responses
    ]
    assert found == [(topic, index, base) for topic, index, _, base, *_ in results]
