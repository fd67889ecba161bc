"""RemotePartitionDeleteMetadataRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_uiB = Format(">16siB").unpack_from
_get_iqbB = Format(">iqbB").unpack_from
_put_uix = Format(">16six").pack
_put_iqbx = Format(">iqbx").pack


class TopicIdPartitionEntry(Struct):
    __slots__ = ("name", "id", "partition")

    def __init__(self, *, name: str = "", id: bytes = ZERO, partition: int = 0) -> None:
        self.name = name
        self.id = id
        self.partition = partition


class RemotePartitionDeleteMetadataRecord(Message):
    __slots__ = ("topic_id_partition", "broker_id", "event_timestamp_ms", "remote_partition_delete_state")

    API_KEY = 2
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        topic_id_partition: TopicIdPartitionEntry = UNSET,
        broker_id: int = 0,
        event_timestamp_ms: int = 0,
        remote_partition_delete_state: int = 0,
    ) -> None:
        self.topic_id_partition = TopicIdPartitionEntry() if topic_id_partition is UNSET else topic_id_partition
        self.broker_id = broker_id
        self.event_timestamp_ms = event_timestamp_ms
        self.remote_partition_delete_state = remote_partition_delete_state

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[RemotePartitionDeleteMetadataRecord, int]:
        (item,), pos = _read_remote_partition_delete_metadata_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remote_partition_delete_metadata_record(out, (self,), version)


def _read_topic_id_partition_entry(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicIdPartitionEntry], int]:
    items: list[TopicIdPartitionEntry] = []
    new = TopicIdPartitionEntry.__new__
    for _ in range(count):
        item = new(TopicIdPartitionEntry)
        item.name, pos = reading.string(buf, pos, True)
        item.id, item.partition, tags = _get_uiB(buf, pos)
        pos += 21
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_id_partition_entry(out: bytearray, items: Sequence[TopicIdPartitionEntry], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_uix(item.id, item.partition)


def _read_remote_partition_delete_metadata_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemotePartitionDeleteMetadataRecord], int]:
    items: list[RemotePartitionDeleteMetadataRecord] = []
    new = RemotePartitionDeleteMetadataRecord.__new__
    for _ in range(count):
        item = new(RemotePartitionDeleteMetadataRecord)
        (item.topic_id_partition,), pos = _read_topic_id_partition_entry(buf, pos, 1, version, left)
        item.broker_id, item.event_timestamp_ms, item.remote_partition_delete_state, tags = _get_iqbB(buf, pos)
        pos += 14
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remote_partition_delete_metadata_record(
    out: bytearray, items: Sequence[RemotePartitionDeleteMetadataRecord], version: int
) -> None:
    for item in items:
        _write_topic_id_partition_entry(out, (item.topic_id_partition,), version)
        out += _put_iqbx(item.broker_id, item.event_timestamp_ms, item.remote_partition_delete_state)
