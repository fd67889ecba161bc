"""ReadShareGroupStateRequest and ReadShareGroupStateResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_ih = Format(">ih").unpack_from
_get_iiB = Format(">iiB").unpack_from
_get_iq = Format(">iq").unpack_from
_get_qqbhB = Format(">qqbhB").unpack_from
_put_u = Format(">16s").pack
_put_ih = Format(">ih").pack
_put_iix = Format(">iix").pack
_put_iq = Format(">iq").pack
_put_qqbhx = Format(">qqbhx").pack


class PartitionData(Struct):
    __slots__ = ("partition", "leader_epoch")

    def __init__(self, *, partition: int = 0, leader_epoch: int = 0) -> None:
        self.partition = partition
        self.leader_epoch = leader_epoch


class ReadStateData(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[PartitionData] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class ReadShareGroupStateRequest(Message):
    __slots__ = ("group_id", "topics")

    API_KEY = 84
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, group_id: str = "", topics: list[ReadStateData] = UNSET) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ReadShareGroupStateRequest, int]:
        (item,), pos = _read_read_share_group_state_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_read_share_group_state_request(out, (self,), version)


def _read_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionData], int]:
    items: list[PartitionData] = []
    new = PartitionData.__new__
    for _ in range(count):
        item = new(PartitionData)
        item.partition, item.leader_epoch, tags = _get_iiB(buf, pos)
        pos += 9
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partition_data(out: bytearray, items: Sequence[PartitionData], version: int) -> None:
    for item in items:
        out += _put_iix(item.partition, item.leader_epoch)


def _read_read_state_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReadStateData], int]:
    items: list[ReadStateData] = []
    new = ReadStateData.__new__
    for _ in range(count):
        item = new(ReadStateData)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_partition_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_read_state_data(out: bytearray, items: Sequence[ReadStateData], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_partition_data(out, item.partitions, version)
        out.append(0)


def _read_read_share_group_state_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReadShareGroupStateRequest], int]:
    items: list[ReadShareGroupStateRequest] = []
    new = ReadShareGroupStateRequest.__new__
    for _ in range(count):
        item = new(ReadShareGroupStateRequest)
        item.group_id, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_read_state_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_read_share_group_state_request(
    out: bytearray, items: Sequence[ReadShareGroupStateRequest], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.count(out, len(item.topics), True)
        _write_read_state_data(out, item.topics, version)
        out.append(0)


class StateBatch(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    def __init__(
        self, *, first_offset: int = 0, last_offset: int = 0, delivery_state: int = 0, delivery_count: int = 0
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count


class PartitionResult(Struct):
    __slots__ = ("partition", "error_code", "error_message", "state_epoch", "start_offset", "state_batches")

    def __init__(
        self,
        *,
        partition: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        state_epoch: int = 0,
        start_offset: int = 0,
        state_batches: list[StateBatch] = UNSET,
    ) -> None:
        self.partition = partition
        self.error_code = error_code
        self.error_message = error_message
        self.state_epoch = state_epoch
        self.start_offset = start_offset
        self.state_batches = [] if state_batches is UNSET else state_batches


class ReadStateResult(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[PartitionResult] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class ReadShareGroupStateResponse(Message):
    __slots__ = ("results",)

    API_KEY = 84
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, results: list[ReadStateResult] = UNSET) -> None:
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ReadShareGroupStateResponse, int]:
        (item,), pos = _read_read_share_group_state_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_read_share_group_state_response(out, (self,), version)


def _read_state_batch(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StateBatch], int]:
    items: list[StateBatch] = []
    new = StateBatch.__new__
    for _ in range(count):
        item = new(StateBatch)
        item.first_offset, item.last_offset, item.delivery_state, item.delivery_count, tags = _get_qqbhB(buf, pos)
        pos += 20
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_state_batch(out: bytearray, items: Sequence[StateBatch], version: int) -> None:
    for item in items:
        out += _put_qqbhx(item.first_offset, item.last_offset, item.delivery_state, item.delivery_count)


def _read_partition_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionResult], int]:
    items: list[PartitionResult] = []
    new = PartitionResult.__new__
    for _ in range(count):
        item = new(PartitionResult)
        item.partition, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        item.state_epoch, item.start_offset = _get_iq(buf, pos)
        pos += 12
        length, pos = reading.count(buf, pos, True, left)
        item.state_batches, pos = _read_state_batch(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partition_result(out: bytearray, items: Sequence[PartitionResult], version: int) -> None:
    for item in items:
        out += _put_ih(item.partition, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out += _put_iq(item.state_epoch, item.start_offset)
        writing.count(out, len(item.state_batches), True)
        _write_state_batch(out, item.state_batches, version)
        out.append(0)


def _read_read_state_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReadStateResult], int]:
    items: list[ReadStateResult] = []
    new = ReadStateResult.__new__
    for _ in range(count):
        item = new(ReadStateResult)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_partition_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_read_state_result(out: bytearray, items: Sequence[ReadStateResult], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_partition_result(out, item.partitions, version)
        out.append(0)


def _read_read_share_group_state_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReadShareGroupStateResponse], int]:
    items: list[ReadShareGroupStateResponse] = []
    new = ReadShareGroupStateResponse.__new__
    for _ in range(count):
        item = new(ReadShareGroupStateResponse)
        length, pos = reading.count(buf, pos, True, left)
        item.results, pos = _read_read_state_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_read_share_group_state_response(
    out: bytearray, items: Sequence[ReadShareGroupStateResponse], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.results), True)
        _write_read_state_result(out, item.results, version)
        out.append(0)
