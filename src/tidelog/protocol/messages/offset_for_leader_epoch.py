"""OffsetForLeaderEpochRequest and OffsetForLeaderEpochResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_hiiq = Format(">hiiq").unpack_from
_get_hiiqB = Format(">hiiqB").unpack_from
_get_i = Format(">i").unpack_from
_get_iii = Format(">iii").unpack_from
_get_iiiB = Format(">iiiB").unpack_from
_put_hiiq = Format(">hiiq").pack
_put_hiiqx = Format(">hiiqx").pack
_put_i = Format(">i").pack
_put_iii = Format(">iii").pack
_put_iiix = Format(">iiix").pack


class OffsetForLeaderPartition(Struct):
    __slots__ = ("partition", "current_leader_epoch", "leader_epoch")

    def __init__(self, *, partition: int = 0, current_leader_epoch: int = -1, leader_epoch: int = 0) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.leader_epoch = leader_epoch


class OffsetForLeaderTopic(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(self, *, topic: str = "", partitions: list[OffsetForLeaderPartition] = UNSET) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


class OffsetForLeaderEpochRequest(Message):
    __slots__ = ("replica_id", "topics")

    API_KEY = 23
    VERSIONS = (2, 4)
    FLEXIBLE_FROM = 4

    def __init__(self, *, replica_id: int = -2, topics: list[OffsetForLeaderTopic] = UNSET) -> None:
        self.replica_id = replica_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetForLeaderEpochRequest, int]:
        (item,), pos = _read_offset_for_leader_epoch_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_for_leader_epoch_request(out, (self,), version)


def _read_offset_for_leader_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetForLeaderPartition], int]:
    items: list[OffsetForLeaderPartition] = []
    new = OffsetForLeaderPartition.__new__
    for _ in range(count):
        item = new(OffsetForLeaderPartition)
        if version >= 4:
            item.partition, item.current_leader_epoch, item.leader_epoch, tags = _get_iiiB(buf, pos)
            pos += 13
        else:
            item.partition, item.current_leader_epoch, item.leader_epoch = _get_iii(buf, pos)
            pos += 12
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_for_leader_partition(out: bytearray, items: Sequence[OffsetForLeaderPartition], version: int) -> None:
    for item in items:
        if version >= 4:
            out += _put_iiix(item.partition, item.current_leader_epoch, item.leader_epoch)
        else:
            out += _put_iii(item.partition, item.current_leader_epoch, item.leader_epoch)


def _read_offset_for_leader_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetForLeaderTopic], int]:
    compact = version >= 4
    items: list[OffsetForLeaderTopic] = []
    new = OffsetForLeaderTopic.__new__
    for _ in range(count):
        item = new(OffsetForLeaderTopic)
        item.topic, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_offset_for_leader_partition(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_for_leader_topic(out: bytearray, items: Sequence[OffsetForLeaderTopic], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.topic, compact)
        writing.count(out, len(item.partitions), compact)
        _write_offset_for_leader_partition(out, item.partitions, version)
        if version >= 4:
            out.append(0)


def _read_offset_for_leader_epoch_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetForLeaderEpochRequest], int]:
    compact = version >= 4
    items: list[OffsetForLeaderEpochRequest] = []
    new = OffsetForLeaderEpochRequest.__new__
    for _ in range(count):
        item = new(OffsetForLeaderEpochRequest)
        if version >= 3:
            (item.replica_id,) = _get_i(buf, pos)
            pos += 4
        else:
            item.replica_id = -2
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_offset_for_leader_topic(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_for_leader_epoch_request(
    out: bytearray, items: Sequence[OffsetForLeaderEpochRequest], version: int
) -> None:
    compact = version >= 4
    for item in items:
        if version >= 3:
            out += _put_i(item.replica_id)
        writing.count(out, len(item.topics), compact)
        _write_offset_for_leader_topic(out, item.topics, version)
        if version >= 4:
            out.append(0)


class EpochEndOffset(Struct):
    __slots__ = ("error_code", "partition", "leader_epoch", "end_offset")

    def __init__(
        self, *, error_code: int = 0, partition: int = 0, leader_epoch: int = -1, end_offset: int = -1
    ) -> None:
        self.error_code = error_code
        self.partition = partition
        self.leader_epoch = leader_epoch
        self.end_offset = end_offset


class OffsetForLeaderTopicResult(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(self, *, topic: str = "", partitions: list[EpochEndOffset] = UNSET) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


class OffsetForLeaderEpochResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    API_KEY = 23
    VERSIONS = (2, 4)
    FLEXIBLE_FROM = 4

    def __init__(self, *, throttle_time_ms: int = 0, topics: list[OffsetForLeaderTopicResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetForLeaderEpochResponse, int]:
        (item,), pos = _read_offset_for_leader_epoch_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_for_leader_epoch_response(out, (self,), version)


def _read_epoch_end_offset(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EpochEndOffset], int]:
    items: list[EpochEndOffset] = []
    new = EpochEndOffset.__new__
    for _ in range(count):
        item = new(EpochEndOffset)
        if version >= 4:
            item.error_code, item.partition, item.leader_epoch, item.end_offset, tags = _get_hiiqB(buf, pos)
            pos += 19
        else:
            item.error_code, item.partition, item.leader_epoch, item.end_offset = _get_hiiq(buf, pos)
            pos += 18
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_epoch_end_offset(out: bytearray, items: Sequence[EpochEndOffset], version: int) -> None:
    for item in items:
        if version >= 4:
            out += _put_hiiqx(item.error_code, item.partition, item.leader_epoch, item.end_offset)
        else:
            out += _put_hiiq(item.error_code, item.partition, item.leader_epoch, item.end_offset)


def _read_offset_for_leader_topic_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetForLeaderTopicResult], int]:
    compact = version >= 4
    items: list[OffsetForLeaderTopicResult] = []
    new = OffsetForLeaderTopicResult.__new__
    for _ in range(count):
        item = new(OffsetForLeaderTopicResult)
        item.topic, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_epoch_end_offset(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_for_leader_topic_result(
    out: bytearray, items: Sequence[OffsetForLeaderTopicResult], version: int
) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.topic, compact)
        writing.count(out, len(item.partitions), compact)
        _write_epoch_end_offset(out, item.partitions, version)
        if version >= 4:
            out.append(0)


def _read_offset_for_leader_epoch_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetForLeaderEpochResponse], int]:
    compact = version >= 4
    items: list[OffsetForLeaderEpochResponse] = []
    new = OffsetForLeaderEpochResponse.__new__
    for _ in range(count):
        item = new(OffsetForLeaderEpochResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_offset_for_leader_topic_result(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_for_leader_epoch_response(
    out: bytearray, items: Sequence[OffsetForLeaderEpochResponse], version: int
) -> None:
    compact = version >= 4
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.topics), compact)
        _write_offset_for_leader_topic_result(out, item.topics, version)
        if version >= 4:
            out.append(0)
