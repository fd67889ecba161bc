"""The straight path of OffsetCommit, compiled and plain, against the generated codecs."""

from __future__ import annotations

import contextlib
import random
from importlib import import_module
from types import ModuleType

import pytest

from tidelog.kernels import commits
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)

FORMS = [pytest.param(commits, id="plain")]
with contextlib.suppress(ImportError):
    FORMS.append(pytest.param(import_module("tidelog._compiled.commits"), id="compiled"))
pytestmark = pytest.mark.parametrize("kernel", FORMS)


def request(version: int, seed: int) -> OffsetCommitRequest:
    dice = random.Random(seed)

    def text(*choices: str) -> str:
        return dice.choice([*choices, "é" * 70, "x" * 200])

    topics = []
    for number in range(dice.choice([0, 1, 1, 3])):
        places = [
            OffsetCommitRequestPartition(
                partition_index=dice.choice([0, 7, -1, 2**31 - 1]),
                committed_offset=dice.choice([0, -1, 2**63 - 1]),
                committed_leader_epoch=dice.choice([-1, 0, 2**31 - 1]),
                committed_metadata=dice.choice([None, text("", "m")]),
            )
            for _ in range(dice.choice([0, 1, 2, 200]))
        ]
        if version >= 10:
            topics.append(OffsetCommitRequestTopic(topic_id=bytes([number]) * 16, partitions=places))
        else:
            topics.append(OffsetCommitRequestTopic(name=text("", "topic"), partitions=places))
    return OffsetCommitRequest(
        group_id=text("", "group"),
        generation_id_or_member_epoch=dice.choice([-1, 0, 2**31 - 1]),
        member_id=text("", "member"),
        group_instance_id=dice.choice([None, text("", "instance")]),
        topics=topics,
    )


@pytest.mark.parametrize("version", [8, 9, 10])
@pytest.mark.parametrize("seed", range(40))
def test_requests_are_read_as_the_schema_has_them(kernel: ModuleType, version: int, seed: int) -> None:
    message = request(version, seed)
    body = message.encode(version)
    expected = [
        (
            each.topic_id if version >= 10 else each.name.encode(),
            [
                (one.partition_index, one.committed_offset, one.committed_leader_epoch, one.committed_metadata)
                for one in each.partitions
            ],
        )
        for each in message.topics
    ]
    for form in (body, memoryview(bytearray(body)), body + b"more"):
        assert kernel.parse_offset_commit(form, version) == (
            message.group_id,
            message.generation_id_or_member_epoch,
            message.member_id,
            message.group_instance_id,
            expected,
        )


@pytest.mark.parametrize("version", [9, 10])
def test_requests_that_are_cut_or_damaged_are_refused_or_read_but_never_past_their_end(
    kernel: ModuleType, version: int
) -> None:
    dice = random.Random(version)
    for seed in range(12):
        body = request(version, seed).encode(version)
        for end in range(0, len(body), max(1, len(body) // 60)):
            with pytest.raises(ValueError, match="cut short"):
                kernel.parse_offset_commit(body[:end], version)
        for _ in range(60):
            damaged = bytearray(body)
            for _ in range(3):
                damaged[dice.randrange(len(damaged))] = dice.choice([0, 1, 0x7F, 0x80, 0xFF])
            with contextlib.suppress(ValueError):
                kernel.parse_offset_commit(bytes(damaged), version)


def test_a_count_without_its_items_takes_no_memory(kernel: ModuleType) -> None:
    head = b"\x02g" + b"\xff" * 4 + b"\x01\x00"
    for count in (b"\xff\xff\xff\xff\x0f", b"\x80\x80\x80\x80\x08", b"\xff\xff\x3f"):
        for body in (head + count, head + b"\x02\x02t" + count):
            with pytest.raises(ValueError, match="cut short"):
                kernel.parse_offset_commit(body, 9)


def test_a_string_that_is_too_long_for_one_is_refused(kernel: ModuleType) -> None:
    for size, is_one in ((32_767, True), (32_768, False)):
        group = bytes((size + 1 & 0x7F | 0x80, size + 1 >> 7 & 0x7F | 0x80, size + 1 >> 14)) + b"g" * size
        body = group + b"\xff" * 4 + b"\x01\x00\x01\x00"
        if is_one:
            assert kernel.parse_offset_commit(body, 9)[0] == "g" * size
        else:
            with pytest.raises(ValueError, match="cut short"):
                kernel.parse_offset_commit(body, 9)


def test_unknown_tags_are_passed_over(kernel: ModuleType) -> None:
    tags = b"\x01\x05\x03abc"
    place = b"\0\0\0\1" + b"\0" * 7 + b"\5" + b"\xff" * 4 + b"\2m" + tags
    body = b"\x02g" + b"\xff" * 4 + b"\x01\x00" + b"\x02\x02t\x02" + place + tags + tags
    assert kernel.parse_offset_commit(body, 9) == ("g", -1, "", None, [(b"t", [(1, 5, -1, "m")])])


def test_text_that_is_not_utf8_is_told_as_such(kernel: ModuleType) -> None:
    with pytest.raises(UnicodeDecodeError):
        kernel.parse_offset_commit(b"\x02\xff" + b"\xff" * 4 + b"\x01\x00\x01\x00", 9)


@pytest.mark.parametrize("version", [8, 9, 10])
@pytest.mark.parametrize("seed", range(20))
def test_answers_are_as_the_schema_has_them(kernel: ModuleType, version: int, seed: int) -> None:
    dice = random.Random(seed)
    topics = kernel.parse_offset_commit(request(version, seed).encode(version), version)[4]
    count = sum(len(places) for _, places in topics)
    codes = dice.choice([None, [dice.choice([0, 25, -1]) for _ in range(count)]])
    frame = kernel.encode_offset_commit(-7, topics, version >= 10, codes)
    assert int.from_bytes(frame[:4], "big") == len(frame) - 4
    assert frame[4:9] == (-7).to_bytes(4, "big", signed=True) + b"\0"
    answer = OffsetCommitResponse.decode(frame[9:], version)
    assert [each.topic_id if version >= 10 else each.name.encode() for each in answer.topics] == [
        topic for topic, _ in topics
    ]
    found = [(one.partition_index, one.error_code) for each in answer.topics for one in each.partitions]
    asked = [place[0] for _, places in topics for place in places]
    assert found == list(zip(asked, codes or [0] * count, strict=True))
