"""ConfigRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_b = Format(">b").unpack_from
_put_b = Format(">b").pack


class ConfigRecord(Message):
    __slots__ = ("resource_type", "resource_name", "name", "value")

    API_KEY = 4
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, resource_type: int = 0, resource_name: str = "", name: str = "", value: str | None = ""
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.name = name
        self.value = value

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ConfigRecord, int]:
        (item,), pos = _read_config_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_config_record(out, (self,), version)


def _read_config_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConfigRecord], int]:
    items: list[ConfigRecord] = []
    new = ConfigRecord.__new__
    for _ in range(count):
        item = new(ConfigRecord)
        (item.resource_type,) = _get_b(buf, pos)
        pos += 1
        item.resource_name, pos = reading.string(buf, pos, True)
        item.name, pos = reading.string(buf, pos, True)
        item.value, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_config_record(out: bytearray, items: Sequence[ConfigRecord], version: int) -> None:
    for item in items:
        out += _put_b(item.resource_type)
        writing.string(out, item.resource_name, True)
        writing.string(out, item.name, True)
        writing.nullable_string(out, item.value, True)
        out.append(0)
