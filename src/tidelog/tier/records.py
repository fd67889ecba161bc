"""The records of `__remote_log_metadata`: segments, changes of their state, and deleted partitions, as bytes.

A value begins with a frame version, the record's type and its version, all as unsigned varints; there is no key.
"""

from __future__ import annotations

import struct

from tidelog.protocol.murmur2 import murmur2
from tidelog.protocol.primitives import DecodeError, Message, read_uvarint, write_uvarint
from tidelog.protocol.tier_records.remote_log_segment_metadata_record import (
    RemoteLogSegmentIdEntry,
    RemoteLogSegmentMetadataRecord,
    SegmentLeaderEpochEntry,
    TopicIdPartitionEntry,
)
from tidelog.protocol.tier_records.remote_log_segment_metadata_update_record import (
    RemoteLogSegmentIdEntry as UpdateIdEntry,
)
from tidelog.protocol.tier_records.remote_log_segment_metadata_update_record import (
    RemoteLogSegmentMetadataUpdateRecord,
)
from tidelog.protocol.tier_records.remote_log_segment_metadata_update_record import (
    TopicIdPartitionEntry as UpdatePartitionEntry,
)
from tidelog.protocol.tier_records.remote_partition_delete_metadata_record import (
    RemotePartitionDeleteMetadataRecord,
)
from tidelog.protocol.tier_records.remote_partition_delete_metadata_record import (
    TopicIdPartitionEntry as DeletePartitionEntry,
)
from tidelog.tier.segments import PartitionState, RemoteSegment, SegmentState, TopicIdPartition
from tidelog.tier.updates import PartitionDeletion, SegmentUpdate

TOPIC = "__remote_log_metadata"
FRAME_VERSION = 1
VERSION = 0
Event = RemoteSegment | SegmentUpdate | PartitionDeletion


def metadata_partition(topic_id: bytes, partition: int, count: int) -> int:
    """Which partition of the metadata topic tells of this one: all of its records are in one, and so in order."""
    high, low = struct.unpack(">qq", topic_id)
    value = 1
    for part in (_long_hash(low), _long_hash(high), partition):
        value = (31 * value + part) & 0xFFFFFFFF
    return (murmur2(value.to_bytes(4, "big")) & 0x7FFFFFFF) % count


def _long_hash(value: int) -> int:
    value &= 0xFFFFFFFFFFFFFFFF
    return (value ^ value >> 32) & 0xFFFFFFFF


def encode(event: Event) -> bytes:
    if isinstance(event, RemoteSegment):
        message: Message = _segment_record(event)
    elif isinstance(event, SegmentUpdate):
        message = _update_record(event)
    else:
        message = _deletion_record(event)
    out = bytearray()
    write_uvarint(out, FRAME_VERSION)
    write_uvarint(out, message.API_KEY)
    write_uvarint(out, VERSION)
    return bytes(out) + message.encode(VERSION)


def decode(value: bytes) -> Event | None:
    """None for a type that this release does not know; DecodeError for bytes that are no record."""
    try:
        frame, position = read_uvarint(value, 0)
        kind, position = read_uvarint(value, position)
        version, position = read_uvarint(value, position)
    except IndexError:
        raise DecodeError("a remote log metadata record is cut short") from None
    if frame != FRAME_VERSION:
        raise DecodeError(f"a remote log metadata record has the frame version {frame}, not {FRAME_VERSION}")
    body = value[position:]
    try:
        if kind == RemoteLogSegmentMetadataRecord.API_KEY:
            return _segment(RemoteLogSegmentMetadataRecord.decode(body, version))
        if kind == RemoteLogSegmentMetadataUpdateRecord.API_KEY:
            return _update(RemoteLogSegmentMetadataUpdateRecord.decode(body, version))
        if kind == RemotePartitionDeleteMetadataRecord.API_KEY:
            return _deletion(RemotePartitionDeleteMetadataRecord.decode(body, version))
    except ValueError as error:
        raise DecodeError(str(error)) from None
    return None


def _segment_record(segment: RemoteSegment) -> RemoteLogSegmentMetadataRecord:
    place = TopicIdPartitionEntry(
        name=segment.place.topic, id=segment.place.topic_id, partition=segment.place.partition
    )
    return RemoteLogSegmentMetadataRecord(
        remote_log_segment_id=RemoteLogSegmentIdEntry(topic_id_partition=place, id=segment.id),
        start_offset=segment.start_offset,
        end_offset=segment.end_offset,
        broker_id=segment.broker_id,
        max_timestamp_ms=segment.max_timestamp_ms,
        event_timestamp_ms=segment.event_timestamp_ms,
        segment_leader_epochs=[SegmentLeaderEpochEntry(leader_epoch=e, offset=o) for e, o in segment.epochs],
        segment_size_in_bytes=segment.size_bytes,
        custom_metadata=segment.custom,
        remote_log_segment_state=int(segment.state),
        txn_index_empty=segment.txn_index_empty,
    )


def _segment(record: RemoteLogSegmentMetadataRecord) -> RemoteSegment:
    if not 0 <= record.start_offset <= record.end_offset or not record.segment_leader_epochs:
        raise ValueError(f"a remote segment from {record.start_offset} to {record.end_offset} cannot be")
    identity = record.remote_log_segment_id
    place = identity.topic_id_partition
    return RemoteSegment(
        identity.id,
        TopicIdPartition(place.id, place.partition, place.name),
        record.start_offset,
        record.end_offset,
        record.broker_id,
        record.max_timestamp_ms,
        record.event_timestamp_ms,
        tuple((each.leader_epoch, each.offset) for each in record.segment_leader_epochs),
        record.segment_size_in_bytes,
        SegmentState(record.remote_log_segment_state),
        record.custom_metadata,
        record.txn_index_empty,
    )


def _update_record(update: SegmentUpdate) -> RemoteLogSegmentMetadataUpdateRecord:
    place = UpdatePartitionEntry(name=update.place.topic, id=update.place.topic_id, partition=update.place.partition)
    return RemoteLogSegmentMetadataUpdateRecord(
        remote_log_segment_id=UpdateIdEntry(topic_id_partition=place, id=update.id),
        broker_id=update.broker_id,
        event_timestamp_ms=update.event_timestamp_ms,
        custom_metadata=update.custom,
        remote_log_segment_state=int(update.state),
    )


def _update(record: RemoteLogSegmentMetadataUpdateRecord) -> SegmentUpdate:
    place = record.remote_log_segment_id.topic_id_partition
    return SegmentUpdate(
        record.remote_log_segment_id.id,
        TopicIdPartition(place.id, place.partition, place.name),
        record.broker_id,
        record.event_timestamp_ms,
        SegmentState(record.remote_log_segment_state),
        record.custom_metadata,
    )


def _deletion_record(deletion: PartitionDeletion) -> RemotePartitionDeleteMetadataRecord:
    place = deletion.place
    return RemotePartitionDeleteMetadataRecord(
        topic_id_partition=DeletePartitionEntry(name=place.topic, id=place.topic_id, partition=place.partition),
        broker_id=deletion.broker_id,
        event_timestamp_ms=deletion.event_timestamp_ms,
        remote_partition_delete_state=int(deletion.state),
    )


def _deletion(record: RemotePartitionDeleteMetadataRecord) -> PartitionDeletion:
    place = record.topic_id_partition
    return PartitionDeletion(
        TopicIdPartition(place.id, place.partition, place.name),
        record.broker_id,
        record.event_timestamp_ms,
        PartitionState(record.remote_partition_delete_state),
    )
