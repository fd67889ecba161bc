"""RegisterBrokerRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_ooB = Format(">??B").unpack_from
_get_oB = Format(">?B").unpack_from
_get_HhB = Format(">HhB").unpack_from
_get_hhB = Format(">hhB").unpack_from
_get_iuq = Format(">i16sq").unpack_from
_get_iouq = Format(">i?16sq").unpack_from
_put_o = Format(">?").pack
_put_oo = Format(">??").pack
_put_Hhx = Format(">Hhx").pack
_put_hhx = Format(">hhx").pack
_put_iuq = Format(">i16sq").pack
_put_iouq = Format(">i?16sq").pack


class BrokerEndpoint(Struct):
    __slots__ = ("name", "host", "port", "security_protocol")

    def __init__(self, *, name: str = "", host: str = "", port: int = 0, security_protocol: int = 0) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.security_protocol = security_protocol


class BrokerFeature(Struct):
    __slots__ = ("name", "min_supported_version", "max_supported_version")

    def __init__(self, *, name: str = "", min_supported_version: int = 0, max_supported_version: int = 0) -> None:
        self.name = name
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class RegisterBrokerRecord(Message):
    __slots__ = (
        "broker_id",
        "is_migrating_zk_broker",
        "incarnation_id",
        "broker_epoch",
        "end_points",
        "features",
        "rack",
        "fenced",
        "in_controlled_shutdown",
        "log_dirs",
        "cordoned_log_dirs",
    )

    API_KEY = 0
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        broker_id: int = 0,
        is_migrating_zk_broker: bool = False,
        incarnation_id: bytes = ZERO,
        broker_epoch: int = 0,
        end_points: list[BrokerEndpoint] = UNSET,
        features: list[BrokerFeature] = UNSET,
        rack: str | None = "",
        fenced: bool = True,
        in_controlled_shutdown: bool = False,
        log_dirs: list[bytes] = UNSET,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.incarnation_id = incarnation_id
        self.broker_epoch = broker_epoch
        self.end_points = [] if end_points is UNSET else end_points
        self.features = [] if features is UNSET else features
        self.rack = rack
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs = [] if log_dirs is UNSET else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RegisterBrokerRecord, int]:
        (item,), pos = _read_register_broker_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_register_broker_record(out, (self,), version)


def _read_broker_endpoint(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BrokerEndpoint], int]:
    items: list[BrokerEndpoint] = []
    new = BrokerEndpoint.__new__
    for _ in range(count):
        item = new(BrokerEndpoint)
        item.name, pos = reading.string(buf, pos, True)
        item.host, pos = reading.string(buf, pos, True)
        item.port, item.security_protocol, tags = _get_HhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_broker_endpoint(out: bytearray, items: Sequence[BrokerEndpoint], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.string(out, item.host, True)
        out += _put_Hhx(item.port, item.security_protocol)


def _read_broker_feature(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BrokerFeature], int]:
    items: list[BrokerFeature] = []
    new = BrokerFeature.__new__
    for _ in range(count):
        item = new(BrokerFeature)
        item.name, pos = reading.string(buf, pos, True)
        item.min_supported_version, item.max_supported_version, tags = _get_hhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_broker_feature(out: bytearray, items: Sequence[BrokerFeature], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_hhx(item.min_supported_version, item.max_supported_version)


def _tags_register_broker_record(
    item: RegisterBrokerRecord, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0 and version >= 3:
            item.log_dirs, pos = reading.uuids(buf, pos, True)
        elif tag == 1 and version >= 4:
            item.cordoned_log_dirs, pos = reading.nullable_uuids(buf, pos, True)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_register_broker_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RegisterBrokerRecord], int]:
    items: list[RegisterBrokerRecord] = []
    new = RegisterBrokerRecord.__new__
    for _ in range(count):
        item = new(RegisterBrokerRecord)
        if version >= 2:
            item.broker_id, item.is_migrating_zk_broker, item.incarnation_id, item.broker_epoch = _get_iouq(buf, pos)
            pos += 29
        else:
            item.broker_id, item.incarnation_id, item.broker_epoch = _get_iuq(buf, pos)
            pos += 28
            item.is_migrating_zk_broker = False
        length, pos = reading.count(buf, pos, True, left)
        item.end_points, pos = _read_broker_endpoint(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.features, pos = _read_broker_feature(buf, pos, length, version, left)
        item.rack, pos = reading.nullable_string(buf, pos, True)
        if version >= 1:
            item.fenced, item.in_controlled_shutdown, tags = _get_ooB(buf, pos)
            pos += 3
        else:
            item.fenced, tags = _get_oB(buf, pos)
            pos += 2
            item.in_controlled_shutdown = False
        item.log_dirs = []
        item.cordoned_log_dirs = None
        if tags:
            pos = _tags_register_broker_record(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_register_broker_record(out: bytearray, item: RegisterBrokerRecord, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.log_dirs:
        if not (version >= 3):
            raise writing.not_carried("log_dirs", version)
        body = bytearray()
        writing.uuids(body, item.log_dirs, True)
        fields.append((0, body))
    if item.cordoned_log_dirs is not None:
        if not (version >= 4):
            raise writing.not_carried("cordoned_log_dirs", version)
        body = bytearray()
        writing.uuids(body, item.cordoned_log_dirs, True)
        fields.append((1, body))
    writing.tags(out, fields)


def _write_register_broker_record(out: bytearray, items: Sequence[RegisterBrokerRecord], version: int) -> None:
    for item in items:
        if version >= 2:
            out += _put_iouq(item.broker_id, item.is_migrating_zk_broker, item.incarnation_id, item.broker_epoch)
        else:
            if item.is_migrating_zk_broker:
                raise writing.not_carried("is_migrating_zk_broker", version)
            out += _put_iuq(item.broker_id, item.incarnation_id, item.broker_epoch)
        writing.count(out, len(item.end_points), True)
        _write_broker_endpoint(out, item.end_points, version)
        writing.count(out, len(item.features), True)
        _write_broker_feature(out, item.features, version)
        writing.nullable_string(out, item.rack, True)
        if version >= 1:
            out += _put_oo(item.fenced, item.in_controlled_shutdown)
        else:
            if item.in_controlled_shutdown:
                raise writing.not_carried("in_controlled_shutdown", version)
            out += _put_o(item.fenced)
        _put_tags_register_broker_record(out, item, version)
