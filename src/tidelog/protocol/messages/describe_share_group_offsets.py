"""DescribeShareGroupOffsetsRequest and DescribeShareGroupOffsetsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iqih = Format(">iqih").unpack_from
_get_iqiqh = Format(">iqiqh").unpack_from
_put_u = Format(">16s").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_iqih = Format(">iqih").pack
_put_iqiqh = Format(">iqiqh").pack


class DescribeShareGroupOffsetsRequestTopic(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(self, *, topic_name: str = "", partitions: list[int] = UNSET) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class DescribeShareGroupOffsetsRequestGroup(Struct):
    __slots__ = ("group_id", "topics")

    def __init__(
        self, *, group_id: str = "", topics: list[DescribeShareGroupOffsetsRequestTopic] | None = UNSET
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics


class DescribeShareGroupOffsetsRequest(Message):
    __slots__ = ("groups",)

    API_KEY = 90
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(self, *, groups: list[DescribeShareGroupOffsetsRequestGroup] = UNSET) -> None:
        self.groups = [] if groups is UNSET else groups

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DescribeShareGroupOffsetsRequest, int]:
        (item,), pos = _read_describe_share_group_offsets_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_share_group_offsets_request(out, (self,), version)


def _read_describe_share_group_offsets_request_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeShareGroupOffsetsRequestTopic], int]:
    items: list[DescribeShareGroupOffsetsRequestTopic] = []
    new = DescribeShareGroupOffsetsRequestTopic.__new__
    for _ in range(count):
        item = new(DescribeShareGroupOffsetsRequestTopic)
        item.topic_name, pos = reading.string(buf, pos, True)
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_share_group_offsets_request_topic(
    out: bytearray, items: Sequence[DescribeShareGroupOffsetsRequestTopic], version: int
) -> None:
    for item in items:
        writing.string(out, item.topic_name, True)
        writing.int32s(out, item.partitions, True)
        out.append(0)


def _read_describe_share_group_offsets_request_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeShareGroupOffsetsRequestGroup], int]:
    items: list[DescribeShareGroupOffsetsRequestGroup] = []
    new = DescribeShareGroupOffsetsRequestGroup.__new__
    for _ in range(count):
        item = new(DescribeShareGroupOffsetsRequestGroup)
        item.group_id, pos = reading.string(buf, pos, True)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.topics = None
        else:
            item.topics, pos = _read_describe_share_group_offsets_request_topic(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_share_group_offsets_request_group(
    out: bytearray, items: Sequence[DescribeShareGroupOffsetsRequestGroup], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        if item.topics is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.topics), True)
            _write_describe_share_group_offsets_request_topic(out, item.topics, version)
        out.append(0)


def _read_describe_share_group_offsets_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeShareGroupOffsetsRequest], int]:
    items: list[DescribeShareGroupOffsetsRequest] = []
    new = DescribeShareGroupOffsetsRequest.__new__
    for _ in range(count):
        item = new(DescribeShareGroupOffsetsRequest)
        length, pos = reading.count(buf, pos, True, left)
        item.groups, pos = _read_describe_share_group_offsets_request_group(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_share_group_offsets_request(
    out: bytearray, items: Sequence[DescribeShareGroupOffsetsRequest], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.groups), True)
        _write_describe_share_group_offsets_request_group(out, item.groups, version)
        out.append(0)


class DescribeShareGroupOffsetsResponsePartition(Struct):
    __slots__ = ("partition_index", "start_offset", "leader_epoch", "lag", "error_code", "error_message")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        start_offset: int = 0,
        leader_epoch: int = 0,
        lag: int = -1,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.partition_index = partition_index
        self.start_offset = start_offset
        self.leader_epoch = leader_epoch
        self.lag = lag
        self.error_code = error_code
        self.error_message = error_message


class DescribeShareGroupOffsetsResponseTopic(Struct):
    __slots__ = ("topic_name", "topic_id", "partitions")

    def __init__(
        self,
        *,
        topic_name: str = "",
        topic_id: bytes = ZERO,
        partitions: list[DescribeShareGroupOffsetsResponsePartition] = UNSET,
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class DescribeShareGroupOffsetsResponseGroup(Struct):
    __slots__ = ("group_id", "topics", "error_code", "error_message")

    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[DescribeShareGroupOffsetsResponseTopic] = UNSET,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics
        self.error_code = error_code
        self.error_message = error_message


class DescribeShareGroupOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")

    API_KEY = 90
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, throttle_time_ms: int = 0, groups: list[DescribeShareGroupOffsetsResponseGroup] = UNSET
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET else groups

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DescribeShareGroupOffsetsResponse, int]:
        (item,), pos = _read_describe_share_group_offsets_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_share_group_offsets_response(out, (self,), version)


def _read_describe_share_group_offsets_response_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeShareGroupOffsetsResponsePartition], int]:
    items: list[DescribeShareGroupOffsetsResponsePartition] = []
    new = DescribeShareGroupOffsetsResponsePartition.__new__
    for _ in range(count):
        item = new(DescribeShareGroupOffsetsResponsePartition)
        if version >= 1:
            item.partition_index, item.start_offset, item.leader_epoch, item.lag, item.error_code = _get_iqiqh(buf, pos)
            pos += 26
        else:
            item.partition_index, item.start_offset, item.leader_epoch, item.error_code = _get_iqih(buf, pos)
            pos += 18
            item.lag = -1
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_share_group_offsets_response_partition(
    out: bytearray, items: Sequence[DescribeShareGroupOffsetsResponsePartition], version: int
) -> None:
    for item in items:
        if version >= 1:
            out += _put_iqiqh(item.partition_index, item.start_offset, item.leader_epoch, item.lag, item.error_code)
        else:
            out += _put_iqih(item.partition_index, item.start_offset, item.leader_epoch, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)


def _read_describe_share_group_offsets_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeShareGroupOffsetsResponseTopic], int]:
    items: list[DescribeShareGroupOffsetsResponseTopic] = []
    new = DescribeShareGroupOffsetsResponseTopic.__new__
    for _ in range(count):
        item = new(DescribeShareGroupOffsetsResponseTopic)
        item.topic_name, pos = reading.string(buf, pos, True)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_describe_share_group_offsets_response_partition(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_share_group_offsets_response_topic(
    out: bytearray, items: Sequence[DescribeShareGroupOffsetsResponseTopic], version: int
) -> None:
    for item in items:
        writing.string(out, item.topic_name, True)
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_describe_share_group_offsets_response_partition(out, item.partitions, version)
        out.append(0)


def _read_describe_share_group_offsets_response_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeShareGroupOffsetsResponseGroup], int]:
    items: list[DescribeShareGroupOffsetsResponseGroup] = []
    new = DescribeShareGroupOffsetsResponseGroup.__new__
    for _ in range(count):
        item = new(DescribeShareGroupOffsetsResponseGroup)
        item.group_id, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_describe_share_group_offsets_response_topic(buf, pos, length, version, left)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_share_group_offsets_response_group(
    out: bytearray, items: Sequence[DescribeShareGroupOffsetsResponseGroup], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.count(out, len(item.topics), True)
        _write_describe_share_group_offsets_response_topic(out, item.topics, version)
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)


def _read_describe_share_group_offsets_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeShareGroupOffsetsResponse], int]:
    items: list[DescribeShareGroupOffsetsResponse] = []
    new = DescribeShareGroupOffsetsResponse.__new__
    for _ in range(count):
        item = new(DescribeShareGroupOffsetsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.groups, pos = _read_describe_share_group_offsets_response_group(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_share_group_offsets_response(
    out: bytearray, items: Sequence[DescribeShareGroupOffsetsResponse], version: int
) -> None:
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.groups), True)
        _write_describe_share_group_offsets_response_group(out, item.groups, version)
        out.append(0)
