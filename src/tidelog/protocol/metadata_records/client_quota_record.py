"""ClientQuotaRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_doB = Format(">d?B").unpack_from
_put_dox = Format(">d?x").pack


class EntityData(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(self, *, entity_type: str = "", entity_name: str | None = "") -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


class ClientQuotaRecord(Message):
    __slots__ = ("entity", "key", "value", "remove")

    API_KEY = 14
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, entity: list[EntityData] = UNSET, key: str = "", value: float = 0.0, remove: bool = False
    ) -> None:
        self.entity = [] if entity is UNSET else entity
        self.key = key
        self.value = value
        self.remove = remove

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ClientQuotaRecord, int]:
        (item,), pos = _read_client_quota_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_client_quota_record(out, (self,), version)


def _read_entity_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EntityData], int]:
    items: list[EntityData] = []
    new = EntityData.__new__
    for _ in range(count):
        item = new(EntityData)
        item.entity_type, pos = reading.string(buf, pos, True)
        item.entity_name, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_entity_data(out: bytearray, items: Sequence[EntityData], version: int) -> None:
    for item in items:
        writing.string(out, item.entity_type, True)
        writing.nullable_string(out, item.entity_name, True)
        out.append(0)


def _read_client_quota_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ClientQuotaRecord], int]:
    items: list[ClientQuotaRecord] = []
    new = ClientQuotaRecord.__new__
    for _ in range(count):
        item = new(ClientQuotaRecord)
        length, pos = reading.count(buf, pos, True, left)
        item.entity, pos = _read_entity_data(buf, pos, length, version, left)
        item.key, pos = reading.string(buf, pos, True)
        item.value, item.remove, tags = _get_doB(buf, pos)
        pos += 10
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_client_quota_record(out: bytearray, items: Sequence[ClientQuotaRecord], version: int) -> None:
    for item in items:
        writing.count(out, len(item.entity), True)
        _write_entity_data(out, item.entity, version)
        writing.string(out, item.key, True)
        out += _put_dox(item.value, item.remove)
