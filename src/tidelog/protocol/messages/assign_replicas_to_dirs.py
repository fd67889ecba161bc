"""AssignReplicasToDirsRequest and AssignReplicasToDirsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

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
_get_ihB = Format(">ihB").unpack_from
_get_iq = Format(">iq").unpack_from
_put_u = Format(">16s").pack
_put_ih = Format(">ih").pack
_put_ihx = Format(">ihx").pack
_put_iq = Format(">iq").pack
_put_ix = Format(">ix").pack


class RequestPartitionData(Struct):
    __slots__ = ("partition_index",)

    def __init__(self, *, partition_index: int = 0) -> None:
        self.partition_index = partition_index


class RequestTopicData(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[RequestPartitionData] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class RequestDirectoryData(Struct):
    __slots__ = ("id", "topics")

    def __init__(self, *, id: bytes = ZERO, topics: list[RequestTopicData] = UNSET) -> None:
        self.id = id
        self.topics = [] if topics is UNSET else topics


class AssignReplicasToDirsRequest(Message):
    __slots__ = ("broker_id", "broker_epoch", "directories")

    API_KEY = 73
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, broker_id: int = 0, broker_epoch: int = -1, directories: list[RequestDirectoryData] = UNSET
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.directories = [] if directories is UNSET else directories

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AssignReplicasToDirsRequest, int]:
        (item,), pos = _read_assign_replicas_to_dirs_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_assign_replicas_to_dirs_request(out, (self,), version)


def _read_request_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestPartitionData], int]:
    items: list[RequestPartitionData] = []
    new = RequestPartitionData.__new__
    for _ in range(count):
        item = new(RequestPartitionData)
        item.partition_index, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_partition_data(out: bytearray, items: Sequence[RequestPartitionData], version: int) -> None:
    for item in items:
        out += _put_ix(item.partition_index)


def _read_request_topic_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestTopicData], int]:
    items: list[RequestTopicData] = []
    new = RequestTopicData.__new__
    for _ in range(count):
        item = new(RequestTopicData)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_request_partition_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_topic_data(out: bytearray, items: Sequence[RequestTopicData], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_request_partition_data(out, item.partitions, version)
        out.append(0)


def _read_request_directory_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestDirectoryData], int]:
    items: list[RequestDirectoryData] = []
    new = RequestDirectoryData.__new__
    for _ in range(count):
        item = new(RequestDirectoryData)
        (item.id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_request_topic_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_directory_data(out: bytearray, items: Sequence[RequestDirectoryData], version: int) -> None:
    for item in items:
        out += _put_u(item.id)
        writing.count(out, len(item.topics), True)
        _write_request_topic_data(out, item.topics, version)
        out.append(0)


def _read_assign_replicas_to_dirs_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AssignReplicasToDirsRequest], int]:
    items: list[AssignReplicasToDirsRequest] = []
    new = AssignReplicasToDirsRequest.__new__
    for _ in range(count):
        item = new(AssignReplicasToDirsRequest)
        item.broker_id, item.broker_epoch = _get_iq(buf, pos)
        pos += 12
        length, pos = reading.count(buf, pos, True, left)
        item.directories, pos = _read_request_directory_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_assign_replicas_to_dirs_request(
    out: bytearray, items: Sequence[AssignReplicasToDirsRequest], version: int
) -> None:
    for item in items:
        out += _put_iq(item.broker_id, item.broker_epoch)
        writing.count(out, len(item.directories), True)
        _write_request_directory_data(out, item.directories, version)
        out.append(0)


class ResponsePartitionData(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(self, *, partition_index: int = 0, error_code: int = 0) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class ResponseTopicData(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[ResponsePartitionData] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class ResponseDirectoryData(Struct):
    __slots__ = ("id", "topics")

    def __init__(self, *, id: bytes = ZERO, topics: list[ResponseTopicData] = UNSET) -> None:
        self.id = id
        self.topics = [] if topics is UNSET else topics


class AssignReplicasToDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "directories")

    API_KEY = 73
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, throttle_time_ms: int = 0, error_code: int = 0, directories: list[ResponseDirectoryData] = UNSET
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.directories = [] if directories is UNSET else directories

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AssignReplicasToDirsResponse, int]:
        (item,), pos = _read_assign_replicas_to_dirs_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_assign_replicas_to_dirs_response(out, (self,), version)


def _read_response_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponsePartitionData], int]:
    items: list[ResponsePartitionData] = []
    new = ResponsePartitionData.__new__
    for _ in range(count):
        item = new(ResponsePartitionData)
        item.partition_index, item.error_code, tags = _get_ihB(buf, pos)
        pos += 7
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_partition_data(out: bytearray, items: Sequence[ResponsePartitionData], version: int) -> None:
    for item in items:
        out += _put_ihx(item.partition_index, item.error_code)


def _read_response_topic_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponseTopicData], int]:
    items: list[ResponseTopicData] = []
    new = ResponseTopicData.__new__
    for _ in range(count):
        item = new(ResponseTopicData)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_response_partition_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_topic_data(out: bytearray, items: Sequence[ResponseTopicData], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_response_partition_data(out, item.partitions, version)
        out.append(0)


def _read_response_directory_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponseDirectoryData], int]:
    items: list[ResponseDirectoryData] = []
    new = ResponseDirectoryData.__new__
    for _ in range(count):
        item = new(ResponseDirectoryData)
        (item.id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_response_topic_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_directory_data(out: bytearray, items: Sequence[ResponseDirectoryData], version: int) -> None:
    for item in items:
        out += _put_u(item.id)
        writing.count(out, len(item.topics), True)
        _write_response_topic_data(out, item.topics, version)
        out.append(0)


def _read_assign_replicas_to_dirs_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AssignReplicasToDirsResponse], int]:
    items: list[AssignReplicasToDirsResponse] = []
    new = AssignReplicasToDirsResponse.__new__
    for _ in range(count):
        item = new(AssignReplicasToDirsResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, True, left)
        item.directories, pos = _read_response_directory_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_assign_replicas_to_dirs_response(
    out: bytearray, items: Sequence[AssignReplicasToDirsResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.count(out, len(item.directories), True)
        _write_response_directory_data(out, item.directories, version)
        out.append(0)
