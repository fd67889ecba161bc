"""ConsumerGroupCurrentMemberAssignmentKey and ConsumerGroupCurrentMemberAssignmentValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_iib = Format(">iib").unpack_from
_put_u = Format(">16s").pack
_put_iib = Format(">iib").pack


class ConsumerGroupCurrentMemberAssignmentKey(Message):
    __slots__ = ("group_id", "member_id")

    API_KEY = 8
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", member_id: str = "") -> None:
        self.group_id = group_id
        self.member_id = member_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupCurrentMemberAssignmentKey, int]:
        (item,), pos = _read_consumer_group_current_member_assignment_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_current_member_assignment_key(out, (self,), version)


def _read_consumer_group_current_member_assignment_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupCurrentMemberAssignmentKey], int]:
    items: list[ConsumerGroupCurrentMemberAssignmentKey] = []
    new = ConsumerGroupCurrentMemberAssignmentKey.__new__
    for _ in range(count):
        item = new(ConsumerGroupCurrentMemberAssignmentKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.member_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_consumer_group_current_member_assignment_key(
    out: bytearray, items: Sequence[ConsumerGroupCurrentMemberAssignmentKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.string(out, item.member_id, False)


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions", "assignment_epochs")

    def __init__(
        self, *, topic_id: bytes = ZERO, partitions: list[int] = UNSET, assignment_epochs: list[int] | None = UNSET
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions
        self.assignment_epochs = [] if assignment_epochs is UNSET else assignment_epochs


class ConsumerGroupCurrentMemberAssignmentValue(Message):
    __slots__ = (
        "member_epoch",
        "previous_member_epoch",
        "state",
        "assigned_partitions",
        "partitions_pending_revocation",
    )

    API_KEY = 8
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: list[TopicPartitions] = UNSET,
        partitions_pending_revocation: list[TopicPartitions] = UNSET,
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.assigned_partitions = [] if assigned_partitions is UNSET else assigned_partitions
        self.partitions_pending_revocation = (
            [] if partitions_pending_revocation is UNSET else partitions_pending_revocation
        )

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupCurrentMemberAssignmentValue, int]:
        (item,), pos = _read_consumer_group_current_member_assignment_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_current_member_assignment_value(out, (self,), version)


def _tags_topic_partitions(item: TopicPartitions, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            item.assignment_epochs, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_topic_partitions(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicPartitions], int]:
    items: list[TopicPartitions] = []
    new = TopicPartitions.__new__
    for _ in range(count):
        item = new(TopicPartitions)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        item.assignment_epochs = []
        if tags:
            pos = _tags_topic_partitions(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_topic_partitions(out: bytearray, item: TopicPartitions, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.assignment_epochs is None or len(item.assignment_epochs) > 0:
        body = bytearray()
        if item.assignment_epochs is None:
            writing.null(body, True)
        else:
            writing.int32s(body, item.assignment_epochs, True)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_topic_partitions(out: bytearray, items: Sequence[TopicPartitions], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.int32s(out, item.partitions, True)
        _put_tags_topic_partitions(out, item, version)


def _read_consumer_group_current_member_assignment_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupCurrentMemberAssignmentValue], int]:
    items: list[ConsumerGroupCurrentMemberAssignmentValue] = []
    new = ConsumerGroupCurrentMemberAssignmentValue.__new__
    for _ in range(count):
        item = new(ConsumerGroupCurrentMemberAssignmentValue)
        item.member_epoch, item.previous_member_epoch, item.state = _get_iib(buf, pos)
        pos += 9
        length, pos = reading.count(buf, pos, True, left)
        item.assigned_partitions, pos = _read_topic_partitions(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions_pending_revocation, pos = _read_topic_partitions(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_consumer_group_current_member_assignment_value(
    out: bytearray, items: Sequence[ConsumerGroupCurrentMemberAssignmentValue], version: int
) -> None:
    for item in items:
        out += _put_iib(item.member_epoch, item.previous_member_epoch, item.state)
        writing.count(out, len(item.assigned_partitions), True)
        _write_topic_partitions(out, item.assigned_partitions, version)
        writing.count(out, len(item.partitions_pending_revocation), True)
        _write_topic_partitions(out, item.partitions_pending_revocation, version)
        out.append(0)
