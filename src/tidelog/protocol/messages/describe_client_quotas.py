"""DescribeClientQuotasRequest and DescribeClientQuotasResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_o = Format(">?").unpack_from
_get_oB = Format(">?B").unpack_from
_get_b = Format(">b").unpack_from
_get_d = Format(">d").unpack_from
_get_dB = Format(">dB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_o = Format(">?").pack
_put_ox = Format(">?x").pack
_put_b = Format(">b").pack
_put_d = Format(">d").pack
_put_dx = Format(">dx").pack
_put_ih = Format(">ih").pack


class ComponentData(Struct):
    __slots__ = ("entity_type", "match_type", "match")

    def __init__(self, *, entity_type: str = "", match_type: int = 0, match: str | None = "") -> None:
        self.entity_type = entity_type
        self.match_type = match_type
        self.match = match


class DescribeClientQuotasRequest(Message):
    __slots__ = ("components", "strict")

    API_KEY = 48
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(self, *, components: list[ComponentData] = UNSET, strict: bool = False) -> None:
        self.components = [] if components is UNSET else components
        self.strict = strict

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeClientQuotasRequest, int]:
        (item,), pos = _read_describe_client_quotas_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_client_quotas_request(out, (self,), version)


def _read_component_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ComponentData], int]:
    compact = version >= 1
    items: list[ComponentData] = []
    new = ComponentData.__new__
    for _ in range(count):
        item = new(ComponentData)
        item.entity_type, pos = reading.string(buf, pos, compact)
        (item.match_type,) = _get_b(buf, pos)
        pos += 1
        item.match, pos = reading.nullable_string(buf, pos, compact)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_component_data(out: bytearray, items: Sequence[ComponentData], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.string(out, item.entity_type, compact)
        out += _put_b(item.match_type)
        writing.nullable_string(out, item.match, compact)
        if version >= 1:
            out.append(0)


def _read_describe_client_quotas_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeClientQuotasRequest], int]:
    compact = version >= 1
    items: list[DescribeClientQuotasRequest] = []
    new = DescribeClientQuotasRequest.__new__
    for _ in range(count):
        item = new(DescribeClientQuotasRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.components, pos = _read_component_data(buf, pos, length, version, left)
        if version >= 1:
            item.strict, tags = _get_oB(buf, pos)
            pos += 2
        else:
            (item.strict,) = _get_o(buf, pos)
            pos += 1
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_client_quotas_request(
    out: bytearray, items: Sequence[DescribeClientQuotasRequest], version: int
) -> None:
    compact = version >= 1
    for item in items:
        writing.count(out, len(item.components), compact)
        _write_component_data(out, item.components, version)
        if version >= 1:
            out += _put_ox(item.strict)
        else:
            out += _put_o(item.strict)


class EntityData(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(self, *, entity_type: str = "", entity_name: str | None = "") -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


class ValueData(Struct):
    __slots__ = ("key", "value")

    def __init__(self, *, key: str = "", value: float = 0.0) -> None:
        self.key = key
        self.value = value


class EntryData(Struct):
    __slots__ = ("entity", "values")

    def __init__(self, *, entity: list[EntityData] = UNSET, values: list[ValueData] = UNSET) -> None:
        self.entity = [] if entity is UNSET else entity
        self.values = [] if values is UNSET else values


class DescribeClientQuotasResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "entries")

    API_KEY = 48
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        entries: list[EntryData] | None = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.entries = [] if entries is UNSET else entries

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeClientQuotasResponse, int]:
        (item,), pos = _read_describe_client_quotas_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_client_quotas_response(out, (self,), version)


def _read_entity_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EntityData], int]:
    compact = version >= 1
    items: list[EntityData] = []
    new = EntityData.__new__
    for _ in range(count):
        item = new(EntityData)
        item.entity_type, pos = reading.string(buf, pos, compact)
        item.entity_name, pos = reading.nullable_string(buf, pos, compact)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_entity_data(out: bytearray, items: Sequence[EntityData], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.string(out, item.entity_type, compact)
        writing.nullable_string(out, item.entity_name, compact)
        if version >= 1:
            out.append(0)


def _read_value_data(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[ValueData], int]:
    compact = version >= 1
    items: list[ValueData] = []
    new = ValueData.__new__
    for _ in range(count):
        item = new(ValueData)
        item.key, pos = reading.string(buf, pos, compact)
        if version >= 1:
            item.value, tags = _get_dB(buf, pos)
            pos += 9
        else:
            (item.value,) = _get_d(buf, pos)
            pos += 8
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_value_data(out: bytearray, items: Sequence[ValueData], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.string(out, item.key, compact)
        if version >= 1:
            out += _put_dx(item.value)
        else:
            out += _put_d(item.value)


def _read_entry_data(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[EntryData], int]:
    compact = version >= 1
    items: list[EntryData] = []
    new = EntryData.__new__
    for _ in range(count):
        item = new(EntryData)
        length, pos = reading.count(buf, pos, compact, left)
        item.entity, pos = _read_entity_data(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, compact, left)
        item.values, pos = _read_value_data(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_entry_data(out: bytearray, items: Sequence[EntryData], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.count(out, len(item.entity), compact)
        _write_entity_data(out, item.entity, version)
        writing.count(out, len(item.values), compact)
        _write_value_data(out, item.values, version)
        if version >= 1:
            out.append(0)


def _read_describe_client_quotas_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeClientQuotasResponse], int]:
    compact = version >= 1
    items: list[DescribeClientQuotasResponse] = []
    new = DescribeClientQuotasResponse.__new__
    for _ in range(count):
        item = new(DescribeClientQuotasResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        length, pos = reading.nullable_count(buf, pos, compact, left)
        if length < 0:
            item.entries = None
        else:
            item.entries, pos = _read_entry_data(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_client_quotas_response(
    out: bytearray, items: Sequence[DescribeClientQuotasResponse], version: int
) -> None:
    compact = version >= 1
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        if item.entries is None:
            writing.null(out, compact)
        else:
            writing.count(out, len(item.entries), compact)
            _write_entry_data(out, item.entries, version)
        if version >= 1:
            out.append(0)
