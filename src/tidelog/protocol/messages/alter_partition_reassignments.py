"""AlterPartitionReassignmentsRequest and AlterPartitionReassignmentsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_io = Format(">i?").unpack_from
_get_ioh = Format(">i?h").unpack_from
_get_ih = Format(">ih").unpack_from
_put_i = Format(">i").pack
_put_io = Format(">i?").pack
_put_ioh = Format(">i?h").pack
_put_ih = Format(">ih").pack


class ReassignablePartition(Struct):
    __slots__ = ("partition_index", "replicas")

    def __init__(self, *, partition_index: int = 0, replicas: list[int] | None = None) -> None:
        self.partition_index = partition_index
        self.replicas = replicas


class ReassignableTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[ReassignablePartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class AlterPartitionReassignmentsRequest(Message):
    __slots__ = ("timeout_ms", "allow_replication_factor_change", "topics")

    API_KEY = 45
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        timeout_ms: int = 60000,
        allow_replication_factor_change: bool = True,
        topics: list[ReassignableTopic] = UNSET,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[AlterPartitionReassignmentsRequest, int]:
        (item,), pos = _read_alter_partition_reassignments_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_partition_reassignments_request(out, (self,), version)


def _read_reassignable_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReassignablePartition], int]:
    items: list[ReassignablePartition] = []
    new = ReassignablePartition.__new__
    for _ in range(count):
        item = new(ReassignablePartition)
        (item.partition_index,) = _get_i(buf, pos)
        pos += 4
        item.replicas, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_reassignable_partition(out: bytearray, items: Sequence[ReassignablePartition], version: int) -> None:
    for item in items:
        out += _put_i(item.partition_index)
        if item.replicas is None:
            writing.null(out, True)
        else:
            writing.int32s(out, item.replicas, True)
        out.append(0)


def _read_reassignable_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReassignableTopic], int]:
    items: list[ReassignableTopic] = []
    new = ReassignableTopic.__new__
    for _ in range(count):
        item = new(ReassignableTopic)
        item.name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_reassignable_partition(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_reassignable_topic(out: bytearray, items: Sequence[ReassignableTopic], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.count(out, len(item.partitions), True)
        _write_reassignable_partition(out, item.partitions, version)
        out.append(0)


def _read_alter_partition_reassignments_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterPartitionReassignmentsRequest], int]:
    items: list[AlterPartitionReassignmentsRequest] = []
    new = AlterPartitionReassignmentsRequest.__new__
    for _ in range(count):
        item = new(AlterPartitionReassignmentsRequest)
        if version >= 1:
            item.timeout_ms, item.allow_replication_factor_change = _get_io(buf, pos)
            pos += 5
        else:
            (item.timeout_ms,) = _get_i(buf, pos)
            pos += 4
            item.allow_replication_factor_change = True
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_reassignable_topic(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_partition_reassignments_request(
    out: bytearray, items: Sequence[AlterPartitionReassignmentsRequest], version: int
) -> None:
    for item in items:
        if version >= 1:
            out += _put_io(item.timeout_ms, item.allow_replication_factor_change)
        else:
            if not item.allow_replication_factor_change:
                raise writing.not_carried("allow_replication_factor_change", version)
            out += _put_i(item.timeout_ms)
        writing.count(out, len(item.topics), True)
        _write_reassignable_topic(out, item.topics, version)
        out.append(0)


class ReassignablePartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "error_message")

    def __init__(self, *, partition_index: int = 0, error_code: int = 0, error_message: str | None = "") -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message


class ReassignableTopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[ReassignablePartitionResponse] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class AlterPartitionReassignmentsResponse(Message):
    __slots__ = ("throttle_time_ms", "allow_replication_factor_change", "error_code", "error_message", "responses")

    API_KEY = 45
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        allow_replication_factor_change: bool = True,
        error_code: int = 0,
        error_message: str | None = "",
        responses: list[ReassignableTopicResponse] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.error_code = error_code
        self.error_message = error_message
        self.responses = [] if responses is UNSET else responses

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[AlterPartitionReassignmentsResponse, int]:
        (item,), pos = _read_alter_partition_reassignments_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_partition_reassignments_response(out, (self,), version)


def _read_reassignable_partition_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReassignablePartitionResponse], int]:
    items: list[ReassignablePartitionResponse] = []
    new = ReassignablePartitionResponse.__new__
    for _ in range(count):
        item = new(ReassignablePartitionResponse)
        item.partition_index, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_reassignable_partition_response(
    out: bytearray, items: Sequence[ReassignablePartitionResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.partition_index, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)


def _read_reassignable_topic_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReassignableTopicResponse], int]:
    items: list[ReassignableTopicResponse] = []
    new = ReassignableTopicResponse.__new__
    for _ in range(count):
        item = new(ReassignableTopicResponse)
        item.name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_reassignable_partition_response(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_reassignable_topic_response(
    out: bytearray, items: Sequence[ReassignableTopicResponse], version: int
) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.count(out, len(item.partitions), True)
        _write_reassignable_partition_response(out, item.partitions, version)
        out.append(0)


def _read_alter_partition_reassignments_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterPartitionReassignmentsResponse], int]:
    items: list[AlterPartitionReassignmentsResponse] = []
    new = AlterPartitionReassignmentsResponse.__new__
    for _ in range(count):
        item = new(AlterPartitionReassignmentsResponse)
        if version >= 1:
            item.throttle_time_ms, item.allow_replication_factor_change, item.error_code = _get_ioh(buf, pos)
            pos += 7
        else:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
            item.allow_replication_factor_change = True
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.responses, pos = _read_reassignable_topic_response(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_partition_reassignments_response(
    out: bytearray, items: Sequence[AlterPartitionReassignmentsResponse], version: int
) -> None:
    for item in items:
        if version >= 1:
            out += _put_ioh(item.throttle_time_ms, item.allow_replication_factor_change, item.error_code)
        else:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.count(out, len(item.responses), True)
        _write_reassignable_topic_response(out, item.responses, version)
        out.append(0)
