"""ShareSnapshotKey and ShareSnapshotValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_ui = Format(">16si").unpack_from
_get_i = Format(">i").unpack_from
_get_iiiqqq = Format(">iiiqqq").unpack_from
_get_qqbhB = Format(">qqbhB").unpack_from
_put_ui = Format(">16si").pack
_put_i = Format(">i").pack
_put_iiiqqq = Format(">iiiqqq").pack
_put_qqbhx = Format(">qqbhx").pack


class ShareSnapshotKey(Message):
    __slots__ = ("group_id", "topic_id", "partition")

    API_KEY = 0
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", topic_id: bytes = ZERO, partition: int = 0) -> None:
        self.group_id = group_id
        self.topic_id = topic_id
        self.partition = partition

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareSnapshotKey, int]:
        (item,), pos = _read_share_snapshot_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_snapshot_key(out, (self,), version)


def _read_share_snapshot_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareSnapshotKey], int]:
    items: list[ShareSnapshotKey] = []
    new = ShareSnapshotKey.__new__
    for _ in range(count):
        item = new(ShareSnapshotKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.topic_id, item.partition = _get_ui(buf, pos)
        pos += 20
        items.append(item)
    return items, pos


def _write_share_snapshot_key(out: bytearray, items: Sequence[ShareSnapshotKey], version: int) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        out += _put_ui(item.topic_id, item.partition)


class StateBatch(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    def __init__(
        self, *, first_offset: int = 0, last_offset: int = 0, delivery_state: int = 0, delivery_count: int = 0
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count


class ShareSnapshotValue(Message):
    __slots__ = (
        "snapshot_epoch",
        "state_epoch",
        "leader_epoch",
        "start_offset",
        "delivery_complete_count",
        "create_timestamp",
        "write_timestamp",
        "state_batches",
    )

    API_KEY = 0
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        snapshot_epoch: int = 0,
        state_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        create_timestamp: int = 0,
        write_timestamp: int = 0,
        state_batches: list[StateBatch] = UNSET,
    ) -> None:
        self.snapshot_epoch = snapshot_epoch
        self.state_epoch = state_epoch
        self.leader_epoch = leader_epoch
        self.start_offset = start_offset
        self.delivery_complete_count = delivery_complete_count
        self.create_timestamp = create_timestamp
        self.write_timestamp = write_timestamp
        self.state_batches = [] if state_batches is UNSET else state_batches

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareSnapshotValue, int]:
        (item,), pos = _read_share_snapshot_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_snapshot_value(out, (self,), version)


def _read_state_batch(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StateBatch], int]:
    items: list[StateBatch] = []
    new = StateBatch.__new__
    for _ in range(count):
        item = new(StateBatch)
        item.first_offset, item.last_offset, item.delivery_state, item.delivery_count, tags = _get_qqbhB(buf, pos)
        pos += 20
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_state_batch(out: bytearray, items: Sequence[StateBatch], version: int) -> None:
    for item in items:
        out += _put_qqbhx(item.first_offset, item.last_offset, item.delivery_state, item.delivery_count)


def _tags_share_snapshot_value(item: ShareSnapshotValue, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.delivery_complete_count,) = _get_i(buf, pos)
            pos += 4
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_share_snapshot_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareSnapshotValue], int]:
    items: list[ShareSnapshotValue] = []
    new = ShareSnapshotValue.__new__
    for _ in range(count):
        item = new(ShareSnapshotValue)
        (
            item.snapshot_epoch,
            item.state_epoch,
            item.leader_epoch,
            item.start_offset,
            item.create_timestamp,
            item.write_timestamp,
        ) = _get_iiiqqq(buf, pos)
        pos += 36
        length, pos = reading.count(buf, pos, True, left)
        item.state_batches, pos = _read_state_batch(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        item.delivery_complete_count = -1
        if tags:
            pos = _tags_share_snapshot_value(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_share_snapshot_value(out: bytearray, item: ShareSnapshotValue, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.delivery_complete_count != -1:
        body = bytearray()
        body += _put_i(item.delivery_complete_count)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_share_snapshot_value(out: bytearray, items: Sequence[ShareSnapshotValue], version: int) -> None:
    for item in items:
        out += _put_iiiqqq(
            item.snapshot_epoch,
            item.state_epoch,
            item.leader_epoch,
            item.start_offset,
            item.create_timestamp,
            item.write_timestamp,
        )
        writing.count(out, len(item.state_batches), True)
        _write_state_batch(out, item.state_batches, version)
        _put_tags_share_snapshot_value(out, item, version)
