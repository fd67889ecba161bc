"""EndQuorumEpochRequest and EndQuorumEpochResponse. Generated from schemas/ by `./dev gen`: do not edit."""

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
_get_iuB = Format(">i16sB").unpack_from
_get_ihii = Format(">ihii").unpack_from
_get_ihiiB = Format(">ihiiB").unpack_from
_get_iii = Format(">iii").unpack_from
_put_Hx = Format(">Hx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_iux = Format(">i16sx").pack
_put_ihii = Format(">ihii").pack
_put_ihiix = Format(">ihiix").pack
_put_iii = Format(">iii").pack


class ReplicaInfo(Struct):
    __slots__ = ("candidate_id", "candidate_directory_id")

    def __init__(self, *, candidate_id: int = 0, candidate_directory_id: bytes = ZERO) -> None:
        self.candidate_id = candidate_id
        self.candidate_directory_id = candidate_directory_id


class RequestPartitionData(Struct):
    __slots__ = ("partition_index", "leader_id", "leader_epoch", "preferred_successors", "preferred_candidates")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        preferred_successors: list[int] = UNSET,
        preferred_candidates: list[ReplicaInfo] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.preferred_successors = [] if preferred_successors is UNSET else preferred_successors
        self.preferred_candidates = [] if preferred_candidates is UNSET else preferred_candidates


class RequestTopicData(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(self, *, topic_name: str = "", partitions: list[RequestPartitionData] = UNSET) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class LeaderEndpoint(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(self, *, name: str = "", host: str = "", port: int = 0) -> None:
        self.name = name
        self.host = host
        self.port = port


class EndQuorumEpochRequest(Message):
    __slots__ = ("cluster_id", "topics", "leader_endpoints")

    API_KEY = 54
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        topics: list[RequestTopicData] = UNSET,
        leader_endpoints: list[LeaderEndpoint] = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.topics = [] if topics is UNSET else topics
        self.leader_endpoints = [] if leader_endpoints is UNSET else leader_endpoints

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[EndQuorumEpochRequest, int]:
        (item,), pos = _read_end_quorum_epoch_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_end_quorum_epoch_request(out, (self,), version)


def _read_replica_info(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReplicaInfo], int]:
    items: list[ReplicaInfo] = []
    new = ReplicaInfo.__new__
    for _ in range(count):
        item = new(ReplicaInfo)
        item.candidate_id, item.candidate_directory_id, tags = _get_iuB(buf, pos)
        pos += 21
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_replica_info(out: bytearray, items: Sequence[ReplicaInfo], version: int) -> None:
    for item in items:
        out += _put_iux(item.candidate_id, item.candidate_directory_id)


def _read_request_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestPartitionData], int]:
    items: list[RequestPartitionData] = []
    new = RequestPartitionData.__new__
    for _ in range(count):
        item = new(RequestPartitionData)
        item.partition_index, item.leader_id, item.leader_epoch = _get_iii(buf, pos)
        pos += 12
        if version <= 0:
            item.preferred_successors, pos = reading.int32s(buf, pos, False)
        else:
            item.preferred_successors = []
        if version >= 1:
            length, pos = reading.count(buf, pos, True, left)
            item.preferred_candidates, pos = _read_replica_info(buf, pos, length, version, left)
        else:
            item.preferred_candidates = []
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_partition_data(out: bytearray, items: Sequence[RequestPartitionData], version: int) -> None:
    for item in items:
        out += _put_iii(item.partition_index, item.leader_id, item.leader_epoch)
        if version <= 0:
            writing.int32s(out, item.preferred_successors, False)
        if version >= 1:
            writing.count(out, len(item.preferred_candidates), True)
            _write_replica_info(out, item.preferred_candidates, version)
        if version >= 1:
            out.append(0)


