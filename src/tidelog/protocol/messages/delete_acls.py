"""DeleteAclsRequest and DeleteAclsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_b = Format(">b").unpack_from
_get_bb = Format(">bb").unpack_from
_get_bbB = Format(">bbB").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_put_b = Format(">b").pack
_put_bb = Format(">bb").pack
_put_bbx = Format(">bbx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack


class DeleteAclsFilter(Struct):
    __slots__ = (
        "resource_type_filter",
        "resource_name_filter",
        "pattern_type_filter",
        "principal_filter",
        "host_filter",
        "operation",
        "permission_type",
    )

    def __init__(
        self,
        *,
        resource_type_filter: int = 0,
        resource_name_filter: str | None = "",
        pattern_type_filter: int = 3,
        principal_filter: str | None = "",
        host_filter: str | None = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type_filter = resource_type_filter
        self.resource_name_filter = resource_name_filter
        self.pattern_type_filter = pattern_type_filter
        self.principal_filter = principal_filter
        self.host_filter = host_filter
        self.operation = operation
        self.permission_type = permission_type


class DeleteAclsRequest(Message):
    __slots__ = ("filters",)

    API_KEY = 31
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(self, *, filters: list[DeleteAclsFilter] = UNSET) -> None:
        self.filters = [] if filters is UNSET else filters

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteAclsRequest, int]:
        (item,), pos = _read_delete_acls_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_acls_request(out, (self,), version)


def _read_delete_acls_filter(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteAclsFilter], int]:
    compact = version >= 2
    items: list[DeleteAclsFilter] = []
    new = DeleteAclsFilter.__new__
    for _ in range(count):
        item = new(DeleteAclsFilter)
        (item.resource_type_filter,) = _get_b(buf, pos)
        pos += 1
        item.resource_name_filter, pos = reading.nullable_string(buf, pos, compact)
        (item.pattern_type_filter,) = _get_b(buf, pos)
        pos += 1
        item.principal_filter, pos = reading.nullable_string(buf, pos, compact)
        item.host_filter, pos = reading.nullable_string(buf, pos, compact)
        if version >= 2:
            item.operation, item.permission_type, tags = _get_bbB(buf, pos)
            pos += 3
        else:
            item.operation, item.permission_type = _get_bb(buf, pos)
            pos += 2
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_acls_filter(out: bytearray, items: Sequence[DeleteAclsFilter], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_b(item.resource_type_filter)
        writing.nullable_string(out, item.resource_name_filter, compact)
        out += _put_b(item.pattern_type_filter)
        writing.nullable_string(out, item.principal_filter, compact)
        writing.nullable_string(out, item.host_filter, compact)
        if version >= 2:
            out += _put_bbx(item.operation, item.permission_type)
        else:
            out += _put_bb(item.operation, item.permission_type)


def _read_delete_acls_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteAclsRequest], int]:
    compact = version >= 2
    items: list[DeleteAclsRequest] = []
    new = DeleteAclsRequest.__new__
    for _ in range(count):
        item = new(DeleteAclsRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.filters, pos = _read_delete_acls_filter(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_acls_request(out: bytearray, items: Sequence[DeleteAclsRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.count(out, len(item.filters), compact)
        _write_delete_acls_filter(out, item.filters, version)
        if version >= 2:
            out.append(0)


class DeleteAclsMatchingAcl(Struct):
    __slots__ = (
        "error_code",
        "error_message",
        "resource_type",
        "resource_name",
        "pattern_type",
        "principal",
        "host",
        "operation",
        "permission_type",
    )

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


class DeleteAclsFilterResult(Struct):
    __slots__ = ("error_code", "error_message", "matching_acls")

    def __init__(
        self, *, error_code: int = 0, error_message: str | None = "", matching_acls: list[DeleteAclsMatchingAcl] = UNSET
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.matching_acls = [] if matching_acls is UNSET else matching_acls


class DeleteAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "filter_results")

    API_KEY = 31
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(self, *, throttle_time_ms: int = 0, filter_results: list[DeleteAclsFilterResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.filter_results = [] if filter_results is UNSET else filter_results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteAclsResponse, int]:
        (item,), pos = _read_delete_acls_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_acls_response(out, (self,), version)


def _read_delete_acls_matching_acl(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteAclsMatchingAcl], int]:
    compact = version >= 2
    items: list[DeleteAclsMatchingAcl] = []
    new = DeleteAclsMatchingAcl.__new__
    for _ in range(count):
        item = new(DeleteAclsMatchingAcl)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        (item.resource_type,) = _get_b(buf, pos)
        pos += 1
        item.resource_name, pos = reading.string(buf, pos, compact)
        (item.pattern_type,) = _get_b(buf, pos)
        pos += 1
        item.principal, pos = reading.string(buf, pos, compact)
        item.host, pos = reading.string(buf, pos, compact)
        if version >= 2:
            item.operation, item.permission_type, tags = _get_bbB(buf, pos)
            pos += 3
        else:
            item.operation, item.permission_type = _get_bb(buf, pos)
            pos += 2
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_acls_matching_acl(out: bytearray, items: Sequence[DeleteAclsMatchingAcl], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        out += _put_b(item.resource_type)
        writing.string(out, item.resource_name, compact)
        out += _put_b(item.pattern_type)
        writing.string(out, item.principal, compact)
        writing.string(out, item.host, compact)
        if version >= 2:
            out += _put_bbx(item.operation, item.permission_type)
        else:
            out += _put_bb(item.operation, item.permission_type)


def _read_delete_acls_filter_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteAclsFilterResult], int]:
    compact = version >= 2
    items: list[DeleteAclsFilterResult] = []
    new = DeleteAclsFilterResult.__new__
    for _ in range(count):
        item = new(DeleteAclsFilterResult)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.matching_acls, pos = _read_delete_acls_matching_acl(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_acls_filter_result(out: bytearray, items: Sequence[DeleteAclsFilterResult], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        writing.count(out, len(item.matching_acls), compact)
        _write_delete_acls_matching_acl(out, item.matching_acls, version)
        if version >= 2:
            out.append(0)


def _read_delete_acls_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteAclsResponse], int]:
    compact = version >= 2
    items: list[DeleteAclsResponse] = []
    new = DeleteAclsResponse.__new__
    for _ in range(count):
        item = new(DeleteAclsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.filter_results, pos = _read_delete_acls_filter_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_acls_response(out: bytearray, items: Sequence[DeleteAclsResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.filter_results), compact)
        _write_delete_acls_filter_result(out, item.filter_results, version)
        if version >= 2:
            out.append(0)
