"""AlterShareGroupOffsetsRequest and AlterShareGroupOffsetsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_ih = Format(">ih").unpack_from
_get_iqB = Format(">iqB").unpack_from
_put_u = Format(">16s").pack
_put_ih = Format(">ih").pack
_put_iqx = Format(">iqx").pack


class AlterShareGroupOffsetsRequestPartition(Struct):
    __slots__ = ("partition_index", "start_offset")

    def __init__(self, *, partition_index: int = 0, start_offset: int = 0) -> None:
        self.partition_index = partition_index
        self.start_offset = start_offset


class AlterShareGroupOffsetsRequestTopic(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self, *, topic_name: str = "", partitions: list[AlterShareGroupOffsetsRequestPartition] = UNSET
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class AlterShareGroupOffsetsRequest(Message):
    __slots__ = ("group_id", "topics")

    API_KEY = 91
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, group_id: str = "", topics: list[AlterShareGroupOffsetsRequestTopic] = UNSET) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AlterShareGroupOffsetsRequest, int]:
        (item,), pos = _read_alter_share_group_offsets_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_share_group_offsets_request(out, (self,), version)


def _read_alter_share_group_offsets_request_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterShareGroupOffsetsRequestPartition], int]:
    items: list[AlterShareGroupOffsetsRequestPartition] = []
    new = AlterShareGroupOffsetsRequestPartition.__new__
    for _ in range(count):
        item = new(AlterShareGroupOffsetsRequestPartition)
        item.partition_index, item.start_offset, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_share_group_offsets_request_partition(
    out: bytearray, items: Sequence[AlterShareGroupOffsetsRequestPartition], version: int
) -> None:
    for item in items:
        out += _put_iqx(item.partition_index, item.start_offset)


def _read_alter_share_group_offsets_request_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterShareGroupOffsetsRequestTopic], int]:
    items: list[AlterShareGroupOffsetsRequestTopic] = []
    new = AlterShareGroupOffsetsRequestTopic.__new__
    for _ in range(count):
        item = new(AlterShareGroupOffsetsRequestTopic)
        item.topic_name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_alter_share_group_offsets_request_partition(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_share_group_offsets_request_topic(
    out: bytearray, items: Sequence[AlterShareGroupOffsetsRequestTopic], version: int
) -> None:
    for item in items:
        writing.string(out, item.topic_name, True)
        writing.count(out, len(item.partitions), True)
        _write_alter_share_group_offsets_request_partition(out, item.partitions, version)
        out.append(0)


def _read_alter_share_group_offsets_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterShareGroupOffsetsRequest], int]:
    items: list[AlterShareGroupOffsetsRequest] = []
    new = AlterShareGroupOffsetsRequest.__new__
    for _ in range(count):
        item = new(AlterShareGroupOffsetsRequest)
        item.group_id, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_alter_share_group_offsets_request_topic(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_share_group_offsets_request(
    out: bytearray, items: Sequence[AlterShareGroupOffsetsRequest], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.count(out, len(item.topics), True)
        _write_alter_share_group_offsets_request_topic(out, item.topics, version)
        out.append(0)


class AlterShareGroupOffsetsResponsePartition(Struct):
    __slots__ = ("partition_index", "error_code", "error_message")

    def __init__(self, *, partition_index: int = 0, error_code: int = 0, error_message: str | None = None) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message


class AlterShareGroupOffsetsResponseTopic(Struct):
    __slots__ = ("topic_name", "topic_id", "partitions")

    def __init__(
        self,
        *,
        topic_name: str = "",
        topic_id: bytes = ZERO,
        partitions: list[AlterShareGroupOffsetsResponsePartition] = UNSET,
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class AlterShareGroupOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "responses")

    API_KEY = 91
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        responses: list[AlterShareGroupOffsetsResponseTopic] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.responses = [] if responses is UNSET else responses

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[AlterShareGroupOffsetsResponse, int]:
        (item,), pos = _read_alter_share_group_offsets_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_share_group_offsets_response(out, (self,), version)


def _read_alter_share_group_offsets_response_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterShareGroupOffsetsResponsePartition], int]:
    items: list[AlterShareGroupOffsetsResponsePartition] = []
    new = AlterShareGroupOffsetsResponsePartition.__new__
    for _ in range(count):
        item = new(AlterShareGroupOffsetsResponsePartition)
        item.partition_index, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_share_group_offsets_response_partition(
    out: bytearray, items: Sequence[AlterShareGroupOffsetsResponsePartition], version: int
) -> None:
    for item in items:
        out += _put_ih(item.partition_index, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)


def _read_alter_share_group_offsets_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterShareGroupOffsetsResponseTopic], int]:
    items: list[AlterShareGroupOffsetsResponseTopic] = []
    new = AlterShareGroupOffsetsResponseTopic.__new__
    for _ in range(count):
        item = new(AlterShareGroupOffsetsResponseTopic)
        item.topic_name, pos = reading.string(buf, pos, True)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_alter_share_group_offsets_response_partition(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_share_group_offsets_response_topic(
    out: bytearray, items: Sequence[AlterShareGroupOffsetsResponseTopic], version: int
) -> None:
    for item in items:
        writing.string(out, item.topic_name, True)
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_alter_share_group_offsets_response_partition(out, item.partitions, version)
        out.append(0)


def _read_alter_share_group_offsets_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterShareGroupOffsetsResponse], int]:
    items: list[AlterShareGroupOffsetsResponse] = []
    new = AlterShareGroupOffsetsResponse.__new__
    for _ in range(count):
        item = new(AlterShareGroupOffsetsResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.responses, pos = _read_alter_share_group_offsets_response_topic(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_share_group_offsets_response(
    out: bytearray, items: Sequence[AlterShareGroupOffsetsResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.count(out, len(item.responses), True)
        _write_alter_share_group_offsets_response_topic(out, item.responses, version)
        out.append(0)
