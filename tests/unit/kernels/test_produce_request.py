"""The Produce parser, compiled and plain, against the generated codec."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from tidelog.kernels import produce_request
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData

FORMS = [pytest.param(produce_request.parse_produce, id="plain")]
with contextlib.suppress(ImportError):
    FORMS.append(pytest.param(import_module("tidelog._compiled.produce_request").parse_produce, id="compiled"))
Parse = Callable[[Any, int], tuple[bytes | None, int, int, list[tuple[bytes, int, int, int]]]]


def request(version: int, seed: int) -> ProduceRequest:
    dice = random.Random(seed)
    topics = []
    for number in range(dice.choice([0, 1, 1, 3])):
        partitions = [
            PartitionProduceData(
                index=dice.choice([0, 7, 2**31 - 1]), records=dice.choice([b"", b"r" * 10, b"x" * 300])
            )
            for _ in range(dice.choice([0, 1, 2]))
        ]
        if version >= 13:
            topics.append(TopicProduceData(topic_id=bytes([number]) * 16, partition_data=partitions))
        else:
            topics.append(TopicProduceData(name=f"topic{number}" * dice.choice([1, 40]), partition_data=partitions))
    return ProduceRequest(
        transactional_id=dice.choice([None, "", "tx"]), acks=dice.choice([-1, 0, 1]), timeout_ms=1500, topic_data=topics
    )


def expected(message: ProduceRequest, version: int) -> list[tuple[bytes, int, bytes]]:
    return [
        (topic.topic_id if version >= 13 else topic.name.encode(), each.index, bytes(each.records or b""))  # type: ignore[arg-type]
        for topic in message.topic_data
        for each in topic.partition_data
    ]


@pytest.mark.parametrize("parse", FORMS)
@pytest.mark.parametrize("version", range(3, 14))
def test_it_finds_what_the_generated_codec_wrote(parse: Parse, version: int) -> None:
    for seed in range(40):
        message = request(version, seed)
        body = memoryview(bytearray(message.encode(version)))
        transactional_id, acks, timeout_ms, found = parse(body, version)
        wanted = message.transactional_id
        assert transactional_id == (None if wanted is None else wanted.encode())
        assert (acks, timeout_ms) == (message.acks, 1500)
        assert [(topic, index, bytes(body[start:end])) for topic, index, start, end in found] == expected(
            message, version
        )


@pytest.mark.parametrize("parse", FORMS)
@pytest.mark.parametrize("version", [3, 9, 13])
def test_every_cut_and_every_flipped_length_is_refused_or_read_within_bounds(parse: Parse, version: int) -> None:
    body = request(version, 5).encode(version)
    for length in range(len(body)):
        with pytest.raises(ValueError, match="produce request"):
            parse(body[:length], version)
    assert parse(body + b"more", version) == parse(body, version)
    for position in range(len(body)):
        for value in (0x00, 0x01, 0x7F, 0x80, 0xFF):
            mutant = body[:position] + bytes([value]) + body[position + 1 :]
            try:
                found = parse(mutant, version)[3]
            except ValueError:
                continue
            assert all(start == -1 or 0 <= start <= end <= len(mutant) for _, _, start, end in found)


@pytest.mark.parametrize("parse", FORMS)
def test_null_records_are_told_apart_from_empty_ones(parse: Parse) -> None:
    data = PartitionProduceData(index=1, records=None)
    body = ProduceRequest(topic_data=[TopicProduceData(name="t", partition_data=[data])]).encode(8)
    assert parse(body, 8)[3] == [(b"t", 1, -1, -1)]


@pytest.mark.parametrize("parse", FORMS)
def test_absurd_counts_end_at_once(parse: Parse) -> None:
    for count in (b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\x80\x00\x00\x00"):
        with pytest.raises(ValueError, match="cut short"):
            parse(b"\xff\xff\x00\x01\x00\x00\x00\x00" + count, 3)
    with pytest.raises(ValueError, match="cut short"):
        parse(b"\x00\x00\x01\x00\x00\x00\x00" + b"\xff\xff\xff\xff\x0f", 9)
