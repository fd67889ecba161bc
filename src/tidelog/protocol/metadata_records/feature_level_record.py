"""FeatureLevelRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_hB = Format(">hB").unpack_from
_put_hx = Format(">hx").pack


class FeatureLevelRecord(Message):
    __slots__ = ("name", "feature_level")

    API_KEY = 12
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, name: str = "", feature_level: int = 0) -> None:
        self.name = name
        self.feature_level = feature_level

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[FeatureLevelRecord, int]:
        (item,), pos = _read_feature_level_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_feature_level_record(out, (self,), version)


def _read_feature_level_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FeatureLevelRecord], int]:
    items: list[FeatureLevelRecord] = []
    new = FeatureLevelRecord.__new__
    for _ in range(count):
        item = new(FeatureLevelRecord)
        item.name, pos = reading.string(buf, pos, True)
        item.feature_level, tags = _get_hB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_feature_level_record(out: bytearray, items: Sequence[FeatureLevelRecord], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_hx(item.feature_level)
