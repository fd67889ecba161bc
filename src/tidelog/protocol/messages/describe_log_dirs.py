"""DescribeLogDirsRequest and DescribeLogDirsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_iqqo = Format(">iqq?").unpack_from
_get_iqqoB = Format(">iqq?B").unpack_from
_get_qqoB = Format(">qq?B").unpack_from
_get_qqB = Format(">qqB").unpack_from
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_iqqo = Format(">iqq?").pack
_put_iqqox = Format(">iqq?x").pack
_put_qqox = Format(">qq?x").pack
_put_qqx = Format(">qqx").pack


class DescribableLogDirTopic(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(self, *, topic: str = "", partitions: list[int] = UNSET) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


class DescribeLogDirsRequest(Message):
    __slots__ = ("topics",)

    API_KEY = 35
    VERSIONS = (1, 5)
    FLEXIBLE_FROM = 2

    def __init__(self, *, topics: list[DescribableLogDirTopic] | None = UNSET) -> None:
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeLogDirsRequest, int]:
        (item,), pos = _read_describe_log_dirs_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_log_dirs_request(out, (self,), version)


def _read_describable_log_dir_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribableLogDirTopic], int]:
    compact = version >= 2
    items: list[DescribableLogDirTopic] = []
    new = DescribableLogDirTopic.__new__
    for _ in range(count):
        item = new(DescribableLogDirTopic)
        item.topic, pos = reading.string(buf, pos, compact)
        item.partitions, pos = reading.int32s(buf, pos, compact)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describable_log_dir_topic(out: bytearray, items: Sequence[DescribableLogDirTopic], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.topic, compact)
        writing.int32s(out, item.partitions, compact)
        if version >= 2:
            out.append(0)


def _read_describe_log_dirs_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeLogDirsRequest], int]:
    compact = version >= 2
    items: list[DescribeLogDirsRequest] = []
    new = DescribeLogDirsRequest.__new__
    for _ in range(count):
        item = new(DescribeLogDirsRequest)
        length, pos = reading.nullable_count(buf, pos, compact, left)
        if length < 0:
            item.topics = None
        else:
            item.topics, pos = _read_describable_log_dir_topic(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_log_dirs_request(out: bytearray, items: Sequence[DescribeLogDirsRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        if item.topics is None:
            writing.null(out, compact)
        else:
            writing.count(out, len(item.topics), compact)
            _write_describable_log_dir_topic(out, item.topics, version)
        if version >= 2:
            out.append(0)


class DescribeLogDirsPartition(Struct):
    __slots__ = ("partition_index", "partition_size", "offset_lag", "is_future_key")

    def __init__(
        self, *, partition_index: int = 0, partition_size: int = 0, offset_lag: int = 0, is_future_key: bool = False
    ) -> None:
        self.partition_index = partition_index
        self.partition_size = partition_size
        self.offset_lag = offset_lag
        self.is_future_key = is_future_key


class DescribeLogDirsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[DescribeLogDirsPartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class DescribeLogDirsResult(Struct):
    __slots__ = ("error_code", "log_dir", "topics", "total_bytes", "usable_bytes", "is_cordoned")

    def __init__(
        self,
        *,
        error_code: int = 0,
        log_dir: str = "",
        topics: list[DescribeLogDirsTopic] = UNSET,
        total_bytes: int = -1,
        usable_bytes: int = -1,
        is_cordoned: bool = False,
    ) -> None:
        self.error_code = error_code
        self.log_dir = log_dir
        self.topics = [] if topics is UNSET else topics
        self.total_bytes = total_bytes
        self.usable_bytes = usable_bytes
        self.is_cordoned = is_cordoned


class DescribeLogDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "results")

    API_KEY = 35
    VERSIONS = (1, 5)
    FLEXIBLE_FROM = 2

    def __init__(
        self, *, throttle_time_ms: int = 0, error_code: int = 0, results: list[DescribeLogDirsResult] = UNSET
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeLogDirsResponse, int]:
        (item,), pos = _read_describe_log_dirs_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_log_dirs_response(out, (self,), version)


def _read_describe_log_dirs_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeLogDirsPartition], int]:
    items: list[DescribeLogDirsPartition] = []
    new = DescribeLogDirsPartition.__new__
    for _ in range(count):
        item = new(DescribeLogDirsPartition)
        if version >= 2:
            item.partition_index, item.partition_size, item.offset_lag, item.is_future_key, tags = _get_iqqoB(buf, pos)
            pos += 22
        else:
            item.partition_index, item.partition_size, item.offset_lag, item.is_future_key = _get_iqqo(buf, pos)
            pos += 21
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_log_dirs_partition(out: bytearray, items: Sequence[DescribeLogDirsPartition], version: int) -> None:
    for item in items:
        if version >= 2:
            out += _put_iqqox(item.partition_index, item.partition_size, item.offset_lag, item.is_future_key)
        else:
            out += _put_iqqo(item.partition_index, item.partition_size, item.offset_lag, item.is_future_key)


def _read_describe_log_dirs_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeLogDirsTopic], int]:
    compact = version >= 2
    items: list[DescribeLogDirsTopic] = []
    new = DescribeLogDirsTopic.__new__
    for _ in range(count):
        item = new(DescribeLogDirsTopic)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_describe_log_dirs_partition(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_log_dirs_topic(out: bytearray, items: Sequence[DescribeLogDirsTopic], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_describe_log_dirs_partition(out, item.partitions, version)
        if version >= 2:
            out.append(0)


def _read_describe_log_dirs_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeLogDirsResult], int]:
    compact = version >= 2
    items: list[DescribeLogDirsResult] = []
    new = DescribeLogDirsResult.__new__
    for _ in range(count):
        item = new(DescribeLogDirsResult)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.log_dir, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_describe_log_dirs_topic(buf, pos, length, version, left)
        if version >= 5:
            item.total_bytes, item.usable_bytes, item.is_cordoned, tags = _get_qqoB(buf, pos)
            pos += 18
        elif version >= 4:
            item.total_bytes, item.usable_bytes, tags = _get_qqB(buf, pos)
            pos += 17
            item.is_cordoned = False
        elif version >= 2:
            tags = buf[pos]
            pos += 1
            item.total_bytes = -1
            item.usable_bytes = -1
            item.is_cordoned = False
        else:
            item.total_bytes = -1
            item.usable_bytes = -1
            item.is_cordoned = False
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_log_dirs_result(out: bytearray, items: Sequence[DescribeLogDirsResult], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_h(item.error_code)
        writing.string(out, item.log_dir, compact)
        writing.count(out, len(item.topics), compact)
        _write_describe_log_dirs_topic(out, item.topics, version)
        if version >= 5:
            out += _put_qqox(item.total_bytes, item.usable_bytes, item.is_cordoned)
        elif version >= 4:
            out += _put_qqx(item.total_bytes, item.usable_bytes)
        elif version >= 2:
            out.append(0)


def _read_describe_log_dirs_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeLogDirsResponse], int]:
    compact = version >= 2
    items: list[DescribeLogDirsResponse] = []
    new = DescribeLogDirsResponse.__new__
    for _ in range(count):
        item = new(DescribeLogDirsResponse)
        if version >= 3:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
        else:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
            item.error_code = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.results, pos = _read_describe_log_dirs_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_log_dirs_response(out: bytearray, items: Sequence[DescribeLogDirsResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        if version >= 3:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        else:
            out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.results), compact)
        _write_describe_log_dirs_result(out, item.results, version)
        if version >= 2:
            out.append(0)
