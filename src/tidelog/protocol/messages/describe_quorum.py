"""DescribeQuorumRequest and DescribeQuorumResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_HB = Format(">HB").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iuqqqB = Format(">i16sqqqB").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ih = Format(">ih").unpack_from
_get_iiq = Format(">iiq").unpack_from
_get_iqB = Format(">iqB").unpack_from
_get_iqqqB = Format(">iqqqB").unpack_from
_put_Hx = Format(">Hx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_iuqqqx = Format(">i16sqqqx").pack
_put_ih = Format(">ih").pack
_put_iiq = Format(">iiq").pack
_put_iqqqx = Format(">iqqqx").pack
_put_iqx = Format(">iqx").pack
_put_ix = Format(">ix").pack


class RequestPartitionData(Struct):
    __slots__ = ("partition_index",)

    def __init__(self, *, partition_index: int = 0) -> None:
        self.partition_index = partition_index


class RequestTopicData(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(self, *, topic_name: str = "", partitions: list[RequestPartitionData] = UNSET) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class DescribeQuorumRequest(Message):
    __slots__ = ("topics",)

    API_KEY = 55
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(self, *, topics: list[RequestTopicData] = UNSET) -> None:
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeQuorumRequest, int]:
        (item,), pos = _read_describe_quorum_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_quorum_request(out, (self,), version)


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
        item.topic_name, pos = reading.string(buf, pos, True)
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
        writing.string(out, item.topic_name, True)
        writing.count(out, len(item.partitions), True)
        _write_request_partition_data(out, item.partitions, version)
        out.append(0)


def _read_describe_quorum_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeQuorumRequest], int]:
    items: list[DescribeQuorumRequest] = []
    new = DescribeQuorumRequest.__new__
    for _ in range(count):
        item = new(DescribeQuorumRequest)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_request_topic_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_quorum_request(out: bytearray, items: Sequence[DescribeQuorumRequest], version: int) -> None:
    for item in items:
        writing.count(out, len(item.topics), True)
        _write_request_topic_data(out, item.topics, version)
        out.append(0)


class ReplicaState(Struct):
    __slots__ = (
        "replica_id",
        "replica_directory_id",
        "log_end_offset",
        "last_fetch_timestamp",
        "last_caught_up_timestamp",
    )

    def __init__(
        self,
        *,
        replica_id: int = 0,
        replica_directory_id: bytes = ZERO,
        log_end_offset: int = 0,
        last_fetch_timestamp: int = -1,
        last_caught_up_timestamp: int = -1,
    ) -> None:
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.log_end_offset = log_end_offset
        self.last_fetch_timestamp = last_fetch_timestamp
        self.last_caught_up_timestamp = last_caught_up_timestamp


class ResponsePartitionData(Struct):
    __slots__ = (
        "partition_index",
        "error_code",
        "error_message",
        "leader_id",
        "leader_epoch",
        "high_watermark",
        "current_voters",
        "observers",
    )

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        leader_id: int = 0,
        leader_epoch: int = 0,
        high_watermark: int = 0,
        current_voters: list[ReplicaState] = UNSET,
        observers: list[ReplicaState] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.high_watermark = high_watermark
        self.current_voters = [] if current_voters is UNSET else current_voters
        self.observers = [] if observers is UNSET else observers


class ResponseTopicData(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(self, *, topic_name: str = "", partitions: list[ResponsePartitionData] = UNSET) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class Listener(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(self, *, name: str = "", host: str = "", port: int = 0) -> None:
        self.name = name
        self.host = host
        self.port = port


class Node(Struct):
    __slots__ = ("node_id", "listeners")

    def __init__(self, *, node_id: int = 0, listeners: list[Listener] = UNSET) -> None:
        self.node_id = node_id
        self.listeners = [] if listeners is UNSET else listeners


class DescribeQuorumResponse(Message):
    __slots__ = ("error_code", "error_message", "topics", "nodes")

    API_KEY = 55
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[ResponseTopicData] = UNSET,
        nodes: list[Node] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.topics = [] if topics is UNSET else topics
        self.nodes = [] if nodes is UNSET else nodes

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeQuorumResponse, int]:
        (item,), pos = _read_describe_quorum_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_quorum_response(out, (self,), version)


def _read_replica_state(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReplicaState], int]:
    items: list[ReplicaState] = []
    new = ReplicaState.__new__
    for _ in range(count):
        item = new(ReplicaState)
        if version >= 2:
            (
                item.replica_id,
                item.replica_directory_id,
                item.log_end_offset,
                item.last_fetch_timestamp,
                item.last_caught_up_timestamp,
                tags,
            ) = _get_iuqqqB(buf, pos)
            pos += 45
        elif version >= 1:
            item.replica_id, item.log_end_offset, item.last_fetch_timestamp, item.last_caught_up_timestamp, tags = (
                _get_iqqqB(buf, pos)
            )
            pos += 29
            item.replica_directory_id = ZERO
        else:
            item.replica_id, item.log_end_offset, tags = _get_iqB(buf, pos)
            pos += 13
            item.replica_directory_id = ZERO
            item.last_fetch_timestamp = -1
            item.last_caught_up_timestamp = -1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_replica_state(out: bytearray, items: Sequence[ReplicaState], version: int) -> None:
    for item in items:
        if version >= 2:
            out += _put_iuqqqx(
                item.replica_id,
                item.replica_directory_id,
                item.log_end_offset,
                item.last_fetch_timestamp,
                item.last_caught_up_timestamp,
            )
        elif version >= 1:
            if item.replica_directory_id != ZERO:
                raise writing.not_carried("replica_directory_id", version)
            out += _put_iqqqx(
                item.replica_id, item.log_end_offset, item.last_fetch_timestamp, item.last_caught_up_timestamp
            )
        else:
            if item.replica_directory_id != ZERO:
                raise writing.not_carried("replica_directory_id", version)
            out += _put_iqx(item.replica_id, item.log_end_offset)


def _read_response_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponsePartitionData], int]:
    items: list[ResponsePartitionData] = []
    new = ResponsePartitionData.__new__
    for _ in range(count):
        item = new(ResponsePartitionData)
        item.partition_index, item.error_code = _get_ih(buf, pos)
        pos += 6
        if version >= 2:
            item.error_message, pos = reading.nullable_string(buf, pos, True)
        else:
            item.error_message = ""
        item.leader_id, item.leader_epoch, item.high_watermark = _get_iiq(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.current_voters, pos = _read_replica_state(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.observers, pos = _read_replica_state(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_partition_data(out: bytearray, items: Sequence[ResponsePartitionData], version: int) -> None:
    for item in items:
        out += _put_ih(item.partition_index, item.error_code)
        if version >= 2:
            writing.nullable_string(out, item.error_message, True)
        out += _put_iiq(item.leader_id, item.leader_epoch, item.high_watermark)
        writing.count(out, len(item.current_voters), True)
        _write_replica_state(out, item.current_voters, version)
        writing.count(out, len(item.observers), True)
        _write_replica_state(out, item.observers, version)
        out.append(0)


def _read_response_topic_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponseTopicData], int]:
    items: list[ResponseTopicData] = []
    new = ResponseTopicData.__new__
    for _ in range(count):
        item = new(ResponseTopicData)
        item.topic_name, pos = reading.string(buf, pos, True)
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
        writing.string(out, item.topic_name, True)
        writing.count(out, len(item.partitions), True)
        _write_response_partition_data(out, item.partitions, version)
        out.append(0)


def _read_listener(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Listener], int]:
    items: list[Listener] = []
    new = Listener.__new__
    for _ in range(count):
        item = new(Listener)
        item.name, pos = reading.string(buf, pos, True)
        item.host, pos = reading.string(buf, pos, True)
        item.port, tags = _get_HB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_listener(out: bytearray, items: Sequence[Listener], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.string(out, item.host, True)
        out += _put_Hx(item.port)


def _read_node(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Node], int]:
    items: list[Node] = []
    new = Node.__new__
    for _ in range(count):
        item = new(Node)
        (item.node_id,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.listeners, pos = _read_listener(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_node(out: bytearray, items: Sequence[Node], version: int) -> None:
    for item in items:
        out += _put_i(item.node_id)
        writing.count(out, len(item.listeners), True)
        _write_listener(out, item.listeners, version)
        out.append(0)


def _read_describe_quorum_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeQuorumResponse], int]:
    items: list[DescribeQuorumResponse] = []
    new = DescribeQuorumResponse.__new__
    for _ in range(count):
        item = new(DescribeQuorumResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        if version >= 2:
            item.error_message, pos = reading.nullable_string(buf, pos, True)
        else:
            item.error_message = ""
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_response_topic_data(buf, pos, length, version, left)
        if version >= 2:
            length, pos = reading.count(buf, pos, True, left)
            item.nodes, pos = _read_node(buf, pos, length, version, left)
        else:
            item.nodes = []
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_quorum_response(out: bytearray, items: Sequence[DescribeQuorumResponse], version: int) -> None:
    for item in items:
        out += _put_h(item.error_code)
        if version >= 2:
            writing.nullable_string(out, item.error_message, True)
        writing.count(out, len(item.topics), True)
        _write_response_topic_data(out, item.topics, version)
        if version >= 2:
            writing.count(out, len(item.nodes), True)
            _write_node(out, item.nodes, version)
        else:
            if item.nodes:
                raise writing.not_carried("nodes", version)
        out.append(0)
