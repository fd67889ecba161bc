"""OffsetCommitRequest and OffsetCommitResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ihB = Format(">ihB").unpack_from
_get_iq = Format(">iq").unpack_from
_get_iqi = Format(">iqi").unpack_from
_get_q = Format(">q").unpack_from
_put_u = Format(">16s").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ihx = Format(">ihx").pack
_put_iq = Format(">iq").pack
_put_iqi = Format(">iqi").pack
_put_q = Format(">q").pack


class OffsetCommitRequestPartition(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "committed_metadata")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        committed_metadata: str | None = "",
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.committed_metadata = committed_metadata


class OffsetCommitRequestTopic(Struct):
    __slots__ = ("name", "topic_id", "partitions")

    def __init__(
        self, *, name: str = "", topic_id: bytes = ZERO, partitions: list[OffsetCommitRequestPartition] = UNSET
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class OffsetCommitRequest(Message):
    __slots__ = (
        "group_id",
        "generation_id_or_member_epoch",
        "member_id",
        "group_instance_id",
        "retention_time_ms",
        "topics",
    )

    API_KEY = 8
    VERSIONS = (2, 10)
    FLEXIBLE_FROM = 8

    def __init__(
        self,
        *,
        group_id: str = "",
        generation_id_or_member_epoch: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        retention_time_ms: int = -1,
        topics: list[OffsetCommitRequestTopic] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.generation_id_or_member_epoch = generation_id_or_member_epoch
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.retention_time_ms = retention_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetCommitRequest, int]:
        (item,), pos = _read_offset_commit_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_commit_request(out, (self,), version)


def _read_offset_commit_request_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetCommitRequestPartition], int]:
    compact = version >= 8
    items: list[OffsetCommitRequestPartition] = []
    new = OffsetCommitRequestPartition.__new__
    for _ in range(count):
        item = new(OffsetCommitRequestPartition)
        if version >= 6:
            item.partition_index, item.committed_offset, item.committed_leader_epoch = _get_iqi(buf, pos)
            pos += 16
        else:
            item.partition_index, item.committed_offset = _get_iq(buf, pos)
            pos += 12
            item.committed_leader_epoch = -1
        item.committed_metadata, pos = reading.nullable_string(buf, pos, compact)
        if version >= 8:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_commit_request_partition(
    out: bytearray, items: Sequence[OffsetCommitRequestPartition], version: int
) -> None:
    compact = version >= 8
    for item in items:
        if version >= 6:
            out += _put_iqi(item.partition_index, item.committed_offset, item.committed_leader_epoch)
        else:
            out += _put_iq(item.partition_index, item.committed_offset)
        writing.nullable_string(out, item.committed_metadata, compact)
        if version >= 8:
            out.append(0)


def _read_offset_commit_request_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetCommitRequestTopic], int]:
    compact = version >= 8
    items: list[OffsetCommitRequestTopic] = []
    new = OffsetCommitRequestTopic.__new__
    for _ in range(count):
        item = new(OffsetCommitRequestTopic)
        if version <= 9:
            item.name, pos = reading.string(buf, pos, compact)
        else:
            item.name = ""
        if version >= 10:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_offset_commit_request_partition(buf, pos, length, version, left)
        if version >= 8:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_commit_request_topic(out: bytearray, items: Sequence[OffsetCommitRequestTopic], version: int) -> None:
    compact = version >= 8
    for item in items:
        if version <= 9:
            writing.string(out, item.name, compact)
        if version >= 10:
            out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), compact)
        _write_offset_commit_request_partition(out, item.partitions, version)
        if version >= 8:
            out.append(0)


def _read_offset_commit_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetCommitRequest], int]:
    compact = version >= 8
    items: list[OffsetCommitRequest] = []
    new = OffsetCommitRequest.__new__
    for _ in range(count):
        item = new(OffsetCommitRequest)
        item.group_id, pos = reading.string(buf, pos, compact)
        (item.generation_id_or_member_epoch,) = _get_i(buf, pos)
        pos += 4
        item.member_id, pos = reading.string(buf, pos, compact)
        if version >= 7:
            item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.group_instance_id = None
        if version >= 5:
            item.retention_time_ms = -1
        else:
            (item.retention_time_ms,) = _get_q(buf, pos)
            pos += 8
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_offset_commit_request_topic(buf, pos, length, version, left)
        if version >= 8:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_commit_request(out: bytearray, items: Sequence[OffsetCommitRequest], version: int) -> None:
    compact = version >= 8
    for item in items:
        writing.string(out, item.group_id, compact)
        out += _put_i(item.generation_id_or_member_epoch)
        writing.string(out, item.member_id, compact)
        if version >= 7:
            writing.nullable_string(out, item.group_instance_id, compact)
        else:
            if item.group_instance_id is not None:
                raise writing.not_carried("group_instance_id", version)
        if version >= 5:
            pass
        else:
            out += _put_q(item.retention_time_ms)
        writing.count(out, len(item.topics), compact)
        _write_offset_commit_request_topic(out, item.topics, version)
        if version >= 8:
            out.append(0)


class OffsetCommitResponsePartition(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(self, *, partition_index: int = 0, error_code: int = 0) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class OffsetCommitResponseTopic(Struct):
    __slots__ = ("name", "topic_id", "partitions")

    def __init__(
        self, *, name: str = "", topic_id: bytes = ZERO, partitions: list[OffsetCommitResponsePartition] = UNSET
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class OffsetCommitResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    API_KEY = 8
    VERSIONS = (2, 10)
    FLEXIBLE_FROM = 8

    def __init__(self, *, throttle_time_ms: int = 0, topics: list[OffsetCommitResponseTopic] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetCommitResponse, int]:
        (item,), pos = _read_offset_commit_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_commit_response(out, (self,), version)


def _read_offset_commit_response_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetCommitResponsePartition], int]:
    items: list[OffsetCommitResponsePartition] = []
    new = OffsetCommitResponsePartition.__new__
    for _ in range(count):
        item = new(OffsetCommitResponsePartition)
        if version >= 8:
            item.partition_index, item.error_code, tags = _get_ihB(buf, pos)
            pos += 7
        else:
            item.partition_index, item.error_code = _get_ih(buf, pos)
            pos += 6
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_commit_response_partition(
    out: bytearray, items: Sequence[OffsetCommitResponsePartition], version: int
) -> None:
    for item in items:
        if version >= 8:
            out += _put_ihx(item.partition_index, item.error_code)
        else:
            out += _put_ih(item.partition_index, item.error_code)


def _read_offset_commit_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetCommitResponseTopic], int]:
    compact = version >= 8
    items: list[OffsetCommitResponseTopic] = []
    new = OffsetCommitResponseTopic.__new__
    for _ in range(count):
        item = new(OffsetCommitResponseTopic)
        if version <= 9:
            item.name, pos = reading.string(buf, pos, compact)
        else:
            item.name = ""
        if version >= 10:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_offset_commit_response_partition(buf, pos, length, version, left)
        if version >= 8:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_commit_response_topic(
    out: bytearray, items: Sequence[OffsetCommitResponseTopic], version: int
) -> None:
    compact = version >= 8
    for item in items:
        if version <= 9:
            writing.string(out, item.name, compact)
        if version >= 10:
            out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), compact)
        _write_offset_commit_response_partition(out, item.partitions, version)
        if version >= 8:
            out.append(0)


def _read_offset_commit_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetCommitResponse], int]:
    compact = version >= 8
    items: list[OffsetCommitResponse] = []
    new = OffsetCommitResponse.__new__
    for _ in range(count):
        item = new(OffsetCommitResponse)
        if version >= 3:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
        else:
            item.throttle_time_ms = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_offset_commit_response_topic(buf, pos, length, version, left)
        if version >= 8:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_commit_response(out: bytearray, items: Sequence[OffsetCommitResponse], version: int) -> None:
    compact = version >= 8
    for item in items:
        if version >= 3:
            out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.topics), compact)
        _write_offset_commit_response_topic(out, item.topics, version)
        if version >= 8:
            out.append(0)
