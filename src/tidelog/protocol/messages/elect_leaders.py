"""ElectLeadersRequest and ElectLeadersResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_b = Format(">b").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_b = Format(">b").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ix = Format(">ix").pack


class TopicPartitions(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(self, *, topic: str = "", partitions: list[int] = UNSET) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


class ElectLeadersRequest(Message):
    __slots__ = ("election_type", "topic_partitions", "timeout_ms")

    API_KEY = 43
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 2

    def __init__(
        self, *, election_type: int = 0, topic_partitions: list[TopicPartitions] | None = UNSET, timeout_ms: int = 60000
    ) -> None:
        self.election_type = election_type
        self.topic_partitions = [] if topic_partitions is UNSET else topic_partitions
        self.timeout_ms = timeout_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ElectLeadersRequest, int]:
        (item,), pos = _read_elect_leaders_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_elect_leaders_request(out, (self,), version)


def _read_topic_partitions(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicPartitions], int]:
    compact = version >= 2
    items: list[TopicPartitions] = []
    new = TopicPartitions.__new__
    for _ in range(count):
        item = new(TopicPartitions)
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


def _write_topic_partitions(out: bytearray, items: Sequence[TopicPartitions], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.topic, compact)
        writing.int32s(out, item.partitions, compact)
        if version >= 2:
            out.append(0)


def _read_elect_leaders_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ElectLeadersRequest], int]:
    compact = version >= 2
    items: list[ElectLeadersRequest] = []
    new = ElectLeadersRequest.__new__
    for _ in range(count):
        item = new(ElectLeadersRequest)
        if version >= 1:
            (item.election_type,) = _get_b(buf, pos)
            pos += 1
        else:
            item.election_type = 0
        length, pos = reading.nullable_count(buf, pos, compact, left)
        if length < 0:
            item.topic_partitions = None
        else:
            item.topic_partitions, pos = _read_topic_partitions(buf, pos, length, version, left)
        if version >= 2:
            item.timeout_ms, tags = _get_iB(buf, pos)
            pos += 5
        else:
            (item.timeout_ms,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_elect_leaders_request(out: bytearray, items: Sequence[ElectLeadersRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        if version >= 1:
            out += _put_b(item.election_type)
        else:
            if item.election_type != 0:
                raise writing.not_carried("election_type", version)
        if item.topic_partitions is None:
            writing.null(out, compact)
        else:
            writing.count(out, len(item.topic_partitions), compact)
            _write_topic_partitions(out, item.topic_partitions, version)
        if version >= 2:
            out += _put_ix(item.timeout_ms)
        else:
            out += _put_i(item.timeout_ms)


class PartitionResult(Struct):
    __slots__ = ("partition_id", "error_code", "error_message")

    def __init__(self, *, partition_id: int = 0, error_code: int = 0, error_message: str | None = "") -> None:
        self.partition_id = partition_id
        self.error_code = error_code
        self.error_message = error_message


class ReplicaElectionResult(Struct):
    __slots__ = ("topic", "partition_result")

    def __init__(self, *, topic: str = "", partition_result: list[PartitionResult] = UNSET) -> None:
        self.topic = topic
        self.partition_result = [] if partition_result is UNSET else partition_result


class ElectLeadersResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "replica_election_results")

    API_KEY = 43
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        replica_election_results: list[ReplicaElectionResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.replica_election_results = [] if replica_election_results is UNSET else replica_election_results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ElectLeadersResponse, int]:
        (item,), pos = _read_elect_leaders_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_elect_leaders_response(out, (self,), version)


def _read_partition_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionResult], int]:
    compact = version >= 2
    items: list[PartitionResult] = []
    new = PartitionResult.__new__
    for _ in range(count):
        item = new(PartitionResult)
        item.partition_id, item.error_code = _get_ih(buf, pos)
        pos += 6
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


def _write_partition_result(out: bytearray, items: Sequence[PartitionResult], version: int) -> None:
    compact = version >= 2
    for item in items:
        out += _put_ih(item.partition_id, item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        if version >= 2:
            out.append(0)


def _read_replica_election_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReplicaElectionResult], int]:
    compact = version >= 2
    items: list[ReplicaElectionResult] = []
    new = ReplicaElectionResult.__new__
    for _ in range(count):
        item = new(ReplicaElectionResult)
        item.topic, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partition_result, pos = _read_partition_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_replica_election_result(out: bytearray, items: Sequence[ReplicaElectionResult], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.topic, compact)
        writing.count(out, len(item.partition_result), compact)
        _write_partition_result(out, item.partition_result, version)
        if version >= 2:
            out.append(0)


def _read_elect_leaders_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ElectLeadersResponse], int]:
    compact = version >= 2
    items: list[ElectLeadersResponse] = []
    new = ElectLeadersResponse.__new__
    for _ in range(count):
        item = new(ElectLeadersResponse)
        if version >= 1:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
        else:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
            item.error_code = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.replica_election_results, pos = _read_replica_election_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_elect_leaders_response(out: bytearray, items: Sequence[ElectLeadersResponse], version: int) -> None:
    compact = version >= 2
    for item in items:
        if version >= 1:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        else:
            if item.error_code != 0:
                raise writing.not_carried("error_code", version)
            out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.replica_election_results), compact)
        _write_replica_election_result(out, item.replica_election_results, version)
        if version >= 2:
            out.append(0)
