"""DescribeTopicPartitionsRequest and DescribeTopicPartitionsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_uo = Format(">16s?").unpack_from
_get_h = Format(">h").unpack_from
_get_hiii = Format(">hiii").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_put_uo = Format(">16s?").pack
_put_h = Format(">h").pack
_put_hiii = Format(">hiii").pack
_put_i = Format(">i").pack
_put_ix = Format(">ix").pack


class TopicRequest(Struct):
    __slots__ = ("name",)

    def __init__(self, *, name: str = "") -> None:
        self.name = name


class Cursor(Struct):
    __slots__ = ("topic_name", "partition_index")

    def __init__(self, *, topic_name: str = "", partition_index: int = 0) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index


class DescribeTopicPartitionsRequest(Message):
    __slots__ = ("topics", "response_partition_limit", "cursor")

    API_KEY = 75
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, topics: list[TopicRequest] = UNSET, response_partition_limit: int = 2000, cursor: Cursor | None = None
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.response_partition_limit = response_partition_limit
        self.cursor = cursor

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DescribeTopicPartitionsRequest, int]:
        (item,), pos = _read_describe_topic_partitions_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_topic_partitions_request(out, (self,), version)


def _read_topic_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicRequest], int]:
    items: list[TopicRequest] = []
    new = TopicRequest.__new__
    for _ in range(count):
        item = new(TopicRequest)
        item.name, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_request(out: bytearray, items: Sequence[TopicRequest], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out.append(0)


def _read_cursor(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Cursor], int]:
    items: list[Cursor] = []
    new = Cursor.__new__
    for _ in range(count):
        item = new(Cursor)
        item.topic_name, pos = reading.string(buf, pos, True)
        item.partition_index, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_cursor(out: bytearray, items: Sequence[Cursor], version: int) -> None:
    for item in items:
        writing.string(out, item.topic_name, True)
        out += _put_ix(item.partition_index)


def _read_describe_topic_partitions_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeTopicPartitionsRequest], int]:
    items: list[DescribeTopicPartitionsRequest] = []
    new = DescribeTopicPartitionsRequest.__new__
    for _ in range(count):
        item = new(DescribeTopicPartitionsRequest)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_topic_request(buf, pos, length, version, left)
        (item.response_partition_limit,) = _get_i(buf, pos)
        pos += 4
        here, pos = reading.present(buf, pos)
        item.cursor = None
        if here:
            (item.cursor,), pos = _read_cursor(buf, pos, 1, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_topic_partitions_request(
    out: bytearray, items: Sequence[DescribeTopicPartitionsRequest], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.topics), True)
        _write_topic_request(out, item.topics, version)
        out += _put_i(item.response_partition_limit)
        if item.cursor is None:
            out.append(255)
        else:
            out.append(1)
            _write_cursor(out, (item.cursor,), version)
        out.append(0)


class DescribeTopicPartitionsResponsePartition(Struct):
    __slots__ = (
        "error_code",
        "partition_index",
        "leader_id",
        "leader_epoch",
        "replica_nodes",
        "isr_nodes",
        "eligible_leader_replicas",
        "last_known_elr",
        "offline_replicas",
    )

    def __init__(
        self,
        *,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: list[int] = UNSET,
        isr_nodes: list[int] = UNSET,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
        offline_replicas: list[int] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes = [] if replica_nodes is UNSET else replica_nodes
        self.isr_nodes = [] if isr_nodes is UNSET else isr_nodes
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr
        self.offline_replicas = [] if offline_replicas is UNSET else offline_replicas


class DescribeTopicPartitionsResponseTopic(Struct):
    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    def __init__(
        self,
        *,
        error_code: int = 0,
        name: str | None = "",
        topic_id: bytes = ZERO,
        is_internal: bool = False,
        partitions: list[DescribeTopicPartitionsResponsePartition] = UNSET,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions = [] if partitions is UNSET else partitions
        self.topic_authorized_operations = topic_authorized_operations


class DescribeTopicPartitionsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics", "next_cursor")

    API_KEY = 75
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[DescribeTopicPartitionsResponseTopic] = UNSET,
        next_cursor: Cursor | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics
        self.next_cursor = next_cursor

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DescribeTopicPartitionsResponse, int]:
        (item,), pos = _read_describe_topic_partitions_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_topic_partitions_response(out, (self,), version)


def _read_describe_topic_partitions_response_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeTopicPartitionsResponsePartition], int]:
    items: list[DescribeTopicPartitionsResponsePartition] = []
    new = DescribeTopicPartitionsResponsePartition.__new__
    for _ in range(count):
        item = new(DescribeTopicPartitionsResponsePartition)
        item.error_code, item.partition_index, item.leader_id, item.leader_epoch = _get_hiii(buf, pos)
        pos += 14
        item.replica_nodes, pos = reading.int32s(buf, pos, True)
        item.isr_nodes, pos = reading.int32s(buf, pos, True)
        item.eligible_leader_replicas, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        item.last_known_elr, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        item.offline_replicas, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_topic_partitions_response_partition(
    out: bytearray, items: Sequence[DescribeTopicPartitionsResponsePartition], version: int
) -> None:
    for item in items:
        out += _put_hiii(item.error_code, item.partition_index, item.leader_id, item.leader_epoch)
        writing.int32s(out, item.replica_nodes, True)
        writing.int32s(out, item.isr_nodes, True)
        if item.eligible_leader_replicas is None:
            writing.null(out, True)
        else:
            writing.int32s(out, item.eligible_leader_replicas, True)
        if item.last_known_elr is None:
            writing.null(out, True)
        else:
            writing.int32s(out, item.last_known_elr, True)
        writing.int32s(out, item.offline_replicas, True)
        out.append(0)


def _read_describe_topic_partitions_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeTopicPartitionsResponseTopic], int]:
    items: list[DescribeTopicPartitionsResponseTopic] = []
    new = DescribeTopicPartitionsResponseTopic.__new__
    for _ in range(count):
        item = new(DescribeTopicPartitionsResponseTopic)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.name, pos = reading.nullable_string(buf, pos, True)
        item.topic_id, item.is_internal = _get_uo(buf, pos)
        pos += 17
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_describe_topic_partitions_response_partition(buf, pos, length, version, left)
        item.topic_authorized_operations, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_topic_partitions_response_topic(
    out: bytearray, items: Sequence[DescribeTopicPartitionsResponseTopic], version: int
) -> None:
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.name, True)
        out += _put_uo(item.topic_id, item.is_internal)
        writing.count(out, len(item.partitions), True)
        _write_describe_topic_partitions_response_partition(out, item.partitions, version)
        out += _put_ix(item.topic_authorized_operations)


def _read_describe_topic_partitions_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeTopicPartitionsResponse], int]:
    items: list[DescribeTopicPartitionsResponse] = []
    new = DescribeTopicPartitionsResponse.__new__
    for _ in range(count):
        item = new(DescribeTopicPartitionsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_describe_topic_partitions_response_topic(buf, pos, length, version, left)
        here, pos = reading.present(buf, pos)
        item.next_cursor = None
        if here:
            (item.next_cursor,), pos = _read_cursor(buf, pos, 1, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_topic_partitions_response(
    out: bytearray, items: Sequence[DescribeTopicPartitionsResponse], version: int
) -> None:
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.topics), True)
        _write_describe_topic_partitions_response_topic(out, item.topics, version)
        if item.next_cursor is None:
            out.append(255)
        else:
            out.append(1)
            _write_cursor(out, (item.next_cursor,), version)
        out.append(0)
