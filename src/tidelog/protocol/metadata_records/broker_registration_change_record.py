"""BrokerRegistrationChangeRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable

_get_b = Format(">b").unpack_from
_get_iqB = Format(">iqB").unpack_from
_put_b = Format(">b").pack
_put_iq = Format(">iq").pack


class BrokerRegistrationChangeRecord(Message):
    __slots__ = ("broker_id", "broker_epoch", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs")

    API_KEY = 17
    VERSIONS = (0, 3)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = 0,
        fenced: int = 0,
        in_controlled_shutdown: int = 0,
        log_dirs: list[bytes] = UNSET,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs = [] if log_dirs is UNSET else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[BrokerRegistrationChangeRecord, int]:
        (item,), pos = _read_broker_registration_change_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_broker_registration_change_record(out, (self,), version)


def _tags_broker_registration_change_record(
    item: BrokerRegistrationChangeRecord, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.fenced,) = _get_b(buf, pos)
            pos += 1
        elif tag == 1 and version >= 1:
            (item.in_controlled_shutdown,) = _get_b(buf, pos)
            pos += 1
        elif tag == 2 and version >= 2:
            item.log_dirs, pos = reading.uuids(buf, pos, True)
        elif tag == 3 and version >= 3:
            item.cordoned_log_dirs, pos = reading.nullable_uuids(buf, pos, True)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_broker_registration_change_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BrokerRegistrationChangeRecord], int]:
    items: list[BrokerRegistrationChangeRecord] = []
    new = BrokerRegistrationChangeRecord.__new__
    for _ in range(count):
        item = new(BrokerRegistrationChangeRecord)
        item.broker_id, item.broker_epoch, tags = _get_iqB(buf, pos)
        pos += 13
        item.fenced = 0
        item.in_controlled_shutdown = 0
        item.log_dirs = []
        item.cordoned_log_dirs = None
        if tags:
            pos = _tags_broker_registration_change_record(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_broker_registration_change_record(
    out: bytearray, item: BrokerRegistrationChangeRecord, version: int
) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.fenced != 0:
        body = bytearray()
        body += _put_b(item.fenced)
        fields.append((0, body))
    if item.in_controlled_shutdown != 0:
        if not (version >= 1):
            raise writing.not_carried("in_controlled_shutdown", version)
        body = bytearray()
        body += _put_b(item.in_controlled_shutdown)
        fields.append((1, body))
    if item.log_dirs:
        if not (version >= 2):
            raise writing.not_carried("log_dirs", version)
        body = bytearray()
        writing.uuids(body, item.log_dirs, True)
        fields.append((2, body))
    if item.cordoned_log_dirs is not None:
        if not (version >= 3):
            raise writing.not_carried("cordoned_log_dirs", version)
        body = bytearray()
        writing.uuids(body, item.cordoned_log_dirs, True)
        fields.append((3, body))
    writing.tags(out, fields)


def _write_broker_registration_change_record(
    out: bytearray, items: Sequence[BrokerRegistrationChangeRecord], version: int
) -> None:
    for item in items:
        out += _put_iq(item.broker_id, item.broker_epoch)
        _put_tags_broker_registration_change_record(out, item, version)
