"""The records of `__consumer_offsets` that hold offsets and classic groups; every key begins with its record type."""

from __future__ import annotations

import struct
from typing import NamedTuple

from tidelog.coordinator.contract import CoordinatorRecord
from tidelog.model.uuids import ZERO
from tidelog.protocol.group_records.group_metadata import GroupMetadataKey, GroupMetadataValue
from tidelog.protocol.group_records.legacy_offset_commit import LegacyOffsetCommitKey
from tidelog.protocol.group_records.offset_commit import OffsetCommitKey, OffsetCommitValue

VERSION = struct.Struct(">h")
LEGACY_OFFSET_COMMIT = LegacyOffsetCommitKey.API_KEY
OFFSET_COMMIT = OffsetCommitKey.API_KEY
GROUP_METADATA = GroupMetadataKey.API_KEY
OFFSET_VALUE_VERSION = 4
GROUP_VALUE_VERSION = 4
_OFFSET_PREFIX = VERSION.pack(OFFSET_COMMIT)
_OFFSET_VALUE_PREFIX = VERSION.pack(OFFSET_VALUE_VERSION)


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
    return _OFFSET_PREFIX + OffsetCommitKey(group=group_id, topic=topic, partition=partition).encode(0)


def offset_record(group_id: str, topic: str, partition: int, offset: Offset) -> CoordinatorRecord:
    value = OffsetCommitValue(
        offset=offset.offset,
        leader_epoch=offset.leader_epoch,
        metadata=offset.metadata,
        commit_timestamp=offset.commit_timestamp_ms,
        topic_id=offset.topic_id,
    )
    body = _OFFSET_VALUE_PREFIX + value.encode(OFFSET_VALUE_VERSION)
    return CoordinatorRecord(offset_key(group_id, topic, partition), body)


def offset_tombstone(group_id: str, topic: str, partition: int) -> CoordinatorRecord:
    return CoordinatorRecord(offset_key(group_id, topic, partition), None)


def read_offset(record: CoordinatorRecord, log_offset: int) -> tuple[str, str, int, Offset | None]:
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
