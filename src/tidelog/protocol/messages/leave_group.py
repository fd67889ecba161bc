"""LeaveGroupRequest and LeaveGroupResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_hB = Format(">hB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_h = Format(">h").pack
_put_hx = Format(">hx").pack
_put_ih = Format(">ih").pack


class MemberIdentity(Struct):
    __slots__ = ("member_id", "group_instance_id", "reason")

    def __init__(self, *, member_id: str = "", group_instance_id: str | None = None, reason: str | None = None) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.reason = reason


class LeaveGroupRequest(Message):
    __slots__ = ("group_id", "member_id", "members")

    API_KEY = 13
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 4

    def __init__(self, *, group_id: str = "", member_id: str = "", members: list[MemberIdentity] = UNSET) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.members = [] if members is UNSET else members

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[LeaveGroupRequest, int]:
        (item,), pos = _read_leave_group_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_leave_group_request(out, (self,), version)


def _read_member_identity(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MemberIdentity], int]:
    compact = version >= 4
    items: list[MemberIdentity] = []
    new = MemberIdentity.__new__
    for _ in range(count):
        item = new(MemberIdentity)
        item.member_id, pos = reading.string(buf, pos, compact)
        item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        if version >= 5:
            item.reason, pos = reading.nullable_string(buf, pos, True)
        else:
            item.reason = None
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_member_identity(out: bytearray, items: Sequence[MemberIdentity], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.member_id, compact)
        writing.nullable_string(out, item.group_instance_id, compact)
        if version >= 5:
            writing.nullable_string(out, item.reason, True)
        if version >= 4:
            out.append(0)


def _read_leave_group_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[LeaveGroupRequest], int]:
    compact = version >= 4
    items: list[LeaveGroupRequest] = []
    new = LeaveGroupRequest.__new__
    for _ in range(count):
        item = new(LeaveGroupRequest)
        item.group_id, pos = reading.string(buf, pos, compact)
        if version <= 2:
            item.member_id, pos = reading.string(buf, pos, False)
        else:
            item.member_id = ""
        if version >= 3:
            length, pos = reading.count(buf, pos, compact, left)
            item.members, pos = _read_member_identity(buf, pos, length, version, left)
        else:
            item.members = []
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_leave_group_request(out: bytearray, items: Sequence[LeaveGroupRequest], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.group_id, compact)
        if version <= 2:
            writing.string(out, item.member_id, False)
        else:
            if item.member_id:
                raise writing.not_carried("member_id", version)
        if version >= 3:
            writing.count(out, len(item.members), compact)
            _write_member_identity(out, item.members, version)
        else:
            if item.members:
                raise writing.not_carried("members", version)
        if version >= 4:
            out.append(0)


class MemberResponse(Struct):
    __slots__ = ("member_id", "group_instance_id", "error_code")

    def __init__(self, *, member_id: str = "", group_instance_id: str | None = "", error_code: int = 0) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.error_code = error_code


class LeaveGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "members")

    API_KEY = 13
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 4

    def __init__(
        self, *, throttle_time_ms: int = 0, error_code: int = 0, members: list[MemberResponse] = UNSET
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.members = [] if members is UNSET else members

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[LeaveGroupResponse, int]:
        (item,), pos = _read_leave_group_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_leave_group_response(out, (self,), version)


def _read_member_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MemberResponse], int]:
    compact = version >= 4
    items: list[MemberResponse] = []
    new = MemberResponse.__new__
    for _ in range(count):
        item = new(MemberResponse)
        item.member_id, pos = reading.string(buf, pos, compact)
        item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        if version >= 4:
            item.error_code, tags = _get_hB(buf, pos)
            pos += 3
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_member_response(out: bytearray, items: Sequence[MemberResponse], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.member_id, compact)
        writing.nullable_string(out, item.group_instance_id, compact)
        if version >= 4:
            out += _put_hx(item.error_code)
        else:
            out += _put_h(item.error_code)


def _read_leave_group_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[LeaveGroupResponse], int]:
    compact = version >= 4
    items: list[LeaveGroupResponse] = []
    new = LeaveGroupResponse.__new__
    for _ in range(count):
        item = new(LeaveGroupResponse)
        if version >= 1:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            item.throttle_time_ms = 0
        if version >= 3:
            length, pos = reading.count(buf, pos, compact, left)
            item.members, pos = _read_member_response(buf, pos, length, version, left)
        else:
            item.members = []
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_leave_group_response(out: bytearray, items: Sequence[LeaveGroupResponse], version: int) -> None:
    compact = version >= 4
    for item in items:
        if version >= 1:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        else:
            out += _put_h(item.error_code)
        if version >= 3:
            writing.count(out, len(item.members), compact)
            _write_member_response(out, item.members, version)
        else:
            if item.members:
                raise writing.not_carried("members", version)
        if version >= 4:
            out.append(0)
