"""FindCoordinatorRequest and FindCoordinatorResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_b = Format(">b").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_put_b = Format(">b").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack


class FindCoordinatorRequest(Message):
    __slots__ = ("key", "key_type", "coordinator_keys")

    API_KEY = 10
    VERSIONS = (0, 6)
    FLEXIBLE_FROM = 3

    def __init__(self, *, key: str = "", key_type: int = 0, coordinator_keys: list[str] = UNSET) -> None:
        self.key = key
        self.key_type = key_type
        self.coordinator_keys = [] if coordinator_keys is UNSET else coordinator_keys

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[FindCoordinatorRequest, int]:
        (item,), pos = _read_find_coordinator_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_find_coordinator_request(out, (self,), version)


def _read_find_coordinator_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FindCoordinatorRequest], int]:
    compact = version >= 3
    items: list[FindCoordinatorRequest] = []
    new = FindCoordinatorRequest.__new__
    for _ in range(count):
        item = new(FindCoordinatorRequest)
        if version <= 3:
            item.key, pos = reading.string(buf, pos, compact)
        else:
            item.key = ""
        if version >= 1:
            (item.key_type,) = _get_b(buf, pos)
            pos += 1
        else:
            item.key_type = 0
        if version >= 4:
            item.coordinator_keys, pos = reading.strings(buf, pos, True, left)
        else:
            item.coordinator_keys = []
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_find_coordinator_request(out: bytearray, items: Sequence[FindCoordinatorRequest], version: int) -> None:
    compact = version >= 3
    for item in items:
        if version <= 3:
            writing.string(out, item.key, compact)
        else:
            if item.key:
                raise writing.not_carried("key", version)
        if version >= 1:
            out += _put_b(item.key_type)
        else:
            if item.key_type != 0:
                raise writing.not_carried("key_type", version)
        if version >= 4:
            writing.strings(out, item.coordinator_keys, True)
        else:
            if item.coordinator_keys:
                raise writing.not_carried("coordinator_keys", version)
        if version >= 3:
            out.append(0)


class Coordinator(Struct):
    __slots__ = ("key", "node_id", "host", "port", "error_code", "error_message")

    def __init__(
        self,
        *,
        key: str = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.key = key
        self.node_id = node_id
        self.host = host
        self.port = port
        self.error_code = error_code
        self.error_message = error_message


class FindCoordinatorResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "node_id", "host", "port", "coordinators")

    API_KEY = 10
    VERSIONS = (0, 6)
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        coordinators: list[Coordinator] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.node_id = node_id
        self.host = host
        self.port = port
        self.coordinators = [] if coordinators is UNSET else coordinators

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[FindCoordinatorResponse, int]:
        (item,), pos = _read_find_coordinator_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_find_coordinator_response(out, (self,), version)


def _read_coordinator(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[Coordinator], int]:
    items: list[Coordinator] = []
    new = Coordinator.__new__
    for _ in range(count):
        item = new(Coordinator)
        item.key, pos = reading.string(buf, pos, True)
        (item.node_id,) = _get_i(buf, pos)
        pos += 4
        item.host, pos = reading.string(buf, pos, True)
        item.port, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_coordinator(out: bytearray, items: Sequence[Coordinator], version: int) -> None:
    for item in items:
        writing.string(out, item.key, True)
        out += _put_i(item.node_id)
        writing.string(out, item.host, True)
        out += _put_ih(item.port, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)


def _read_find_coordinator_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FindCoordinatorResponse], int]:
    compact = version >= 3
    items: list[FindCoordinatorResponse] = []
    new = FindCoordinatorResponse.__new__
    for _ in range(count):
        item = new(FindCoordinatorResponse)
        if version >= 4:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
            item.error_code = 0
        elif version >= 1:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            item.throttle_time_ms = 0
        if 1 <= version <= 3:
            item.error_message, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.error_message = ""
        if version >= 4:
            item.node_id = 0
        else:
            (item.node_id,) = _get_i(buf, pos)
            pos += 4
        if version <= 3:
            item.host, pos = reading.string(buf, pos, compact)
        else:
            item.host = ""
        if version >= 4:
            item.port = 0
        else:
            (item.port,) = _get_i(buf, pos)
            pos += 4
        if version >= 4:
            length, pos = reading.count(buf, pos, True, left)
            item.coordinators, pos = _read_coordinator(buf, pos, length, version, left)
        else:
            item.coordinators = []
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_find_coordinator_response(out: bytearray, items: Sequence[FindCoordinatorResponse], version: int) -> None:
    compact = version >= 3
    for item in items:
        if version >= 4:
            if item.error_code != 0:
                raise writing.not_carried("error_code", version)
            out += _put_i(item.throttle_time_ms)
        elif version >= 1:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        else:
            out += _put_h(item.error_code)
        if 1 <= version <= 3:
            writing.nullable_string(out, item.error_message, compact)
        if version >= 4:
            if item.node_id != 0:
                raise writing.not_carried("node_id", version)
        else:
            out += _put_i(item.node_id)
        if version <= 3:
            writing.string(out, item.host, compact)
        else:
            if item.host:
                raise writing.not_carried("host", version)
        if version >= 4:
            if item.port != 0:
                raise writing.not_carried("port", version)
        else:
            out += _put_i(item.port)
        if version >= 4:
            writing.count(out, len(item.coordinators), True)
            _write_coordinator(out, item.coordinators, version)
        else:
            if item.coordinators:
                raise writing.not_carried("coordinators", version)
        if version >= 3:
            out.append(0)
