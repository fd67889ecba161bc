"""OffsetCommitKey and OffsetCommitValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_u = Format(">16s").unpack_from
_get_i = Format(">i").unpack_from
_get_q = Format(">q").unpack_from
_get_qB = Format(">qB").unpack_from
_get_qi = Format(">qi").unpack_from
_get_qq = Format(">qq").unpack_from
_put_u = Format(">16s").pack
_put_i = Format(">i").pack
_put_q = Format(">q").pack
_put_qi = Format(">qi").pack
_put_qq = Format(">qq").pack


class OffsetCommitKey(Message):
    __slots__ = ("group", "topic", "partition")

    API_KEY = 1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group: str = "", topic: str = "", partition: int = 0) -> None:
        self.group = group
        self.topic = topic
        self.partition = partition

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetCommitKey, int]:
        (item,), pos = _read_offset_commit_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_commit_key(out, (self,), version)


def _read_offset_commit_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetCommitKey], int]:
    items: list[OffsetCommitKey] = []
    new = OffsetCommitKey.__new__
    for _ in range(count):
        item = new(OffsetCommitKey)
        item.group, pos = reading.string(buf, pos, False)
        item.topic, pos = reading.string(buf, pos, False)
        (item.partition,) = _get_i(buf, pos)
        pos += 4
        items.append(item)
    return items, pos


def _write_offset_commit_key(out: bytearray, items: Sequence[OffsetCommitKey], version: int) -> None:
    for item in items:
        writing.string(out, item.group, False)
        writing.string(out, item.topic, False)
        out += _put_i(item.partition)


class OffsetCommitValue(Message):
    __slots__ = ("offset", "leader_epoch", "metadata", "commit_timestamp", "expire_timestamp", "topic_id")

    API_KEY = 1
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        *,
        offset: int = 0,
        leader_epoch: int = -1,
        metadata: str = "",
        commit_timestamp: int = 0,
        expire_timestamp: int = -1,
        topic_id: bytes = ZERO,
    ) -> None:
        self.offset = offset
        self.leader_epoch = leader_epoch
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp
        self.expire_timestamp = expire_timestamp
        self.topic_id = topic_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetCommitValue, int]:
        (item,), pos = _read_offset_commit_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_commit_value(out, (self,), version)


def _tags_offset_commit_value(item: OffsetCommitValue, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_offset_commit_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetCommitValue], int]:
    compact = version >= 4
    items: list[OffsetCommitValue] = []
    new = OffsetCommitValue.__new__
    for _ in range(count):
        item = new(OffsetCommitValue)
        if version >= 3:
            item.offset, item.leader_epoch = _get_qi(buf, pos)
            pos += 12
        else:
            (item.offset,) = _get_q(buf, pos)
            pos += 8
            item.leader_epoch = -1
        item.metadata, pos = reading.string(buf, pos, compact)
        if version >= 4:
            item.commit_timestamp, tags = _get_qB(buf, pos)
            pos += 9
            item.expire_timestamp = -1
        elif version >= 2:
            (item.commit_timestamp,) = _get_q(buf, pos)
            pos += 8
            item.expire_timestamp = -1
            tags = 0
        elif version >= 1:
            item.commit_timestamp, item.expire_timestamp = _get_qq(buf, pos)
            pos += 16
            tags = 0
        else:
            (item.commit_timestamp,) = _get_q(buf, pos)
            pos += 8
            item.expire_timestamp = -1
            tags = 0
        item.topic_id = ZERO
        if tags:
            pos = _tags_offset_commit_value(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_offset_commit_value(out: bytearray, item: OffsetCommitValue, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.topic_id != ZERO:
        body = bytearray()
        body += _put_u(item.topic_id)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_offset_commit_value(out: bytearray, items: Sequence[OffsetCommitValue], version: int) -> None:
    compact = version >= 4
    for item in items:
        if version >= 3:
            out += _put_qi(item.offset, item.leader_epoch)
        else:
            out += _put_q(item.offset)
        writing.string(out, item.metadata, compact)
        if version >= 2:
            out += _put_q(item.commit_timestamp)
        elif version >= 1:
            out += _put_qq(item.commit_timestamp, item.expire_timestamp)
        else:
            out += _put_q(item.commit_timestamp)
        if version >= 4:
            _put_tags_offset_commit_value(out, item, version)
