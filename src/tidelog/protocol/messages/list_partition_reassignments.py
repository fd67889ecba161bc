"""ListPartitionReassignmentsRequest and ListPartitionReassignmentsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack


class ListPartitionReassignmentsTopics(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(self, *, name: str = "", partition_indexes: list[int] = UNSET) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


class ListPartitionReassignmentsRequest(Message):
    __slots__ = ("timeout_ms", "topics")

    API_KEY = 46
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, timeout_ms: int = 60000, topics: list[ListPartitionReassignmentsTopics] | None = None
    ) -> None:
        self.timeout_ms = timeout_ms
        self.topics = topics

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ListPartitionReassignmentsRequest, int]:
        (item,), pos = _read_list_partition_reassignments_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_partition_reassignments_request(out, (self,), version)


def _read_list_partition_reassignments_topics(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListPartitionReassignmentsTopics], int]:
    items: list[ListPartitionReassignmentsTopics] = []
    new = ListPartitionReassignmentsTopics.__new__
    for _ in range(count):
        item = new(ListPartitionReassignmentsTopics)
        item.name, pos = reading.string(buf, pos, True)
        item.partition_indexes, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_partition_reassignments_topics(
    out: bytearray, items: Sequence[ListPartitionReassignmentsTopics], version: int
) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.int32s(out, item.partition_indexes, True)
        out.append(0)


def _read_list_partition_reassignments_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListPartitionReassignmentsRequest], int]:
    items: list[ListPartitionReassignmentsRequest] = []
    new = ListPartitionReassignmentsRequest.__new__
    for _ in range(count):
        item = new(ListPartitionReassignmentsRequest)
        (item.timeout_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.topics = None
        else:
            item.topics, pos = _read_list_partition_reassignments_topics(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_partition_reassignments_request(
    out: bytearray, items: Sequence[ListPartitionReassignmentsRequest], version: int
) -> None:
    for item in items:
        out += _put_i(item.timeout_ms)
        if item.topics is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.topics), True)
            _write_list_partition_reassignments_topics(out, item.topics, version)
        out.append(0)


class OngoingPartitionReassignment(Struct):
    __slots__ = ("partition_index", "replicas", "adding_replicas", "removing_replicas")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        replicas: list[int] = UNSET,
        adding_replicas: list[int] = UNSET,
        removing_replicas: list[int] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.replicas = [] if replicas is UNSET else replicas
        self.adding_replicas = [] if adding_replicas is UNSET else adding_replicas
        self.removing_replicas = [] if removing_replicas is UNSET else removing_replicas


class OngoingTopicReassignment(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[OngoingPartitionReassignment] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class ListPartitionReassignmentsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "topics")

    API_KEY = 46
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[OngoingTopicReassignment] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ListPartitionReassignmentsResponse, int]:
        (item,), pos = _read_list_partition_reassignments_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_partition_reassignments_response(out, (self,), version)


def _read_ongoing_partition_reassignment(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OngoingPartitionReassignment], int]:
    items: list[OngoingPartitionReassignment] = []
    new = OngoingPartitionReassignment.__new__
    for _ in range(count):
        item = new(OngoingPartitionReassignment)
        (item.partition_index,) = _get_i(buf, pos)
        pos += 4
        item.replicas, pos = reading.int32s(buf, pos, True)
        item.adding_replicas, pos = reading.int32s(buf, pos, True)
        item.removing_replicas, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_ongoing_partition_reassignment(
    out: bytearray, items: Sequence[OngoingPartitionReassignment], version: int
) -> None:
    for item in items:
        out += _put_i(item.partition_index)
        writing.int32s(out, item.replicas, True)
        writing.int32s(out, item.adding_replicas, True)
        writing.int32s(out, item.removing_replicas, True)
        out.append(0)


def _read_ongoing_topic_reassignment(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OngoingTopicReassignment], int]:
    items: list[OngoingTopicReassignment] = []
    new = OngoingTopicReassignment.__new__
    for _ in range(count):
        item = new(OngoingTopicReassignment)
        item.name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_ongoing_partition_reassignment(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_ongoing_topic_reassignment(out: bytearray, items: Sequence[OngoingTopicReassignment], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.count(out, len(item.partitions), True)
        _write_ongoing_partition_reassignment(out, item.partitions, version)
        out.append(0)


def _read_list_partition_reassignments_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListPartitionReassignmentsResponse], int]:
    items: list[ListPartitionReassignmentsResponse] = []
    new = ListPartitionReassignmentsResponse.__new__
    for _ in range(count):
        item = new(ListPartitionReassignmentsResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_ongoing_topic_reassignment(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_partition_reassignments_response(
    out: bytearray, items: Sequence[ListPartitionReassignmentsResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.count(out, len(item.topics), True)
        _write_ongoing_topic_reassignment(out, item.topics, version)
        out.append(0)
