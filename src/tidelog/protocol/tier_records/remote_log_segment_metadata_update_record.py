"""RemoteLogSegmentMetadataUpdateRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_uB = Format(">16sB").unpack_from
_get_uiB = Format(">16siB").unpack_from
_get_bB = Format(">bB").unpack_from
_get_iq = Format(">iq").unpack_from
_put_uix = Format(">16six").pack
_put_ux = Format(">16sx").pack
_put_bx = Format(">bx").pack
_put_iq = Format(">iq").pack


class TopicIdPartitionEntry(Struct):
    __slots__ = ("name", "id", "partition")

    def __init__(self, *, name: str = "", id: bytes = ZERO, partition: int = 0) -> None:
        self.name = name
        self.id = id
        self.partition = partition


class RemoteLogSegmentIdEntry(Struct):
    __slots__ = ("topic_id_partition", "id")

    def __init__(self, *, topic_id_partition: TopicIdPartitionEntry = UNSET, id: bytes = ZERO) -> None:
        self.topic_id_partition = TopicIdPartitionEntry() if topic_id_partition is UNSET else topic_id_partition
        self.id = id


class RemoteLogSegmentMetadataUpdateRecord(Message):
    __slots__ = (
        "remote_log_segment_id",
        "broker_id",
        "event_timestamp_ms",
        "custom_metadata",
        "remote_log_segment_state",
    )

    API_KEY = 1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        remote_log_segment_id: RemoteLogSegmentIdEntry = UNSET,
        broker_id: int = 0,
        event_timestamp_ms: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
    ) -> None:
        self.remote_log_segment_id = (
            RemoteLogSegmentIdEntry() if remote_log_segment_id is UNSET else remote_log_segment_id
        )
        self.broker_id = broker_id
        self.event_timestamp_ms = event_timestamp_ms
        self.custom_metadata = custom_metadata
        self.remote_log_segment_state = remote_log_segment_state

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[RemoteLogSegmentMetadataUpdateRecord, int]:
        (item,), pos = _read_remote_log_segment_metadata_update_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remote_log_segment_metadata_update_record(out, (self,), version)


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


def _read_remote_log_segment_id_entry(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoteLogSegmentIdEntry], int]:
    items: list[RemoteLogSegmentIdEntry] = []
    new = RemoteLogSegmentIdEntry.__new__
    for _ in range(count):
        item = new(RemoteLogSegmentIdEntry)
        (item.topic_id_partition,), pos = _read_topic_id_partition_entry(buf, pos, 1, version, left)
        item.id, tags = _get_uB(buf, pos)
        pos += 17
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remote_log_segment_id_entry(out: bytearray, items: Sequence[RemoteLogSegmentIdEntry], version: int) -> None:
    for item in items:
        _write_topic_id_partition_entry(out, (item.topic_id_partition,), version)
        out += _put_ux(item.id)


def _read_remote_log_segment_metadata_update_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoteLogSegmentMetadataUpdateRecord], int]:
    items: list[RemoteLogSegmentMetadataUpdateRecord] = []
    new = RemoteLogSegmentMetadataUpdateRecord.__new__
    for _ in range(count):
        item = new(RemoteLogSegmentMetadataUpdateRecord)
        (item.remote_log_segment_id,), pos = _read_remote_log_segment_id_entry(buf, pos, 1, version, left)
        item.broker_id, item.event_timestamp_ms = _get_iq(buf, pos)
        pos += 12
        item.custom_metadata, pos = reading.nullable_blob(buf, pos, True)
        item.remote_log_segment_state, tags = _get_bB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remote_log_segment_metadata_update_record(
    out: bytearray, items: Sequence[RemoteLogSegmentMetadataUpdateRecord], version: int
) -> None:
    for item in items:
        _write_remote_log_segment_id_entry(out, (item.remote_log_segment_id,), version)
        out += _put_iq(item.broker_id, item.event_timestamp_ms)
        writing.nullable_blob(out, item.custom_metadata, True)
        out += _put_bx(item.remote_log_segment_state)
