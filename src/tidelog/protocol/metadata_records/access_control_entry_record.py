"""AccessControlEntryRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_ub = Format(">16sb").unpack_from
_get_b = Format(">b").unpack_from
_get_bbB = Format(">bbB").unpack_from
_put_ub = Format(">16sb").pack
_put_b = Format(">b").pack
_put_bbx = Format(">bbx").pack


class AccessControlEntryRecord(Message):
    __slots__ = (
        "id",
        "resource_type",
        "resource_name",
        "pattern_type",
        "principal",
        "host",
        "operation",
        "permission_type",
    )

    API_KEY = 18
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        id: bytes = ZERO,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 0,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.id = id
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AccessControlEntryRecord, int]:
        (item,), pos = _read_access_control_entry_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_access_control_entry_record(out, (self,), version)


def _read_access_control_entry_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AccessControlEntryRecord], int]:
    items: list[AccessControlEntryRecord] = []
    new = AccessControlEntryRecord.__new__
    for _ in range(count):
        item = new(AccessControlEntryRecord)
        item.id, item.resource_type = _get_ub(buf, pos)
        pos += 17
        item.resource_name, pos = reading.string(buf, pos, True)
        (item.pattern_type,) = _get_b(buf, pos)
        pos += 1
        item.principal, pos = reading.string(buf, pos, True)
        item.host, pos = reading.string(buf, pos, True)
        item.operation, item.permission_type, tags = _get_bbB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_access_control_entry_record(out: bytearray, items: Sequence[AccessControlEntryRecord], version: int) -> None:
    for item in items:
        out += _put_ub(item.id, item.resource_type)
        writing.string(out, item.resource_name, True)
        out += _put_b(item.pattern_type)
        writing.string(out, item.principal, True)
        writing.string(out, item.host, True)
        out += _put_bbx(item.operation, item.permission_type)
