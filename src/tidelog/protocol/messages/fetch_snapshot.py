"""FetchSnapshotRequest and FetchSnapshotResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Records, RecordsMessage, Struct

_get_u = Format(">16s").unpack_from
_get_HB = Format(">HB").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ii = Format(">ii").unpack_from
_get_iiB = Format(">iiB").unpack_from
_get_qB = Format(">qB").unpack_from
_get_qiB = Format(">qiB").unpack_from
_get_qq = Format(">qq").unpack_from
_put_u = Format(">16s").pack
_put_Hx = Format(">Hx").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ii = Format(">ii").pack
_put_iix = Format(">iix").pack
_put_q = Format(">q").pack
_put_qix = Format(">qix").pack
_put_qq = Format(">qq").pack


class SnapshotId(Struct):
    __slots__ = ("end_offset", "epoch")

    def __init__(self, *, end_offset: int = 0, epoch: int = 0) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


class RequestPartitionSnapshot(Struct):
    __slots__ = ("partition", "current_leader_epoch", "snapshot_id", "position", "replica_directory_id")

    def __init__(
        self,
        *,
        partition: int = 0,
        current_leader_epoch: int = 0,
        snapshot_id: SnapshotId = UNSET,
        position: int = 0,
        replica_directory_id: bytes = ZERO,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.snapshot_id = SnapshotId() if snapshot_id is UNSET else snapshot_id
        self.position = position
        self.replica_directory_id = replica_directory_id


class RequestTopicSnapshot(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[RequestPartitionSnapshot] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class FetchSnapshotRequest(Message):
    __slots__ = ("cluster_id", "replica_id", "max_bytes", "topics")

    API_KEY = 59
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        replica_id: int = -1,
        max_bytes: int = 2147483647,
        topics: list[RequestTopicSnapshot] = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.replica_id = replica_id
        self.max_bytes = max_bytes
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[FetchSnapshotRequest, int]:
        (item,), pos = _read_fetch_snapshot_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_fetch_snapshot_request(out, (self,), version)


def _read_snapshot_id(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SnapshotId], int]:
    items: list[SnapshotId] = []
    new = SnapshotId.__new__
    for _ in range(count):
        item = new(SnapshotId)
        item.end_offset, item.epoch, tags = _get_qiB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_snapshot_id(out: bytearray, items: Sequence[SnapshotId], version: int) -> None:
    for item in items:
        out += _put_qix(item.end_offset, item.epoch)


def _tags_request_partition_snapshot(
    item: RequestPartitionSnapshot, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0 and version >= 1:
            (item.replica_directory_id,) = _get_u(buf, pos)
            pos += 16
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_request_partition_snapshot(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestPartitionSnapshot], int]:
    items: list[RequestPartitionSnapshot] = []
    new = RequestPartitionSnapshot.__new__
    for _ in range(count):
        item = new(RequestPartitionSnapshot)
        item.partition, item.current_leader_epoch = _get_ii(buf, pos)
        pos += 8
        (item.snapshot_id,), pos = _read_snapshot_id(buf, pos, 1, version, left)
        item.position, tags = _get_qB(buf, pos)
        pos += 9
        item.replica_directory_id = ZERO
        if tags:
            pos = _tags_request_partition_snapshot(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_request_partition_snapshot(out: bytearray, item: RequestPartitionSnapshot, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.replica_directory_id != ZERO:
        if version >= 1:
            body = bytearray()
            body += _put_u(item.replica_directory_id)
            fields.append((0, body))
    writing.tags(out, fields)


def _write_request_partition_snapshot(out: bytearray, items: Sequence[RequestPartitionSnapshot], version: int) -> None:
    for item in items:
        out += _put_ii(item.partition, item.current_leader_epoch)
        _write_snapshot_id(out, (item.snapshot_id,), version)
        out += _put_q(item.position)
        _put_tags_request_partition_snapshot(out, item, version)


def _read_request_topic_snapshot(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestTopicSnapshot], int]:
    items: list[RequestTopicSnapshot] = []
    new = RequestTopicSnapshot.__new__
    for _ in range(count):
        item = new(RequestTopicSnapshot)
        item.name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_request_partition_snapshot(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_topic_snapshot(out: bytearray, items: Sequence[RequestTopicSnapshot], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.count(out, len(item.partitions), True)
        _write_request_partition_snapshot(out, item.partitions, version)
        out.append(0)


def _tags_fetch_snapshot_request(
    item: FetchSnapshotRequest, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            item.cluster_id, pos = reading.nullable_string(buf, pos, True)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_fetch_snapshot_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchSnapshotRequest], int]:
    items: list[FetchSnapshotRequest] = []
    new = FetchSnapshotRequest.__new__
    for _ in range(count):
        item = new(FetchSnapshotRequest)
        item.replica_id, item.max_bytes = _get_ii(buf, pos)
        pos += 8
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_request_topic_snapshot(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        item.cluster_id = None
        if tags:
            pos = _tags_fetch_snapshot_request(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_fetch_snapshot_request(out: bytearray, item: FetchSnapshotRequest, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.cluster_id is not None:
        body = bytearray()
        writing.nullable_string(body, item.cluster_id, True)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_fetch_snapshot_request(out: bytearray, items: Sequence[FetchSnapshotRequest], version: int) -> None:
    for item in items:
        out += _put_ii(item.replica_id, item.max_bytes)
        writing.count(out, len(item.topics), True)
        _write_request_topic_snapshot(out, item.topics, version)
        _put_tags_fetch_snapshot_request(out, item, version)


class LeaderIdAndEpoch(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(self, *, leader_id: int = 0, leader_epoch: int = 0) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class ResponsePartitionSnapshot(Struct):
    __slots__ = ("index", "error_code", "snapshot_id", "current_leader", "size", "position", "unaligned_records")

    def __init__(
        self,
        *,
        index: int = 0,
        error_code: int = 0,
        snapshot_id: SnapshotId = UNSET,
        current_leader: LeaderIdAndEpoch = UNSET,
        size: int = 0,
        position: int = 0,
        unaligned_records: Records = b"",
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.snapshot_id = SnapshotId() if snapshot_id is UNSET else snapshot_id
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader
        self.size = size
        self.position = position
        self.unaligned_records = unaligned_records


class ResponseTopicSnapshot(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[ResponsePartitionSnapshot] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class NodeEndpoint(Struct):
    __slots__ = ("node_id", "host", "port")

    def __init__(self, *, node_id: int = 0, host: str = "", port: int = 0) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port


class FetchSnapshotResponse(RecordsMessage):
    __slots__ = ("throttle_time_ms", "error_code", "topics", "node_endpoints")

    API_KEY = 59
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[ResponseTopicSnapshot] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics = [] if topics is UNSET else topics
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[FetchSnapshotResponse, int]:
        (item,), pos = _read_fetch_snapshot_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_fetch_snapshot_response(out, (self,), version)


def _read_leader_id_and_epoch(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[LeaderIdAndEpoch], int]:
    items: list[LeaderIdAndEpoch] = []
    new = LeaderIdAndEpoch.__new__
    for _ in range(count):
        item = new(LeaderIdAndEpoch)
        item.leader_id, item.leader_epoch, tags = _get_iiB(buf, pos)
        pos += 9
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_leader_id_and_epoch(out: bytearray, items: Sequence[LeaderIdAndEpoch], version: int) -> None:
    for item in items:
        out += _put_iix(item.leader_id, item.leader_epoch)


def _tags_response_partition_snapshot(
    item: ResponsePartitionSnapshot, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.current_leader,), pos = _read_leader_id_and_epoch(buf, pos, 1, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_response_partition_snapshot(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponsePartitionSnapshot], int]:
    items: list[ResponsePartitionSnapshot] = []
    new = ResponsePartitionSnapshot.__new__
    for _ in range(count):
        item = new(ResponsePartitionSnapshot)
        item.index, item.error_code = _get_ih(buf, pos)
        pos += 6
        (item.snapshot_id,), pos = _read_snapshot_id(buf, pos, 1, version, left)
        item.size, item.position = _get_qq(buf, pos)
        pos += 16
        item.unaligned_records, pos = reading.records(buf, pos, True)
        tags = buf[pos]
        pos += 1
        item.current_leader = LeaderIdAndEpoch()
        if tags:
            pos = _tags_response_partition_snapshot(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_response_partition_snapshot(out: bytearray, item: ResponsePartitionSnapshot, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.current_leader.leader_id != 0 or item.current_leader.leader_epoch != 0:
        body = bytearray()
        _write_leader_id_and_epoch(body, (item.current_leader,), version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_response_partition_snapshot(
    out: bytearray, items: Sequence[ResponsePartitionSnapshot], version: int
) -> None:
    for item in items:
        out += _put_ih(item.index, item.error_code)
        _write_snapshot_id(out, (item.snapshot_id,), version)
        out += _put_qq(item.size, item.position)
        writing.records(out, item.unaligned_records, True)
        _put_tags_response_partition_snapshot(out, item, version)


def _read_response_topic_snapshot(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponseTopicSnapshot], int]:
    items: list[ResponseTopicSnapshot] = []
    new = ResponseTopicSnapshot.__new__
    for _ in range(count):
        item = new(ResponseTopicSnapshot)
        item.name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_response_partition_snapshot(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_topic_snapshot(out: bytearray, items: Sequence[ResponseTopicSnapshot], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.count(out, len(item.partitions), True)
        _write_response_partition_snapshot(out, item.partitions, version)
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


def _tags_fetch_snapshot_response(
    item: FetchSnapshotResponse, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
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


def _read_fetch_snapshot_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchSnapshotResponse], int]:
    items: list[FetchSnapshotResponse] = []
    new = FetchSnapshotResponse.__new__
    for _ in range(count):
        item = new(FetchSnapshotResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_response_topic_snapshot(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        item.node_endpoints = []
        if tags:
            pos = _tags_fetch_snapshot_response(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_fetch_snapshot_response(out: bytearray, item: FetchSnapshotResponse, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.node_endpoints:
        if not (version >= 1):
            raise writing.not_carried("node_endpoints", version)
        body = bytearray()
        writing.count(body, len(item.node_endpoints), True)
        _write_node_endpoint(body, item.node_endpoints, version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_fetch_snapshot_response(out: bytearray, items: Sequence[FetchSnapshotResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.count(out, len(item.topics), True)
        _write_response_topic_snapshot(out, item.topics, version)
        _put_tags_fetch_snapshot_response(out, item, version)
