"""The records of `__consumer_offsets` that hold offsets and classic groups; every key begins with its record type."""

from __future__ import annotations

import struct
from typing import NamedTuple

from tidelog.coordinator.contract import CoordinatorRecord, KnownRecord
from tidelog.model.uuids import ZERO
from tidelog.protocol.group_records.group_metadata import GroupMetadataKey, GroupMetadataValue
from tidelog.protocol.group_records.legacy_offset_commit import LegacyOffsetCommitKey
from tidelog.protocol.group_records.offset_commit import OffsetCommitKey, OffsetCommitValue

VERSION = struct.Struct(">h")
LEGACY_OFFSET_COMMIT = LegacyOffsetCommitKey.API_KEY
OFFSET_COMMIT = OffsetCommitKey.API_KEY
GROUP_METADATA = GroupMetadataKey.API_KEY
OFFSET_VALUE_VERSION = 4
EXPIRING_VALUE_VERSION = 1
GROUP_VALUE_VERSION = 4
_KEY_HEAD = struct.Struct(">hh").pack
_LENGTH = struct.Struct(">h").pack
_PARTITION = struct.Struct(">i").pack
# Version, offset, leader epoch, and the length of the metadata as a varint of one byte.
_VALUE_HEAD = struct.Struct(">hqiB").pack
_TIMESTAMP = struct.Struct(">q").pack
_ONE_BYTE_MAX = 126
# One tagged field: number 0, of 16 bytes.
_TOPIC_ID_TAG = bytes((1, 0, 16))


class Offset(NamedTuple):
    """A committed position, and where in the coordinator's log it was written."""

    offset: int
    leader_epoch: int
    metadata: str
    commit_timestamp_ms: int
    expire_timestamp_ms: int = -1
    topic_id: bytes = ZERO
    log_offset: int = -1


def record_type(record: CoordinatorRecord) -> int:
    kind: int = VERSION.unpack_from(record.key)[0]
    return kind


def offset_key(group_id: str, topic: str, partition: int) -> bytes:
    """By hand, as is the value: offsets are by far the most frequent records here."""
    group, name = group_id.encode(), topic.encode()
    return b"".join((_KEY_HEAD(OFFSET_COMMIT, len(group)), group, _LENGTH(len(name)), name, _PARTITION(partition)))


def offset_record(group_id: str, topic: str, partition: int, offset: Offset) -> CoordinatorRecord:
    metadata = offset.metadata.encode()
    if len(metadata) > _ONE_BYTE_MAX or offset.topic_id == ZERO or offset.expire_timestamp_ms >= 0:
        return CoordinatorRecord(offset_key(group_id, topic, partition), _offset_value(offset))
    value = b"".join(
        (
            _VALUE_HEAD(OFFSET_VALUE_VERSION, offset.offset, offset.leader_epoch, len(metadata) + 1),
            metadata,
            _TIMESTAMP(offset.commit_timestamp_ms),
            _TOPIC_ID_TAG,
            offset.topic_id,
        )
    )
    record = KnownRecord(offset_key(group_id, topic, partition), value)
    record.meaning = (group_id, topic, partition, offset)
    return record


def _offset_value(offset: Offset) -> bytes:
    """The newest version, unless the offset has a time of its own to expire: only version 1 has a place for it."""
    version = OFFSET_VALUE_VERSION if offset.expire_timestamp_ms < 0 else EXPIRING_VALUE_VERSION
    value = OffsetCommitValue(
        offset=offset.offset,
        leader_epoch=offset.leader_epoch,
        metadata=offset.metadata,
        commit_timestamp=offset.commit_timestamp_ms,
        expire_timestamp=offset.expire_timestamp_ms,
        topic_id=offset.topic_id,
    )
    return VERSION.pack(version) + value.encode(version)


def offset_tombstone(group_id: str, topic: str, partition: int) -> CoordinatorRecord:
    return CoordinatorRecord(offset_key(group_id, topic, partition), None)


def read_offset(record: CoordinatorRecord, log_offset: int) -> tuple[str, str, int, Offset | None]:
    if type(record) is KnownRecord:
        group_id, topic, partition, known = record.meaning
        return group_id, topic, partition, Offset._make((*known[:-1], log_offset))
    key = OffsetCommitKey.decode(record.key[2:], 0)
    if record.value is None:
        return key.group, key.topic, key.partition, None
    (version,) = VERSION.unpack_from(record.value)
    value = OffsetCommitValue.decode(record.value[2:], version)
    offset = Offset(
        value.offset,
        value.leader_epoch,
        value.metadata,
        value.commit_timestamp,
        value.expire_timestamp,
        value.topic_id,
        log_offset,
    )
    return key.group, key.topic, key.partition, offset


def group_record(group_id: str, value: GroupMetadataValue | None) -> CoordinatorRecord:
    key = VERSION.pack(GROUP_METADATA) + GroupMetadataKey(group=group_id).encode(0)
    if value is None:
        return CoordinatorRecord(key, None)
    return CoordinatorRecord(key, VERSION.pack(GROUP_VALUE_VERSION) + value.encode(GROUP_VALUE_VERSION))


def read_group(record: CoordinatorRecord) -> tuple[str, GroupMetadataValue | None]:
    group_id = GroupMetadataKey.decode(record.key[2:], 0).group
    if record.value is None:
        return group_id, None
    (version,) = VERSION.unpack_from(record.value)
    return group_id, GroupMetadataValue.decode(record.value[2:], version)
