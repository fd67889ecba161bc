"""StreamsGroupTargetAssignmentMetadataKey and StreamsGroupTargetAssignmentMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

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


class StreamsGroupTargetAssignmentMetadataKey(Message):
    __slots__ = ("group_id",)

    API_KEY = 20
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "") -> None:
        self.group_id = group_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[StreamsGroupTargetAssignmentMetadataKey, int]:
        (item,), pos = _read_streams_group_target_assignment_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_target_assignment_metadata_key(out, (self,), version)


def _read_streams_group_target_assignment_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupTargetAssignmentMetadataKey], int]:
    items: list[StreamsGroupTargetAssignmentMetadataKey] = []
    new = StreamsGroupTargetAssignmentMetadataKey.__new__
    for _ in range(count):
        item = new(StreamsGroupTargetAssignmentMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_streams_group_target_assignment_metadata_key(
    out: bytearray, items: Sequence[StreamsGroupTargetAssignmentMetadataKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)


class StreamsGroupTargetAssignmentMetadataValue(Message):
    __slots__ = ("assignment_epoch", "assignment_timestamp")

    API_KEY = 20
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, assignment_epoch: int = 0, assignment_timestamp: int = 0) -> None:
        self.assignment_epoch = assignment_epoch
        self.assignment_timestamp = assignment_timestamp

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[StreamsGroupTargetAssignmentMetadataValue, int]:
        (item,), pos = _read_streams_group_target_assignment_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_target_assignment_metadata_value(out, (self,), version)


def _tags_streams_group_target_assignment_metadata_value(
    item: StreamsGroupTargetAssignmentMetadataValue, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.assignment_timestamp,) = _get_q(buf, pos)
            pos += 8
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_streams_group_target_assignment_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupTargetAssignmentMetadataValue], int]:
    items: list[StreamsGroupTargetAssignmentMetadataValue] = []
    new = StreamsGroupTargetAssignmentMetadataValue.__new__
    for _ in range(count):
        item = new(StreamsGroupTargetAssignmentMetadataValue)
        item.assignment_epoch, tags = _get_iB(buf, pos)
        pos += 5
        item.assignment_timestamp = 0
        if tags:
            pos = _tags_streams_group_target_assignment_metadata_value(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_streams_group_target_assignment_metadata_value(
    out: bytearray, item: StreamsGroupTargetAssignmentMetadataValue, version: int
) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.assignment_timestamp != 0:
        body = bytearray()
        body += _put_q(item.assignment_timestamp)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_streams_group_target_assignment_metadata_value(
    out: bytearray, items: Sequence[StreamsGroupTargetAssignmentMetadataValue], version: int
) -> None:
    for item in items:
        out += _put_i(item.assignment_epoch)
        _put_tags_streams_group_target_assignment_metadata_value(out, item, version)
