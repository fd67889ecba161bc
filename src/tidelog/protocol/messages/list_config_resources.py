"""ListConfigResourcesRequest and ListConfigResourcesResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_bB = Format(">bB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_bx = Format(">bx").pack
_put_ih = Format(">ih").pack


class ListConfigResourcesRequest(Message):
    __slots__ = ("resource_types",)

    API_KEY = 74
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(self, *, resource_types: list[int] = UNSET) -> None:
        self.resource_types = [] if resource_types is UNSET else resource_types

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ListConfigResourcesRequest, int]:
        (item,), pos = _read_list_config_resources_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_config_resources_request(out, (self,), version)


def _read_list_config_resources_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListConfigResourcesRequest], int]:
    items: list[ListConfigResourcesRequest] = []
    new = ListConfigResourcesRequest.__new__
    for _ in range(count):
        item = new(ListConfigResourcesRequest)
        if version >= 1:
            item.resource_types, pos = reading.numbers(buf, pos, True, "b", 1)
        else:
            item.resource_types = []
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_config_resources_request(
    out: bytearray, items: Sequence[ListConfigResourcesRequest], version: int
) -> None:
    for item in items:
        if version >= 1:
            writing.numbers(out, item.resource_types, True, "b")
        else:
            if item.resource_types:
                raise writing.not_carried("resource_types", version)
        out.append(0)


class ConfigResource(Struct):
    __slots__ = ("resource_name", "resource_type")

    def __init__(self, *, resource_name: str = "", resource_type: int = 16) -> None:
        self.resource_name = resource_name
        self.resource_type = resource_type


class ListConfigResourcesResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "config_resources")

    API_KEY = 74
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, throttle_time_ms: int = 0, error_code: int = 0, config_resources: list[ConfigResource] = UNSET
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.config_resources = [] if config_resources is UNSET else config_resources

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ListConfigResourcesResponse, int]:
        (item,), pos = _read_list_config_resources_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_config_resources_response(out, (self,), version)


def _read_config_resource(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConfigResource], int]:
    items: list[ConfigResource] = []
    new = ConfigResource.__new__
    for _ in range(count):
        item = new(ConfigResource)
        item.resource_name, pos = reading.string(buf, pos, True)
        if version >= 1:
            item.resource_type, tags = _get_bB(buf, pos)
            pos += 2
        else:
            tags = buf[pos]
            pos += 1
            item.resource_type = 16
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_config_resource(out: bytearray, items: Sequence[ConfigResource], version: int) -> None:
    for item in items:
        writing.string(out, item.resource_name, True)
        if version >= 1:
            out += _put_bx(item.resource_type)
        else:
            out.append(0)


def _read_list_config_resources_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListConfigResourcesResponse], int]:
    items: list[ListConfigResourcesResponse] = []
    new = ListConfigResourcesResponse.__new__
    for _ in range(count):
        item = new(ListConfigResourcesResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, True, left)
        item.config_resources, pos = _read_config_resource(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_config_resources_response(
    out: bytearray, items: Sequence[ListConfigResourcesResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.count(out, len(item.config_resources), True)
        _write_config_resource(out, item.config_resources, version)
        out.append(0)
