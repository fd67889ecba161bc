"""SyncGroupRequest and SyncGroupResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack


class SyncGroupRequestAssignment(Struct):
    __slots__ = ("member_id", "assignment")

    def __init__(self, *, member_id: str = "", assignment: bytes = b"") -> None:
        self.member_id = member_id
        self.assignment = assignment


class SyncGroupRequest(Message):
    __slots__ = (
        "group_id",
        "generation_id",
        "member_id",
        "group_instance_id",
        "protocol_type",
        "protocol_name",
        "assignments",
    )

    API_KEY = 14
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        *,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignments: list[SyncGroupRequestAssignment] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignments = [] if assignments is UNSET else assignments

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[SyncGroupRequest, int]:
        (item,), pos = _read_sync_group_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_sync_group_request(out, (self,), version)


def _read_sync_group_request_assignment(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SyncGroupRequestAssignment], int]:
    compact = version >= 4
    items: list[SyncGroupRequestAssignment] = []
    new = SyncGroupRequestAssignment.__new__
    for _ in range(count):
        item = new(SyncGroupRequestAssignment)
        item.member_id, pos = reading.string(buf, pos, compact)
        item.assignment, pos = reading.blob(buf, pos, compact)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_sync_group_request_assignment(
    out: bytearray, items: Sequence[SyncGroupRequestAssignment], version: int
) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.member_id, compact)
        writing.blob(out, item.assignment, compact)
        if version >= 4:
            out.append(0)


def _read_sync_group_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SyncGroupRequest], int]:
    compact = version >= 4
    items: list[SyncGroupRequest] = []
    new = SyncGroupRequest.__new__
    for _ in range(count):
        item = new(SyncGroupRequest)
        item.group_id, pos = reading.string(buf, pos, compact)
        (item.generation_id,) = _get_i(buf, pos)
        pos += 4
        item.member_id, pos = reading.string(buf, pos, compact)
        if version >= 3:
            item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.group_instance_id = None
        if version >= 5:
            item.protocol_type, pos = reading.nullable_string(buf, pos, True)
        else:
            item.protocol_type = None
        if version >= 5:
            item.protocol_name, pos = reading.nullable_string(buf, pos, True)
        else:
            item.protocol_name = None
        length, pos = reading.count(buf, pos, compact, left)
        item.assignments, pos = _read_sync_group_request_assignment(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_sync_group_request(out: bytearray, items: Sequence[SyncGroupRequest], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.group_id, compact)
        out += _put_i(item.generation_id)
        writing.string(out, item.member_id, compact)
        if version >= 3:
            writing.nullable_string(out, item.group_instance_id, compact)
        else:
            if item.group_instance_id is not None:
                raise writing.not_carried("group_instance_id", version)
        if version >= 5:
            writing.nullable_string(out, item.protocol_type, True)
        if version >= 5:
            writing.nullable_string(out, item.protocol_name, True)
        writing.count(out, len(item.assignments), compact)
        _write_sync_group_request_assignment(out, item.assignments, version)
        if version >= 4:
            out.append(0)


class SyncGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "protocol_type", "protocol_name", "assignment")

    API_KEY = 14
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignment: bytes = b"",
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignment = assignment

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[SyncGroupResponse, int]:
        (item,), pos = _read_sync_group_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_sync_group_response(out, (self,), version)


def _read_sync_group_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SyncGroupResponse], int]:
    compact = version >= 4
    items: list[SyncGroupResponse] = []
    new = SyncGroupResponse.__new__
    for _ in range(count):
        item = new(SyncGroupResponse)
        if version >= 1:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            item.throttle_time_ms = 0
        if version >= 5:
            item.protocol_type, pos = reading.nullable_string(buf, pos, True)
        else:
            item.protocol_type = None
        if version >= 5:
            item.protocol_name, pos = reading.nullable_string(buf, pos, True)
        else:
            item.protocol_name = None
        item.assignment, pos = reading.blob(buf, pos, compact)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_sync_group_response(out: bytearray, items: Sequence[SyncGroupResponse], version: int) -> None:
    compact = version >= 4
    for item in items:
        if version >= 1:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        else:
            out += _put_h(item.error_code)
        if version >= 5:
            writing.nullable_string(out, item.protocol_type, True)
        if version >= 5:
            writing.nullable_string(out, item.protocol_name, True)
        writing.blob(out, item.assignment, compact)
        if version >= 4:
            out.append(0)
