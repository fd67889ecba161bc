"""TxnOffsetCommitRequest and TxnOffsetCommitResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ihB = Format(">ihB").unpack_from
_get_iq = Format(">iq").unpack_from
_get_iqi = Format(">iqi").unpack_from
_get_qh = Format(">qh").unpack_from
_get_qhi = Format(">qhi").unpack_from
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ihx = Format(">ihx").pack
_put_iq = Format(">iq").pack
_put_iqi = Format(">iqi").pack
_put_qh = Format(">qh").pack
_put_qhi = Format(">qhi").pack


class TxnOffsetCommitRequestPartition(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "committed_metadata")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        committed_metadata: str | None = "",
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.committed_metadata = committed_metadata


class TxnOffsetCommitRequestTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[TxnOffsetCommitRequestPartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class TxnOffsetCommitRequest(Message):
    __slots__ = (
        "transactional_id",
        "group_id",
        "producer_id",
        "producer_epoch",
        "generation_id",
        "member_id",
        "group_instance_id",
        "topics",
    )

    API_KEY = 28
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        *,
        transactional_id: str = "",
        group_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        generation_id: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        topics: list[TxnOffsetCommitRequestTopic] = UNSET,
    ) -> None:
        self.transactional_id = transactional_id
        self.group_id = group_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[TxnOffsetCommitRequest, int]:
        (item,), pos = _read_txn_offset_commit_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_txn_offset_commit_request(out, (self,), version)


def _read_txn_offset_commit_request_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TxnOffsetCommitRequestPartition], int]:
    compact = version >= 3
    items: list[TxnOffsetCommitRequestPartition] = []
    new = TxnOffsetCommitRequestPartition.__new__
    for _ in range(count):
        item = new(TxnOffsetCommitRequestPartition)
        if version >= 2:
            item.partition_index, item.committed_offset, item.committed_leader_epoch = _get_iqi(buf, pos)
            pos += 16
        else:
            item.partition_index, item.committed_offset = _get_iq(buf, pos)
            pos += 12
            item.committed_leader_epoch = -1
        item.committed_metadata, pos = reading.nullable_string(buf, pos, compact)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_txn_offset_commit_request_partition(
    out: bytearray, items: Sequence[TxnOffsetCommitRequestPartition], version: int
) -> None:
    compact = version >= 3
    for item in items:
        if version >= 2:
            out += _put_iqi(item.partition_index, item.committed_offset, item.committed_leader_epoch)
        else:
            out += _put_iq(item.partition_index, item.committed_offset)
        writing.nullable_string(out, item.committed_metadata, compact)
        if version >= 3:
            out.append(0)


def _read_txn_offset_commit_request_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TxnOffsetCommitRequestTopic], int]:
    compact = version >= 3
    items: list[TxnOffsetCommitRequestTopic] = []
    new = TxnOffsetCommitRequestTopic.__new__
    for _ in range(count):
        item = new(TxnOffsetCommitRequestTopic)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_txn_offset_commit_request_partition(buf, pos, length, version, left)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_txn_offset_commit_request_topic(
    out: bytearray, items: Sequence[TxnOffsetCommitRequestTopic], version: int
) -> None:
    compact = version >= 3
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_txn_offset_commit_request_partition(out, item.partitions, version)
        if version >= 3:
            out.append(0)


def _read_txn_offset_commit_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TxnOffsetCommitRequest], int]:
    compact = version >= 3
    items: list[TxnOffsetCommitRequest] = []
    new = TxnOffsetCommitRequest.__new__
    for _ in range(count):
        item = new(TxnOffsetCommitRequest)
        item.transactional_id, pos = reading.string(buf, pos, compact)
        item.group_id, pos = reading.string(buf, pos, compact)
        if version >= 3:
            item.producer_id, item.producer_epoch, item.generation_id = _get_qhi(buf, pos)
            pos += 14
        else:
            item.producer_id, item.producer_epoch = _get_qh(buf, pos)
            pos += 10
            item.generation_id = -1
        if version >= 3:
            item.member_id, pos = reading.string(buf, pos, True)
        else:
            item.member_id = ""
        if version >= 3:
            item.group_instance_id, pos = reading.nullable_string(buf, pos, True)
        else:
            item.group_instance_id = None
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_txn_offset_commit_request_topic(buf, pos, length, version, left)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_txn_offset_commit_request(out: bytearray, items: Sequence[TxnOffsetCommitRequest], version: int) -> None:
    compact = version >= 3
    for item in items:
        writing.string(out, item.transactional_id, compact)
        writing.string(out, item.group_id, compact)
        if version >= 3:
            out += _put_qhi(item.producer_id, item.producer_epoch, item.generation_id)
        else:
            if item.generation_id != -1:
                raise writing.not_carried("generation_id", version)
            out += _put_qh(item.producer_id, item.producer_epoch)
        if version >= 3:
            writing.string(out, item.member_id, True)
        else:
            if item.member_id:
                raise writing.not_carried("member_id", version)
        if version >= 3:
            writing.nullable_string(out, item.group_instance_id, True)
        else:
            if item.group_instance_id is not None:
                raise writing.not_carried("group_instance_id", version)
        writing.count(out, len(item.topics), compact)
        _write_txn_offset_commit_request_topic(out, item.topics, version)
        if version >= 3:
            out.append(0)


class TxnOffsetCommitResponsePartition(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(self, *, partition_index: int = 0, error_code: int = 0) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class TxnOffsetCommitResponseTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[TxnOffsetCommitResponsePartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class TxnOffsetCommitResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    API_KEY = 28
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 3

    def __init__(self, *, throttle_time_ms: int = 0, topics: list[TxnOffsetCommitResponseTopic] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[TxnOffsetCommitResponse, int]:
        (item,), pos = _read_txn_offset_commit_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_txn_offset_commit_response(out, (self,), version)


def _read_txn_offset_commit_response_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TxnOffsetCommitResponsePartition], int]:
    items: list[TxnOffsetCommitResponsePartition] = []
    new = TxnOffsetCommitResponsePartition.__new__
    for _ in range(count):
        item = new(TxnOffsetCommitResponsePartition)
        if version >= 3:
            item.partition_index, item.error_code, tags = _get_ihB(buf, pos)
            pos += 7
        else:
            item.partition_index, item.error_code = _get_ih(buf, pos)
            pos += 6
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_txn_offset_commit_response_partition(
    out: bytearray, items: Sequence[TxnOffsetCommitResponsePartition], version: int
) -> None:
    for item in items:
        if version >= 3:
            out += _put_ihx(item.partition_index, item.error_code)
        else:
            out += _put_ih(item.partition_index, item.error_code)


def _read_txn_offset_commit_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TxnOffsetCommitResponseTopic], int]:
    compact = version >= 3
    items: list[TxnOffsetCommitResponseTopic] = []
    new = TxnOffsetCommitResponseTopic.__new__
    for _ in range(count):
        item = new(TxnOffsetCommitResponseTopic)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_txn_offset_commit_response_partition(buf, pos, length, version, left)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_txn_offset_commit_response_topic(
    out: bytearray, items: Sequence[TxnOffsetCommitResponseTopic], version: int
) -> None:
    compact = version >= 3
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_txn_offset_commit_response_partition(out, item.partitions, version)
        if version >= 3:
            out.append(0)


def _read_txn_offset_commit_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TxnOffsetCommitResponse], int]:
    compact = version >= 3
    items: list[TxnOffsetCommitResponse] = []
    new = TxnOffsetCommitResponse.__new__
    for _ in range(count):
        item = new(TxnOffsetCommitResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_txn_offset_commit_response_topic(buf, pos, length, version, left)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_txn_offset_commit_response(out: bytearray, items: Sequence[TxnOffsetCommitResponse], version: int) -> None:
    compact = version >= 3
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.topics), compact)
        _write_txn_offset_commit_response_topic(out, item.topics, version)
        if version >= 3:
            out.append(0)
