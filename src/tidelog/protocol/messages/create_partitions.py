"""CreatePartitionsRequest and CreatePartitionsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_io = Format(">i?").unpack_from
_get_ioB = Format(">i?B").unpack_from
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_io = Format(">i?").pack
_put_iox = Format(">i?x").pack


class CreatePartitionsAssignment(Struct):
    __slots__ = ("broker_ids",)

    def __init__(self, *, broker_ids: list[int] = UNSET) -> None:
        self.broker_ids = [] if broker_ids is UNSET else broker_ids


class CreatePartitionsTopic(Struct):
    __slots__ = ("name", "count", "assignments")

    def __init__(
        self, *, name: str = "", count: int = 0, assignments: list[CreatePartitionsAssignment] | None = UNSET
    ) -> None:
        self.name = name
        self.count = count
        self.assignments = [] if assignments is UNSET else assignments


class CreatePartitionsRequest(Message):
    __slots__ = ("topics", "timeout_ms", "validate_only")

    API_KEY = 37
    VERSIONS = (0, 3)
    FLEXIBLE_FROM = 2

    def __init__(
        self, *, topics: list[CreatePartitionsTopic] = UNSET, timeout_ms: int = 0, validate_only: bool = False
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[CreatePartitionsRequest, int]:
        (item,), pos = _read_create_partitions_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_create_partitions_request(out, (self,), version)


def _read_create_partitions_assignment(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatePartitionsAssignment], int]:
    compact = version >= 2
    items: list[CreatePartitionsAssignment] = []
    new = CreatePartitionsAssignment.__new__
    for _ in range(count):
        item = new(CreatePartitionsAssignment)
        item.broker_ids, pos = reading.int32s(buf, pos, compact)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_partitions_assignment(
    out: bytearray, items: Sequence[CreatePartitionsAssignment], version: int
) -> None:
    compact = version >= 2
    for item in items:
        writing.int32s(out, item.broker_ids, compact)
        if version >= 2:
            out.append(0)


def _read_create_partitions_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatePartitionsTopic], int]:
    compact = version >= 2
    items: list[CreatePartitionsTopic] = []
    new = CreatePartitionsTopic.__new__
    for _ in range(count):
        item = new(CreatePartitionsTopic)
        item.name, pos = reading.string(buf, pos, compact)
        (item.count,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.nullable_count(buf, pos, compact, left)
        if length < 0:
            item.assignments = None
        else:
            item.assignments, pos = _read_create_partitions_assignment(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_partitions_topic(out: bytearray, items: Sequence[CreatePartitionsTopic], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.name, compact)
        out += _put_i(item.count)
        if item.assignments is None:
            writing.null(out, compact)
        else:
            writing.count(out, len(item.assignments), compact)
            _write_create_partitions_assignment(out, item.assignments, version)
        if version >= 2:
            out.append(0)


def _read_create_partitions_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatePartitionsRequest], int]:
    compact = version >= 2
    items: list[CreatePartitionsRequest] = []
    new = CreatePartitionsRequest.__new__
    for _ in range(count):
        item = new(CreatePartitionsRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_create_partitions_topic(buf, pos, length, version, left)
        if version >= 2:
            item.timeout_ms, item.validate_only, tags = _get_ioB(buf, pos)
            pos += 6
        else:
            item.timeout_ms, item.validate_only = _get_io(buf, pos)
            pos += 5
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_partitions_request(out: bytearray, items: Sequence[CreatePartitionsRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.count(out, len(item.topics), compact)
        _write_create_partitions_topic(out, item.topics, version)
        if version >= 2:
            out += _put_iox(item.timeout_ms, item.validate_only)
        else:
            out += _put_io(item.timeout_ms, item.validate_only)


class CreatePartitionsTopicResult(Struct):
    __slots__ = ("name", "error_code", "error_message")

    def __init__(self, *, name: str = "", error_code: int = 0, error_message: str | None = None) -> None:
        self.name = name
        self.error_code = error_code
        self.error_message = error_message


class CreatePartitionsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    API_KEY = 37
    VERSIONS = (0, 3)
    FLEXIBLE_FROM = 2

    def __init__(self, *, throttle_time_ms: int = 0, results: list[CreatePartitionsTopicResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[CreatePartitionsResponse, int]:
        (item,), pos = _read_create_partitions_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_create_partitions_response(out, (self,), version)


def _read_create_partitions_topic_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatePartitionsTopicResult], int]:
    compact = version >= 2
    items: list[CreatePartitionsTopicResult] = []
    new = CreatePartitionsTopicResult.__new__
    for _ in range(count):
        item = new(CreatePartitionsTopicResult)
        item.name, pos = reading.string(buf, pos, compact)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_partitions_topic_result(
    out: bytearray, items: Sequence[CreatePartitionsTopicResult], version: int
) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.name, compact)
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        if version >= 2:
            out.append(0)


def _read_create_partitions_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatePartitionsResponse], int]:
    compact = version >= 2
    items: list[CreatePartitionsResponse] = []
    new = CreatePartitionsResponse.__new__
    for _ in range(count):
        item = new(CreatePartitionsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.results, pos = _read_create_partitions_topic_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_partitions_response(out: bytearray, items: Sequence[CreatePartitionsResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.results), compact)
        _write_create_partitions_topic_result(out, item.results, version)
        if version >= 2:
            out.append(0)
