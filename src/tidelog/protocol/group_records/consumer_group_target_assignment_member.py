"""ConsumerGroupTargetAssignmentMemberKey and ConsumerGroupTargetAssignmentMemberValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_put_u = Format(">16s").pack


class ConsumerGroupTargetAssignmentMemberKey(Message):
    __slots__ = ("group_id", "member_id")

    API_KEY = 7
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", member_id: str = "") -> None:
        self.group_id = group_id
        self.member_id = member_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupTargetAssignmentMemberKey, int]:
        (item,), pos = _read_consumer_group_target_assignment_member_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_target_assignment_member_key(out, (self,), version)


def _read_consumer_group_target_assignment_member_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupTargetAssignmentMemberKey], int]:
    items: list[ConsumerGroupTargetAssignmentMemberKey] = []
    new = ConsumerGroupTargetAssignmentMemberKey.__new__
    for _ in range(count):
        item = new(ConsumerGroupTargetAssignmentMemberKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.member_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_consumer_group_target_assignment_member_key(
    out: bytearray, items: Sequence[ConsumerGroupTargetAssignmentMemberKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.string(out, item.member_id, False)


class TopicPartition(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[int] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class ConsumerGroupTargetAssignmentMemberValue(Message):
    __slots__ = ("topic_partitions",)

    API_KEY = 7
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, topic_partitions: list[TopicPartition] = UNSET) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET else topic_partitions

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupTargetAssignmentMemberValue, int]:
        (item,), pos = _read_consumer_group_target_assignment_member_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_target_assignment_member_value(out, (self,), version)


def _read_topic_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicPartition], int]:
    items: list[TopicPartition] = []
    new = TopicPartition.__new__
    for _ in range(count):
        item = new(TopicPartition)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_partition(out: bytearray, items: Sequence[TopicPartition], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.int32s(out, item.partitions, True)
        out.append(0)


def _read_consumer_group_target_assignment_member_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupTargetAssignmentMemberValue], int]:
    items: list[ConsumerGroupTargetAssignmentMemberValue] = []
    new = ConsumerGroupTargetAssignmentMemberValue.__new__
    for _ in range(count):
        item = new(ConsumerGroupTargetAssignmentMemberValue)
        length, pos = reading.count(buf, pos, True, left)
        item.topic_partitions, pos = _read_topic_partition(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_consumer_group_target_assignment_member_value(
    out: bytearray, items: Sequence[ConsumerGroupTargetAssignmentMemberValue], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.topic_partitions), True)
        _write_topic_partition(out, item.topic_partitions, version)
        out.append(0)
