"""ControlRecordTypeSchema. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol.primitives import Message, Readable

_get_h = Format(">h").unpack_from
_put_h = Format(">h").pack


class ControlRecordTypeSchema(Message):
    __slots__ = ("type",)

    API_KEY = -1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, type: int = 0) -> None:
        self.type = type

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ControlRecordTypeSchema, int]:
        (item,), pos = _read_control_record_type_schema(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_control_record_type_schema(out, (self,), version)


def _read_control_record_type_schema(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ControlRecordTypeSchema], int]:
    items: list[ControlRecordTypeSchema] = []
    new = ControlRecordTypeSchema.__new__
    for _ in range(count):
        item = new(ControlRecordTypeSchema)
        (item.type,) = _get_h(buf, pos)
        pos += 2
        items.append(item)
    return items, pos


def _write_control_record_type_schema(out: bytearray, items: Sequence[ControlRecordTypeSchema], version: int) -> None:
    for item in items:
        out += _put_h(item.type)
