"""RemoveAccessControlEntryRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_uB = Format(">16sB").unpack_from
_put_ux = Format(">16sx").pack


class RemoveAccessControlEntryRecord(Message):
    __slots__ = ("id",)

    API_KEY = 19
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, id: bytes = ZERO) -> None:
        self.id = id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[RemoveAccessControlEntryRecord, int]:
        (item,), pos = _read_remove_access_control_entry_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remove_access_control_entry_record(out, (self,), version)


def _read_remove_access_control_entry_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoveAccessControlEntryRecord], int]:
    items: list[RemoveAccessControlEntryRecord] = []
    new = RemoveAccessControlEntryRecord.__new__
    for _ in range(count):
        item = new(RemoveAccessControlEntryRecord)
        item.id, tags = _get_uB(buf, pos)
        pos += 17
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remove_access_control_entry_record(
    out: bytearray, items: Sequence[RemoveAccessControlEntryRecord], version: int
) -> None:
    for item in items:
        out += _put_ux(item.id)
