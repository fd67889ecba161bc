"""ProduceRequest and ProduceResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Records, RecordsMessage, Struct

_get_u = Format(">16s").unpack_from
_get_hi = Format(">hi").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ihqq = Format(">ihqq").unpack_from
_get_ihqqq = Format(">ihqqq").unpack_from
_get_iiB = Format(">iiB").unpack_from
_put_u = Format(">16s").pack
_put_hi = Format(">hi").pack
_put_i = Format(">i").pack
_put_ihqq = Format(">ihqq").pack
_put_ihqqq = Format(">ihqqq").pack
_put_iix = Format(">iix").pack


class PartitionProduceData(Struct):
    __slots__ = ("index", "records")

    def __init__(self, *, index: int = 0, records: Records = b"") -> None:
        self.index = index
        self.records = records


class TopicProduceData(Struct):
    __slots__ = ("name", "topic_id", "partition_data")

    def __init__(
        self, *, name: str = "", topic_id: bytes = ZERO, partition_data: list[PartitionProduceData] = UNSET
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_data = [] if partition_data is UNSET else partition_data


class ProduceRequest(RecordsMessage):
    __slots__ = ("transactional_id", "acks", "timeout_ms", "topic_data")

    API_KEY = 0
    VERSIONS = (3, 13)
    FLEXIBLE_FROM = 9

    def __init__(
        self,
        *,
        transactional_id: str | None = None,
        acks: int = 0,
        timeout_ms: int = 0,
        topic_data: list[TopicProduceData] = UNSET,
    ) -> None:
        self.transactional_id = transactional_id
        self.acks = acks
        self.timeout_ms = timeout_ms
        self.topic_data = [] if topic_data is UNSET else topic_data

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ProduceRequest, int]:
        (item,), pos = _read_produce_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_produce_request(out, (self,), version)


def _read_partition_produce_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionProduceData], int]:
    compact = version >= 9
    items: list[PartitionProduceData] = []
    new = PartitionProduceData.__new__
    for _ in range(count):
        item = new(PartitionProduceData)
        (item.index,) = _get_i(buf, pos)
        pos += 4
        item.records, pos = reading.nullable_records(buf, pos, compact)
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partition_produce_data(out: bytearray, items: Sequence[PartitionProduceData], version: int) -> None:
    compact = version >= 9
    for item in items:
        out += _put_i(item.index)
        writing.nullable_records(out, item.records, compact)
        if version >= 9:
            out.append(0)


def _read_topic_produce_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicProduceData], int]:
    compact = version >= 9
    items: list[TopicProduceData] = []
    new = TopicProduceData.__new__
    for _ in range(count):
        item = new(TopicProduceData)
        if version <= 12:
            item.name, pos = reading.string(buf, pos, compact)
        else:
            item.name = ""
        if version >= 13:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        length, pos = reading.count(buf, pos, compact, left)
        item.partition_data, pos = _read_partition_produce_data(buf, pos, length, version, left)
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_produce_data(out: bytearray, items: Sequence[TopicProduceData], version: int) -> None:
    compact = version >= 9
    for item in items:
        if version <= 12:
            writing.string(out, item.name, compact)
        if version >= 13:
            out += _put_u(item.topic_id)
        writing.count(out, len(item.partition_data), compact)
        _write_partition_produce_data(out, item.partition_data, version)
        if version >= 9:
            out.append(0)


def _read_produce_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ProduceRequest], int]:
    compact = version >= 9
    items: list[ProduceRequest] = []
    new = ProduceRequest.__new__
    for _ in range(count):
        item = new(ProduceRequest)
        item.transactional_id, pos = reading.nullable_string(buf, pos, compact)
        item.acks, item.timeout_ms = _get_hi(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, compact, left)
        item.topic_data, pos = _read_topic_produce_data(buf, pos, length, version, left)
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_produce_request(out: bytearray, items: Sequence[ProduceRequest], version: int) -> None:
    compact = version >= 9
    for item in items:
        writing.nullable_string(out, item.transactional_id, compact)
        out += _put_hi(item.acks, item.timeout_ms)
        writing.count(out, len(item.topic_data), compact)
        _write_topic_produce_data(out, item.topic_data, version)
        if version >= 9:
            out.append(0)


class BatchIndexAndErrorMessage(Struct):
    __slots__ = ("batch_index", "batch_index_error_message")

    def __init__(self, *, batch_index: int = 0, batch_index_error_message: str | None = None) -> None:
        self.batch_index = batch_index
        self.batch_index_error_message = batch_index_error_message


class LeaderIdAndEpoch(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(self, *, leader_id: int = -1, leader_epoch: int = -1) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class PartitionProduceResponse(Struct):
    __slots__ = (
        "index",
        "error_code",
        "base_offset",
        "log_append_time_ms",
        "log_start_offset",
        "record_errors",
        "error_message",
        "current_leader",
    )

    def __init__(
        self,
        *,
        index: int = 0,
        error_code: int = 0,
        base_offset: int = 0,
        log_append_time_ms: int = -1,
        log_start_offset: int = -1,
        record_errors: list[BatchIndexAndErrorMessage] = UNSET,
        error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = UNSET,
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.base_offset = base_offset
        self.log_append_time_ms = log_append_time_ms
        self.log_start_offset = log_start_offset
        self.record_errors = [] if record_errors is UNSET else record_errors
        self.error_message = error_message
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader


class TopicProduceResponse(Struct):
    __slots__ = ("name", "topic_id", "partition_responses")

    def __init__(
        self, *, name: str = "", topic_id: bytes = ZERO, partition_responses: list[PartitionProduceResponse] = UNSET
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_responses = [] if partition_responses is UNSET else partition_responses


class NodeEndpoint(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(self, *, node_id: int = 0, host: str = "", port: int = 0, rack: str | None = None) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


class ProduceResponse(Message):
    __slots__ = ("responses", "throttle_time_ms", "node_endpoints")

    API_KEY = 0
    VERSIONS = (3, 13)
    FLEXIBLE_FROM = 9

    def __init__(
        self,
        *,
        responses: list[TopicProduceResponse] = UNSET,
        throttle_time_ms: int = 0,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.responses = [] if responses is UNSET else responses
        self.throttle_time_ms = throttle_time_ms
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ProduceResponse, int]:
        (item,), pos = _read_produce_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_produce_response(out, (self,), version)


def _read_batch_index_and_error_message(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BatchIndexAndErrorMessage], int]:
    compact = version >= 9
    items: list[BatchIndexAndErrorMessage] = []
    new = BatchIndexAndErrorMessage.__new__
    for _ in range(count):
        item = new(BatchIndexAndErrorMessage)
        (item.batch_index,) = _get_i(buf, pos)
        pos += 4
        item.batch_index_error_message, pos = reading.nullable_string(buf, pos, compact)
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_batch_index_and_error_message(
    out: bytearray, items: Sequence[BatchIndexAndErrorMessage], version: int
) -> None:
    compact = version >= 9
    for item in items:
        out += _put_i(item.batch_index)
        writing.nullable_string(out, item.batch_index_error_message, compact)
        if version >= 9:
            out.append(0)


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


def _tags_partition_produce_response(
    item: PartitionProduceResponse, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0 and version >= 10:
            (item.current_leader,), pos = _read_leader_id_and_epoch(buf, pos, 1, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_partition_produce_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionProduceResponse], int]:
    compact = version >= 9
    items: list[PartitionProduceResponse] = []
    new = PartitionProduceResponse.__new__
    for _ in range(count):
        item = new(PartitionProduceResponse)
        if version >= 5:
            item.index, item.error_code, item.base_offset, item.log_append_time_ms, item.log_start_offset = _get_ihqqq(
                buf, pos
            )
            pos += 30
        else:
            item.index, item.error_code, item.base_offset, item.log_append_time_ms = _get_ihqq(buf, pos)
            pos += 22
            item.log_start_offset = -1
        if version >= 8:
            length, pos = reading.count(buf, pos, compact, left)
            item.record_errors, pos = _read_batch_index_and_error_message(buf, pos, length, version, left)
        else:
            item.record_errors = []
        if version >= 8:
            item.error_message, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.error_message = None
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        item.current_leader = LeaderIdAndEpoch()
        if tags:
            pos = _tags_partition_produce_response(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_partition_produce_response(out: bytearray, item: PartitionProduceResponse, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.current_leader.leader_id != -1 or item.current_leader.leader_epoch != -1:
        if not (version >= 10):
            raise writing.not_carried("current_leader", version)
        body = bytearray()
        _write_leader_id_and_epoch(body, (item.current_leader,), version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_partition_produce_response(out: bytearray, items: Sequence[PartitionProduceResponse], version: int) -> None:
    compact = version >= 9
    for item in items:
        if version >= 5:
            out += _put_ihqqq(
                item.index, item.error_code, item.base_offset, item.log_append_time_ms, item.log_start_offset
            )
        else:
            out += _put_ihqq(item.index, item.error_code, item.base_offset, item.log_append_time_ms)
        if version >= 8:
            writing.count(out, len(item.record_errors), compact)
            _write_batch_index_and_error_message(out, item.record_errors, version)
        if version >= 8:
            writing.nullable_string(out, item.error_message, compact)
        if version >= 9:
            _put_tags_partition_produce_response(out, item, version)
        else:
            if item.current_leader.leader_id != -1 or item.current_leader.leader_epoch != -1:
                raise writing.not_carried("current_leader", version)


def _read_topic_produce_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicProduceResponse], int]:
    compact = version >= 9
    items: list[TopicProduceResponse] = []
    new = TopicProduceResponse.__new__
    for _ in range(count):
        item = new(TopicProduceResponse)
        if version <= 12:
            item.name, pos = reading.string(buf, pos, compact)
        else:
            item.name = ""
        if version >= 13:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        length, pos = reading.count(buf, pos, compact, left)
        item.partition_responses, pos = _read_partition_produce_response(buf, pos, length, version, left)
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_produce_response(out: bytearray, items: Sequence[TopicProduceResponse], version: int) -> None:
    compact = version >= 9
    for item in items:
        if version <= 12:
            writing.string(out, item.name, compact)
        if version >= 13:
            out += _put_u(item.topic_id)
        writing.count(out, len(item.partition_responses), compact)
        _write_partition_produce_response(out, item.partition_responses, version)
        if version >= 9:
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
        (item.port,) = _get_i(buf, pos)
        pos += 4
        item.rack, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_node_endpoint(out: bytearray, items: Sequence[NodeEndpoint], version: int) -> None:
    for item in items:
        out += _put_i(item.node_id)
        writing.string(out, item.host, True)
        out += _put_i(item.port)
        writing.nullable_string(out, item.rack, True)
        out.append(0)


def _tags_produce_response(item: ProduceResponse, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0 and version >= 10:
            length, pos = reading.count(buf, pos, True, left)
            item.node_endpoints, pos = _read_node_endpoint(buf, pos, length, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_produce_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ProduceResponse], int]:
    compact = version >= 9
    items: list[ProduceResponse] = []
    new = ProduceResponse.__new__
    for _ in range(count):
        item = new(ProduceResponse)
        length, pos = reading.count(buf, pos, compact, left)
        item.responses, pos = _read_topic_produce_response(buf, pos, length, version, left)
        if version >= 9:
            item.throttle_time_ms, tags = _get_iB(buf, pos)
            pos += 5
        else:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        item.node_endpoints = []
        if tags:
            pos = _tags_produce_response(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_produce_response(out: bytearray, item: ProduceResponse, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.node_endpoints:
        if not (version >= 10):
            raise writing.not_carried("node_endpoints", version)
        body = bytearray()
        writing.count(body, len(item.node_endpoints), True)
        _write_node_endpoint(body, item.node_endpoints, version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_produce_response(out: bytearray, items: Sequence[ProduceResponse], version: int) -> None:
    compact = version >= 9
    for item in items:
        writing.count(out, len(item.responses), compact)
        _write_topic_produce_response(out, item.responses, version)
        out += _put_i(item.throttle_time_ms)
        if version >= 9:
            _put_tags_produce_response(out, item, version)
        else:
            if item.node_endpoints:
                raise writing.not_carried("node_endpoints", version)
