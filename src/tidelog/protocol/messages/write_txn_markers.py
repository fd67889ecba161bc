"""WriteTxnMarkersRequest and WriteTxnMarkersResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_iB = Format(">iB").unpack_from
_get_ibB = Format(">ibB").unpack_from
_get_ihB = Format(">ihB").unpack_from
_get_q = Format(">q").unpack_from
_get_qho = Format(">qh?").unpack_from
_put_ibx = Format(">ibx").pack
_put_ihx = Format(">ihx").pack
_put_ix = Format(">ix").pack
_put_q = Format(">q").pack
_put_qho = Format(">qh?").pack


class WritableTxnMarkerTopic(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(self, *, name: str = "", partition_indexes: list[int] = UNSET) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


class WritableTxnMarker(Struct):
    __slots__ = (
        "producer_id",
        "producer_epoch",
        "transaction_result",
        "topics",
        "coordinator_epoch",
        "transaction_version",
    )

    def __init__(
        self,
        *,
        producer_id: int = 0,
        producer_epoch: int = 0,
        transaction_result: bool = False,
        topics: list[WritableTxnMarkerTopic] = UNSET,
        coordinator_epoch: int = 0,
        transaction_version: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.transaction_result = transaction_result
        self.topics = [] if topics is UNSET else topics
        self.coordinator_epoch = coordinator_epoch
        self.transaction_version = transaction_version


class WriteTxnMarkersRequest(Message):
    __slots__ = ("markers",)

    API_KEY = 27
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 1

    def __init__(self, *, markers: list[WritableTxnMarker] = UNSET) -> None:
        self.markers = [] if markers is UNSET else markers

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[WriteTxnMarkersRequest, int]:
        (item,), pos = _read_write_txn_markers_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_write_txn_markers_request(out, (self,), version)


def _read_writable_txn_marker_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WritableTxnMarkerTopic], int]:
    items: list[WritableTxnMarkerTopic] = []
    new = WritableTxnMarkerTopic.__new__
    for _ in range(count):
        item = new(WritableTxnMarkerTopic)
        item.name, pos = reading.string(buf, pos, True)
        item.partition_indexes, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_writable_txn_marker_topic(out: bytearray, items: Sequence[WritableTxnMarkerTopic], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.int32s(out, item.partition_indexes, True)
        out.append(0)


def _read_writable_txn_marker(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WritableTxnMarker], int]:
    items: list[WritableTxnMarker] = []
    new = WritableTxnMarker.__new__
    for _ in range(count):
        item = new(WritableTxnMarker)
        item.producer_id, item.producer_epoch, item.transaction_result = _get_qho(buf, pos)
        pos += 11
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_writable_txn_marker_topic(buf, pos, length, version, left)
        if version >= 2:
            item.coordinator_epoch, item.transaction_version, tags = _get_ibB(buf, pos)
            pos += 6
        else:
            item.coordinator_epoch, tags = _get_iB(buf, pos)
            pos += 5
            item.transaction_version = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_writable_txn_marker(out: bytearray, items: Sequence[WritableTxnMarker], version: int) -> None:
    for item in items:
        out += _put_qho(item.producer_id, item.producer_epoch, item.transaction_result)
        writing.count(out, len(item.topics), True)
        _write_writable_txn_marker_topic(out, item.topics, version)
        if version >= 2:
            out += _put_ibx(item.coordinator_epoch, item.transaction_version)
        else:
            out += _put_ix(item.coordinator_epoch)


def _read_write_txn_markers_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WriteTxnMarkersRequest], int]:
    items: list[WriteTxnMarkersRequest] = []
    new = WriteTxnMarkersRequest.__new__
    for _ in range(count):
        item = new(WriteTxnMarkersRequest)
        length, pos = reading.count(buf, pos, True, left)
        item.markers, pos = _read_writable_txn_marker(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_write_txn_markers_request(out: bytearray, items: Sequence[WriteTxnMarkersRequest], version: int) -> None:
    for item in items:
        writing.count(out, len(item.markers), True)
        _write_writable_txn_marker(out, item.markers, version)
        out.append(0)


class WritableTxnMarkerPartitionResult(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(self, *, partition_index: int = 0, error_code: int = 0) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class WritableTxnMarkerTopicResult(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[WritableTxnMarkerPartitionResult] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class WritableTxnMarkerResult(Struct):
    __slots__ = ("producer_id", "topics")

    def __init__(self, *, producer_id: int = 0, topics: list[WritableTxnMarkerTopicResult] = UNSET) -> None:
        self.producer_id = producer_id
        self.topics = [] if topics is UNSET else topics


class WriteTxnMarkersResponse(Message):
    __slots__ = ("markers",)

    API_KEY = 27
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 1

    def __init__(self, *, markers: list[WritableTxnMarkerResult] = UNSET) -> None:
        self.markers = [] if markers is UNSET else markers

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[WriteTxnMarkersResponse, int]:
        (item,), pos = _read_write_txn_markers_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_write_txn_markers_response(out, (self,), version)


def _read_writable_txn_marker_partition_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WritableTxnMarkerPartitionResult], int]:
    items: list[WritableTxnMarkerPartitionResult] = []
    new = WritableTxnMarkerPartitionResult.__new__
    for _ in range(count):
        item = new(WritableTxnMarkerPartitionResult)
        item.partition_index, item.error_code, tags = _get_ihB(buf, pos)
        pos += 7
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_writable_txn_marker_partition_result(
    out: bytearray, items: Sequence[WritableTxnMarkerPartitionResult], version: int
) -> None:
    for item in items:
        out += _put_ihx(item.partition_index, item.error_code)


def _read_writable_txn_marker_topic_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WritableTxnMarkerTopicResult], int]:
    items: list[WritableTxnMarkerTopicResult] = []
    new = WritableTxnMarkerTopicResult.__new__
    for _ in range(count):
        item = new(WritableTxnMarkerTopicResult)
        item.name, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_writable_txn_marker_partition_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_writable_txn_marker_topic_result(
    out: bytearray, items: Sequence[WritableTxnMarkerTopicResult], version: int
) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.count(out, len(item.partitions), True)
        _write_writable_txn_marker_partition_result(out, item.partitions, version)
        out.append(0)


def _read_writable_txn_marker_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WritableTxnMarkerResult], int]:
    items: list[WritableTxnMarkerResult] = []
    new = WritableTxnMarkerResult.__new__
    for _ in range(count):
        item = new(WritableTxnMarkerResult)
        (item.producer_id,) = _get_q(buf, pos)
        pos += 8
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_writable_txn_marker_topic_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_writable_txn_marker_result(out: bytearray, items: Sequence[WritableTxnMarkerResult], version: int) -> None:
    for item in items:
        out += _put_q(item.producer_id)
        writing.count(out, len(item.topics), True)
        _write_writable_txn_marker_topic_result(out, item.topics, version)
        out.append(0)


def _read_write_txn_markers_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[WriteTxnMarkersResponse], int]:
    items: list[WriteTxnMarkersResponse] = []
    new = WriteTxnMarkersResponse.__new__
    for _ in range(count):
        item = new(WriteTxnMarkersResponse)
        length, pos = reading.count(buf, pos, True, left)
        item.markers, pos = _read_writable_txn_marker_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_write_txn_markers_response(out: bytearray, items: Sequence[WriteTxnMarkersResponse], version: int) -> None:
    for item in items:
        writing.count(out, len(item.markers), True)
        _write_writable_txn_marker_result(out, item.markers, version)
        out.append(0)
