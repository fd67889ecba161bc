"""DescribeGroupsRequest and DescribeGroupsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_o = Format(">?").unpack_from
_get_oB = Format(">?B").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_put_o = Format(">?").pack
_put_ox = Format(">?x").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ix = Format(">ix").pack


class DescribeGroupsRequest(Message):
    __slots__ = ("groups", "include_authorized_operations")

    API_KEY = 15
    VERSIONS = (0, 6)
    FLEXIBLE_FROM = 5

    def __init__(self, *, groups: list[str] = UNSET, include_authorized_operations: bool = False) -> None:
        self.groups = [] if groups is UNSET else groups
        self.include_authorized_operations = include_authorized_operations

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeGroupsRequest, int]:
        (item,), pos = _read_describe_groups_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_groups_request(out, (self,), version)


def _read_describe_groups_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeGroupsRequest], int]:
    compact = version >= 5
    items: list[DescribeGroupsRequest] = []
    new = DescribeGroupsRequest.__new__
    for _ in range(count):
        item = new(DescribeGroupsRequest)
        item.groups, pos = reading.strings(buf, pos, compact, left)
        if version >= 5:
            item.include_authorized_operations, tags = _get_oB(buf, pos)
            pos += 2
        elif version >= 3:
            (item.include_authorized_operations,) = _get_o(buf, pos)
            pos += 1
            tags = 0
        else:
            item.include_authorized_operations = False
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_groups_request(out: bytearray, items: Sequence[DescribeGroupsRequest], version: int) -> None:
    compact = version >= 5
    for item in items:
        writing.strings(out, item.groups, compact)
        if version >= 5:
            out += _put_ox(item.include_authorized_operations)
        elif version >= 3:
            out += _put_o(item.include_authorized_operations)
        else:
            if item.include_authorized_operations:
                raise writing.not_carried("include_authorized_operations", version)


class DescribedGroupMember(Struct):
    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "member_metadata", "member_assignment")

    def __init__(
        self,
        *,
        member_id: str = "",
        group_instance_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        member_metadata: bytes = b"",
        member_assignment: bytes = b"",
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.member_metadata = member_metadata
        self.member_assignment = member_assignment


class DescribedGroup(Struct):
    __slots__ = (
        "error_code",
        "error_message",
        "group_id",
        "group_state",
        "protocol_type",
        "protocol_data",
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
        protocol_type: str = "",
        protocol_data: str = "",
        members: list[DescribedGroupMember] = UNSET,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.protocol_type = protocol_type
        self.protocol_data = protocol_data
        self.members = [] if members is UNSET else members
        self.authorized_operations = authorized_operations


class DescribeGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")

    API_KEY = 15
    VERSIONS = (0, 6)
    FLEXIBLE_FROM = 5

    def __init__(self, *, throttle_time_ms: int = 0, groups: list[DescribedGroup] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET else groups

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeGroupsResponse, int]:
        (item,), pos = _read_describe_groups_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_groups_response(out, (self,), version)


def _read_described_group_member(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribedGroupMember], int]:
    compact = version >= 5
    items: list[DescribedGroupMember] = []
    new = DescribedGroupMember.__new__
    for _ in range(count):
        item = new(DescribedGroupMember)
        item.member_id, pos = reading.string(buf, pos, compact)
        if version >= 4:
            item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.group_instance_id = None
        item.client_id, pos = reading.string(buf, pos, compact)
        item.client_host, pos = reading.string(buf, pos, compact)
        item.member_metadata, pos = reading.blob(buf, pos, compact)
        item.member_assignment, pos = reading.blob(buf, pos, compact)
        if version >= 5:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_described_group_member(out: bytearray, items: Sequence[DescribedGroupMember], version: int) -> None:
    compact = version >= 5
    for item in items:
        writing.string(out, item.member_id, compact)
        if version >= 4:
            writing.nullable_string(out, item.group_instance_id, compact)
        writing.string(out, item.client_id, compact)
        writing.string(out, item.client_host, compact)
        writing.blob(out, item.member_metadata, compact)
        writing.blob(out, item.member_assignment, compact)
        if version >= 5:
            out.append(0)


def _read_described_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribedGroup], int]:
    compact = version >= 5
    items: list[DescribedGroup] = []
    new = DescribedGroup.__new__
    for _ in range(count):
        item = new(DescribedGroup)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        if version >= 6:
            item.error_message, pos = reading.nullable_string(buf, pos, True)
        else:
            item.error_message = None
        item.group_id, pos = reading.string(buf, pos, compact)
        item.group_state, pos = reading.string(buf, pos, compact)
        item.protocol_type, pos = reading.string(buf, pos, compact)
        item.protocol_data, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.members, pos = _read_described_group_member(buf, pos, length, version, left)
        if version >= 5:
            item.authorized_operations, tags = _get_iB(buf, pos)
            pos += 5
        elif version >= 3:
            (item.authorized_operations,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        else:
            item.authorized_operations = -2147483648
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_described_group(out: bytearray, items: Sequence[DescribedGroup], version: int) -> None:
    compact = version >= 5
    for item in items:
        out += _put_h(item.error_code)
        if version >= 6:
            writing.nullable_string(out, item.error_message, True)
        else:
            if item.error_message is not None:
                raise writing.not_carried("error_message", version)
        writing.string(out, item.group_id, compact)
        writing.string(out, item.group_state, compact)
        writing.string(out, item.protocol_type, compact)
        writing.string(out, item.protocol_data, compact)
        writing.count(out, len(item.members), compact)
        _write_described_group_member(out, item.members, version)
        if version >= 5:
            out += _put_ix(item.authorized_operations)
        elif version >= 3:
            out += _put_i(item.authorized_operations)
        else:
            if item.authorized_operations != -2147483648:
                raise writing.not_carried("authorized_operations", version)


def _read_describe_groups_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeGroupsResponse], int]:
    compact = version >= 5
    items: list[DescribeGroupsResponse] = []
    new = DescribeGroupsResponse.__new__
    for _ in range(count):
        item = new(DescribeGroupsResponse)
        if version >= 1:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
        else:
            item.throttle_time_ms = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.groups, pos = _read_described_group(buf, pos, length, version, left)
        if version >= 5:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_groups_response(out: bytearray, items: Sequence[DescribeGroupsResponse], version: int) -> None:
    compact = version >= 5
    for item in items:
        if version >= 1:
            out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.groups), compact)
        _write_described_group(out, item.groups, version)
        if version >= 5:
            out.append(0)
