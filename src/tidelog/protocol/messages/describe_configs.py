"""DescribeConfigsRequest and DescribeConfigsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_o = Format(">?").unpack_from
_get_oo = Format(">??").unpack_from
_get_ooB = Format(">??B").unpack_from
_get_obo = Format(">?b?").unpack_from
_get_b = Format(">b").unpack_from
_get_bB = Format(">bB").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_put_o = Format(">?").pack
_put_oo = Format(">??").pack
_put_oox = Format(">??x").pack
_put_obo = Format(">?b?").pack
_put_b = Format(">b").pack
_put_bx = Format(">bx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack


class DescribeConfigsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "configuration_keys")

    def __init__(
        self, *, resource_type: int = 0, resource_name: str = "", configuration_keys: list[str] | None = UNSET
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configuration_keys = [] if configuration_keys is UNSET else configuration_keys


class DescribeConfigsRequest(Message):
    __slots__ = ("resources", "include_synonyms", "include_documentation")

    API_KEY = 32
    VERSIONS = (1, 4)
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        *,
        resources: list[DescribeConfigsResource] = UNSET,
        include_synonyms: bool = False,
        include_documentation: bool = False,
    ) -> None:
        self.resources = [] if resources is UNSET else resources
        self.include_synonyms = include_synonyms
        self.include_documentation = include_documentation

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeConfigsRequest, int]:
        (item,), pos = _read_describe_configs_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_configs_request(out, (self,), version)


def _read_describe_configs_resource(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeConfigsResource], int]:
    compact = version >= 4
    items: list[DescribeConfigsResource] = []
    new = DescribeConfigsResource.__new__
    for _ in range(count):
        item = new(DescribeConfigsResource)
        (item.resource_type,) = _get_b(buf, pos)
        pos += 1
        item.resource_name, pos = reading.string(buf, pos, compact)
        item.configuration_keys, pos = reading.nullable_strings(buf, pos, compact, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_configs_resource(out: bytearray, items: Sequence[DescribeConfigsResource], version: int) -> None:
    compact = version >= 4
    for item in items:
        out += _put_b(item.resource_type)
        writing.string(out, item.resource_name, compact)
        if item.configuration_keys is None:
            writing.null(out, compact)
        else:
            writing.strings(out, item.configuration_keys, compact)
        if version >= 4:
            out.append(0)


def _read_describe_configs_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeConfigsRequest], int]:
    compact = version >= 4
    items: list[DescribeConfigsRequest] = []
    new = DescribeConfigsRequest.__new__
    for _ in range(count):
        item = new(DescribeConfigsRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.resources, pos = _read_describe_configs_resource(buf, pos, length, version, left)
        if version >= 4:
            item.include_synonyms, item.include_documentation, tags = _get_ooB(buf, pos)
            pos += 3
        elif version >= 3:
            item.include_synonyms, item.include_documentation = _get_oo(buf, pos)
            pos += 2
            tags = 0
        else:
            (item.include_synonyms,) = _get_o(buf, pos)
            pos += 1
            item.include_documentation = False
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_configs_request(out: bytearray, items: Sequence[DescribeConfigsRequest], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.count(out, len(item.resources), compact)
        _write_describe_configs_resource(out, item.resources, version)
        if version >= 4:
            out += _put_oox(item.include_synonyms, item.include_documentation)
        elif version >= 3:
            out += _put_oo(item.include_synonyms, item.include_documentation)
        else:
            if item.include_documentation:
                raise writing.not_carried("include_documentation", version)
            out += _put_o(item.include_synonyms)


class DescribeConfigsSynonym(Struct):
    __slots__ = ("name", "value", "source")

    def __init__(self, *, name: str = "", value: str | None = "", source: int = 0) -> None:
        self.name = name
        self.value = value
        self.source = source


class DescribeConfigsResourceResult(Struct):
    __slots__ = (
        "name",
        "value",
        "read_only",
        "config_source",
        "is_sensitive",
        "synonyms",
        "config_type",
        "documentation",
    )

    def __init__(
        self,
        *,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
        synonyms: list[DescribeConfigsSynonym] = UNSET,
        config_type: int = 0,
        documentation: str | None = "",
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive
        self.synonyms = [] if synonyms is UNSET else synonyms
        self.config_type = config_type
        self.documentation = documentation


class DescribeConfigsResult(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "configs")

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        configs: list[DescribeConfigsResourceResult] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs = [] if configs is UNSET else configs


class DescribeConfigsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    API_KEY = 32
    VERSIONS = (1, 4)
    FLEXIBLE_FROM = 4

    def __init__(self, *, throttle_time_ms: int = 0, results: list[DescribeConfigsResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeConfigsResponse, int]:
        (item,), pos = _read_describe_configs_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_configs_response(out, (self,), version)


def _read_describe_configs_synonym(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeConfigsSynonym], int]:
    compact = version >= 4
    items: list[DescribeConfigsSynonym] = []
    new = DescribeConfigsSynonym.__new__
    for _ in range(count):
        item = new(DescribeConfigsSynonym)
        item.name, pos = reading.string(buf, pos, compact)
        item.value, pos = reading.nullable_string(buf, pos, compact)
        if version >= 4:
            item.source, tags = _get_bB(buf, pos)
            pos += 2
        else:
            (item.source,) = _get_b(buf, pos)
            pos += 1
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_configs_synonym(out: bytearray, items: Sequence[DescribeConfigsSynonym], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.name, compact)
        writing.nullable_string(out, item.value, compact)
        if version >= 4:
            out += _put_bx(item.source)
        else:
            out += _put_b(item.source)


def _read_describe_configs_resource_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeConfigsResourceResult], int]:
    compact = version >= 4
    items: list[DescribeConfigsResourceResult] = []
    new = DescribeConfigsResourceResult.__new__
    for _ in range(count):
        item = new(DescribeConfigsResourceResult)
        item.name, pos = reading.string(buf, pos, compact)
        item.value, pos = reading.nullable_string(buf, pos, compact)
        item.read_only, item.config_source, item.is_sensitive = _get_obo(buf, pos)
        pos += 3
        length, pos = reading.count(buf, pos, compact, left)
        item.synonyms, pos = _read_describe_configs_synonym(buf, pos, length, version, left)
        if version >= 3:
            (item.config_type,) = _get_b(buf, pos)
            pos += 1
        else:
            item.config_type = 0
        if version >= 3:
            item.documentation, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.documentation = ""
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_configs_resource_result(
    out: bytearray, items: Sequence[DescribeConfigsResourceResult], version: int
) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.name, compact)
        writing.nullable_string(out, item.value, compact)
        out += _put_obo(item.read_only, item.config_source, item.is_sensitive)
        writing.count(out, len(item.synonyms), compact)
        _write_describe_configs_synonym(out, item.synonyms, version)
        if version >= 3:
            out += _put_b(item.config_type)
        if version >= 3:
            writing.nullable_string(out, item.documentation, compact)
        if version >= 4:
            out.append(0)


def _read_describe_configs_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeConfigsResult], int]:
    compact = version >= 4
    items: list[DescribeConfigsResult] = []
    new = DescribeConfigsResult.__new__
    for _ in range(count):
        item = new(DescribeConfigsResult)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        (item.resource_type,) = _get_b(buf, pos)
        pos += 1
        item.resource_name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.configs, pos = _read_describe_configs_resource_result(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_configs_result(out: bytearray, items: Sequence[DescribeConfigsResult], version: int) -> None:
    compact = version >= 4
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        out += _put_b(item.resource_type)
        writing.string(out, item.resource_name, compact)
        writing.count(out, len(item.configs), compact)
        _write_describe_configs_resource_result(out, item.configs, version)
        if version >= 4:
            out.append(0)


def _read_describe_configs_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeConfigsResponse], int]:
    compact = version >= 4
    items: list[DescribeConfigsResponse] = []
    new = DescribeConfigsResponse.__new__
    for _ in range(count):
        item = new(DescribeConfigsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.results, pos = _read_describe_configs_result(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_configs_response(out: bytearray, items: Sequence[DescribeConfigsResponse], version: int) -> None:
    compact = version >= 4
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.results), compact)
        _write_describe_configs_result(out, item.results, version)
        if version >= 4:
            out.append(0)
