"""ConsumerGroupDescribeRequest and ConsumerGroupDescribeResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_oB = Format(">?B").unpack_from
_get_bB = Format(">bB").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ii = Format(">ii").unpack_from
_put_u = Format(">16s").pack
_put_ox = Format(">?x").pack
_put_bx = Format(">bx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ii = Format(">ii").pack
_put_ix = Format(">ix").pack


class ConsumerGroupDescribeRequest(Message):
    __slots__ = ("group_ids", "include_authorized_operations")

    API_KEY = 69
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(self, *, group_ids: list[str] = UNSET, include_authorized_operations: bool = False) -> None:
        self.group_ids = [] if group_ids is UNSET else group_ids
        self.include_authorized_operations = include_authorized_operations

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ConsumerGroupDescribeRequest, int]:
        (item,), pos = _read_consumer_group_describe_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_describe_request(out, (self,), version)


def _read_consumer_group_describe_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupDescribeRequest], int]:
    items: list[ConsumerGroupDescribeRequest] = []
    new = ConsumerGroupDescribeRequest.__new__
    for _ in range(count):
        item = new(ConsumerGroupDescribeRequest)
        item.group_ids, pos = reading.strings(buf, pos, True, left)
        item.include_authorized_operations, tags = _get_oB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_consumer_group_describe_request(
    out: bytearray, items: Sequence[ConsumerGroupDescribeRequest], version: int
) -> None:
    for item in items:
        writing.strings(out, item.group_ids, True)
        out += _put_ox(item.include_authorized_operations)


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "topic_name", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, topic_name: str = "", partitions: list[int] = UNSET) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class Assignment(Struct):
    __slots__ = ("topic_partitions",)

    def __init__(self, *, topic_partitions: list[TopicPartitions] = UNSET) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET else topic_partitions


class Member(Struct):
    __slots__ = (
        "member_id",
        "instance_id",
        "rack_id",
        "member_epoch",
        "client_id",
        "client_host",
        "subscribed_topic_names",
        "subscribed_topic_regex",
        "assignment",
        "target_assignment",
        "member_type",
    )

    def __init__(
        self,
        *,
        member_id: str = "",
        instance_id: str | None = None,
        rack_id: str | None = None,
        member_epoch: int = 0,
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = UNSET,
        subscribed_topic_regex: str | None = None,
        assignment: Assignment = UNSET,
        target_assignment: Assignment = UNSET,
        member_type: int = -1,
    ) -> None:
        self.member_id = member_id
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.member_epoch = member_epoch
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is UNSET else subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.assignment = Assignment() if assignment is UNSET else assignment
        self.target_assignment = Assignment() if target_assignment is UNSET else target_assignment
        self.member_type = member_type


class DescribedGroup(Struct):
    __slots__ = (
        "error_code",
        "error_message",
        "group_id",
        "group_state",
        "group_epoch",
        "assignment_epoch",
        "assignor_name",
        "members",
        "authorized_operations",
    )

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        assignor_name: str = "",
        members: list[Member] = UNSET,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.assignor_name = assignor_name
        self.members = [] if members is UNSET else members
        self.authorized_operations = authorized_operations


class ConsumerGroupDescribeResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")

    API_KEY = 69
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, groups: list[DescribedGroup] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET else groups

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ConsumerGroupDescribeResponse, int]:
        (item,), pos = _read_consumer_group_describe_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_describe_response(out, (self,), version)


def _read_topic_partitions(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicPartitions], int]:
    items: list[TopicPartitions] = []
    new = TopicPartitions.__new__
    for _ in range(count):
        item = new(TopicPartitions)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        item.topic_name, pos = reading.string(buf, pos, True)
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_partitions(out: bytearray, items: Sequence[TopicPartitions], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.string(out, item.topic_name, True)
        writing.int32s(out, item.partitions, True)
        out.append(0)


def _read_assignment(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[Assignment], int]:
    items: list[Assignment] = []
    new = Assignment.__new__
    for _ in range(count):
        item = new(Assignment)
        length, pos = reading.count(buf, pos, True, left)
        item.topic_partitions, pos = _read_topic_partitions(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_assignment(out: bytearray, items: Sequence[Assignment], version: int) -> None:
    for item in items:
        writing.count(out, len(item.topic_partitions), True)
        _write_topic_partitions(out, item.topic_partitions, version)
        out.append(0)


def _read_member(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Member], int]:
    items: list[Member] = []
    new = Member.__new__
    for _ in range(count):
        item = new(Member)
        item.member_id, pos = reading.string(buf, pos, True)
        item.instance_id, pos = reading.nullable_string(buf, pos, True)
        item.rack_id, pos = reading.nullable_string(buf, pos, True)
        (item.member_epoch,) = _get_i(buf, pos)
        pos += 4
        item.client_id, pos = reading.string(buf, pos, True)
        item.client_host, pos = reading.string(buf, pos, True)
        item.subscribed_topic_names, pos = reading.strings(buf, pos, True, left)
        item.subscribed_topic_regex, pos = reading.nullable_string(buf, pos, True)
        (item.assignment,), pos = _read_assignment(buf, pos, 1, version, left)
        (item.target_assignment,), pos = _read_assignment(buf, pos, 1, version, left)
        if version >= 1:
            item.member_type, tags = _get_bB(buf, pos)
            pos += 2
        else:
            tags = buf[pos]
            pos += 1
            item.member_type = -1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_member(out: bytearray, items: Sequence[Member], version: int) -> None:
    for item in items:
        writing.string(out, item.member_id, True)
        writing.nullable_string(out, item.instance_id, True)
        writing.nullable_string(out, item.rack_id, True)
        out += _put_i(item.member_epoch)
        writing.string(out, item.client_id, True)
        writing.string(out, item.client_host, True)
        writing.strings(out, item.subscribed_topic_names, True)
        writing.nullable_string(out, item.subscribed_topic_regex, True)
        _write_assignment(out, (item.assignment,), version)
        _write_assignment(out, (item.target_assignment,), version)
        if version >= 1:
            out += _put_bx(item.member_type)
        else:
            out.append(0)


def _read_described_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribedGroup], int]:
    items: list[DescribedGroup] = []
    new = DescribedGroup.__new__
    for _ in range(count):
        item = new(DescribedGroup)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        item.group_id, pos = reading.string(buf, pos, True)
        item.group_state, pos = reading.string(buf, pos, True)
        item.group_epoch, item.assignment_epoch = _get_ii(buf, pos)
        pos += 8
        item.assignor_name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.members, pos = _read_member(buf, pos, length, version, left)
        item.authorized_operations, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_described_group(out: bytearray, items: Sequence[DescribedGroup], version: int) -> None:
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.string(out, item.group_id, True)
        writing.string(out, item.group_state, True)
        out += _put_ii(item.group_epoch, item.assignment_epoch)
        writing.string(out, item.assignor_name, True)
        writing.count(out, len(item.members), True)
        _write_member(out, item.members, version)
        out += _put_ix(item.authorized_operations)


def _read_consumer_group_describe_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupDescribeResponse], int]:
    items: list[ConsumerGroupDescribeResponse] = []
    new = ConsumerGroupDescribeResponse.__new__
    for _ in range(count):
        item = new(ConsumerGroupDescribeResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.groups, pos = _read_described_group(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_consumer_group_describe_response(
    out: bytearray, items: Sequence[ConsumerGroupDescribeResponse], version: int
) -> None:
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.groups), True)
        _write_described_group(out, item.groups, version)
        out.append(0)
