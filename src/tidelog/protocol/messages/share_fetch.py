"""ShareFetchRequest and ShareFetchResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Records, RecordsMessage, Struct

_get_u = Format(">16s").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_iiB = Format(">iiB").unpack_from
_get_iiiiii = Format(">iiiiii").unpack_from
_get_iiiiiibo = Format(">iiiiiib?").unpack_from
_get_qq = Format(">qq").unpack_from
_get_qqhB = Format(">qqhB").unpack_from
_put_u = Format(">16s").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_iiiiii = Format(">iiiiii").pack
_put_iiiiiibo = Format(">iiiiiib?").pack
_put_iix = Format(">iix").pack
_put_qq = Format(">qq").pack
_put_qqhx = Format(">qqhx").pack


class AcknowledgementBatch(Struct):
    __slots__ = ("first_offset", "last_offset", "acknowledge_types")

    def __init__(self, *, first_offset: int = 0, last_offset: int = 0, acknowledge_types: list[int] = UNSET) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.acknowledge_types = [] if acknowledge_types is UNSET else acknowledge_types


class FetchPartition(Struct):
    __slots__ = ("partition_index", "acknowledgement_batches")

    def __init__(
        self, *, partition_index: int = 0, acknowledgement_batches: list[AcknowledgementBatch] = UNSET
    ) -> None:
        self.partition_index = partition_index
        self.acknowledgement_batches = [] if acknowledgement_batches is UNSET else acknowledgement_batches


class FetchTopic(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[FetchPartition] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class ForgottenTopic(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[int] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class ShareFetchRequest(Message):
    __slots__ = (
        "group_id",
        "member_id",
        "share_session_epoch",
        "max_wait_ms",
        "min_bytes",
        "max_bytes",
        "max_records",
        "batch_size",
        "share_acquire_mode",
        "is_renew_ack",
        "topics",
        "forgotten_topics_data",
    )

    API_KEY = 78
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        *,
        group_id: str | None = None,
        member_id: str | None = "",
        share_session_epoch: int = 0,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        max_records: int = 0,
        batch_size: int = 0,
        share_acquire_mode: int = 0,
        is_renew_ack: bool = False,
        topics: list[FetchTopic] = UNSET,
        forgotten_topics_data: list[ForgottenTopic] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.share_session_epoch = share_session_epoch
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.max_records = max_records
        self.batch_size = batch_size
        self.share_acquire_mode = share_acquire_mode
        self.is_renew_ack = is_renew_ack
        self.topics = [] if topics is UNSET else topics
        self.forgotten_topics_data = [] if forgotten_topics_data is UNSET else forgotten_topics_data

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareFetchRequest, int]:
        (item,), pos = _read_share_fetch_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_fetch_request(out, (self,), version)


def _read_acknowledgement_batch(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AcknowledgementBatch], int]:
    items: list[AcknowledgementBatch] = []
    new = AcknowledgementBatch.__new__
    for _ in range(count):
        item = new(AcknowledgementBatch)
        item.first_offset, item.last_offset = _get_qq(buf, pos)
        pos += 16
        item.acknowledge_types, pos = reading.numbers(buf, pos, True, "b", 1)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_acknowledgement_batch(out: bytearray, items: Sequence[AcknowledgementBatch], version: int) -> None:
    for item in items:
        out += _put_qq(item.first_offset, item.last_offset)
        writing.numbers(out, item.acknowledge_types, True, "b")
        out.append(0)


def _read_fetch_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchPartition], int]:
    items: list[FetchPartition] = []
    new = FetchPartition.__new__
    for _ in range(count):
        item = new(FetchPartition)
        (item.partition_index,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.acknowledgement_batches, pos = _read_acknowledgement_batch(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_fetch_partition(out: bytearray, items: Sequence[FetchPartition], version: int) -> None:
    for item in items:
        out += _put_i(item.partition_index)
        writing.count(out, len(item.acknowledgement_batches), True)
        _write_acknowledgement_batch(out, item.acknowledgement_batches, version)
        out.append(0)


def _read_fetch_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchTopic], int]:
    items: list[FetchTopic] = []
    new = FetchTopic.__new__
    for _ in range(count):
        item = new(FetchTopic)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_fetch_partition(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_fetch_topic(out: bytearray, items: Sequence[FetchTopic], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_fetch_partition(out, item.partitions, version)
        out.append(0)


def _read_forgotten_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ForgottenTopic], int]:
    items: list[ForgottenTopic] = []
    new = ForgottenTopic.__new__
    for _ in range(count):
        item = new(ForgottenTopic)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_forgotten_topic(out: bytearray, items: Sequence[ForgottenTopic], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.int32s(out, item.partitions, True)
        out.append(0)


def _read_share_fetch_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareFetchRequest], int]:
    items: list[ShareFetchRequest] = []
    new = ShareFetchRequest.__new__
    for _ in range(count):
        item = new(ShareFetchRequest)
        item.group_id, pos = reading.nullable_string(buf, pos, True)
        item.member_id, pos = reading.nullable_string(buf, pos, True)
        if version >= 2:
            (
                item.share_session_epoch,
                item.max_wait_ms,
                item.min_bytes,
                item.max_bytes,
                item.max_records,
                item.batch_size,
                item.share_acquire_mode,
                item.is_renew_ack,
            ) = _get_iiiiiibo(buf, pos)
            pos += 26
        else:
            (
                item.share_session_epoch,
                item.max_wait_ms,
                item.min_bytes,
                item.max_bytes,
                item.max_records,
                item.batch_size,
            ) = _get_iiiiii(buf, pos)
            pos += 24
            item.share_acquire_mode = 0
            item.is_renew_ack = False
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_fetch_topic(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.forgotten_topics_data, pos = _read_forgotten_topic(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_share_fetch_request(out: bytearray, items: Sequence[ShareFetchRequest], version: int) -> None:
    for item in items:
        writing.nullable_string(out, item.group_id, True)
        writing.nullable_string(out, item.member_id, True)
        if version >= 2:
            out += _put_iiiiiibo(
                item.share_session_epoch,
                item.max_wait_ms,
                item.min_bytes,
                item.max_bytes,
                item.max_records,
                item.batch_size,
                item.share_acquire_mode,
                item.is_renew_ack,
            )
        else:
            if item.is_renew_ack:
                raise writing.not_carried("is_renew_ack", version)
            out += _put_iiiiii(
                item.share_session_epoch,
                item.max_wait_ms,
                item.min_bytes,
                item.max_bytes,
                item.max_records,
                item.batch_size,
            )
        writing.count(out, len(item.topics), True)
        _write_fetch_topic(out, item.topics, version)
        writing.count(out, len(item.forgotten_topics_data), True)
        _write_forgotten_topic(out, item.forgotten_topics_data, version)
        out.append(0)


class LeaderIdAndEpoch(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(self, *, leader_id: int = 0, leader_epoch: int = 0) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class AcquiredRecords(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_count")

    def __init__(self, *, first_offset: int = 0, last_offset: int = 0, delivery_count: int = 0) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_count = delivery_count


class PartitionData(Struct):
    __slots__ = (
        "partition_index",
        "error_code",
        "error_message",
        "acknowledge_error_code",
        "acknowledge_error_message",
        "current_leader",
        "records",
        "acquired_records",
    )

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acknowledge_error_code: int = 0,
        acknowledge_error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = UNSET,
        records: Records = b"",
        acquired_records: list[AcquiredRecords] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.acknowledge_error_code = acknowledge_error_code
        self.acknowledge_error_message = acknowledge_error_message
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader
        self.records = records
        self.acquired_records = [] if acquired_records is UNSET else acquired_records


class ShareFetchableTopicResponse(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[PartitionData] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class NodeEndpoint(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(self, *, node_id: int = 0, host: str = "", port: int = 0, rack: str | None = None) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


class ShareFetchResponse(RecordsMessage):
    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "acquisition_lock_timeout_ms",
        "responses",
        "node_endpoints",
    )

    API_KEY = 78
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acquisition_lock_timeout_ms: int = 0,
        responses: list[ShareFetchableTopicResponse] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.acquisition_lock_timeout_ms = acquisition_lock_timeout_ms
        self.responses = [] if responses is UNSET else responses
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareFetchResponse, int]:
        (item,), pos = _read_share_fetch_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_fetch_response(out, (self,), version)


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


def _read_acquired_records(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AcquiredRecords], int]:
    items: list[AcquiredRecords] = []
    new = AcquiredRecords.__new__
    for _ in range(count):
        item = new(AcquiredRecords)
        item.first_offset, item.last_offset, item.delivery_count, tags = _get_qqhB(buf, pos)
        pos += 19
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_acquired_records(out: bytearray, items: Sequence[AcquiredRecords], version: int) -> None:
    for item in items:
        out += _put_qqhx(item.first_offset, item.last_offset, item.delivery_count)


def _read_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionData], int]:
    items: list[PartitionData] = []
    new = PartitionData.__new__
    for _ in range(count):
        item = new(PartitionData)
        item.partition_index, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        (item.acknowledge_error_code,) = _get_h(buf, pos)
        pos += 2
        item.acknowledge_error_message, pos = reading.nullable_string(buf, pos, True)
        (item.current_leader,), pos = _read_leader_id_and_epoch(buf, pos, 1, version, left)
        item.records, pos = reading.records(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.acquired_records, pos = _read_acquired_records(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partition_data(out: bytearray, items: Sequence[PartitionData], version: int) -> None:
    for item in items:
        out += _put_ih(item.partition_index, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out += _put_h(item.acknowledge_error_code)
        writing.nullable_string(out, item.acknowledge_error_message, True)
        _write_leader_id_and_epoch(out, (item.current_leader,), version)
        writing.records(out, item.records, True)
        writing.count(out, len(item.acquired_records), True)
        _write_acquired_records(out, item.acquired_records, version)
        out.append(0)


def _read_share_fetchable_topic_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareFetchableTopicResponse], int]:
    items: list[ShareFetchableTopicResponse] = []
    new = ShareFetchableTopicResponse.__new__
    for _ in range(count):
        item = new(ShareFetchableTopicResponse)
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


def _write_share_fetchable_topic_response(
    out: bytearray, items: Sequence[ShareFetchableTopicResponse], version: int
) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_partition_data(out, item.partitions, version)
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


def _read_share_fetch_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareFetchResponse], int]:
    items: list[ShareFetchResponse] = []
    new = ShareFetchResponse.__new__
    for _ in range(count):
        item = new(ShareFetchResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        (item.acquisition_lock_timeout_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.responses, pos = _read_share_fetchable_topic_response(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.node_endpoints, pos = _read_node_endpoint(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_share_fetch_response(out: bytearray, items: Sequence[ShareFetchResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out += _put_i(item.acquisition_lock_timeout_ms)
        writing.count(out, len(item.responses), True)
        _write_share_fetchable_topic_response(out, item.responses, version)
        writing.count(out, len(item.node_endpoints), True)
        _write_node_endpoint(out, item.node_endpoints, version)
        out.append(0)
