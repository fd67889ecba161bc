"""VoteRequest and VoteResponse. Generated from schemas/ by `./dev gen`: do not edit."""

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
_get_ihiioB = Format(">ihii?B").unpack_from
_get_iiiuuiqoB = Format(">iii16s16siq?B").unpack_from
_get_iiiuuiqB = Format(">iii16s16siqB").unpack_from
_get_iiiiqB = Format(">iiiiqB").unpack_from
_put_Hx = Format(">Hx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ihiiox = Format(">ihii?x").pack
_put_iiiuuiqox = Format(">iii16s16siq?x").pack
_put_iiiuuiqx = Format(">iii16s16siqx").pack
_put_iiiiqx = Format(">iiiiqx").pack


class RequestPartitionData(Struct):
    __slots__ = (
        "partition_index",
        "replica_epoch",
        "replica_id",
        "replica_directory_id",
        "voter_directory_id",
        "last_offset_epoch",
        "last_offset",
        "pre_vote",
    )

    def __init__(
        self,
        *,
        partition_index: int = 0,
        replica_epoch: int = 0,
        replica_id: int = 0,
        replica_directory_id: bytes = ZERO,
        voter_directory_id: bytes = ZERO,
        last_offset_epoch: int = 0,
        last_offset: int = 0,
        pre_vote: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.replica_epoch = replica_epoch
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.voter_directory_id = voter_directory_id
        self.last_offset_epoch = last_offset_epoch
        self.last_offset = last_offset
        self.pre_vote = pre_vote


class RequestTopicData(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(self, *, topic_name: str = "", partitions: list[RequestPartitionData] = UNSET) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class VoteRequest(Message):
    __slots__ = ("cluster_id", "voter_id", "topics")

    API_KEY = 52
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, cluster_id: str | None = None, voter_id: int = -1, topics: list[RequestTopicData] = UNSET
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[VoteRequest, int]:
        (item,), pos = _read_vote_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_vote_request(out, (self,), version)


def _read_request_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestPartitionData], int]:
    items: list[RequestPartitionData] = []
    new = RequestPartitionData.__new__
    for _ in range(count):
        item = new(RequestPartitionData)
        if version >= 2:
            (
                item.partition_index,
                item.replica_epoch,
                item.replica_id,
                item.replica_directory_id,
                item.voter_directory_id,
                item.last_offset_epoch,
                item.last_offset,
                item.pre_vote,
                tags,
            ) = _get_iiiuuiqoB(buf, pos)
            pos += 58
        elif version >= 1:
            (
                item.partition_index,
                item.replica_epoch,
                item.replica_id,
                item.replica_directory_id,
                item.voter_directory_id,
                item.last_offset_epoch,
                item.last_offset,
                tags,
            ) = _get_iiiuuiqB(buf, pos)
            pos += 57
            item.pre_vote = False
        else:
            (
                item.partition_index,
                item.replica_epoch,
                item.replica_id,
                item.last_offset_epoch,
                item.last_offset,
                tags,
            ) = _get_iiiiqB(buf, pos)
            pos += 25
            item.replica_directory_id = ZERO
            item.voter_directory_id = ZERO
            item.pre_vote = False
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_partition_data(out: bytearray, items: Sequence[RequestPartitionData], version: int) -> None:
    for item in items:
        if version >= 2:
            out += _put_iiiuuiqox(
                item.partition_index,
                item.replica_epoch,
                item.replica_id,
                item.replica_directory_id,
                item.voter_directory_id,
                item.last_offset_epoch,
                item.last_offset,
                item.pre_vote,
            )
        elif version >= 1:
            if item.pre_vote:
                raise writing.not_carried("pre_vote", version)
            out += _put_iiiuuiqx(
                item.partition_index,
                item.replica_epoch,
                item.replica_id,
                item.replica_directory_id,
                item.voter_directory_id,
                item.last_offset_epoch,
                item.last_offset,
            )
        else:
            if item.pre_vote:
                raise writing.not_carried("pre_vote", version)
            out += _put_iiiiqx(
                item.partition_index, item.replica_epoch, item.replica_id, item.last_offset_epoch, item.last_offset
            )


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


def _read_vote_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[VoteRequest], int]:
    items: list[VoteRequest] = []
    new = VoteRequest.__new__
    for _ in range(count):
        item = new(VoteRequest)
        item.cluster_id, pos = reading.nullable_string(buf, pos, True)
        if version >= 1:
            (item.voter_id,) = _get_i(buf, pos)
            pos += 4
        else:
            item.voter_id = -1
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_request_topic_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_vote_request(out: bytearray, items: Sequence[VoteRequest], version: int) -> None:
    for item in items:
        writing.nullable_string(out, item.cluster_id, True)
        if version >= 1:
            out += _put_i(item.voter_id)
        writing.count(out, len(item.topics), True)
        _write_request_topic_data(out, item.topics, version)
        out.append(0)


class ResponsePartitionData(Struct):
    __slots__ = ("partition_index", "error_code", "leader_id", "leader_epoch", "vote_granted")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        vote_granted: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.vote_granted = vote_granted


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


class VoteResponse(Message):
    __slots__ = ("error_code", "topics", "node_endpoints")

    API_KEY = 52
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

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
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[VoteResponse, int]:
        (item,), pos = _read_vote_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_vote_response(out, (self,), version)


def _read_response_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponsePartitionData], int]:
    items: list[ResponsePartitionData] = []
    new = ResponsePartitionData.__new__
    for _ in range(count):
        item = new(ResponsePartitionData)
        item.partition_index, item.error_code, item.leader_id, item.leader_epoch, item.vote_granted, tags = _get_ihiioB(
            buf, pos
        )
        pos += 16
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_partition_data(out: bytearray, items: Sequence[ResponsePartitionData], version: int) -> None:
    for item in items:
        out += _put_ihiiox(item.partition_index, item.error_code, item.leader_id, item.leader_epoch, item.vote_granted)


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


def _tags_vote_response(item: VoteResponse, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0 and version >= 1:
            length, pos = reading.count(buf, pos, True, left)
            item.node_endpoints, pos = _read_node_endpoint(buf, pos, length, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_vote_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[VoteResponse], int]:
    items: list[VoteResponse] = []
    new = VoteResponse.__new__
    for _ in range(count):
        item = new(VoteResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_response_topic_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        item.node_endpoints = []
        if tags:
            pos = _tags_vote_response(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_vote_response(out: bytearray, item: VoteResponse, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.node_endpoints:
        if not (version >= 1):
            raise writing.not_carried("node_endpoints", version)
        body = bytearray()
        writing.count(body, len(item.node_endpoints), True)
        _write_node_endpoint(body, item.node_endpoints, version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_vote_response(out: bytearray, items: Sequence[VoteResponse], version: int) -> None:
    for item in items:
        out += _put_h(item.error_code)
        writing.count(out, len(item.topics), True)
        _write_response_topic_data(out, item.topics, version)
        _put_tags_vote_response(out, item, version)
