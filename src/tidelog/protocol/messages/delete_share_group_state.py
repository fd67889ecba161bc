"""DeleteShareGroupStateRequest and DeleteShareGroupStateResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_u = Format(">16s").pack
_put_ih = Format(">ih").pack
_put_ix = Format(">ix").pack


class PartitionData(Struct):
    __slots__ = ("partition",)

    def __init__(self, *, partition: int = 0) -> None:
        self.partition = partition


class DeleteStateData(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[PartitionData] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class DeleteShareGroupStateRequest(Message):
    __slots__ = ("group_id", "topics")

    API_KEY = 86
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, group_id: str = "", topics: list[DeleteStateData] = UNSET) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteShareGroupStateRequest, int]:
        (item,), pos = _read_delete_share_group_state_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_share_group_state_request(out, (self,), version)


def _read_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionData], int]:
    items: list[PartitionData] = []
    new = PartitionData.__new__
    for _ in range(count):
        item = new(PartitionData)
        item.partition, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partition_data(out: bytearray, items: Sequence[PartitionData], version: int) -> None:
    for item in items:
        out += _put_ix(item.partition)


def _read_delete_state_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteStateData], int]:
    items: list[DeleteStateData] = []
    new = DeleteStateData.__new__
    for _ in range(count):
        item = new(DeleteStateData)
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


def _write_delete_state_data(out: bytearray, items: Sequence[DeleteStateData], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_partition_data(out, item.partitions, version)
        out.append(0)


def _read_delete_share_group_state_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteShareGroupStateRequest], int]:
    items: list[DeleteShareGroupStateRequest] = []
    new = DeleteShareGroupStateRequest.__new__
    for _ in range(count):
        item = new(DeleteShareGroupStateRequest)
        item.group_id, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_delete_state_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_share_group_state_request(
    out: bytearray, items: Sequence[DeleteShareGroupStateRequest], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.count(out, len(item.topics), True)
        _write_delete_state_data(out, item.topics, version)
        out.append(0)


class PartitionResult(Struct):
    __slots__ = ("partition", "error_code", "error_message")

    def __init__(self, *, partition: int = 0, error_code: int = 0, error_message: str | None = None) -> None:
        self.partition = partition
        self.error_code = error_code
        self.error_message = error_message


class DeleteStateResult(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[PartitionResult] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class DeleteShareGroupStateResponse(Message):
    __slots__ = ("results",)

    API_KEY = 86
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, results: list[DeleteStateResult] = UNSET) -> None:
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteShareGroupStateResponse, int]:
        (item,), pos = _read_delete_share_group_state_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_share_group_state_response(out, (self,), version)


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


def _read_delete_state_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteStateResult], int]:
    items: list[DeleteStateResult] = []
    new = DeleteStateResult.__new__
    for _ in range(count):
        item = new(DeleteStateResult)
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


def _write_delete_state_result(out: bytearray, items: Sequence[DeleteStateResult], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_partition_result(out, item.partitions, version)
        out.append(0)


def _read_delete_share_group_state_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteShareGroupStateResponse], int]:
    items: list[DeleteShareGroupStateResponse] = []
    new = DeleteShareGroupStateResponse.__new__
    for _ in range(count):
        item = new(DeleteShareGroupStateResponse)
        length, pos = reading.count(buf, pos, True, left)
        item.results, pos = _read_delete_state_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_share_group_state_response(
    out: bytearray, items: Sequence[DeleteShareGroupStateResponse], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.results), True)
        _write_delete_state_result(out, item.results, version)
        out.append(0)
