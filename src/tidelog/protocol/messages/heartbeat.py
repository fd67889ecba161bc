"""HeartbeatRequest and HeartbeatResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ihB = Format(">ihB").unpack_from
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ihx = Format(">ihx").pack


class HeartbeatRequest(Message):
    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id")

    API_KEY = 12
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 4

    def __init__(
        self, *, group_id: str = "", generation_id: int = 0, member_id: str = "", group_instance_id: str | None = None
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[HeartbeatRequest, int]:
        (item,), pos = _read_heartbeat_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_heartbeat_request(out, (self,), version)


def _read_heartbeat_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[HeartbeatRequest], int]:
    compact = version >= 4
    items: list[HeartbeatRequest] = []
    new = HeartbeatRequest.__new__
    for _ in range(count):
        item = new(HeartbeatRequest)
        item.group_id, pos = reading.string(buf, pos, compact)
        (item.generation_id,) = _get_i(buf, pos)
        pos += 4
        item.member_id, pos = reading.string(buf, pos, compact)
        if version >= 3:
            item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.group_instance_id = None
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_heartbeat_request(out: bytearray, items: Sequence[HeartbeatRequest], version: int) -> None:
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
        if version >= 4:
            out.append(0)


class HeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")

    API_KEY = 12
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 4

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[HeartbeatResponse, int]:
        (item,), pos = _read_heartbeat_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_heartbeat_response(out, (self,), version)


def _read_heartbeat_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[HeartbeatResponse], int]:
    items: list[HeartbeatResponse] = []
    new = HeartbeatResponse.__new__
    for _ in range(count):
        item = new(HeartbeatResponse)
        if version >= 4:
            item.throttle_time_ms, item.error_code, tags = _get_ihB(buf, pos)
            pos += 7
        elif version >= 1:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
            tags = 0
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            item.throttle_time_ms = 0
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_heartbeat_response(out: bytearray, items: Sequence[HeartbeatResponse], version: int) -> None:
    for item in items:
        if version >= 4:
            out += _put_ihx(item.throttle_time_ms, item.error_code)
        elif version >= 1:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        else:
            out += _put_h(item.error_code)
