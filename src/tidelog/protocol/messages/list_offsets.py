"""ListOffsetsRequest and ListOffsetsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ib = Format(">ib").unpack_from
_get_ihqq = Format(">ihqq").unpack_from
_get_ihqqi = Format(">ihqqi").unpack_from
_get_ihqqiB = Format(">ihqqiB").unpack_from
_get_iiq = Format(">iiq").unpack_from
_get_iiqB = Format(">iiqB").unpack_from
_get_iq = Format(">iq").unpack_from
_put_i = Format(">i").pack
_put_ib = Format(">ib").pack
_put_ihqq = Format(">ihqq").pack
_put_ihqqi = Format(">ihqqi").pack
_put_ihqqix = Format(">ihqqix").pack
_put_iiq = Format(">iiq").pack
_put_iiqx = Format(">iiqx").pack
_put_iq = Format(">iq").pack
_put_ix = Format(">ix").pack


class ListOffsetsPartition(Struct):
    __slots__ = ("partition_index", "current_leader_epoch", "timestamp")

    def __init__(self, *, partition_index: int = 0, current_leader_epoch: int = -1, timestamp: int = 0) -> None:
        self.partition_index = partition_index
        self.current_leader_epoch = current_leader_epoch
        self.timestamp = timestamp


class ListOffsetsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[ListOffsetsPartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class ListOffsetsRequest(Message):
    __slots__ = ("replica_id", "isolation_level", "topics", "timeout_ms")

    API_KEY = 2
    VERSIONS = (1, 11)
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        *,
        replica_id: int = 0,
        isolation_level: int = 0,
        topics: list[ListOffsetsTopic] = UNSET,
        timeout_ms: int = 0,
    ) -> None:
        self.replica_id = replica_id
        self.isolation_level = isolation_level
        self.topics = [] if topics is UNSET else topics
        self.timeout_ms = timeout_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ListOffsetsRequest, int]:
        (item,), pos = _read_list_offsets_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_offsets_request(out, (self,), version)


def _read_list_offsets_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListOffsetsPartition], int]:
    items: list[ListOffsetsPartition] = []
    new = ListOffsetsPartition.__new__
    for _ in range(count):
        item = new(ListOffsetsPartition)
        if version >= 6:
            item.partition_index, item.current_leader_epoch, item.timestamp, tags = _get_iiqB(buf, pos)
            pos += 17
        elif version >= 4:
            item.partition_index, item.current_leader_epoch, item.timestamp = _get_iiq(buf, pos)
            pos += 16
            tags = 0
        else:
            item.partition_index, item.timestamp = _get_iq(buf, pos)
            pos += 12
            item.current_leader_epoch = -1
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_offsets_partition(out: bytearray, items: Sequence[ListOffsetsPartition], version: int) -> None:
    for item in items:
        if version >= 6:
            out += _put_iiqx(item.partition_index, item.current_leader_epoch, item.timestamp)
        elif version >= 4:
            out += _put_iiq(item.partition_index, item.current_leader_epoch, item.timestamp)
        else:
            out += _put_iq(item.partition_index, item.timestamp)


def _read_list_offsets_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListOffsetsTopic], int]:
    compact = version >= 6
    items: list[ListOffsetsTopic] = []
    new = ListOffsetsTopic.__new__
    for _ in range(count):
        item = new(ListOffsetsTopic)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_list_offsets_partition(buf, pos, length, version, left)
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_offsets_topic(out: bytearray, items: Sequence[ListOffsetsTopic], version: int) -> None:
    compact = version >= 6
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_list_offsets_partition(out, item.partitions, version)
        if version >= 6:
            out.append(0)


def _read_list_offsets_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListOffsetsRequest], int]:
    compact = version >= 6
    items: list[ListOffsetsRequest] = []
    new = ListOffsetsRequest.__new__
    for _ in range(count):
        item = new(ListOffsetsRequest)
        if version >= 2:
            item.replica_id, item.isolation_level = _get_ib(buf, pos)
            pos += 5
        else:
            (item.replica_id,) = _get_i(buf, pos)
            pos += 4
            item.isolation_level = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_list_offsets_topic(buf, pos, length, version, left)
        if version >= 10:
            item.timeout_ms, tags = _get_iB(buf, pos)
            pos += 5
        elif version >= 6:
            tags = buf[pos]
            pos += 1
            item.timeout_ms = 0
        else:
            item.timeout_ms = 0
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_offsets_request(out: bytearray, items: Sequence[ListOffsetsRequest], version: int) -> None:
    compact = version >= 6
    for item in items:
        if version >= 2:
            out += _put_ib(item.replica_id, item.isolation_level)
        else:
            if item.isolation_level != 0:
                raise writing.not_carried("isolation_level", version)
            out += _put_i(item.replica_id)
        writing.count(out, len(item.topics), compact)
        _write_list_offsets_topic(out, item.topics, version)
        if version >= 10:
            out += _put_ix(item.timeout_ms)
        elif version >= 6:
            out.append(0)


class ListOffsetsPartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "timestamp", "offset", "leader_epoch")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        timestamp: int = -1,
        offset: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.timestamp = timestamp
        self.offset = offset
        self.leader_epoch = leader_epoch


class ListOffsetsTopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[ListOffsetsPartitionResponse] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class ListOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    API_KEY = 2
    VERSIONS = (1, 11)
    FLEXIBLE_FROM = 6

    def __init__(self, *, throttle_time_ms: int = 0, topics: list[ListOffsetsTopicResponse] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ListOffsetsResponse, int]:
        (item,), pos = _read_list_offsets_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_offsets_response(out, (self,), version)


def _read_list_offsets_partition_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListOffsetsPartitionResponse], int]:
    items: list[ListOffsetsPartitionResponse] = []
    new = ListOffsetsPartitionResponse.__new__
    for _ in range(count):
        item = new(ListOffsetsPartitionResponse)
        if version >= 6:
            item.partition_index, item.error_code, item.timestamp, item.offset, item.leader_epoch, tags = _get_ihqqiB(
                buf, pos
            )
            pos += 27
        elif version >= 4:
            item.partition_index, item.error_code, item.timestamp, item.offset, item.leader_epoch = _get_ihqqi(buf, pos)
            pos += 26
            tags = 0
        else:
            item.partition_index, item.error_code, item.timestamp, item.offset = _get_ihqq(buf, pos)
            pos += 22
            item.leader_epoch = -1
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_offsets_partition_response(
    out: bytearray, items: Sequence[ListOffsetsPartitionResponse], version: int
) -> None:
    for item in items:
        if version >= 6:
            out += _put_ihqqix(item.partition_index, item.error_code, item.timestamp, item.offset, item.leader_epoch)
        elif version >= 4:
            out += _put_ihqqi(item.partition_index, item.error_code, item.timestamp, item.offset, item.leader_epoch)
        else:
            if item.leader_epoch != -1:
                raise writing.not_carried("leader_epoch", version)
            out += _put_ihqq(item.partition_index, item.error_code, item.timestamp, item.offset)


def _read_list_offsets_topic_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListOffsetsTopicResponse], int]:
    compact = version >= 6
    items: list[ListOffsetsTopicResponse] = []
    new = ListOffsetsTopicResponse.__new__
    for _ in range(count):
        item = new(ListOffsetsTopicResponse)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_list_offsets_partition_response(buf, pos, length, version, left)
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_offsets_topic_response(out: bytearray, items: Sequence[ListOffsetsTopicResponse], version: int) -> None:
    compact = version >= 6
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_list_offsets_partition_response(out, item.partitions, version)
        if version >= 6:
            out.append(0)


def _read_list_offsets_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListOffsetsResponse], int]:
    compact = version >= 6
    items: list[ListOffsetsResponse] = []
    new = ListOffsetsResponse.__new__
    for _ in range(count):
        item = new(ListOffsetsResponse)
        if version >= 2:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
        else:
            item.throttle_time_ms = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_list_offsets_topic_response(buf, pos, length, version, left)
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_offsets_response(out: bytearray, items: Sequence[ListOffsetsResponse], version: int) -> None:
    compact = version >= 6
    for item in items:
        if version >= 2:
            out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.topics), compact)
        _write_list_offsets_topic_response(out, item.topics, version)
        if version >= 6:
            out.append(0)
