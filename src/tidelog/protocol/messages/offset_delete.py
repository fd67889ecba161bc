"""OffsetDeleteRequest and OffsetDeleteResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_hi = Format(">hi").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_put_hi = Format(">hi").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack


class OffsetDeleteRequestPartition(Struct):
    __slots__ = ("partition_index",)

    def __init__(self, *, partition_index: int = 0) -> None:
        self.partition_index = partition_index


class OffsetDeleteRequestTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[OffsetDeleteRequestPartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class OffsetDeleteRequest(Message):
    __slots__ = ("group_id", "topics")

    API_KEY = 47
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", topics: list[OffsetDeleteRequestTopic] = UNSET) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetDeleteRequest, int]:
        (item,), pos = _read_offset_delete_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_delete_request(out, (self,), version)


def _read_offset_delete_request_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetDeleteRequestPartition], int]:
    items: list[OffsetDeleteRequestPartition] = []
    new = OffsetDeleteRequestPartition.__new__
    for _ in range(count):
        item = new(OffsetDeleteRequestPartition)
        (item.partition_index,) = _get_i(buf, pos)
        pos += 4
        items.append(item)
    return items, pos


def _write_offset_delete_request_partition(
    out: bytearray, items: Sequence[OffsetDeleteRequestPartition], version: int
) -> None:
    for item in items:
        out += _put_i(item.partition_index)


def _read_offset_delete_request_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetDeleteRequestTopic], int]:
    items: list[OffsetDeleteRequestTopic] = []
    new = OffsetDeleteRequestTopic.__new__
    for _ in range(count):
        item = new(OffsetDeleteRequestTopic)
        item.name, pos = reading.string(buf, pos, False)
        length, pos = reading.count(buf, pos, False, left)
        item.partitions, pos = _read_offset_delete_request_partition(buf, pos, length, version, left)
        items.append(item)
    return items, pos


def _write_offset_delete_request_topic(out: bytearray, items: Sequence[OffsetDeleteRequestTopic], version: int) -> None:
    for item in items:
        writing.string(out, item.name, False)
        writing.count(out, len(item.partitions), False)
        _write_offset_delete_request_partition(out, item.partitions, version)


def _read_offset_delete_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetDeleteRequest], int]:
    items: list[OffsetDeleteRequest] = []
    new = OffsetDeleteRequest.__new__
    for _ in range(count):
        item = new(OffsetDeleteRequest)
        item.group_id, pos = reading.string(buf, pos, False)
        length, pos = reading.count(buf, pos, False, left)
        item.topics, pos = _read_offset_delete_request_topic(buf, pos, length, version, left)
        items.append(item)
    return items, pos


def _write_offset_delete_request(out: bytearray, items: Sequence[OffsetDeleteRequest], version: int) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.count(out, len(item.topics), False)
        _write_offset_delete_request_topic(out, item.topics, version)


class OffsetDeleteResponsePartition(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(self, *, partition_index: int = 0, error_code: int = 0) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class OffsetDeleteResponseTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[OffsetDeleteResponsePartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class OffsetDeleteResponse(Message):
    __slots__ = ("error_code", "throttle_time_ms", "topics")

    API_KEY = 47
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(
        self, *, error_code: int = 0, throttle_time_ms: int = 0, topics: list[OffsetDeleteResponseTopic] = UNSET
    ) -> None:
        self.error_code = error_code
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetDeleteResponse, int]:
        (item,), pos = _read_offset_delete_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_delete_response(out, (self,), version)


def _read_offset_delete_response_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetDeleteResponsePartition], int]:
    items: list[OffsetDeleteResponsePartition] = []
    new = OffsetDeleteResponsePartition.__new__
    for _ in range(count):
        item = new(OffsetDeleteResponsePartition)
        item.partition_index, item.error_code = _get_ih(buf, pos)
        pos += 6
        items.append(item)
    return items, pos


def _write_offset_delete_response_partition(
    out: bytearray, items: Sequence[OffsetDeleteResponsePartition], version: int
) -> None:
    for item in items:
        out += _put_ih(item.partition_index, item.error_code)


def _read_offset_delete_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetDeleteResponseTopic], int]:
    items: list[OffsetDeleteResponseTopic] = []
    new = OffsetDeleteResponseTopic.__new__
    for _ in range(count):
        item = new(OffsetDeleteResponseTopic)
        item.name, pos = reading.string(buf, pos, False)
        length, pos = reading.count(buf, pos, False, left)
        item.partitions, pos = _read_offset_delete_response_partition(buf, pos, length, version, left)
        items.append(item)
    return items, pos


def _write_offset_delete_response_topic(
    out: bytearray, items: Sequence[OffsetDeleteResponseTopic], version: int
) -> None:
    for item in items:
        writing.string(out, item.name, False)
        writing.count(out, len(item.partitions), False)
        _write_offset_delete_response_partition(out, item.partitions, version)


def _read_offset_delete_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetDeleteResponse], int]:
    items: list[OffsetDeleteResponse] = []
    new = OffsetDeleteResponse.__new__
    for _ in range(count):
        item = new(OffsetDeleteResponse)
        item.error_code, item.throttle_time_ms = _get_hi(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, False, left)
        item.topics, pos = _read_offset_delete_response_topic(buf, pos, length, version, left)
        items.append(item)
    return items, pos


def _write_offset_delete_response(out: bytearray, items: Sequence[OffsetDeleteResponse], version: int) -> None:
    for item in items:
        out += _put_hi(item.error_code, item.throttle_time_ms)
        writing.count(out, len(item.topics), False)
        _write_offset_delete_response_topic(out, item.topics, version)
