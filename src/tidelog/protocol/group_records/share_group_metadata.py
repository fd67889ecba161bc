"""ShareGroupMetadataKey and ShareGroupMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_iqB = Format(">iqB").unpack_from
_put_iqx = Format(">iqx").pack


class ShareGroupMetadataKey(Message):
    __slots__ = ("group_id",)

    API_KEY = 11
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "") -> None:
        self.group_id = group_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareGroupMetadataKey, int]:
        (item,), pos = _read_share_group_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_group_metadata_key(out, (self,), version)


def _read_share_group_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareGroupMetadataKey], int]:
    items: list[ShareGroupMetadataKey] = []
    new = ShareGroupMetadataKey.__new__
    for _ in range(count):
        item = new(ShareGroupMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_share_group_metadata_key(out: bytearray, items: Sequence[ShareGroupMetadataKey], version: int) -> None:
    for item in items:
        writing.string(out, item.group_id, False)


class ShareGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash")

    API_KEY = 11
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, epoch: int = 0, metadata_hash: int = 0) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareGroupMetadataValue, int]:
        (item,), pos = _read_share_group_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_group_metadata_value(out, (self,), version)


def _read_share_group_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareGroupMetadataValue], int]:
    items: list[ShareGroupMetadataValue] = []
    new = ShareGroupMetadataValue.__new__
    for _ in range(count):
        item = new(ShareGroupMetadataValue)
        item.epoch, item.metadata_hash, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_share_group_metadata_value(out: bytearray, items: Sequence[ShareGroupMetadataValue], version: int) -> None:
    for item in items:
        out += _put_iqx(item.epoch, item.metadata_hash)
