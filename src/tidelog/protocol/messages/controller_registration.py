"""ControllerRegistrationRequest and ControllerRegistrationResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_HhB = Format(">HhB").unpack_from
_get_hhB = Format(">hhB").unpack_from
_get_iuo = Format(">i16s?").unpack_from
_get_ih = Format(">ih").unpack_from
_put_Hhx = Format(">Hhx").pack
_put_hhx = Format(">hhx").pack
_put_iuo = Format(">i16s?").pack
_put_ih = Format(">ih").pack


class Listener(Struct):
    __slots__ = ("name", "host", "port", "security_protocol")

    def __init__(self, *, name: str = "", host: str = "", port: int = 0, security_protocol: int = 0) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.security_protocol = security_protocol


class Feature(Struct):
    __slots__ = ("name", "min_supported_version", "max_supported_version")

    def __init__(self, *, name: str = "", min_supported_version: int = 0, max_supported_version: int = 0) -> None:
        self.name = name
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class ControllerRegistrationRequest(Message):
    __slots__ = ("controller_id", "incarnation_id", "zk_migration_ready", "listeners", "features")

    API_KEY = 70
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        controller_id: int = 0,
        incarnation_id: bytes = ZERO,
        zk_migration_ready: bool = False,
        listeners: list[Listener] = UNSET,
        features: list[Feature] = UNSET,
    ) -> None:
        self.controller_id = controller_id
        self.incarnation_id = incarnation_id
        self.zk_migration_ready = zk_migration_ready
        self.listeners = [] if listeners is UNSET else listeners
        self.features = [] if features is UNSET else features

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ControllerRegistrationRequest, int]:
        (item,), pos = _read_controller_registration_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_controller_registration_request(out, (self,), version)


def _read_listener(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Listener], int]:
    items: list[Listener] = []
    new = Listener.__new__
    for _ in range(count):
        item = new(Listener)
        item.name, pos = reading.string(buf, pos, True)
        item.host, pos = reading.string(buf, pos, True)
        item.port, item.security_protocol, tags = _get_HhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_listener(out: bytearray, items: Sequence[Listener], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.string(out, item.host, True)
        out += _put_Hhx(item.port, item.security_protocol)


def _read_feature(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Feature], int]:
    items: list[Feature] = []
    new = Feature.__new__
    for _ in range(count):
        item = new(Feature)
        item.name, pos = reading.string(buf, pos, True)
        item.min_supported_version, item.max_supported_version, tags = _get_hhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_feature(out: bytearray, items: Sequence[Feature], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_hhx(item.min_supported_version, item.max_supported_version)


def _read_controller_registration_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ControllerRegistrationRequest], int]:
    items: list[ControllerRegistrationRequest] = []
    new = ControllerRegistrationRequest.__new__
    for _ in range(count):
        item = new(ControllerRegistrationRequest)
        item.controller_id, item.incarnation_id, item.zk_migration_ready = _get_iuo(buf, pos)
        pos += 21
        length, pos = reading.count(buf, pos, True, left)
        item.listeners, pos = _read_listener(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.features, pos = _read_feature(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_controller_registration_request(
    out: bytearray, items: Sequence[ControllerRegistrationRequest], version: int
) -> None:
    for item in items:
        out += _put_iuo(item.controller_id, item.incarnation_id, item.zk_migration_ready)
        writing.count(out, len(item.listeners), True)
        _write_listener(out, item.listeners, version)
        writing.count(out, len(item.features), True)
        _write_feature(out, item.features, version)
        out.append(0)


class ControllerRegistrationResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")

    API_KEY = 70
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0, error_message: str | None = "") -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ControllerRegistrationResponse, int]:
        (item,), pos = _read_controller_registration_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_controller_registration_response(out, (self,), version)


def _read_controller_registration_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ControllerRegistrationResponse], int]:
    items: list[ControllerRegistrationResponse] = []
    new = ControllerRegistrationResponse.__new__
    for _ in range(count):
        item = new(ControllerRegistrationResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_controller_registration_response(
    out: bytearray, items: Sequence[ControllerRegistrationResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)
