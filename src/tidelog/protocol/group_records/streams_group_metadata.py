"""StreamsGroupMetadataKey and StreamsGroupMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_iqB = Format(">iqB").unpack_from
_put_i = Format(">i").pack
_put_iq = Format(">iq").pack


class StreamsGroupMetadataKey(Message):
    __slots__ = ("group_id",)

    API_KEY = 17
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "") -> None:
        self.group_id = group_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupMetadataKey, int]:
        (item,), pos = _read_streams_group_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_metadata_key(out, (self,), version)


def _read_streams_group_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupMetadataKey], int]:
    items: list[StreamsGroupMetadataKey] = []
    new = StreamsGroupMetadataKey.__new__
    for _ in range(count):
        item = new(StreamsGroupMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_streams_group_metadata_key(out: bytearray, items: Sequence[StreamsGroupMetadataKey], version: int) -> None:
    for item in items:
        writing.string(out, item.group_id, False)


class LastAssignmentConfig(Struct):
    __slots__ = ("key", "value")

    def __init__(self, *, key: str = "", value: str = "") -> None:
        self.key = key
        self.value = value


class StreamsGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash", "validated_topology_epoch", "last_assignment_configs")

    API_KEY = 17
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        epoch: int = 0,
        metadata_hash: int = 0,
        validated_topology_epoch: int = -1,
        last_assignment_configs: list[LastAssignmentConfig] | None = UNSET,
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash
        self.validated_topology_epoch = validated_topology_epoch
        self.last_assignment_configs = [] if last_assignment_configs is UNSET else last_assignment_configs

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupMetadataValue, int]:
        (item,), pos = _read_streams_group_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_metadata_value(out, (self,), version)


def _read_last_assignment_config(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[LastAssignmentConfig], int]:
    items: list[LastAssignmentConfig] = []
    new = LastAssignmentConfig.__new__
    for _ in range(count):
        item = new(LastAssignmentConfig)
        item.key, pos = reading.string(buf, pos, True)
        item.value, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_last_assignment_config(out: bytearray, items: Sequence[LastAssignmentConfig], version: int) -> None:
    for item in items:
        writing.string(out, item.key, True)
        writing.string(out, item.value, True)
        out.append(0)


def _tags_streams_group_metadata_value(
    item: StreamsGroupMetadataValue, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.validated_topology_epoch,) = _get_i(buf, pos)
            pos += 4
        elif tag == 1:
            length, pos = reading.nullable_count(buf, pos, True, left)
            if length < 0:
                item.last_assignment_configs = None
            else:
                item.last_assignment_configs, pos = _read_last_assignment_config(buf, pos, length, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_streams_group_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupMetadataValue], int]:
    items: list[StreamsGroupMetadataValue] = []
    new = StreamsGroupMetadataValue.__new__
    for _ in range(count):
        item = new(StreamsGroupMetadataValue)
        item.epoch, item.metadata_hash, tags = _get_iqB(buf, pos)
        pos += 13
        item.validated_topology_epoch = -1
        item.last_assignment_configs = []
        if tags:
            pos = _tags_streams_group_metadata_value(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_streams_group_metadata_value(out: bytearray, item: StreamsGroupMetadataValue, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.validated_topology_epoch != -1:
        body = bytearray()
        body += _put_i(item.validated_topology_epoch)
        fields.append((0, body))
    if item.last_assignment_configs is None or len(item.last_assignment_configs) > 0:
        body = bytearray()
        if item.last_assignment_configs is None:
            writing.null(body, True)
        else:
            writing.count(body, len(item.last_assignment_configs), True)
            _write_last_assignment_config(body, item.last_assignment_configs, version)
        fields.append((1, body))
    writing.tags(out, fields)


def _write_streams_group_metadata_value(
    out: bytearray, items: Sequence[StreamsGroupMetadataValue], version: int
) -> None:
    for item in items:
        out += _put_iq(item.epoch, item.metadata_hash)
        _put_tags_streams_group_metadata_value(out, item, version)
