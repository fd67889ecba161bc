"""DeleteRecordsRequest and DeleteRecordsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_iq = Format(">iq").unpack_from
_get_iqB = Format(">iqB").unpack_from
_get_iqh = Format(">iqh").unpack_from
_get_iqhB = Format(">iqhB").unpack_from
_put_i = Format(">i").pack
_put_iq = Format(">iq").pack
_put_iqh = Format(">iqh").pack
_put_iqhx = Format(">iqhx").pack
_put_iqx = Format(">iqx").pack
_put_ix = Format(">ix").pack


class DeleteRecordsPartition(Struct):
    __slots__ = ("partition_index", "offset")

    def __init__(self, *, partition_index: int = 0, offset: int = 0) -> None:
        self.partition_index = partition_index
        self.offset = offset


class DeleteRecordsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[DeleteRecordsPartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class DeleteRecordsRequest(Message):
    __slots__ = ("topics", "timeout_ms")

    API_KEY = 21
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, topics: list[DeleteRecordsTopic] = UNSET, timeout_ms: int = 0) -> None:
        self.topics = [] if topics is UNSET else topics
        self.timeout_ms = timeout_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteRecordsRequest, int]:
        (item,), pos = _read_delete_records_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_records_request(out, (self,), version)


def _read_delete_records_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteRecordsPartition], int]:
    items: list[DeleteRecordsPartition] = []
    new = DeleteRecordsPartition.__new__
    for _ in range(count):
        item = new(DeleteRecordsPartition)
        if version >= 2:
            item.partition_index, item.offset, tags = _get_iqB(buf, pos)
            pos += 13
        else:
            item.partition_index, item.offset = _get_iq(buf, pos)
            pos += 12
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_records_partition(out: bytearray, items: Sequence[DeleteRecordsPartition], version: int) -> None:
    for item in items:
        if version >= 2:
            out += _put_iqx(item.partition_index, item.offset)
        else:
            out += _put_iq(item.partition_index, item.offset)


def _read_delete_records_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteRecordsTopic], int]:
    compact = version >= 2
    items: list[DeleteRecordsTopic] = []
    new = DeleteRecordsTopic.__new__
    for _ in range(count):
        item = new(DeleteRecordsTopic)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_delete_records_partition(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_records_topic(out: bytearray, items: Sequence[DeleteRecordsTopic], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_delete_records_partition(out, item.partitions, version)
        if version >= 2:
            out.append(0)


def _read_delete_records_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteRecordsRequest], int]:
    compact = version >= 2
    items: list[DeleteRecordsRequest] = []
    new = DeleteRecordsRequest.__new__
    for _ in range(count):
        item = new(DeleteRecordsRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_delete_records_topic(buf, pos, length, version, left)
        if version >= 2:
            item.timeout_ms, tags = _get_iB(buf, pos)
            pos += 5
        else:
            (item.timeout_ms,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_records_request(out: bytearray, items: Sequence[DeleteRecordsRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.count(out, len(item.topics), compact)
        _write_delete_records_topic(out, item.topics, version)
        if version >= 2:
            out += _put_ix(item.timeout_ms)
        else:
            out += _put_i(item.timeout_ms)


class DeleteRecordsPartitionResult(Struct):
    __slots__ = ("partition_index", "low_watermark", "error_code")

    def __init__(self, *, partition_index: int = 0, low_watermark: int = 0, error_code: int = 0) -> None:
        self.partition_index = partition_index
        self.low_watermark = low_watermark
        self.error_code = error_code


class DeleteRecordsTopicResult(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[DeleteRecordsPartitionResult] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class DeleteRecordsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    API_KEY = 21
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, throttle_time_ms: int = 0, topics: list[DeleteRecordsTopicResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteRecordsResponse, int]:
        (item,), pos = _read_delete_records_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_records_response(out, (self,), version)


def _read_delete_records_partition_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteRecordsPartitionResult], int]:
    items: list[DeleteRecordsPartitionResult] = []
    new = DeleteRecordsPartitionResult.__new__
    for _ in range(count):
        item = new(DeleteRecordsPartitionResult)
        if version >= 2:
            item.partition_index, item.low_watermark, item.error_code, tags = _get_iqhB(buf, pos)
            pos += 15
        else:
            item.partition_index, item.low_watermark, item.error_code = _get_iqh(buf, pos)
            pos += 14
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_records_partition_result(
    out: bytearray, items: Sequence[DeleteRecordsPartitionResult], version: int
) -> None:
    for item in items:
        if version >= 2:
            out += _put_iqhx(item.partition_index, item.low_watermark, item.error_code)
        else:
            out += _put_iqh(item.partition_index, item.low_watermark, item.error_code)


def _read_delete_records_topic_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteRecordsTopicResult], int]:
    compact = version >= 2
    items: list[DeleteRecordsTopicResult] = []
    new = DeleteRecordsTopicResult.__new__
    for _ in range(count):
        item = new(DeleteRecordsTopicResult)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_delete_records_partition_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_records_topic_result(out: bytearray, items: Sequence[DeleteRecordsTopicResult], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_delete_records_partition_result(out, item.partitions, version)
        if version >= 2:
            out.append(0)


def _read_delete_records_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteRecordsResponse], int]:
    compact = version >= 2
    items: list[DeleteRecordsResponse] = []
    new = DeleteRecordsResponse.__new__
    for _ in range(count):
        item = new(DeleteRecordsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_delete_records_topic_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_records_response(out: bytearray, items: Sequence[DeleteRecordsResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.topics), compact)
        _write_delete_records_topic_result(out, item.topics, version)
        if version >= 2:
            out.append(0)
