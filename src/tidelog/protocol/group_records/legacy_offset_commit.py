"""LegacyOffsetCommitKey and LegacyOffsetCommitValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_i = Format(">i").unpack_from
_get_q = Format(">q").unpack_from
_put_i = Format(">i").pack
_put_q = Format(">q").pack


class LegacyOffsetCommitKey(Message):
    __slots__ = ("group", "topic", "partition")

    API_KEY = 0
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group: str = "", topic: str = "", partition: int = 0) -> None:
        self.group = group
        self.topic = topic
        self.partition = partition

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[LegacyOffsetCommitKey, int]:
        (item,), pos = _read_legacy_offset_commit_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_legacy_offset_commit_key(out, (self,), version)


def _read_legacy_offset_commit_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[LegacyOffsetCommitKey], int]:
    items: list[LegacyOffsetCommitKey] = []
    new = LegacyOffsetCommitKey.__new__
    for _ in range(count):
        item = new(LegacyOffsetCommitKey)
        item.group, pos = reading.string(buf, pos, False)
        item.topic, pos = reading.string(buf, pos, False)
        (item.partition,) = _get_i(buf, pos)
        pos += 4
        items.append(item)
    return items, pos


def _write_legacy_offset_commit_key(out: bytearray, items: Sequence[LegacyOffsetCommitKey], version: int) -> None:
    for item in items:
        writing.string(out, item.group, False)
        writing.string(out, item.topic, False)
        out += _put_i(item.partition)


class LegacyOffsetCommitValue(Message):
    __slots__ = ("offset", "metadata", "commit_timestamp")

    API_KEY = 0
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, offset: int = 0, metadata: str = "", commit_timestamp: int = 0) -> None:
        self.offset = offset
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[LegacyOffsetCommitValue, int]:
        (item,), pos = _read_legacy_offset_commit_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_legacy_offset_commit_value(out, (self,), version)


def _read_legacy_offset_commit_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[LegacyOffsetCommitValue], int]:
    items: list[LegacyOffsetCommitValue] = []
    new = LegacyOffsetCommitValue.__new__
    for _ in range(count):
        item = new(LegacyOffsetCommitValue)
        (item.offset,) = _get_q(buf, pos)
        pos += 8
        item.metadata, pos = reading.string(buf, pos, False)
        (item.commit_timestamp,) = _get_q(buf, pos)
        pos += 8
        items.append(item)
    return items, pos


def _write_legacy_offset_commit_value(out: bytearray, items: Sequence[LegacyOffsetCommitValue], version: int) -> None:
    for item in items:
        out += _put_q(item.offset)
        writing.string(out, item.metadata, False)
        out += _put_q(item.commit_timestamp)
