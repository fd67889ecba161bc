"""The parsers of Produce and Fetch, compiled and plain, against the generated codecs."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from tidelog.kernels import requests
from tidelog.protocol.messages.fetch import (
    AbortedTransaction,
    EpochEndOffset,
    FetchableTopicResponse,
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    ForgottenTopic,
    LeaderIdAndEpoch,
    PartitionData,
    ReplicaState,
)
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData

FORMS = [pytest.param(requests.parse_produce, id="plain")]
FETCH_FORMS = [pytest.param(requests.parse_fetch, id="plain")]
RESPONSE_FORMS = [pytest.param(requests.parse_fetch_response, id="plain")]
REPEATED_FORMS = [pytest.param(requests.repeated_fetch, id="plain")]
with contextlib.suppress(ImportError):
    compiled = import_module("tidelog._compiled.requests")
    FORMS.append(pytest.param(compiled.parse_produce, id="compiled"))
    FETCH_FORMS.append(pytest.param(compiled.parse_fetch, id="compiled"))
    RESPONSE_FORMS.append(pytest.param(compiled.parse_fetch_response, id="compiled"))
    REPEATED_FORMS.append(pytest.param(compiled.repeated_fetch, id="compiled"))
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
        with pytest.raises(ValueError, match="cut short"):
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


def fetch_request(version: int, seed: int) -> FetchRequest:
    dice = random.Random(seed)

    def named(number: int) -> dict[str, Any]:
        return (
            {"topic_id": bytes([number]) * 16} if version >= 13 else {"topic": f"topic{number}" * dice.choice([1, 40])}
        )

    topics = [
        FetchTopic(
            **named(number),
            partitions=[
                FetchPartition(
                    partition=dice.choice([0, 2**31 - 1]),
                    current_leader_epoch=dice.choice([-1, 7]) if version >= 9 else -1,
                    fetch_offset=dice.choice([0, 2**62, -1]),
                    last_fetched_epoch=dice.choice([-1, 3]) if version >= 12 else -1,
                    log_start_offset=dice.choice([-1, 5]) if version >= 5 else -1,
                    partition_max_bytes=dice.choice([0, 1 << 20]),
                    replica_directory_id=bytes(15) + b"\7" if version >= 17 else bytes(16),
                )
                for _ in range(dice.choice([0, 1, 3]))
            ],
        )
        for number in range(dice.choice([0, 1, 3]))
    ]
    request = FetchRequest(max_wait_ms=500, min_bytes=1, max_bytes=1 << 25, isolation_level=1, topics=topics)
    if version >= 7:
        request.session_id, request.session_epoch = dice.choice([0, 99]), dice.choice([-1, 0, 5])
        request.forgotten_topics_data = [ForgottenTopic(**named(9), partitions=[1, 2])] * dice.choice([0, 1])
    if version >= 11:
        request.rack_id = dice.choice(["", "rack" * 40])
    if version >= 15:
        request.replica_state = ReplicaState(replica_id=dice.choice([-1, 4]), replica_epoch=8)
    else:
        request.replica_id = dice.choice([-1, 4])
    if version >= 12:
        request.cluster_id = dice.choice([None, "cluster"])
    return request


def as_tuple(request: FetchRequest, version: int) -> tuple[Any, ...]:
    def key(topic: Any) -> bytes:
        return bytes(topic.topic_id) if version >= 13 else topic.topic.encode()

    return (
        request.replica_state.replica_id if version >= 15 else request.replica_id,
        request.max_wait_ms,
        request.min_bytes,
        request.max_bytes,
        request.isolation_level,
        request.session_id,
        request.session_epoch,
        [
            (
                key(topic),
                each.partition,
                each.current_leader_epoch,
                each.fetch_offset,
                each.last_fetched_epoch,
                each.log_start_offset,
                each.partition_max_bytes,
            )
            for topic in request.topics
            for each in topic.partitions
        ],
        [(key(topic), index) for topic in request.forgotten_topics_data for index in topic.partitions],
        request.replica_state.replica_epoch if version >= 15 else -1,
        request.rack_id.encode() if version >= 11 else b"",
    )


@pytest.mark.parametrize("parse", FETCH_FORMS)
@pytest.mark.parametrize("version", range(4, 19))
def test_a_fetch_is_read_as_the_generated_codec_wrote_it(parse: Callable[..., Any], version: int) -> None:
    for seed in range(40):
        request = fetch_request(version, seed)
        assert parse(request.encode(version), version) == as_tuple(request, version)


@pytest.mark.parametrize("parse", FETCH_FORMS)
@pytest.mark.parametrize("version", [4, 7, 11, 12, 13, 18])
def test_every_cut_of_a_fetch_is_refused_and_every_mutant_is_survived(parse: Callable[..., Any], version: int) -> None:
    body = fetch_request(version, 3).encode(version)
    for length in range(len(body)):
        with pytest.raises(ValueError, match="cut short"):
            parse(body[:length], version)
    assert parse(body + b"more", version) == parse(body, version)
    for position in range(len(body)):
        for value in (0x00, 0x01, 0x7F, 0x80, 0xFF):
            try:
                parse(body[:position] + bytes([value]) + body[position + 1 :], version)
            except ValueError:
                continue


def fetch_response(seed: int) -> FetchResponse:
    dice = random.Random(seed)

    def partition(index: int) -> PartitionData:
        answer = PartitionData(
            partition_index=index,
            error_code=dice.choice([0, 6]),
            high_watermark=dice.choice([-1, 2**40]),
            log_start_offset=dice.choice([-1, 9]),
            records=dice.choice([None, b"", b"r" * 10, b"x" * 300]),
            aborted_transactions=dice.choice([None, [], [AbortedTransaction(producer_id=1, first_offset=2)] * 2]),
        )
        if dice.random() < 0.3:
            answer.diverging_epoch = EpochEndOffset(epoch=dice.choice([0, 7]), end_offset=2**33)
        if dice.random() < 0.3:
            answer.current_leader = LeaderIdAndEpoch(leader_id=1, leader_epoch=3)
        return answer

    return FetchResponse(
        error_code=dice.choice([0, 70]),
        session_id=dice.choice([0, 1 << 30]),
        responses=[
            FetchableTopicResponse(
                topic_id=bytes([number]) * 16, partitions=[partition(index) for index in range(dice.choice([0, 1, 3]))]
            )
            for number in range(dice.choice([0, 1, 3]))
        ],
    )


@pytest.mark.parametrize("parse", RESPONSE_FORMS)
@pytest.mark.parametrize("version", [13, 16, 18])
def test_the_answer_to_a_fetch_is_read_as_the_generated_codec_wrote_it(parse: Callable[..., Any], version: int) -> None:
    for seed in range(60):
        response = fetch_response(seed)
        body = response.encode(version)
        error, session_id, found = parse(body)
        assert (error, session_id) == (response.error_code, response.session_id)
        assert [(*each[:7], body[each[7] : each[8]]) for each in found] == [
            (
                bytes(topic.topic_id),
                each.partition_index,
                each.error_code,
                each.high_watermark,
                each.log_start_offset,
                each.diverging_epoch.epoch,
                each.diverging_epoch.end_offset,
                bytes(each.records or b""),  # type: ignore[arg-type]
            )
            for topic in response.responses
            for each in topic.partitions
        ]


@pytest.mark.parametrize("parse", RESPONSE_FORMS)
def test_every_cut_of_an_answer_is_refused_and_every_mutant_is_survived(parse: Callable[..., Any]) -> None:
    body = next(body for body in (fetch_response(seed).encode(18) for seed in range(100)) if 400 < len(body) < 900)
    for length in range(len(body) - 1):  # the tags that end the response are of no interest
        with pytest.raises(ValueError, match="cut short"):
            parse(body[:length])
    for position in range(len(body)):
        for value in (0x00, 0x01, 0x7F, 0x80, 0xFF):
            try:
                found = parse(body[:position] + bytes([value]) + body[position + 1 :])[2]
            except ValueError:
                continue
            assert all(start <= end <= len(body) for *_, start, end in found)


def follower_fetch(epoch: int, offset: int, *, topics: int = 1, partitions: int = 1, min_bytes: int = 1) -> bytes:
    """What a follower sends, as the generated codec writes it."""
    wanted = [
        FetchPartition(partition=number, current_leader_epoch=3, fetch_offset=offset, last_fetched_epoch=3)
        for number in range(partitions)
    ]
    message = FetchRequest(
        max_wait_ms=500,
        min_bytes=min_bytes,
        session_id=77,
        session_epoch=epoch,
        topics=[FetchTopic(topic_id=bytes([number]) * 16, partitions=wanted) for number in range(topics)],
        replica_state=ReplicaState(replica_id=2, replica_epoch=9),
    )
    return b"".join(message.encode_parts(18))  # type: ignore[arg-type]


@pytest.mark.parametrize("repeated", REPEATED_FORMS)
def test_a_fetch_that_repeats_the_last_one_is_known_by_its_offset(repeated: Callable[[Any, Any, int], int]) -> None:
    last = follower_fetch(5, 100)
    assert repeated(memoryview(follower_fetch(6, 101)), last, 6) == 101
    assert repeated(memoryview(follower_fetch(6, 2**62)), last, 6) == 2**62
    assert repeated(follower_fetch(6, 100), last, 6) == 100
    assert repeated(follower_fetch(7, 101), last, 6) == -1, "another epoch of the session"
    assert repeated(follower_fetch(6, 101), last, -1) == -1, "a session that is in use"
    assert repeated(follower_fetch(6, 101, min_bytes=2), last, 6) == -1
    assert repeated(follower_fetch(6, 101)[:-1], last, 6) == -1
    assert repeated(b"", b"", 6) == -1
    for at in range(len(last)):
        changed = bytearray(follower_fetch(6, 101))
        changed[at] ^= 1
        is_free = 47 <= at < 55
        assert (repeated(changed, last, 6) >= 0) is is_free, f"byte {at}"


@pytest.mark.parametrize("repeated", REPEATED_FORMS)
@pytest.mark.parametrize(("topics", "partitions"), [(0, 0), (2, 1), (1, 2), (2, 0), (1, 0)])
def test_only_a_fetch_of_one_partition_is_known_so(
    repeated: Callable[[Any, Any, int], int], topics: int, partitions: int
) -> None:
    last = follower_fetch(5, 100, topics=topics, partitions=partitions)
    assert repeated(follower_fetch(6, 100, topics=topics, partitions=partitions), last, 6) == -1
