"""CreateAclsRequest and CreateAclsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

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


class AclCreation(Struct):
    __slots__ = (
        "resource_type",
        "resource_name",
        "resource_pattern_type",
        "principal",
        "host",
        "operation",
        "permission_type",
    )

    def __init__(
        self,
        *,
        resource_type: int = 0,
        resource_name: str = "",
        resource_pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.resource_pattern_type = resource_pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


class CreateAclsRequest(Message):
    __slots__ = ("creations",)

    API_KEY = 30
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(self, *, creations: list[AclCreation] = UNSET) -> None:
        self.creations = [] if creations is UNSET else creations

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[CreateAclsRequest, int]:
        (item,), pos = _read_create_acls_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_create_acls_request(out, (self,), version)


def _read_acl_creation(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AclCreation], int]:
    compact = version >= 2
    items: list[AclCreation] = []
    new = AclCreation.__new__
    for _ in range(count):
        item = new(AclCreation)
        (item.resource_type,) = _get_b(buf, pos)
        pos += 1
        item.resource_name, pos = reading.string(buf, pos, compact)
        (item.resource_pattern_type,) = _get_b(buf, pos)
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


def _write_acl_creation(out: bytearray, items: Sequence[AclCreation], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_b(item.resource_type)
        writing.string(out, item.resource_name, compact)
        out += _put_b(item.resource_pattern_type)
        writing.string(out, item.principal, compact)
        writing.string(out, item.host, compact)
        if version >= 2:
            out += _put_bbx(item.operation, item.permission_type)
        else:
            out += _put_bb(item.operation, item.permission_type)


def _read_create_acls_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreateAclsRequest], int]:
    compact = version >= 2
    items: list[CreateAclsRequest] = []
    new = CreateAclsRequest.__new__
    for _ in range(count):
        item = new(CreateAclsRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.creations, pos = _read_acl_creation(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_acls_request(out: bytearray, items: Sequence[CreateAclsRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.count(out, len(item.creations), compact)
        _write_acl_creation(out, item.creations, version)
        if version >= 2:
            out.append(0)


class AclCreationResult(Struct):
    __slots__ = ("error_code", "error_message")

    def __init__(self, *, error_code: int = 0, error_message: str | None = "") -> None:
        self.error_code = error_code
        self.error_message = error_message


class CreateAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    API_KEY = 30
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(self, *, throttle_time_ms: int = 0, results: list[AclCreationResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[CreateAclsResponse, int]:
        (item,), pos = _read_create_acls_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_create_acls_response(out, (self,), version)


def _read_acl_creation_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AclCreationResult], int]:
    compact = version >= 2
    items: list[AclCreationResult] = []
    new = AclCreationResult.__new__
    for _ in range(count):
        item = new(AclCreationResult)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_acl_creation_result(out: bytearray, items: Sequence[AclCreationResult], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        if version >= 2:
            out.append(0)


def _read_create_acls_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreateAclsResponse], int]:
    compact = version >= 2
    items: list[CreateAclsResponse] = []
    new = CreateAclsResponse.__new__
    for _ in range(count):
        item = new(CreateAclsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.results, pos = _read_acl_creation_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_acls_response(out: bytearray, items: Sequence[CreateAclsResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.results), compact)
        _write_acl_creation_result(out, item.results, version)
        if version >= 2:
            out.append(0)
