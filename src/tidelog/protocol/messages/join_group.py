"""JoinGroupRequest and JoinGroupResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_o = Format(">?").unpack_from
_get_hi = Format(">hi").unpack_from
_get_i = Format(">i").unpack_from
_get_ihi = Format(">ihi").unpack_from
_get_ii = Format(">ii").unpack_from
_put_o = Format(">?").pack
_put_hi = Format(">hi").pack
_put_i = Format(">i").pack
_put_ihi = Format(">ihi").pack
_put_ii = Format(">ii").pack


class JoinGroupRequestProtocol(Struct):
    __slots__ = ("name", "metadata")

    def __init__(self, *, name: str = "", metadata: bytes = b"") -> None:
        self.name = name
        self.metadata = metadata


class JoinGroupRequest(Message):
    __slots__ = (
        "group_id",
        "session_timeout_ms",
        "rebalance_timeout_ms",
        "member_id",
        "group_instance_id",
        "protocol_type",
        "protocols",
        "reason",
    )

    API_KEY = 11
    VERSIONS = (0, 9)
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        *,
        group_id: str = "",
        session_timeout_ms: int = 0,
        rebalance_timeout_ms: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str = "",
        protocols: list[JoinGroupRequestProtocol] = UNSET,
        reason: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.session_timeout_ms = session_timeout_ms
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocols = [] if protocols is UNSET else protocols
        self.reason = reason

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[JoinGroupRequest, int]:
        (item,), pos = _read_join_group_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_join_group_request(out, (self,), version)


def _read_join_group_request_protocol(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[JoinGroupRequestProtocol], int]:
    compact = version >= 6
    items: list[JoinGroupRequestProtocol] = []
    new = JoinGroupRequestProtocol.__new__
    for _ in range(count):
        item = new(JoinGroupRequestProtocol)
        item.name, pos = reading.string(buf, pos, compact)
        item.metadata, pos = reading.blob(buf, pos, compact)
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_join_group_request_protocol(out: bytearray, items: Sequence[JoinGroupRequestProtocol], version: int) -> None:
    compact = version >= 6
    for item in items:
        writing.string(out, item.name, compact)
        writing.blob(out, item.metadata, compact)
        if version >= 6:
            out.append(0)


def _read_join_group_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[JoinGroupRequest], int]:
    compact = version >= 6
    items: list[JoinGroupRequest] = []
    new = JoinGroupRequest.__new__
    for _ in range(count):
        item = new(JoinGroupRequest)
        item.group_id, pos = reading.string(buf, pos, compact)
        if version >= 1:
            item.session_timeout_ms, item.rebalance_timeout_ms = _get_ii(buf, pos)
            pos += 8
        else:
            (item.session_timeout_ms,) = _get_i(buf, pos)
            pos += 4
            item.rebalance_timeout_ms = -1
        item.member_id, pos = reading.string(buf, pos, compact)
        if version >= 5:
            item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.group_instance_id = None
        item.protocol_type, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.protocols, pos = _read_join_group_request_protocol(buf, pos, length, version, left)
        if version >= 8:
            item.reason, pos = reading.nullable_string(buf, pos, True)
        else:
            item.reason = None
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_join_group_request(out: bytearray, items: Sequence[JoinGroupRequest], version: int) -> None:
    compact = version >= 6
    for item in items:
        writing.string(out, item.group_id, compact)
        if version >= 1:
            out += _put_ii(item.session_timeout_ms, item.rebalance_timeout_ms)
        else:
            out += _put_i(item.session_timeout_ms)
        writing.string(out, item.member_id, compact)
        if version >= 5:
            writing.nullable_string(out, item.group_instance_id, compact)
        else:
            if item.group_instance_id is not None:
                raise writing.not_carried("group_instance_id", version)
        writing.string(out, item.protocol_type, compact)
        writing.count(out, len(item.protocols), compact)
        _write_join_group_request_protocol(out, item.protocols, version)
        if version >= 8:
            writing.nullable_string(out, item.reason, True)
        if version >= 6:
            out.append(0)


class JoinGroupResponseMember(Struct):
    __slots__ = ("member_id", "group_instance_id", "metadata")

    def __init__(self, *, member_id: str = "", group_instance_id: str | None = None, metadata: bytes = b"") -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.metadata = metadata


class JoinGroupResponse(Message):
    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "generation_id",
        "protocol_type",
        "protocol_name",
        "leader",
        "skip_assignment",
        "member_id",
        "members",
    )

    API_KEY = 11
    VERSIONS = (0, 9)
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        generation_id: int = -1,
        protocol_type: str | None = None,
        protocol_name: str | None = "",
        leader: str = "",
        skip_assignment: bool = False,
        member_id: str = "",
        members: list[JoinGroupResponseMember] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.generation_id = generation_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.leader = leader
        self.skip_assignment = skip_assignment
        self.member_id = member_id
        self.members = [] if members is UNSET else members

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[JoinGroupResponse, int]:
        (item,), pos = _read_join_group_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_join_group_response(out, (self,), version)


def _read_join_group_response_member(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[JoinGroupResponseMember], int]:
    compact = version >= 6
    items: list[JoinGroupResponseMember] = []
    new = JoinGroupResponseMember.__new__
    for _ in range(count):
        item = new(JoinGroupResponseMember)
        item.member_id, pos = reading.string(buf, pos, compact)
        if version >= 5:
            item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.group_instance_id = None
        item.metadata, pos = reading.blob(buf, pos, compact)
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_join_group_response_member(out: bytearray, items: Sequence[JoinGroupResponseMember], version: int) -> None:
    compact = version >= 6
    for item in items:
        writing.string(out, item.member_id, compact)
        if version >= 5:
            writing.nullable_string(out, item.group_instance_id, compact)
        writing.blob(out, item.metadata, compact)
        if version >= 6:
            out.append(0)


def _read_join_group_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[JoinGroupResponse], int]:
    compact = version >= 6
    items: list[JoinGroupResponse] = []
    new = JoinGroupResponse.__new__
    for _ in range(count):
        item = new(JoinGroupResponse)
        if version >= 2:
            item.throttle_time_ms, item.error_code, item.generation_id = _get_ihi(buf, pos)
            pos += 10
        else:
            item.error_code, item.generation_id = _get_hi(buf, pos)
            pos += 6
            item.throttle_time_ms = 0
        if version >= 7:
            item.protocol_type, pos = reading.nullable_string(buf, pos, True)
        else:
            item.protocol_type = None
        item.protocol_name, pos = reading.nullable_string(buf, pos, compact)
        if item.protocol_name is None and not (version >= 7):
            raise reading.null_refused("protocol_name", version)
        item.leader, pos = reading.string(buf, pos, compact)
        if version >= 9:
            (item.skip_assignment,) = _get_o(buf, pos)
            pos += 1
        else:
            item.skip_assignment = False
        item.member_id, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.members, pos = _read_join_group_response_member(buf, pos, length, version, left)
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_join_group_response(out: bytearray, items: Sequence[JoinGroupResponse], version: int) -> None:
    compact = version >= 6
    for item in items:
        if version >= 2:
            out += _put_ihi(item.throttle_time_ms, item.error_code, item.generation_id)
        else:
            out += _put_hi(item.error_code, item.generation_id)
        if version >= 7:
            writing.nullable_string(out, item.protocol_type, True)
        if item.protocol_name is None and not (version >= 7):
            raise writing.null_refused("protocol_name", version)
        writing.nullable_string(out, item.protocol_name, compact)
        writing.string(out, item.leader, compact)
        if version >= 9:
            out += _put_o(item.skip_assignment)
        else:
            if item.skip_assignment:
                raise writing.not_carried("skip_assignment", version)
        writing.string(out, item.member_id, compact)
        writing.count(out, len(item.members), compact)
        _write_join_group_response_member(out, item.members, version)
        if version >= 6:
            out.append(0)