def _read_request_topic_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestTopicData], int]:
    compact = version >= 1
    items: list[RequestTopicData] = []
    new = RequestTopicData.__new__
    for _ in range(count):
        item = new(RequestTopicData)
        item.topic_name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_request_partition_data(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_topic_data(out: bytearray, items: Sequence[RequestTopicData], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.string(out, item.topic_name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_request_partition_data(out, item.partitions, version)
        if version >= 1:
            out.append(0)


def _read_leader_endpoint(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[LeaderEndpoint], int]:
    items: list[LeaderEndpoint] = []
    new = LeaderEndpoint.__new__
    for _ in range(count):
        item = new(LeaderEndpoint)
        item.name, pos = reading.string(buf, pos, True)
        item.host, pos = reading.string(buf, pos, True)
        item.port, tags = _get_HB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_leader_endpoint(out: bytearray, items: Sequence[LeaderEndpoint], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.string(out, item.host, True)
        out += _put_Hx(item.port)


def _read_end_quorum_epoch_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EndQuorumEpochRequest], int]:
    compact = version >= 1
    items: list[EndQuorumEpochRequest] = []
    new = EndQuorumEpochRequest.__new__
    for _ in range(count):
        item = new(EndQuorumEpochRequest)
        item.cluster_id, pos = reading.nullable_string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_request_topic_data(buf, pos, length, version, left)
        if version >= 1:
            length, pos = reading.count(buf, pos, True, left)
            item.leader_endpoints, pos = _read_leader_endpoint(buf, pos, length, version, left)
        else:
            item.leader_endpoints = []
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_end_quorum_epoch_request(out: bytearray, items: Sequence[EndQuorumEpochRequest], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.nullable_string(out, item.cluster_id, compact)
        writing.count(out, len(item.topics), compact)
        _write_request_topic_data(out, item.topics, version)
        if version >= 1:
            writing.count(out, len(item.leader_endpoints), True)
            _write_leader_endpoint(out, item.leader_endpoints, version)
        if version >= 1:
            out.append(0)


class ResponsePartitionData(Struct):
    __slots__ = ("partition_index", "error_code", "leader_id", "leader_epoch")

    def __init__(
        self, *, partition_index: int = 0, error_code: int = 0, leader_id: int = 0, leader_epoch: int = 0
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class ResponseTopicData(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(self, *, topic_name: str = "", partitions: list[ResponsePartitionData] = UNSET) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class NodeEndpoint(Struct):
    __slots__ = ("node_id", "host", "port")

    def __init__(self, *, node_id: int = 0, host: str = "", port: int = 0) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port


class EndQuorumEpochResponse(Message):
    __slots__ = ("error_code", "topics", "node_endpoints")

    API_KEY = 54
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        *,
        error_code: int = 0,
        topics: list[ResponseTopicData] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.topics = [] if topics is UNSET else topics
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[EndQuorumEpochResponse, int]:
        (item,), pos = _read_end_quorum_epoch_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_end_quorum_epoch_response(out, (self,), version)


def _read_response_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponsePartitionData], int]:
    items: list[ResponsePartitionData] = []
    new = ResponsePartitionData.__new__
    for _ in range(count):
        item = new(ResponsePartitionData)
        if version >= 1:
            item.partition_index, item.error_code, item.leader_id, item.leader_epoch, tags = _get_ihiiB(buf, pos)
            pos += 15
        else:
            item.partition_index, item.error_code, item.leader_id, item.leader_epoch = _get_ihii(buf, pos)
            pos += 14
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_partition_data(out: bytearray, items: Sequence[ResponsePartitionData], version: int) -> None:
    for item in items:
        if version >= 1:
            out += _put_ihiix(item.partition_index, item.error_code, item.leader_id, item.leader_epoch)
        else:
            out += _put_ihii(item.partition_index, item.error_code, item.leader_id, item.leader_epoch)


def _read_response_topic_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponseTopicData], int]:
    compact = version >= 1
    items: list[ResponseTopicData] = []
    new = ResponseTopicData.__new__
    for _ in range(count):
        item = new(ResponseTopicData)
        item.topic_name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_response_partition_data(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_topic_data(out: bytearray, items: Sequence[ResponseTopicData], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.string(out, item.topic_name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_response_partition_data(out, item.partitions, version)
        if version >= 1:
            out.append(0)


def _read_node_endpoint(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[NodeEndpoint], int]:
    items: list[NodeEndpoint] = []
    new = NodeEndpoint.__new__
    for _ in range(count):
        item = new(NodeEndpoint)
        (item.node_id,) = _get_i(buf, pos)
        pos += 4
        item.host, pos = reading.string(buf, pos, True)
        item.port, tags = _get_HB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_node_endpoint(out: bytearray, items: Sequence[NodeEndpoint], version: int) -> None:
    for item in items:
        out += _put_i(item.node_id)
        writing.string(out, item.host, True)
        out += _put_Hx(item.port)


def _tags_end_quorum_epoch_response(
    item: EndQuorumEpochResponse, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            length, pos = reading.count(buf, pos, True, left)
            item.node_endpoints, pos = _read_node_endpoint(buf, pos, length, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_end_quorum_epoch_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EndQuorumEpochResponse], int]:
    compact = version >= 1
    items: list[EndQuorumEpochResponse] = []
    new = EndQuorumEpochResponse.__new__
    for _ in range(count):
        item = new(EndQuorumEpochResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_response_topic_data(buf, pos, length, version, left)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        item.node_endpoints = []
        if tags:
            pos = _tags_end_quorum_epoch_response(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_end_quorum_epoch_response(out: bytearray, item: EndQuorumEpochResponse, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.node_endpoints:
        body = bytearray()
        writing.count(body, len(item.node_endpoints), True)
        _write_node_endpoint(body, item.node_endpoints, version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_end_quorum_epoch_response(out: bytearray, items: Sequence[EndQuorumEpochResponse], version: int) -> None:
    compact = version >= 1
    for item in items:
        out += _put_h(item.error_code)
        writing.count(out, len(item.topics), compact)
        _write_response_topic_data(out, item.topics, version)
        if version >= 1:
            _put_tags_end_quorum_epoch_response(out, item, version)
        else:
            if item.node_endpoints:
                raise writing.not_carried("node_endpoints", version)
