"""ListGroupsRequest and ListGroupsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_ih = Format(">ih").unpack_from
_put_h = Format(">h").pack
_put_ih = Format(">ih").pack


class ListGroupsRequest(Message):
    __slots__ = ("states_filter", "types_filter")

    API_KEY = 16
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 3

    def __init__(self, *, states_filter: list[str] = UNSET, types_filter: list[str] = UNSET) -> None:
        self.states_filter = [] if states_filter is UNSET else states_filter
        self.types_filter = [] if types_filter is UNSET else types_filter

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ListGroupsRequest, int]:
        (item,), pos = _read_list_groups_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_groups_request(out, (self,), version)


def _read_list_groups_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListGroupsRequest], int]:
    items: list[ListGroupsRequest] = []
    new = ListGroupsRequest.__new__
    for _ in range(count):
        item = new(ListGroupsRequest)
        if version >= 4:
            item.states_filter, pos = reading.strings(buf, pos, True, left)
        else:
            item.states_filter = []
        if version >= 5:
            item.types_filter, pos = reading.strings(buf, pos, True, left)
        else:
            item.types_filter = []
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_groups_request(out: bytearray, items: Sequence[ListGroupsRequest], version: int) -> None:
    for item in items:
        if version >= 4:
            writing.strings(out, item.states_filter, True)
        else:
            if item.states_filter:
                raise writing.not_carried("states_filter", version)
        if version >= 5:
            writing.strings(out, item.types_filter, True)
        else:
            if item.types_filter:
                raise writing.not_carried("types_filter", version)
        if version >= 3:
            out.append(0)


class ListedGroup(Struct):
    __slots__ = ("group_id", "protocol_type", "group_state", "group_type")

    def __init__(
        self, *, group_id: str = "", protocol_type: str = "", group_state: str = "", group_type: str = ""
    ) -> None:
        self.group_id = group_id
        self.protocol_type = protocol_type
        self.group_state = group_state
        self.group_type = group_type


class ListGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "groups")

    API_KEY = 16
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 3

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0, groups: list[ListedGroup] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.groups = [] if groups is UNSET else groups

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ListGroupsResponse, int]:
        (item,), pos = _read_list_groups_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_groups_response(out, (self,), version)


def _read_listed_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListedGroup], int]:
    compact = version >= 3
    items: list[ListedGroup] = []
    new = ListedGroup.__new__
    for _ in range(count):
        item = new(ListedGroup)
        item.group_id, pos = reading.string(buf, pos, compact)
        item.protocol_type, pos = reading.string(buf, pos, compact)
        if version >= 4:
            item.group_state, pos = reading.string(buf, pos, True)
        else:
            item.group_state = ""
        if version >= 5:
            item.group_type, pos = reading.string(buf, pos, True)
        else:
            item.group_type = ""
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_listed_group(out: bytearray, items: Sequence[ListedGroup], version: int) -> None:
    compact = version >= 3
    for item in items:
        writing.string(out, item.group_id, compact)
        writing.string(out, item.protocol_type, compact)
        if version >= 4:
            writing.string(out, item.group_state, True)
        if version >= 5:
            writing.string(out, item.group_type, True)
        if version >= 3:
            out.append(0)


def _read_list_groups_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListGroupsResponse], int]:
    compact = version >= 3
    items: list[ListGroupsResponse] = []
    new = ListGroupsResponse.__new__
    for _ in range(count):
        item = new(ListGroupsResponse)
        if version >= 1:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            item.throttle_time_ms = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.groups, pos = _read_listed_group(buf, pos, length, version, left)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_groups_response(out: bytearray, items: Sequence[ListGroupsResponse], version: int) -> None:
    compact = version >= 3
    for item in items:
        if version >= 1:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        else:
            out += _put_h(item.error_code)
        writing.count(out, len(item.groups), compact)
        _write_listed_group(out, item.groups, version)
        if version >= 3:
            out.append(0)
