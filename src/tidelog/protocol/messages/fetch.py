"""FetchRequest and FetchResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Records, RecordsMessage, Struct

_get_u = Format(">16s").unpack_from
_get_i = Format(">i").unpack_from
_get_ihi = Format(">ihi").unpack_from
_get_ihqq = Format(">ihqq").unpack_from
_get_ihqqq = Format(">ihqqq").unpack_from
_get_iiB = Format(">iiB").unpack_from
_get_iiibii = Format(">iiibii").unpack_from
_get_iiiib = Format(">iiiib").unpack_from
_get_iiiibii = Format(">iiiibii").unpack_from
_get_iiqiqiB = Format(">iiqiqiB").unpack_from
_get_iiqqi = Format(">iiqqi").unpack_from
_get_iqB = Format(">iqB").unpack_from
_get_iqi = Format(">iqi").unpack_from
_get_iqqi = Format(">iqqi").unpack_from
_get_q = Format(">q").unpack_from
_get_qiB = Format(">qiB").unpack_from
_get_qq = Format(">qq").unpack_from
_get_qqB = Format(">qqB").unpack_from
_put_u = Format(">16s").pack
_put_i = Format(">i").pack
_put_ihi = Format(">ihi").pack
_put_ihqq = Format(">ihqq").pack
_put_ihqqq = Format(">ihqqq").pack
_put_iiibii = Format(">iiibii").pack
_put_iiiib = Format(">iiiib").pack
_put_iiiibii = Format(">iiiibii").pack
_put_iiqiqi = Format(">iiqiqi").pack
_put_iiqqi = Format(">iiqqi").pack
_put_iix = Format(">iix").pack
_put_iqi = Format(">iqi").pack
_put_iqqi = Format(">iqqi").pack
_put_iqx = Format(">iqx").pack
_put_q = Format(">q").pack
_put_qix = Format(">qix").pack
_put_qq = Format(">qq").pack
_put_qqx = Format(">qqx").pack


class ReplicaState(Struct):
    __slots__ = ("replica_id", "replica_epoch")

    def __init__(self, *, replica_id: int = -1, replica_epoch: int = -1) -> None:
        self.replica_id = replica_id
        self.replica_epoch = replica_epoch


class FetchPartition(Struct):
    __slots__ = (
        "partition",
        "current_leader_epoch",
        "fetch_offset",
        "last_fetched_epoch",
        "log_start_offset",
        "partition_max_bytes",
        "replica_directory_id",
        "high_watermark",
    )

    def __init__(
        self,
        *,
        partition: int = 0,
        current_leader_epoch: int = -1,
        fetch_offset: int = 0,
        last_fetched_epoch: int = -1,
        log_start_offset: int = -1,
        partition_max_bytes: int = 0,
        replica_directory_id: bytes = ZERO,
        high_watermark: int = 9223372036854775807,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.fetch_offset = fetch_offset
        self.last_fetched_epoch = last_fetched_epoch
        self.log_start_offset = log_start_offset
        self.partition_max_bytes = partition_max_bytes
        self.replica_directory_id = replica_directory_id
        self.high_watermark = high_watermark


class FetchTopic(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(self, *, topic: str = "", topic_id: bytes = ZERO, partitions: list[FetchPartition] = UNSET) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class ForgottenTopic(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(self, *, topic: str = "", topic_id: bytes = ZERO, partitions: list[int] = UNSET) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class FetchRequest(Message):
    __slots__ = (
        "cluster_id",
        "replica_id",
        "replica_state",
        "max_wait_ms",
        "min_bytes",
        "max_bytes",
        "isolation_level",
        "session_id",
        "session_epoch",
        "topics",
        "forgotten_topics_data",
        "rack_id",
    )

    API_KEY = 1
    VERSIONS = (4, 18)
    FLEXIBLE_FROM = 12

    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        replica_id: int = -1,
        replica_state: ReplicaState = UNSET,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        isolation_level: int = 0,
        session_id: int = 0,
        session_epoch: int = -1,
        topics: list[FetchTopic] = UNSET,
        forgotten_topics_data: list[ForgottenTopic] = UNSET,
        rack_id: str = "",
    ) -> None:
        self.cluster_id = cluster_id
        self.replica_id = replica_id
        self.replica_state = ReplicaState() if replica_state is UNSET else replica_state
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.isolation_level = isolation_level
        self.session_id = session_id
        self.session_epoch = session_epoch
        self.topics = [] if topics is UNSET else topics
        self.forgotten_topics_data = [] if forgotten_topics_data is UNSET else forgotten_topics_data
        self.rack_id = rack_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[FetchRequest, int]:
        (item,), pos = _read_fetch_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_fetch_request(out, (self,), version)


def _read_replica_state(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ReplicaState], int]:
    items: list[ReplicaState] = []
    new = ReplicaState.__new__
    for _ in range(count):
        item = new(ReplicaState)
        item.replica_id, item.replica_epoch, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_replica_state(out: bytearray, items: Sequence[ReplicaState], version: int) -> None:
    for item in items:
        out += _put_iqx(item.replica_id, item.replica_epoch)


def _tags_fetch_partition(item: FetchPartition, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0 and version >= 17:
            (item.replica_directory_id,) = _get_u(buf, pos)
            pos += 16
        elif tag == 1 and version >= 18:
            (item.high_watermark,) = _get_q(buf, pos)
            pos += 8
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_fetch_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchPartition], int]:
    items: list[FetchPartition] = []
    new = FetchPartition.__new__
    for _ in range(count):
        item = new(FetchPartition)
        if version >= 12:
            (
                item.partition,
                item.current_leader_epoch,
                item.fetch_offset,
                item.last_fetched_epoch,
                item.log_start_offset,
                item.partition_max_bytes,
                tags,
            ) = _get_iiqiqiB(buf, pos)
            pos += 33
        elif version >= 9:
            (
                item.partition,
                item.current_leader_epoch,
                item.fetch_offset,
                item.log_start_offset,
                item.partition_max_bytes,
            ) = _get_iiqqi(buf, pos)
            pos += 28
            item.last_fetched_epoch = -1
            tags = 0
        elif version >= 5:
            item.partition, item.fetch_offset, item.log_start_offset, item.partition_max_bytes = _get_iqqi(buf, pos)
            pos += 24
            item.current_leader_epoch = -1
            item.last_fetched_epoch = -1
            tags = 0
        else:
            item.partition, item.fetch_offset, item.partition_max_bytes = _get_iqi(buf, pos)
            pos += 16
            item.current_leader_epoch = -1
            item.last_fetched_epoch = -1
            item.log_start_offset = -1
            tags = 0
        item.replica_directory_id = ZERO
        item.high_watermark = 9223372036854775807
        if tags:
            pos = _tags_fetch_partition(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_fetch_partition(out: bytearray, item: FetchPartition, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.replica_directory_id != ZERO:
        if version >= 17:
            body = bytearray()
            body += _put_u(item.replica_directory_id)
            fields.append((0, body))
    if item.high_watermark != 9223372036854775807:
        if version >= 18:
            body = bytearray()
            body += _put_q(item.high_watermark)
            fields.append((1, body))
    writing.tags(out, fields)


def _write_fetch_partition(out: bytearray, items: Sequence[FetchPartition], version: int) -> None:
    for item in items:
        if version >= 12:
            out += _put_iiqiqi(
                item.partition,
                item.current_leader_epoch,
                item.fetch_offset,
                item.last_fetched_epoch,
                item.log_start_offset,
                item.partition_max_bytes,
            )
        elif version >= 9:
            if item.last_fetched_epoch != -1:
                raise writing.not_carried("last_fetched_epoch", version)
            out += _put_iiqqi(
                item.partition,
                item.current_leader_epoch,
                item.fetch_offset,
                item.log_start_offset,
                item.partition_max_bytes,
            )
        elif version >= 5:
            if item.last_fetched_epoch != -1:
                raise writing.not_carried("last_fetched_epoch", version)
            out += _put_iqqi(item.partition, item.fetch_offset, item.log_start_offset, item.partition_max_bytes)
        else:
            if item.last_fetched_epoch != -1:
                raise writing.not_carried("last_fetched_epoch", version)
            out += _put_iqi(item.partition, item.fetch_offset, item.partition_max_bytes)
        if version >= 12:
            _put_tags_fetch_partition(out, item, version)


def _read_fetch_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchTopic], int]:
    compact = version >= 12
    items: list[FetchTopic] = []
    new = FetchTopic.__new__
    for _ in range(count):
        item = new(FetchTopic)
        if version <= 12:
            item.topic, pos = reading.string(buf, pos, compact)
        else:
            item.topic = ""
        if version >= 13:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_fetch_partition(buf, pos, length, version, left)
        if version >= 12:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_fetch_topic(out: bytearray, items: Sequence[FetchTopic], version: int) -> None:
    compact = version >= 12
    for item in items:
        if version <= 12:
            writing.string(out, item.topic, compact)
        if version >= 13:
            out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), compact)
        _write_fetch_partition(out, item.partitions, version)
        if version >= 12:
            out.append(0)


def _read_forgotten_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ForgottenTopic], int]:
    compact = version >= 12
    items: list[ForgottenTopic] = []
    new = ForgottenTopic.__new__
    for _ in range(count):
        item = new(ForgottenTopic)
        if version <= 12:
            item.topic, pos = reading.string(buf, pos, compact)
        else:
            item.topic = ""
        if version >= 13:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        item.partitions, pos = reading.int32s(buf, pos, compact)
        if version >= 12:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_forgotten_topic(out: bytearray, items: Sequence[ForgottenTopic], version: int) -> None:
    compact = version >= 12
    for item in items:
        if version <= 12:
            writing.string(out, item.topic, compact)
        if version >= 13:
            out += _put_u(item.topic_id)
        writing.int32s(out, item.partitions, compact)
        if version >= 12:
            out.append(0)


def _tags_fetch_request(item: FetchRequest, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            item.cluster_id, pos = reading.nullable_string(buf, pos, True)
        elif tag == 1 and version >= 15:
            (item.replica_state,), pos = _read_replica_state(buf, pos, 1, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_fetch_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchRequest], int]:
    compact = version >= 12
    items: list[FetchRequest] = []
    new = FetchRequest.__new__
    for _ in range(count):
        item = new(FetchRequest)
        if version >= 15:
            (
                item.max_wait_ms,
                item.min_bytes,
                item.max_bytes,
                item.isolation_level,
                item.session_id,
                item.session_epoch,
            ) = _get_iiibii(buf, pos)
            pos += 21
            item.replica_id = -1
        elif version >= 7:
            (
                item.replica_id,
                item.max_wait_ms,
                item.min_bytes,
                item.max_bytes,
                item.isolation_level,
                item.session_id,
                item.session_epoch,
            ) = _get_iiiibii(buf, pos)
            pos += 25
        else:
            item.replica_id, item.max_wait_ms, item.min_bytes, item.max_bytes, item.isolation_level = _get_iiiib(
                buf, pos
            )
            pos += 17
            item.session_id = 0
            item.session_epoch = -1
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_fetch_topic(buf, pos, length, version, left)
        if version >= 7:
            length, pos = reading.count(buf, pos, compact, left)
            item.forgotten_topics_data, pos = _read_forgotten_topic(buf, pos, length, version, left)
        else:
            item.forgotten_topics_data = []
        if version >= 11:
            item.rack_id, pos = reading.string(buf, pos, compact)
        else:
            item.rack_id = ""
        if version >= 12:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        item.cluster_id = None
        item.replica_state = ReplicaState()
        if tags:
            pos = _tags_fetch_request(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_fetch_request(out: bytearray, item: FetchRequest, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.cluster_id is not None:
        body = bytearray()
        writing.nullable_string(body, item.cluster_id, True)
        fields.append((0, body))
    if item.replica_state.replica_id != -1 or item.replica_state.replica_epoch != -1:
        if not (version >= 15):
            raise writing.not_carried("replica_state", version)
        body = bytearray()
        _write_replica_state(body, (item.replica_state,), version)
        fields.append((1, body))
    writing.tags(out, fields)


def _write_fetch_request(out: bytearray, items: Sequence[FetchRequest], version: int) -> None:
    compact = version >= 12
    for item in items:
        if version >= 15:
            if item.replica_id != -1:
                raise writing.not_carried("replica_id", version)
            out += _put_iiibii(
                item.max_wait_ms,
                item.min_bytes,
                item.max_bytes,
                item.isolation_level,
                item.session_id,
                item.session_epoch,
            )
        elif version >= 7:
            out += _put_iiiibii(
                item.replica_id,
                item.max_wait_ms,
                item.min_bytes,
                item.max_bytes,
                item.isolation_level,
                item.session_id,
                item.session_epoch,
            )
        else:
            out += _put_iiiib(item.replica_id, item.max_wait_ms, item.min_bytes, item.max_bytes, item.isolation_level)
        writing.count(out, len(item.topics), compact)
        _write_fetch_topic(out, item.topics, version)
        if version >= 7:
            writing.count(out, len(item.forgotten_topics_data), compact)
            _write_forgotten_topic(out, item.forgotten_topics_data, version)
        else:
            if item.forgotten_topics_data:
                raise writing.not_carried("forgotten_topics_data", version)
        if version >= 11:
            writing.string(out, item.rack_id, compact)
        if version >= 12:
            _put_tags_fetch_request(out, item, version)
        else:
            if item.replica_state.replica_id != -1 or item.replica_state.replica_epoch != -1:
                raise writing.not_carried("replica_state", version)


class EpochEndOffset(Struct):
    __slots__ = ("epoch", "end_offset")

    def __init__(self, *, epoch: int = -1, end_offset: int = -1) -> None:
        self.epoch = epoch
        self.end_offset = end_offset


class LeaderIdAndEpoch(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(self, *, leader_id: int = -1, leader_epoch: int = -1) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class SnapshotId(Struct):
    __slots__ = ("end_offset", "epoch")

    def __init__(self, *, end_offset: int = -1, epoch: int = -1) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


class AbortedTransaction(Struct):
    __slots__ = ("producer_id", "first_offset")

    def __init__(self, *, producer_id: int = 0, first_offset: int = 0) -> None:
        self.producer_id = producer_id
        self.first_offset = first_offset


class PartitionData(Struct):
    __slots__ = (
        "partition_index",
        "error_code",
        "high_watermark",
        "last_stable_offset",
        "log_start_offset",
        "diverging_epoch",
        "current_leader",
        "snapshot_id",
        "aborted_transactions",
        "preferred_read_replica",
        "records",
    )

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        high_watermark: int = 0,
        last_stable_offset: int = -1,
        log_start_offset: int = -1,
        diverging_epoch: EpochEndOffset = UNSET,
        current_leader: LeaderIdAndEpoch = UNSET,
        snapshot_id: SnapshotId = UNSET,
        aborted_transactions: list[AbortedTransaction] | None = UNSET,
        preferred_read_replica: int = -1,
        records: Records = b"",
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.high_watermark = high_watermark
        self.last_stable_offset = last_stable_offset
        self.log_start_offset = log_start_offset
        self.diverging_epoch = EpochEndOffset() if diverging_epoch is UNSET else diverging_epoch
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader
        self.snapshot_id = SnapshotId() if snapshot_id is UNSET else snapshot_id
        self.aborted_transactions = [] if aborted_transactions is UNSET else aborted_transactions
        self.preferred_read_replica = preferred_read_replica
        self.records = records


class FetchableTopicResponse(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(self, *, topic: str = "", topic_id: bytes = ZERO, partitions: list[PartitionData] = UNSET) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class NodeEndpoint(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(self, *, node_id: int = 0, host: str = "", port: int = 0, rack: str | None = None) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


class FetchResponse(RecordsMessage):
    __slots__ = ("throttle_time_ms", "error_code", "session_id", "responses", "node_endpoints")

    API_KEY = 1
    VERSIONS = (4, 18)
    FLEXIBLE_FROM = 12

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        session_id: int = 0,
        responses: list[FetchableTopicResponse] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.session_id = session_id
        self.responses = [] if responses is UNSET else responses
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[FetchResponse, int]:
        (item,), pos = _read_fetch_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_fetch_response(out, (self,), version)


def _read_epoch_end_offset(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EpochEndOffset], int]:
    items: list[EpochEndOffset] = []
    new = EpochEndOffset.__new__
    for _ in range(count):
        item = new(EpochEndOffset)
        item.epoch, item.end_offset, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_epoch_end_offset(out: bytearray, items: Sequence[EpochEndOffset], version: int) -> None:
    for item in items:
        out += _put_iqx(item.epoch, item.end_offset)


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


def _read_aborted_transaction(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AbortedTransaction], int]:
    items: list[AbortedTransaction] = []
    new = AbortedTransaction.__new__
    for _ in range(count):
        item = new(AbortedTransaction)
        if version >= 12:
            item.producer_id, item.first_offset, tags = _get_qqB(buf, pos)
            pos += 17
        else:
            item.producer_id, item.first_offset = _get_qq(buf, pos)
            pos += 16
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_aborted_transaction(out: bytearray, items: Sequence[AbortedTransaction], version: int) -> None:
    for item in items:
        if version >= 12:
            out += _put_qqx(item.producer_id, item.first_offset)
        else:
            out += _put_qq(item.producer_id, item.first_offset)


def _tags_partition_data(item: PartitionData, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.diverging_epoch,), pos = _read_epoch_end_offset(buf, pos, 1, version, left)
        elif tag == 1:
            (item.current_leader,), pos = _read_leader_id_and_epoch(buf, pos, 1, version, left)
        elif tag == 2:
            (item.snapshot_id,), pos = _read_snapshot_id(buf, pos, 1, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionData], int]:
    compact = version >= 12
    items: list[PartitionData] = []
    new = PartitionData.__new__
    for _ in range(count):
        item = new(PartitionData)
        if version >= 5:
            (
                item.partition_index,
                item.error_code,
                item.high_watermark,
                item.last_stable_offset,
                item.log_start_offset,
            ) = _get_ihqqq(buf, pos)
            pos += 30
        else:
            item.partition_index, item.error_code, item.high_watermark, item.last_stable_offset = _get_ihqq(buf, pos)
            pos += 22
            item.log_start_offset = -1
        length, pos = reading.nullable_count(buf, pos, compact, left)
        if length < 0:
            item.aborted_transactions = None
        else:
            item.aborted_transactions, pos = _read_aborted_transaction(buf, pos, length, version, left)
        if version >= 11:
            (item.preferred_read_replica,) = _get_i(buf, pos)
            pos += 4
        else:
            item.preferred_read_replica = -1
        item.records, pos = reading.nullable_records(buf, pos, compact)
        if version >= 12:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        item.diverging_epoch = EpochEndOffset()
        item.current_leader = LeaderIdAndEpoch()
        item.snapshot_id = SnapshotId()
        if tags:
            pos = _tags_partition_data(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_partition_data(out: bytearray, item: PartitionData, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.diverging_epoch.epoch != -1 or item.diverging_epoch.end_offset != -1:
        body = bytearray()
        _write_epoch_end_offset(body, (item.diverging_epoch,), version)
        fields.append((0, body))
    if item.current_leader.leader_id != -1 or item.current_leader.leader_epoch != -1:
        body = bytearray()
        _write_leader_id_and_epoch(body, (item.current_leader,), version)
        fields.append((1, body))
    if item.snapshot_id.end_offset != -1 or item.snapshot_id.epoch != -1:
        body = bytearray()
        _write_snapshot_id(body, (item.snapshot_id,), version)
        fields.append((2, body))
    writing.tags(out, fields)


def _write_partition_data(out: bytearray, items: Sequence[PartitionData], version: int) -> None:
    compact = version >= 12
    for item in items:
        if version >= 5:
            out += _put_ihqqq(
                item.partition_index,
                item.error_code,
                item.high_watermark,
                item.last_stable_offset,
                item.log_start_offset,
            )
        else:
            out += _put_ihqq(item.partition_index, item.error_code, item.high_watermark, item.last_stable_offset)
        if item.aborted_transactions is None:
            writing.null(out, compact)
        else:
            writing.count(out, len(item.aborted_transactions), compact)
            _write_aborted_transaction(out, item.aborted_transactions, version)
        if version >= 11:
            out += _put_i(item.preferred_read_replica)
        else:
            if item.preferred_read_replica != -1:
                raise writing.not_carried("preferred_read_replica", version)
        writing.nullable_records(out, item.records, compact)
        if version >= 12:
            _put_tags_partition_data(out, item, version)
        else:
            if item.diverging_epoch.epoch != -1 or item.diverging_epoch.end_offset != -1:
                raise writing.not_carried("diverging_epoch", version)
            if item.current_leader.leader_id != -1 or item.current_leader.leader_epoch != -1:
                raise writing.not_carried("current_leader", version)
            if item.snapshot_id.end_offset != -1 or item.snapshot_id.epoch != -1:
                raise writing.not_carried("snapshot_id", version)


def _read_fetchable_topic_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchableTopicResponse], int]:
    compact = version >= 12
    items: list[FetchableTopicResponse] = []
    new = FetchableTopicResponse.__new__
    for _ in range(count):
        item = new(FetchableTopicResponse)
        if version <= 12:
            item.topic, pos = reading.string(buf, pos, compact)
        else:
            item.topic = ""
        if version >= 13:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_partition_data(buf, pos, length, version, left)
        if version >= 12:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_fetchable_topic_response(out: bytearray, items: Sequence[FetchableTopicResponse], version: int) -> None:
    compact = version >= 12
    for item in items:
        if version <= 12:
            writing.string(out, item.topic, compact)
        if version >= 13:
            out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), compact)
        _write_partition_data(out, item.partitions, version)
        if version >= 12:
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


def _tags_fetch_response(item: FetchResponse, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0 and version >= 16:
            length, pos = reading.count(buf, pos, True, left)
            item.node_endpoints, pos = _read_node_endpoint(buf, pos, length, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_fetch_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FetchResponse], int]:
    compact = version >= 12
    items: list[FetchResponse] = []
    new = FetchResponse.__new__
    for _ in range(count):
        item = new(FetchResponse)
        if version >= 7:
            item.throttle_time_ms, item.error_code, item.session_id = _get_ihi(buf, pos)
            pos += 10
        else:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
            item.error_code = 0
            item.session_id = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.responses, pos = _read_fetchable_topic_response(buf, pos, length, version, left)
        if version >= 12:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        item.node_endpoints = []
        if tags:
            pos = _tags_fetch_response(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_fetch_response(out: bytearray, item: FetchResponse, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.node_endpoints:
        if not (version >= 16):
            raise writing.not_carried("node_endpoints", version)
        body = bytearray()
        writing.count(body, len(item.node_endpoints), True)
        _write_node_endpoint(body, item.node_endpoints, version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_fetch_response(out: bytearray, items: Sequence[FetchResponse], version: int) -> None:
    compact = version >= 12
    for item in items:
        if version >= 7:
            out += _put_ihi(item.throttle_time_ms, item.error_code, item.session_id)
        else:
            if item.session_id != 0:
                raise writing.not_carried("session_id", version)
            out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.responses), compact)
        _write_fetchable_topic_response(out, item.responses, version)
        if version >= 12:
            _put_tags_fetch_response(out, item, version)
        else:
            if item.node_endpoints:
                raise writing.not_carried("node_endpoints", version)
