"""DescribeProducersRequest and DescribeProducersResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_qiiqiqB = Format(">qiiqiqB").unpack_from
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_qiiqiqx = Format(">qiiqiqx").pack


class TopicRequest(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(self, *, name: str = "", partition_indexes: list[int] = UNSET) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


class DescribeProducersRequest(Message):
    __slots__ = ("topics",)

    API_KEY = 61
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, topics: list[TopicRequest] = UNSET) -> None:
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeProducersRequest, int]:
        (item,), pos = _read_describe_producers_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_producers_request(out, (self,), version)


def _read_topic_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicRequest], int]:
    items: list[TopicRequest] = []
    new = TopicRequest.__new__
    for _ in range(count):
        item = new(TopicRequest)
        item.name, pos = reading.string(buf, pos, True)
        item.partition_indexes, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_request(out: bytearray, items: Sequence[TopicRequest], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.int32s(out, item.partition_indexes, True)
        out.append(0)


def _read_describe_producers_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeProducersRequest], int]:
    items: list[DescribeProducersRequest] = []
    new = DescribeProducersRequest.__new__
    for _ in range(count):
        item = new(DescribeProducersRequest)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_topic_request(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_producers_request(out: bytearray, items: Sequence[DescribeProducersRequest], version: int) -> None:
    for item in items:
        writing.count(out, len(item.topics), True)
        _write_topic_request(out, item.topics, version)
        out.append(0)


class ProducerState(Struct):
    __slots__ = (
        "producer_id",
        "producer_epoch",
        "last_sequence",
        "last_timestamp",
        "coordinator_epoch",
        "current_txn_start_offset",
    )

    def __init__(
        self,
        *,
        producer_id: int = 0,
        producer_epoch: int = 0,
        last_sequence: int = -1,
        last_timestamp: int = -1,
        coordinator_epoch: int = 0,
        current_txn_start_offset: int = -1,
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.last_sequence = last_sequence
        self.last_timestamp = last_timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_start_offset = current_txn_start_offset


class PartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "active_producers")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        active_producers: list[ProducerState] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.active_producers = [] if active_producers is UNSET else active_producers


class TopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[PartitionResponse] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class DescribeProducersResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    API_KEY = 61
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, topics: list[TopicResponse] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeProducersResponse, int]:
        (item,), pos = _read_describe_producers_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_producers_response(out, (self,), version)


def _read_producer_state(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ProducerState], int]:
    items: list[ProducerState] = []
    new = ProducerState.__new__
    for _ in range(count):
        item = new(ProducerState)
        (
            item.producer_id,
            item.producer_epoch,
            item.last_sequence,
            item.last_timestamp,
            item.coordinator_epoch,
            item.current_txn_start_offset,
            tags,
        ) = _get_qiiqiqB(buf, pos)
        pos += 37
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_producer_state(out: bytearray, items: Sequence[ProducerState], version: int) -> None:
    for item in items:
        out += _put_qiiqiqx(
            item.producer_id,
            item.producer_epoch,
            item.last_sequence,
            item.last_timestamp,
            item.coordinator_epoch,
            item.current_txn_start_offset,
        )


def _read_partition_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionResponse], int]:
    items: list[PartitionResponse] = []
    new = PartitionResponse.__new__
    for _ in range(count):
        item = new(PartitionResponse)
        item.partition_index, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.active_producers, pos = _read_producer_state(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partition_response(out: bytearray, items: Sequence[PartitionResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.partition_index, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.count(out, len(item.active_producers), True)
        _write_producer_state(out, item.active_producers, version)
        out.append(0)


def _read_topic_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicResponse], int]:
    items: list[TopicResponse] = []
    new = TopicResponse.__new__
    for _ in range(count):
        item = new(TopicResponse)
        item.name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_partition_response(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_response(out: bytearray, items: Sequence[TopicResponse], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.count(out, len(item.partitions), True)
        _write_partition_response(out, item.partitions, version)
        out.append(0)


def _read_describe_producers_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeProducersResponse], int]:
    items: list[DescribeProducersResponse] = []
    new = DescribeProducersResponse.__new__
    for _ in range(count):
        item = new(DescribeProducersResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_topic_response(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_producers_response(
    out: bytearray, items: Sequence[DescribeProducersResponse], version: int
) -> None:
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.topics), True)
        _write_topic_response(out, item.topics, version)
        out.append(0)
