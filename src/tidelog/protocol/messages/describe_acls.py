"""DescribeAclsRequest and DescribeAclsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_b = Format(">b").unpack_from
_get_bb = Format(">bb").unpack_from
_get_bbB = Format(">bbB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_b = Format(">b").pack
_put_bb = Format(">bb").pack
_put_bbx = Format(">bbx").pack
_put_ih = Format(">ih").pack


class DescribeAclsRequest(Message):
    __slots__ = (
        "resource_type_filter",
        "resource_name_filter",
        "pattern_type_filter",
        "principal_filter",
        "host_filter",
        "operation",
        "permission_type",
    )

    API_KEY = 29
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

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

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeAclsRequest, int]:
        (item,), pos = _read_describe_acls_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_acls_request(out, (self,), version)


def _read_describe_acls_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeAclsRequest], int]:
    compact = version >= 2
    items: list[DescribeAclsRequest] = []
    new = DescribeAclsRequest.__new__
    for _ in range(count):
        item = new(DescribeAclsRequest)
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


def _write_describe_acls_request(out: bytearray, items: Sequence[DescribeAclsRequest], version: int) -> None:
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


class AclDescription(Struct):
    __slots__ = ("principal", "host", "operation", "permission_type")

    def __init__(self, *, principal: str = "", host: str = "", operation: int = 0, permission_type: int = 0) -> None:
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


class DescribeAclsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "pattern_type", "acls")

    def __init__(
        self,
        *,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        acls: list[AclDescription] = UNSET,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.acls = [] if acls is UNSET else acls


class DescribeAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "resources")

    API_KEY = 29
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        resources: list[DescribeAclsResource] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.resources = [] if resources is UNSET else resources

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeAclsResponse, int]:
        (item,), pos = _read_describe_acls_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_acls_response(out, (self,), version)


def _read_acl_description(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AclDescription], int]:
    compact = version >= 2
    items: list[AclDescription] = []
    new = AclDescription.__new__
    for _ in range(count):
        item = new(AclDescription)
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


def _write_acl_description(out: bytearray, items: Sequence[AclDescription], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.principal, compact)
        writing.string(out, item.host, compact)
        if version >= 2:
            out += _put_bbx(item.operation, item.permission_type)
        else:
            out += _put_bb(item.operation, item.permission_type)


def _read_describe_acls_resource(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeAclsResource], int]:
    compact = version >= 2
    items: list[DescribeAclsResource] = []
    new = DescribeAclsResource.__new__
    for _ in range(count):
        item = new(DescribeAclsResource)
        (item.resource_type,) = _get_b(buf, pos)
        pos += 1
        item.resource_name, pos = reading.string(buf, pos, compact)
        (item.pattern_type,) = _get_b(buf, pos)
        pos += 1
        length, pos = reading.count(buf, pos, compact, left)
        item.acls, pos = _read_acl_description(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_acls_resource(out: bytearray, items: Sequence[DescribeAclsResource], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_b(item.resource_type)
        writing.string(out, item.resource_name, compact)
        out += _put_b(item.pattern_type)
        writing.count(out, len(item.acls), compact)
        _write_acl_description(out, item.acls, version)
        if version >= 2:
            out.append(0)


def _read_describe_acls_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeAclsResponse], int]:
    compact = version >= 2
    items: list[DescribeAclsResponse] = []
    new = DescribeAclsResponse.__new__
    for _ in range(count):
        item = new(DescribeAclsResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.resources, pos = _read_describe_acls_resource(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_acls_response(out: bytearray, items: Sequence[DescribeAclsResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        writing.count(out, len(item.resources), compact)
        _write_describe_acls_resource(out, item.resources, version)
        if version >= 2:
            out.append(0)
