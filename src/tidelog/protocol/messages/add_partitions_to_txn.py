"""AddPartitionsToTxnRequest and AddPartitionsToTxnResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ihB = Format(">ihB").unpack_from
_get_qh = Format(">qh").unpack_from
_get_qho = Format(">qh?").unpack_from
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ihx = Format(">ihx").pack
_put_qh = Format(">qh").pack
_put_qho = Format(">qh?").pack


class AddPartitionsToTxnTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[int] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class AddPartitionsToTxnTransaction(Struct):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "verify_only", "topics")

    def __init__(
        self,
        *,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        verify_only: bool = False,
        topics: list[AddPartitionsToTxnTopic] = UNSET,
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.verify_only = verify_only
        self.topics = [] if topics is UNSET else topics


class AddPartitionsToTxnRequest(Message):
    __slots__ = (
        "transactions",
        "v3_and_below_transactional_id",
        "v3_and_below_producer_id",
        "v3_and_below_producer_epoch",
        "v3_and_below_topics",
    )

    API_KEY = 24
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        *,
        transactions: list[AddPartitionsToTxnTransaction] = UNSET,
        v3_and_below_transactional_id: str = "",
        v3_and_below_producer_id: int = 0,
        v3_and_below_producer_epoch: int = 0,
        v3_and_below_topics: list[AddPartitionsToTxnTopic] = UNSET,
    ) -> None:
        self.transactions = [] if transactions is UNSET else transactions
        self.v3_and_below_transactional_id = v3_and_below_transactional_id
        self.v3_and_below_producer_id = v3_and_below_producer_id
        self.v3_and_below_producer_epoch = v3_and_below_producer_epoch
        self.v3_and_below_topics = [] if v3_and_below_topics is UNSET else v3_and_below_topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AddPartitionsToTxnRequest, int]:
        (item,), pos = _read_add_partitions_to_txn_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_add_partitions_to_txn_request(out, (self,), version)


def _read_add_partitions_to_txn_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddPartitionsToTxnTopic], int]:
    compact = version >= 3
    items: list[AddPartitionsToTxnTopic] = []
    new = AddPartitionsToTxnTopic.__new__
    for _ in range(count):
        item = new(AddPartitionsToTxnTopic)
        item.name, pos = reading.string(buf, pos, compact)
        item.partitions, pos = reading.int32s(buf, pos, compact)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_partitions_to_txn_topic(out: bytearray, items: Sequence[AddPartitionsToTxnTopic], version: int) -> None:
    compact = version >= 3
    for item in items:
        writing.string(out, item.name, compact)
        writing.int32s(out, item.partitions, compact)
        if version >= 3:
            out.append(0)


def _read_add_partitions_to_txn_transaction(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddPartitionsToTxnTransaction], int]:
    items: list[AddPartitionsToTxnTransaction] = []
    new = AddPartitionsToTxnTransaction.__new__
    for _ in range(count):
        item = new(AddPartitionsToTxnTransaction)
        item.transactional_id, pos = reading.string(buf, pos, True)
        item.producer_id, item.producer_epoch, item.verify_only = _get_qho(buf, pos)
        pos += 11
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_add_partitions_to_txn_topic(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_partitions_to_txn_transaction(
    out: bytearray, items: Sequence[AddPartitionsToTxnTransaction], version: int
) -> None:
    for item in items:
        writing.string(out, item.transactional_id, True)
        out += _put_qho(item.producer_id, item.producer_epoch, item.verify_only)
        writing.count(out, len(item.topics), True)
        _write_add_partitions_to_txn_topic(out, item.topics, version)
        out.append(0)


def _read_add_partitions_to_txn_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddPartitionsToTxnRequest], int]:
    compact = version >= 3
    items: list[AddPartitionsToTxnRequest] = []
    new = AddPartitionsToTxnRequest.__new__
    for _ in range(count):
        item = new(AddPartitionsToTxnRequest)
        if version >= 4:
            length, pos = reading.count(buf, pos, True, left)
            item.transactions, pos = _read_add_partitions_to_txn_transaction(buf, pos, length, version, left)
        else:
            item.transactions = []
        if version <= 3:
            item.v3_and_below_transactional_id, pos = reading.string(buf, pos, compact)
        else:
            item.v3_and_below_transactional_id = ""
        if version >= 4:
            item.v3_and_below_producer_id = 0
            item.v3_and_below_producer_epoch = 0
        else:
            item.v3_and_below_producer_id, item.v3_and_below_producer_epoch = _get_qh(buf, pos)
            pos += 10
        if version <= 3:
            length, pos = reading.count(buf, pos, compact, left)
            item.v3_and_below_topics, pos = _read_add_partitions_to_txn_topic(buf, pos, length, version, left)
        else:
            item.v3_and_below_topics = []
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_partitions_to_txn_request(
    out: bytearray, items: Sequence[AddPartitionsToTxnRequest], version: int
) -> None:
    compact = version >= 3
    for item in items:
        if version >= 4:
            writing.count(out, len(item.transactions), True)
            _write_add_partitions_to_txn_transaction(out, item.transactions, version)
        else:
            if item.transactions:
                raise writing.not_carried("transactions", version)
        if version <= 3:
            writing.string(out, item.v3_and_below_transactional_id, compact)
        else:
            if item.v3_and_below_transactional_id:
                raise writing.not_carried("v3_and_below_transactional_id", version)
        if version >= 4:
            if item.v3_and_below_producer_id != 0:
                raise writing.not_carried("v3_and_below_producer_id", version)
            if item.v3_and_below_producer_epoch != 0:
                raise writing.not_carried("v3_and_below_producer_epoch", version)
        else:
            out += _put_qh(item.v3_and_below_producer_id, item.v3_and_below_producer_epoch)
        if version <= 3:
            writing.count(out, len(item.v3_and_below_topics), compact)
            _write_add_partitions_to_txn_topic(out, item.v3_and_below_topics, version)
        else:
            if item.v3_and_below_topics:
                raise writing.not_carried("v3_and_below_topics", version)
        if version >= 3:
            out.append(0)


class AddPartitionsToTxnPartitionResult(Struct):
    __slots__ = ("partition_index", "partition_error_code")

    def __init__(self, *, partition_index: int = 0, partition_error_code: int = 0) -> None:
        self.partition_index = partition_index
        self.partition_error_code = partition_error_code


class AddPartitionsToTxnTopicResult(Struct):
    __slots__ = ("name", "results_by_partition")

    def __init__(
        self, *, name: str = "", results_by_partition: list[AddPartitionsToTxnPartitionResult] = UNSET
    ) -> None:
        self.name = name
        self.results_by_partition = [] if results_by_partition is UNSET else results_by_partition


class AddPartitionsToTxnResult(Struct):
    __slots__ = ("transactional_id", "topic_results")

    def __init__(
        self, *, transactional_id: str = "", topic_results: list[AddPartitionsToTxnTopicResult] = UNSET
    ) -> None:
        self.transactional_id = transactional_id
        self.topic_results = [] if topic_results is UNSET else topic_results


class AddPartitionsToTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "results_by_transaction", "results_by_topic_v3_and_below")

    API_KEY = 24
    VERSIONS = (0, 5)
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results_by_transaction: list[AddPartitionsToTxnResult] = UNSET,
        results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results_by_transaction = [] if results_by_transaction is UNSET else results_by_transaction
        self.results_by_topic_v3_and_below = (
            [] if results_by_topic_v3_and_below is UNSET else results_by_topic_v3_and_below
        )

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AddPartitionsToTxnResponse, int]:
        (item,), pos = _read_add_partitions_to_txn_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_add_partitions_to_txn_response(out, (self,), version)


def _read_add_partitions_to_txn_partition_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddPartitionsToTxnPartitionResult], int]:
    items: list[AddPartitionsToTxnPartitionResult] = []
    new = AddPartitionsToTxnPartitionResult.__new__
    for _ in range(count):
        item = new(AddPartitionsToTxnPartitionResult)
        if version >= 3:
            item.partition_index, item.partition_error_code, tags = _get_ihB(buf, pos)
            pos += 7
        else:
            item.partition_index, item.partition_error_code = _get_ih(buf, pos)
            pos += 6
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_partitions_to_txn_partition_result(
    out: bytearray, items: Sequence[AddPartitionsToTxnPartitionResult], version: int
) -> None:
    for item in items:
        if version >= 3:
            out += _put_ihx(item.partition_index, item.partition_error_code)
        else:
            out += _put_ih(item.partition_index, item.partition_error_code)


def _read_add_partitions_to_txn_topic_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddPartitionsToTxnTopicResult], int]:
    compact = version >= 3
    items: list[AddPartitionsToTxnTopicResult] = []
    new = AddPartitionsToTxnTopicResult.__new__
    for _ in range(count):
        item = new(AddPartitionsToTxnTopicResult)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.results_by_partition, pos = _read_add_partitions_to_txn_partition_result(buf, pos, length, version, left)
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_partitions_to_txn_topic_result(
    out: bytearray, items: Sequence[AddPartitionsToTxnTopicResult], version: int
) -> None:
    compact = version >= 3
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.results_by_partition), compact)
        _write_add_partitions_to_txn_partition_result(out, item.results_by_partition, version)
        if version >= 3:
            out.append(0)


def _read_add_partitions_to_txn_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddPartitionsToTxnResult], int]:
    items: list[AddPartitionsToTxnResult] = []
    new = AddPartitionsToTxnResult.__new__
    for _ in range(count):
        item = new(AddPartitionsToTxnResult)
        item.transactional_id, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topic_results, pos = _read_add_partitions_to_txn_topic_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_partitions_to_txn_result(
    out: bytearray, items: Sequence[AddPartitionsToTxnResult], version: int
) -> None:
    for item in items:
        writing.string(out, item.transactional_id, True)
        writing.count(out, len(item.topic_results), True)
        _write_add_partitions_to_txn_topic_result(out, item.topic_results, version)
        out.append(0)


def _read_add_partitions_to_txn_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddPartitionsToTxnResponse], int]:
    compact = version >= 3
    items: list[AddPartitionsToTxnResponse] = []
    new = AddPartitionsToTxnResponse.__new__
    for _ in range(count):
        item = new(AddPartitionsToTxnResponse)
        if version >= 4:
            item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
            pos += 6
        else:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
            item.error_code = 0
        if version >= 4:
            length, pos = reading.count(buf, pos, True, left)
            item.results_by_transaction, pos = _read_add_partitions_to_txn_result(buf, pos, length, version, left)
        else:
            item.results_by_transaction = []
        if version <= 3:
            length, pos = reading.count(buf, pos, compact, left)
            item.results_by_topic_v3_and_below, pos = _read_add_partitions_to_txn_topic_result(
                buf, pos, length, version, left
            )
        else:
            item.results_by_topic_v3_and_below = []
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_partitions_to_txn_response(
    out: bytearray, items: Sequence[AddPartitionsToTxnResponse], version: int
) -> None:
    compact = version >= 3
    for item in items:
        if version >= 4:
            out += _put_ih(item.throttle_time_ms, item.error_code)
        else:
            out += _put_i(item.throttle_time_ms)
        if version >= 4:
            writing.count(out, len(item.results_by_transaction), True)
            _write_add_partitions_to_txn_result(out, item.results_by_transaction, version)
        else:
            if item.results_by_transaction:
                raise writing.not_carried("results_by_transaction", version)
        if version <= 3:
            writing.count(out, len(item.results_by_topic_v3_and_below), compact)
            _write_add_partitions_to_txn_topic_result(out, item.results_by_topic_v3_and_below, version)
        else:
            if item.results_by_topic_v3_and_below:
                raise writing.not_carried("results_by_topic_v3_and_below", version)
        if version >= 3:
            out.append(0)
