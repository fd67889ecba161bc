"""WriteShareGroupStateRequest and WriteShareGroupStateResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_ih = Format(">ih").unpack_from
_get_iiiq = Format(">iiiq").unpack_from
_get_iiiqi = Format(">iiiqi").unpack_from
_get_qqbhB = Format(">qqbhB").unpack_from
_put_u = Format(">16s").pack
_put_ih = Format(">ih").pack
_put_iiiq = Format(">iiiq").pack
_put_iiiqi = Format(">iiiqi").pack
_put_qqbhx = Format(">qqbhx").pack


class StateBatch(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    def __init__(
        self, *, first_offset: int = 0, last_offset: int = 0, delivery_state: int = 0, delivery_count: int = 0
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count


class PartitionData(Struct):
    __slots__ = ("partition", "state_epoch", "leader_epoch", "start_offset", "delivery_complete_count", "state_batches")

    def __init__(
        self,
        *,
        partition: int = 0,
        state_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        state_batches: list[StateBatch] = UNSET,
    ) -> None:
        self.partition = partition
        self.state_epoch = state_epoch
        self.leader_epoch = leader_epoch
        self.start_offset = start_offset
        self.delivery_complete_count = delivery_complete_count
        self.state_batches = [] if state_batches is UNSET else state_batches


class WriteStateData(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[PartitionData] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class WriteShareGroupStateRequest(Message):
    __slots__ = ("group_id", "topics")

    API_KEY = 85
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(self, *, group_id: str = "", topics: list[WriteStateData] = UNSET) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[WriteShareGroupStateRequest, int]:
        (item,), pos = _read_write_share_group_state_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_write_share_group_state_request(out, (self,), version)


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


def _read_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionData], int]:
    items: list[PartitionData] = []
    new = PartitionData.__new__
    for _ in range(count):
        item = new(PartitionData)
        if version >= 1:
            item.partition, item.state_epoch, item.leader_epoch, item.start_offset, item.delivery_complete_count = (
                _get_iiiqi(buf, pos)
            )
            pos += 24
        else:
            item.partition, item.state_epoch, item.leader_epoch, item.start_offset = _get_iiiq(buf, pos)
            pos += 20
            item.delivery_complete_count = -1
        length, pos = reading.count(buf, pos, True, left)
        item.state_batches, pos = _read_state_batch(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partition_data(out: bytearray, items: Sequence[PartitionData], version: int) -> None:
    for item in items:
        if version >= 1:
            out += _put_iiiqi(
                item.partition, item.state_epoch, item.leader_epoch, item.start_offset, item.delivery_complete_count
            )
        else:
            out += _put_iiiq(item.partition, item.state_epoch, item.leader_epoch, item.start_offset)
        writing.count(out, len(item.state_batches), True)
        _write_state_batch(out, item.state_batches, version)
        out.append(0)


def _read_write_state_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WriteStateData], int]:
    items: list[WriteStateData] = []
    new = WriteStateData.__new__
    for _ in range(count):
        item = new(WriteStateData)
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


def _write_write_state_data(out: bytearray, items: Sequence[WriteStateData], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_partition_data(out, item.partitions, version)
        out.append(0)


def _read_write_share_group_state_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WriteShareGroupStateRequest], int]:
    items: list[WriteShareGroupStateRequest] = []
    new = WriteShareGroupStateRequest.__new__
    for _ in range(count):
        item = new(WriteShareGroupStateRequest)
        item.group_id, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_write_state_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_write_share_group_state_request(
    out: bytearray, items: Sequence[WriteShareGroupStateRequest], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.count(out, len(item.topics), True)
        _write_write_state_data(out, item.topics, version)
        out.append(0)


class PartitionResult(Struct):
    __slots__ = ("partition", "error_code", "error_message")

    def __init__(self, *, partition: int = 0, error_code: int = 0, error_message: str | None = None) -> None:
        self.partition = partition
        self.error_code = error_code
        self.error_message = error_message


class WriteStateResult(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[PartitionResult] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class WriteShareGroupStateResponse(Message):
    __slots__ = ("results",)

    API_KEY = 85
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(self, *, results: list[WriteStateResult] = UNSET) -> None:
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[WriteShareGroupStateResponse, int]:
        (item,), pos = _read_write_share_group_state_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_write_share_group_state_response(out, (self,), version)


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
        out.append(0)


def _read_write_state_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WriteStateResult], int]:
    items: list[WriteStateResult] = []
    new = WriteStateResult.__new__
    for _ in range(count):
        item = new(WriteStateResult)
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


def _write_write_state_result(out: bytearray, items: Sequence[WriteStateResult], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_partition_result(out, item.partitions, version)
        out.append(0)


def _read_write_share_group_state_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WriteShareGroupStateResponse], int]:
    items: list[WriteShareGroupStateResponse] = []
    new = WriteShareGroupStateResponse.__new__
    for _ in range(count):
        item = new(WriteShareGroupStateResponse)
        length, pos = reading.count(buf, pos, True, left)
        item.results, pos = _read_write_state_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_write_share_group_state_response(
    out: bytearray, items: Sequence[WriteShareGroupStateResponse], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.results), True)
        _write_write_state_result(out, item.results, version)
        out.append(0)
