"""IncrementalAlterConfigsRequest and IncrementalAlterConfigsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_o = Format(">?").unpack_from
_get_oB = Format(">?B").unpack_from
_get_b = Format(">b").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_put_o = Format(">?").pack
_put_ox = Format(">?x").pack
_put_b = Format(">b").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack


class AlterableConfig(Struct):
    __slots__ = ("name", "config_operation", "value")

    def __init__(self, *, name: str = "", config_operation: int = 0, value: str | None = "") -> None:
        self.name = name
        self.config_operation = config_operation
        self.value = value


class AlterConfigsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "configs")

    def __init__(
        self, *, resource_type: int = 0, resource_name: str = "", configs: list[AlterableConfig] = UNSET
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs = [] if configs is UNSET else configs


class IncrementalAlterConfigsRequest(Message):
    __slots__ = ("resources", "validate_only")

    API_KEY = 44
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(self, *, resources: list[AlterConfigsResource] = UNSET, validate_only: bool = False) -> None:
        self.resources = [] if resources is UNSET else resources
        self.validate_only = validate_only

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[IncrementalAlterConfigsRequest, int]:
        (item,), pos = _read_incremental_alter_configs_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_incremental_alter_configs_request(out, (self,), version)


def _read_alterable_config(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterableConfig], int]:
    compact = version >= 1
    items: list[AlterableConfig] = []
    new = AlterableConfig.__new__
    for _ in range(count):
        item = new(AlterableConfig)
        item.name, pos = reading.string(buf, pos, compact)
        (item.config_operation,) = _get_b(buf, pos)
        pos += 1
        item.value, pos = reading.nullable_string(buf, pos, compact)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alterable_config(out: bytearray, items: Sequence[AlterableConfig], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.string(out, item.name, compact)
        out += _put_b(item.config_operation)
        writing.nullable_string(out, item.value, compact)
        if version >= 1:
            out.append(0)


def _read_alter_configs_resource(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterConfigsResource], int]:
    compact = version >= 1
    items: list[AlterConfigsResource] = []
    new = AlterConfigsResource.__new__
    for _ in range(count):
        item = new(AlterConfigsResource)
        (item.resource_type,) = _get_b(buf, pos)
        pos += 1
        item.resource_name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.configs, pos = _read_alterable_config(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_configs_resource(out: bytearray, items: Sequence[AlterConfigsResource], version: int) -> None:
    compact = version >= 1
    for item in items:
        out += _put_b(item.resource_type)
        writing.string(out, item.resource_name, compact)
        writing.count(out, len(item.configs), compact)
        _write_alterable_config(out, item.configs, version)
        if version >= 1:
            out.append(0)


def _read_incremental_alter_configs_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[IncrementalAlterConfigsRequest], int]:
    compact = version >= 1
    items: list[IncrementalAlterConfigsRequest] = []
    new = IncrementalAlterConfigsRequest.__new__
    for _ in range(count):
        item = new(IncrementalAlterConfigsRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.resources, pos = _read_alter_configs_resource(buf, pos, length, version, left)
        if version >= 1:
            item.validate_only, tags = _get_oB(buf, pos)
            pos += 2
        else:
            (item.validate_only,) = _get_o(buf, pos)
            pos += 1
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_incremental_alter_configs_request(
    out: bytearray, items: Sequence[IncrementalAlterConfigsRequest], version: int
) -> None:
    compact = version >= 1
    for item in items:
        writing.count(out, len(item.resources), compact)
        _write_alter_configs_resource(out, item.resources, version)
        if version >= 1:
            out += _put_ox(item.validate_only)
        else:
            out += _put_o(item.validate_only)


class AlterConfigsResourceResponse(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name")

    def __init__(
        self, *, error_code: int = 0, error_message: str | None = "", resource_type: int = 0, resource_name: str = ""
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name


class IncrementalAlterConfigsResponse(Message):
    __slots__ = ("throttle_time_ms", "responses")

    API_KEY = 44
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(self, *, throttle_time_ms: int = 0, responses: list[AlterConfigsResourceResponse] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses = [] if responses is UNSET else responses

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[IncrementalAlterConfigsResponse, int]:
        (item,), pos = _read_incremental_alter_configs_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_incremental_alter_configs_response(out, (self,), version)


def _read_alter_configs_resource_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterConfigsResourceResponse], int]:
    compact = version >= 1
    items: list[AlterConfigsResourceResponse] = []
    new = AlterConfigsResourceResponse.__new__
    for _ in range(count):
        item = new(AlterConfigsResourceResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        (item.resource_type,) = _get_b(buf, pos)
        pos += 1
        item.resource_name, pos = reading.string(buf, pos, compact)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_configs_resource_response(
    out: bytearray, items: Sequence[AlterConfigsResourceResponse], version: int
) -> None:
    compact = version >= 1
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        out += _put_b(item.resource_type)
        writing.string(out, item.resource_name, compact)
        if version >= 1:
            out.append(0)


def _read_incremental_alter_configs_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[IncrementalAlterConfigsResponse], int]:
    compact = version >= 1
    items: list[IncrementalAlterConfigsResponse] = []
    new = IncrementalAlterConfigsResponse.__new__
    for _ in range(count):
        item = new(IncrementalAlterConfigsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.responses, pos = _read_alter_configs_resource_response(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_incremental_alter_configs_response(
    out: bytearray, items: Sequence[IncrementalAlterConfigsResponse], version: int
) -> None:
    compact = version >= 1
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.responses), compact)
        _write_alter_configs_resource_response(out, item.responses, version)
        if version >= 1:
            out.append(0)
