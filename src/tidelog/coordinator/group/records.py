"""The records of `__consumer_offsets` that hold offsets and classic groups; every key begins with its record type."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from tidelog.coordinator.contract import CoordinatorRecord, KnownRecord
from tidelog.coordinator.group.values import Position, TopicPartition
from tidelog.model.uuids import ZERO
from tidelog.protocol.group_records.group_metadata import GroupMetadataKey, GroupMetadataValue
from tidelog.protocol.group_records.legacy_offset_commit import LegacyOffsetCommitKey
from tidelog.protocol.group_records.offset_commit import OffsetCommitKey, OffsetCommitValue
from tidelog.protocol.primitives import write_uvarint

VERSION = struct.Struct(">h")
LEGACY_OFFSET_COMMIT = LegacyOffsetCommitKey.API_KEY
OFFSET_COMMIT = OffsetCommitKey.API_KEY
GROUP_METADATA = GroupMetadataKey.API_KEY
OFFSETS = frozenset((LEGACY_OFFSET_COMMIT, OFFSET_COMMIT))
OFFSET_VALUE_VERSION = 4
EXPIRING_VALUE_VERSION = 1
_KEY_HEAD = struct.Struct(">hh").pack
_LENGTH = struct.Struct(">h").pack
_PARTITION = struct.Struct(">i").pack
# Version, offset, leader epoch, and one more than the length of the metadata.
_VALUE_HEAD = struct.Struct(">hqiB").pack
_TIME = struct.Struct(">q").pack
_ID_TAG = b"\x01\x00\x10"  # one tagged field: number 0, of 16 bytes


class Offset(NamedTuple):
    """A committed position, and where in the coordinator's log it was written."""

    offset: int
    leader_epoch: int
    metadata: str
    commit_timestamp_ms: int
    expire_timestamp_ms: int = -1
    topic_id: bytes = ZERO
    log_offset: int = -1


class OffsetRecord(KnownRecord):
    """Means the group, the partition, and all of an `Offset` but the place in the log."""


# A third of the time that calling the classes takes; a commit makes one of each for every partition.
make_offset: Callable[[tuple[int, int, str, int, int, bytes, int]], Offset] = partial(tuple.__new__, Offset)
_make_record: Callable[[tuple[bytes, bytes]], OffsetRecord] = partial(tuple.__new__, OffsetRecord)


def record_type(record: CoordinatorRecord) -> int:
    kind: int = VERSION.unpack_from(record.key)[0]
    return kind


def offset_key(group_id: str, topic: str, partition: int) -> bytes:
    group, name = group_id.encode(), topic.encode()
    return b"".join((_KEY_HEAD(OFFSET_COMMIT, len(group)), group, _LENGTH(len(name)), name, _PARTITION(partition)))


def offset_records(
    group_id: str, positions: Iterable[Position], now_ms: int, expire_ms: int
) -> list[CoordinatorRecord]:
    """One for each position; `expire_ms` is -1 unless the offsets have a time of their own to expire."""
    if expire_ms >= 0:
        return [_expiring_record(group_id, one, now_ms, expire_ms) for one in positions]
    found: list[CoordinatorRecord] = []
    topic_before: str | None = None
    head = tail = b""
    for topic, partition, offset, leader_epoch, given, topic_id in positions:
        if topic is not topic_before:
            topic_before, head = topic, offset_key(group_id, topic, 0)[:-4]
            tail = _TIME(now_ms) + (b"\0" if topic_id == ZERO else _ID_TAG + topic_id)
        if given:
            value = _value_with(given, offset, leader_epoch)
        else:
            value = _VALUE_HEAD(OFFSET_VALUE_VERSION, offset, leader_epoch, 1)
        record = _make_record((head + _PARTITION(partition), value + tail))
        record.meaning = group_id, (topic, partition), (offset, leader_epoch, given or "", now_ms, -1, topic_id)
        found.append(record)
    return found


def _value_with(metadata: str, offset: int, leader_epoch: int) -> bytes:
    data = metadata.encode()
    head = bytearray(_VALUE_HEAD(OFFSET_VALUE_VERSION, offset, leader_epoch, 0)[:-1])
    write_uvarint(head, len(data) + 1)
    return bytes(head + data)


def _expiring_record(group_id: str, one: Position, now_ms: int, expire_ms: int) -> CoordinatorRecord:
    """Only version 1 of the value has a place for the time."""
    value = OffsetCommitValue(
        offset=one.offset,
        leader_epoch=one.leader_epoch,
        metadata=one.metadata or "",
        commit_timestamp=now_ms,
        expire_timestamp=expire_ms,
    )
    body = VERSION.pack(EXPIRING_VALUE_VERSION) + value.encode(EXPIRING_VALUE_VERSION)
    return CoordinatorRecord(offset_key(group_id, one.topic, one.partition), body)


def offset_tombstone(group_id: str, topic: str, partition: int) -> CoordinatorRecord:
    return CoordinatorRecord(offset_key(group_id, topic, partition), None)


def read_offset(record: CoordinatorRecord, log_offset: int) -> tuple[str, TopicPartition, Offset | None]:
    if type(record) is OffsetRecord:
        group_id, partition, known = record.meaning
        return group_id, partition, make_offset((*known, log_offset))
    key = OffsetCommitKey.decode(record.key[2:], 0)
    place = (key.topic, key.partition)
    if record.value is None:
        return key.group, place, None
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
    return key.group, place, offset


def group_record(group_id: str, value: bytes | None) -> CoordinatorRecord:
    return CoordinatorRecord(VERSION.pack(GROUP_METADATA) + GroupMetadataKey(group=group_id).encode(0), value)


def group_of(record: CoordinatorRecord) -> str:
    return GroupMetadataKey.decode(record.key[2:], 0).group


def read_group(value: bytes) -> GroupMetadataValue:
    (version,) = VERSION.unpack_from(value)
    return GroupMetadataValue.decode(value[2:], version)
