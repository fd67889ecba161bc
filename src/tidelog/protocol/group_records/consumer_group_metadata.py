"""ConsumerGroupMetadataKey and ConsumerGroupMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_iB = Format(">iB").unpack_from
_get_q = Format(">q").unpack_from
_put_i = Format(">i").pack
_put_q = Format(">q").pack


class ConsumerGroupMetadataKey(Message):
    __slots__ = ("group_id",)

    API_KEY = 3
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "") -> None:
        self.group_id = group_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ConsumerGroupMetadataKey, int]:
        (item,), pos = _read_consumer_group_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_metadata_key(out, (self,), version)


def _read_consumer_group_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupMetadataKey], int]:
    items: list[ConsumerGroupMetadataKey] = []
    new = ConsumerGroupMetadataKey.__new__
    for _ in range(count):
        item = new(ConsumerGroupMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_consumer_group_metadata_key(out: bytearray, items: Sequence[ConsumerGroupMetadataKey], version: int) -> None:
    for item in items:
        writing.string(out, item.group_id, False)


class ConsumerGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash")

    API_KEY = 3
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, epoch: int = 0, metadata_hash: int = 0) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ConsumerGroupMetadataValue, int]:
        (item,), pos = _read_consumer_group_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_metadata_value(out, (self,), version)


def _tags_consumer_group_metadata_value(
    item: ConsumerGroupMetadataValue, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.metadata_hash,) = _get_q(buf, pos)
            pos += 8
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_consumer_group_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupMetadataValue], int]:
    items: list[ConsumerGroupMetadataValue] = []
    new = ConsumerGroupMetadataValue.__new__
    for _ in range(count):
        item = new(ConsumerGroupMetadataValue)
        item.epoch, tags = _get_iB(buf, pos)
        pos += 5
        item.metadata_hash = 0
        if tags:
            pos = _tags_consumer_group_metadata_value(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_consumer_group_metadata_value(out: bytearray, item: ConsumerGroupMetadataValue, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.metadata_hash != 0:
        body = bytearray()
        body += _put_q(item.metadata_hash)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_consumer_group_metadata_value(
    out: bytearray, items: Sequence[ConsumerGroupMetadataValue], version: int
) -> None:
    for item in items:
        out += _put_i(item.epoch)
        _put_tags_consumer_group_metadata_value(out, item, version)
