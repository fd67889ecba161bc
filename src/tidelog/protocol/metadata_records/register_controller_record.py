"""RegisterControllerRecord. Generated from schemas/ by `./dev gen`: do not edit."""

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
_put_Hhx = Format(">Hhx").pack
_put_hhx = Format(">hhx").pack
_put_iuo = Format(">i16s?").pack


class ControllerEndpoint(Struct):
    __slots__ = ("name", "host", "port", "security_protocol")

    def __init__(self, *, name: str = "", host: str = "", port: int = 0, security_protocol: int = 0) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.security_protocol = security_protocol


class ControllerFeature(Struct):
    __slots__ = ("name", "min_supported_version", "max_supported_version")

    def __init__(self, *, name: str = "", min_supported_version: int = 0, max_supported_version: int = 0) -> None:
        self.name = name
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class RegisterControllerRecord(Message):
    __slots__ = ("controller_id", "incarnation_id", "zk_migration_ready", "end_points", "features")

    API_KEY = 27
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        controller_id: int = 0,
        incarnation_id: bytes = ZERO,
        zk_migration_ready: bool = False,
        end_points: list[ControllerEndpoint] = UNSET,
        features: list[ControllerFeature] = UNSET,
    ) -> None:
        self.controller_id = controller_id
        self.incarnation_id = incarnation_id
        self.zk_migration_ready = zk_migration_ready
        self.end_points = [] if end_points is UNSET else end_points
        self.features = [] if features is UNSET else features

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RegisterControllerRecord, int]:
        (item,), pos = _read_register_controller_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_register_controller_record(out, (self,), version)


def _read_controller_endpoint(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ControllerEndpoint], int]:
    items: list[ControllerEndpoint] = []
    new = ControllerEndpoint.__new__
    for _ in range(count):
        item = new(ControllerEndpoint)
        item.name, pos = reading.string(buf, pos, True)
        item.host, pos = reading.string(buf, pos, True)
        item.port, item.security_protocol, tags = _get_HhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_controller_endpoint(out: bytearray, items: Sequence[ControllerEndpoint], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.string(out, item.host, True)
        out += _put_Hhx(item.port, item.security_protocol)


def _read_controller_feature(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ControllerFeature], int]:
    items: list[ControllerFeature] = []
    new = ControllerFeature.__new__
    for _ in range(count):
        item = new(ControllerFeature)
        item.name, pos = reading.string(buf, pos, True)
        item.min_supported_version, item.max_supported_version, tags = _get_hhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_controller_feature(out: bytearray, items: Sequence[ControllerFeature], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_hhx(item.min_supported_version, item.max_supported_version)


def _read_register_controller_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RegisterControllerRecord], int]:
    items: list[RegisterControllerRecord] = []
    new = RegisterControllerRecord.__new__
    for _ in range(count):
        item = new(RegisterControllerRecord)
        item.controller_id, item.incarnation_id, item.zk_migration_ready = _get_iuo(buf, pos)
        pos += 21
        length, pos = reading.count(buf, pos, True, left)
        item.end_points, pos = _read_controller_endpoint(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.features, pos = _read_controller_feature(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_register_controller_record(out: bytearray, items: Sequence[RegisterControllerRecord], version: int) -> None:
    for item in items:
        out += _put_iuo(item.controller_id, item.incarnation_id, item.zk_migration_ready)
        writing.count(out, len(item.end_points), True)
        _write_controller_endpoint(out, item.end_points, version)
        writing.count(out, len(item.features), True)
        _write_controller_feature(out, item.features, version)
        out.append(0)
