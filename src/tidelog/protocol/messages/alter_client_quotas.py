"""AlterClientQuotasRequest and AlterClientQuotasResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_o = Format(">?").unpack_from
_get_oB = Format(">?B").unpack_from
_get_do = Format(">d?").unpack_from
_get_doB = Format(">d?B").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_put_o = Format(">?").pack
_put_ox = Format(">?x").pack
_put_do = Format(">d?").pack
_put_dox = Format(">d?x").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack


class EntityData(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(self, *, entity_type: str = "", entity_name: str | None = "") -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


class OpData(Struct):
    __slots__ = ("key", "value", "remove")

    def __init__(self, *, key: str = "", value: float = 0.0, remove: bool = False) -> None:
        self.key = key
        self.value = value
        self.remove = remove


class RequestEntryData(Struct):
    __slots__ = ("entity", "ops")

    def __init__(self, *, entity: list[EntityData] = UNSET, ops: list[OpData] = UNSET) -> None:
        self.entity = [] if entity is UNSET else entity
        self.ops = [] if ops is UNSET else ops


class AlterClientQuotasRequest(Message):
    __slots__ = ("entries", "validate_only")

    API_KEY = 49
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(self, *, entries: list[RequestEntryData] = UNSET, validate_only: bool = False) -> None:
        self.entries = [] if entries is UNSET else entries
        self.validate_only = validate_only

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AlterClientQuotasRequest, int]:
        (item,), pos = _read_alter_client_quotas_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_client_quotas_request(out, (self,), version)


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


def _read_op_data(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[OpData], int]:
    compact = version >= 1
    items: list[OpData] = []
    new = OpData.__new__
    for _ in range(count):
        item = new(OpData)
        item.key, pos = reading.string(buf, pos, compact)
        if version >= 1:
            item.value, item.remove, tags = _get_doB(buf, pos)
            pos += 10
        else:
            item.value, item.remove = _get_do(buf, pos)
            pos += 9
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_op_data(out: bytearray, items: Sequence[OpData], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.string(out, item.key, compact)
        if version >= 1:
            out += _put_dox(item.value, item.remove)
        else:
            out += _put_do(item.value, item.remove)


def _read_request_entry_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestEntryData], int]:
    compact = version >= 1
    items: list[RequestEntryData] = []
    new = RequestEntryData.__new__
    for _ in range(count):
        item = new(RequestEntryData)
        length, pos = reading.count(buf, pos, compact, left)
        item.entity, pos = _read_entity_data(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, compact, left)
        item.ops, pos = _read_op_data(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_entry_data(out: bytearray, items: Sequence[RequestEntryData], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.count(out, len(item.entity), compact)
        _write_entity_data(out, item.entity, version)
        writing.count(out, len(item.ops), compact)
        _write_op_data(out, item.ops, version)
        if version >= 1:
            out.append(0)


def _read_alter_client_quotas_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterClientQuotasRequest], int]:
    compact = version >= 1
    items: list[AlterClientQuotasRequest] = []
    new = AlterClientQuotasRequest.__new__
    for _ in range(count):
        item = new(AlterClientQuotasRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.entries, pos = _read_request_entry_data(buf, pos, length, version, left)
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


def _write_alter_client_quotas_request(out: bytearray, items: Sequence[AlterClientQuotasRequest], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.count(out, len(item.entries), compact)
        _write_request_entry_data(out, item.entries, version)
        if version >= 1:
            out += _put_ox(item.validate_only)
        else:
            out += _put_o(item.validate_only)


class ResponseEntryData(Struct):
    __slots__ = ("error_code", "error_message", "entity")

    def __init__(
        self, *, error_code: int = 0, error_message: str | None = "", entity: list[EntityData] = UNSET
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.entity = [] if entity is UNSET else entity


class AlterClientQuotasResponse(Message):
    __slots__ = ("throttle_time_ms", "entries")

    API_KEY = 49
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(self, *, throttle_time_ms: int = 0, entries: list[ResponseEntryData] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.entries = [] if entries is UNSET else entries

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AlterClientQuotasResponse, int]:
        (item,), pos = _read_alter_client_quotas_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_client_quotas_response(out, (self,), version)


def _read_response_entry_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponseEntryData], int]:
    compact = version >= 1
    items: list[ResponseEntryData] = []
    new = ResponseEntryData.__new__
    for _ in range(count):
        item = new(ResponseEntryData)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.entity, pos = _read_entity_data(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_entry_data(out: bytearray, items: Sequence[ResponseEntryData], version: int) -> None:
    compact = version >= 1
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        writing.count(out, len(item.entity), compact)
        _write_entity_data(out, item.entity, version)
        if version >= 1:
            out.append(0)


def _read_alter_client_quotas_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterClientQuotasResponse], int]:
    compact = version >= 1
    items: list[AlterClientQuotasResponse] = []
    new = AlterClientQuotasResponse.__new__
    for _ in range(count):
        item = new(AlterClientQuotasResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.entries, pos = _read_response_entry_data(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_client_quotas_response(
    out: bytearray, items: Sequence[AlterClientQuotasResponse], version: int
) -> None:
    compact = version >= 1
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.entries), compact)
        _write_response_entry_data(out, item.entries, version)
        if version >= 1:
            out.append(0)
