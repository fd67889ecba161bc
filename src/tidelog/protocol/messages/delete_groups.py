"""DeleteGroupsRequest and DeleteGroupsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_hB = Format(">hB").unpack_from
_get_i = Format(">i").unpack_from
_put_h = Format(">h").pack
_put_hx = Format(">hx").pack
_put_i = Format(">i").pack


class DeleteGroupsRequest(Message):
    __slots__ = ("groups_names",)

    API_KEY = 42
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, groups_names: list[str] = UNSET) -> None:
        self.groups_names = [] if groups_names is UNSET else groups_names

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteGroupsRequest, int]:
        (item,), pos = _read_delete_groups_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_groups_request(out, (self,), version)


def _read_delete_groups_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteGroupsRequest], int]:
    compact = version >= 2
    items: list[DeleteGroupsRequest] = []
    new = DeleteGroupsRequest.__new__
    for _ in range(count):
        item = new(DeleteGroupsRequest)
        item.groups_names, pos = reading.strings(buf, pos, compact, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_groups_request(out: bytearray, items: Sequence[DeleteGroupsRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.strings(out, item.groups_names, compact)
        if version >= 2:
            out.append(0)


class DeletableGroupResult(Struct):
    __slots__ = ("group_id", "error_code")

    def __init__(self, *, group_id: str = "", error_code: int = 0) -> None:
        self.group_id = group_id
        self.error_code = error_code


class DeleteGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    API_KEY = 42
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, throttle_time_ms: int = 0, results: list[DeletableGroupResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteGroupsResponse, int]:
        (item,), pos = _read_delete_groups_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_groups_response(out, (self,), version)


def _read_deletable_group_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeletableGroupResult], int]:
    compact = version >= 2
    items: list[DeletableGroupResult] = []
    new = DeletableGroupResult.__new__
    for _ in range(count):
        item = new(DeletableGroupResult)
        item.group_id, pos = reading.string(buf, pos, compact)
        if version >= 2:
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


def _write_deletable_group_result(out: bytearray, items: Sequence[DeletableGroupResult], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.group_id, compact)
        if version >= 2:
            out += _put_hx(item.error_code)
        else:
            out += _put_h(item.error_code)


def _read_delete_groups_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteGroupsResponse], int]:
    compact = version >= 2
    items: list[DeleteGroupsResponse] = []
    new = DeleteGroupsResponse.__new__
    for _ in range(count):
        item = new(DeleteGroupsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.results, pos = _read_deletable_group_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_groups_response(out: bytearray, items: Sequence[DeleteGroupsResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.results), compact)
        _write_deletable_group_result(out, item.results, version)
        if version >= 2:
            out.append(0)
