"""RemoteLogSegmentMetadataSnapshotRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_uqqiqq = Format(">16sqqiqq").unpack_from
_get_o = Format(">?").unpack_from
_get_bB = Format(">bB").unpack_from
_get_i = Format(">i").unpack_from
_get_iqB = Format(">iqB").unpack_from
_put_uqqiqq = Format(">16sqqiqq").pack
_put_o = Format(">?").pack
_put_b = Format(">b").pack
_put_i = Format(">i").pack
_put_iqx = Format(">iqx").pack


class SegmentLeaderEpochEntry(Struct):
    __slots__ = ("leader_epoch", "offset")

    def __init__(self, *, leader_epoch: int = 0, offset: int = 0) -> None:
        self.leader_epoch = leader_epoch
        self.offset = offset


class RemoteLogSegmentMetadataSnapshotRecord(Message):
    __slots__ = (
        "segment_id",
        "start_offset",
        "end_offset",
        "broker_id",
        "max_timestamp_ms",
        "event_timestamp_ms",
        "segment_leader_epochs",
        "segment_size_in_bytes",
        "custom_metadata",
        "remote_log_segment_state",
        "txn_index_empty",
    )

    API_KEY = 3
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        segment_id: bytes = ZERO,
        start_offset: int = 0,
        end_offset: int = 0,
        broker_id: int = 0,
        max_timestamp_ms: int = 0,
        event_timestamp_ms: int = 0,
        segment_leader_epochs: list[SegmentLeaderEpochEntry] = UNSET,
        segment_size_in_bytes: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
        txn_index_empty: bool = False,
    ) -> None:
        self.segment_id = segment_id
        self.start_offset = start_offset
        self.end_offset = end_offset
        self.broker_id = broker_id
        self.max_timestamp_ms = max_timestamp_ms
        self.event_timestamp_ms = event_timestamp_ms
        self.segment_leader_epochs = [] if segment_leader_epochs is UNSET else segment_leader_epochs
        self.segment_size_in_bytes = segment_size_in_bytes
        self.custom_metadata = custom_metadata
        self.remote_log_segment_state = remote_log_segment_state
        self.txn_index_empty = txn_index_empty

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[RemoteLogSegmentMetadataSnapshotRecord, int]:
        (item,), pos = _read_remote_log_segment_metadata_snapshot_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remote_log_segment_metadata_snapshot_record(out, (self,), version)


def _read_segment_leader_epoch_entry(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SegmentLeaderEpochEntry], int]:
    items: list[SegmentLeaderEpochEntry] = []
    new = SegmentLeaderEpochEntry.__new__
    for _ in range(count):
        item = new(SegmentLeaderEpochEntry)
        item.leader_epoch, item.offset, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_segment_leader_epoch_entry(out: bytearray, items: Sequence[SegmentLeaderEpochEntry], version: int) -> None:
    for item in items:
        out += _put_iqx(item.leader_epoch, item.offset)


def _tags_remote_log_segment_metadata_snapshot_record(
    item: RemoteLogSegmentMetadataSnapshotRecord, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.txn_index_empty,) = _get_o(buf, pos)
            pos += 1
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_remote_log_segment_metadata_snapshot_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoteLogSegmentMetadataSnapshotRecord], int]:
    items: list[RemoteLogSegmentMetadataSnapshotRecord] = []
    new = RemoteLogSegmentMetadataSnapshotRecord.__new__
    for _ in range(count):
        item = new(RemoteLogSegmentMetadataSnapshotRecord)
        (
            item.segment_id,
            item.start_offset,
            item.end_offset,
            item.broker_id,
            item.max_timestamp_ms,
            item.event_timestamp_ms,
        ) = _get_uqqiqq(buf, pos)
        pos += 52
        length, pos = reading.count(buf, pos, True, left)
        item.segment_leader_epochs, pos = _read_segment_leader_epoch_entry(buf, pos, length, version, left)
        (item.segment_size_in_bytes,) = _get_i(buf, pos)
        pos += 4
        item.custom_metadata, pos = reading.nullable_blob(buf, pos, True)
        item.remote_log_segment_state, tags = _get_bB(buf, pos)
        pos += 2
        item.txn_index_empty = False
        if tags:
            pos = _tags_remote_log_segment_metadata_snapshot_record(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_remote_log_segment_metadata_snapshot_record(
    out: bytearray, item: RemoteLogSegmentMetadataSnapshotRecord, version: int
) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.txn_index_empty:
        body = bytearray()
        body += _put_o(item.txn_index_empty)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_remote_log_segment_metadata_snapshot_record(
    out: bytearray, items: Sequence[RemoteLogSegmentMetadataSnapshotRecord], version: int
) -> None:
    for item in items:
        out += _put_uqqiqq(
            item.segment_id,
            item.start_offset,
            item.end_offset,
            item.broker_id,
            item.max_timestamp_ms,
            item.event_timestamp_ms,
        )
        writing.count(out, len(item.segment_leader_epochs), True)
        _write_segment_leader_epoch_entry(out, item.segment_leader_epochs, version)
        out += _put_i(item.segment_size_in_bytes)
        writing.nullable_blob(out, item.custom_metadata, True)
        out += _put_b(item.remote_log_segment_state)
        _put_tags_remote_log_segment_metadata_snapshot_record(out, item, version)
