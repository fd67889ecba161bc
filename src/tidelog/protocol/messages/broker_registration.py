"""BrokerRegistrationRequest and BrokerRegistrationResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_o = Format(">?").unpack_from
_get_HhB = Format(">HhB").unpack_from
_get_hhB = Format(">hhB").unpack_from
_get_i = Format(">i").unpack_from
_get_ihqB = Format(">ihqB").unpack_from
_get_qB = Format(">qB").unpack_from
_put_u = Format(">16s").pack
_put_o = Format(">?").pack
_put_Hhx = Format(">Hhx").pack
_put_hhx = Format(">hhx").pack
_put_i = Format(">i").pack
_put_ihqx = Format(">ihqx").pack
_put_qx = Format(">qx").pack


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


class BrokerRegistrationRequest(Message):
    __slots__ = (
        "broker_id",
        "cluster_id",
        "incarnation_id",
        "listeners",
        "features",
        "rack",
        "is_migrating_zk_broker",
        "log_dirs",
        "previous_broker_epoch",
    )

    API_KEY = 62
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        broker_id: int = 0,
        cluster_id: str = "",
        incarnation_id: bytes = ZERO,
        listeners: list[Listener] = UNSET,
        features: list[Feature] = UNSET,
        rack: str | None = "",
        is_migrating_zk_broker: bool = False,
        log_dirs: list[bytes] = UNSET,
        previous_broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.cluster_id = cluster_id
        self.incarnation_id = incarnation_id
        self.listeners = [] if listeners is UNSET else listeners
        self.features = [] if features is UNSET else features
        self.rack = rack
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.log_dirs = [] if log_dirs is UNSET else log_dirs
        self.previous_broker_epoch = previous_broker_epoch

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[BrokerRegistrationRequest, int]:
        (item,), pos = _read_broker_registration_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_broker_registration_request(out, (self,), version)


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


def _read_broker_registration_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BrokerRegistrationRequest], int]:
    items: list[BrokerRegistrationRequest] = []
    new = BrokerRegistrationRequest.__new__
    for _ in range(count):
        item = new(BrokerRegistrationRequest)
        (item.broker_id,) = _get_i(buf, pos)
        pos += 4
        item.cluster_id, pos = reading.string(buf, pos, True)
        (item.incarnation_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.listeners, pos = _read_listener(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.features, pos = _read_feature(buf, pos, length, version, left)
        item.rack, pos = reading.nullable_string(buf, pos, True)
        if version >= 1:
            (item.is_migrating_zk_broker,) = _get_o(buf, pos)
            pos += 1
        else:
            item.is_migrating_zk_broker = False
        if version >= 2:
            item.log_dirs, pos = reading.uuids(buf, pos, True)
        else:
            item.log_dirs = []
        if version >= 3:
            item.previous_broker_epoch, tags = _get_qB(buf, pos)
            pos += 9
        else:
            tags = buf[pos]
            pos += 1
            item.previous_broker_epoch = -1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_broker_registration_request(
    out: bytearray, items: Sequence[BrokerRegistrationRequest], version: int
) -> None:
    for item in items:
        out += _put_i(item.broker_id)
        writing.string(out, item.cluster_id, True)
        out += _put_u(item.incarnation_id)
        writing.count(out, len(item.listeners), True)
        _write_listener(out, item.listeners, version)
        writing.count(out, len(item.features), True)
        _write_feature(out, item.features, version)
        writing.nullable_string(out, item.rack, True)
        if version >= 1:
            out += _put_o(item.is_migrating_zk_broker)
        else:
            if item.is_migrating_zk_broker:
                raise writing.not_carried("is_migrating_zk_broker", version)
        if version >= 2:
            writing.uuids(out, item.log_dirs, True)
        if version >= 3:
            out += _put_qx(item.previous_broker_epoch)
        else:
            out.append(0)


class BrokerRegistrationResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "broker_epoch")

    API_KEY = 62
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0, broker_epoch: int = -1) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.broker_epoch = broker_epoch

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[BrokerRegistrationResponse, int]:
        (item,), pos = _read_broker_registration_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_broker_registration_response(out, (self,), version)


def _read_broker_registration_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BrokerRegistrationResponse], int]:
    items: list[BrokerRegistrationResponse] = []
    new = BrokerRegistrationResponse.__new__
    for _ in range(count):
        item = new(BrokerRegistrationResponse)
        item.throttle_time_ms, item.error_code, item.broker_epoch, tags = _get_ihqB(buf, pos)
        pos += 15
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_broker_registration_response(
    out: bytearray, items: Sequence[BrokerRegistrationResponse], version: int
) -> None:
    for item in items:
        out += _put_ihqx(item.throttle_time_ms, item.error_code, item.broker_epoch)
