"""DescribeTransactionsRequest and DescribeTransactionsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iqqh = Format(">iqqh").unpack_from
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_iqqh = Format(">iqqh").pack


class DescribeTransactionsRequest(Message):
    __slots__ = ("transactional_ids",)

    API_KEY = 65
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, transactional_ids: list[str] = UNSET) -> None:
        self.transactional_ids = [] if transactional_ids is UNSET else transactional_ids

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeTransactionsRequest, int]:
        (item,), pos = _read_describe_transactions_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_transactions_request(out, (self,), version)


def _read_describe_transactions_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeTransactionsRequest], int]:
    items: list[DescribeTransactionsRequest] = []
    new = DescribeTransactionsRequest.__new__
    for _ in range(count):
        item = new(DescribeTransactionsRequest)
        item.transactional_ids, pos = reading.strings(buf, pos, True, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_transactions_request(
    out: bytearray, items: Sequence[DescribeTransactionsRequest], version: int
) -> None:
    for item in items:
        writing.strings(out, item.transactional_ids, True)
        out.append(0)


class TopicData(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(self, *, topic: str = "", partitions: list[int] = UNSET) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


class TransactionState(Struct):
    __slots__ = (
        "error_code",
        "transactional_id",
        "transaction_state",
        "transaction_timeout_ms",
        "transaction_start_time_ms",
        "producer_id",
        "producer_epoch",
        "topics",
    )

    def __init__(
        self,
        *,
        error_code: int = 0,
        transactional_id: str = "",
        transaction_state: str = "",
        transaction_timeout_ms: int = 0,
        transaction_start_time_ms: int = 0,
        producer_id: int = 0,
        producer_epoch: int = 0,
        topics: list[TopicData] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.transactional_id = transactional_id
        self.transaction_state = transaction_state
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_start_time_ms = transaction_start_time_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.topics = [] if topics is UNSET else topics


class DescribeTransactionsResponse(Message):
    __slots__ = ("throttle_time_ms", "transaction_states")

    API_KEY = 65
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, transaction_states: list[TransactionState] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.transaction_states = [] if transaction_states is UNSET else transaction_states

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeTransactionsResponse, int]:
        (item,), pos = _read_describe_transactions_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_transactions_response(out, (self,), version)


def _read_topic_data(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[TopicData], int]:
    items: list[TopicData] = []
    new = TopicData.__new__
    for _ in range(count):
        item = new(TopicData)
        item.topic, pos = reading.string(buf, pos, True)
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_data(out: bytearray, items: Sequence[TopicData], version: int) -> None:
    for item in items:
        writing.string(out, item.topic, True)
        writing.int32s(out, item.partitions, True)
        out.append(0)


def _read_transaction_state(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TransactionState], int]:
    items: list[TransactionState] = []
    new = TransactionState.__new__
    for _ in range(count):
        item = new(TransactionState)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.transactional_id, pos = reading.string(buf, pos, True)
        item.transaction_state, pos = reading.string(buf, pos, True)
        item.transaction_timeout_ms, item.transaction_start_time_ms, item.producer_id, item.producer_epoch = _get_iqqh(
            buf, pos
        )
        pos += 22
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_topic_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_transaction_state(out: bytearray, items: Sequence[TransactionState], version: int) -> None:
    for item in items:
        out += _put_h(item.error_code)
        writing.string(out, item.transactional_id, True)
        writing.string(out, item.transaction_state, True)
        out += _put_iqqh(
            item.transaction_timeout_ms, item.transaction_start_time_ms, item.producer_id, item.producer_epoch
        )
        writing.count(out, len(item.topics), True)
        _write_topic_data(out, item.topics, version)
        out.append(0)


def _read_describe_transactions_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeTransactionsResponse], int]:
    items: list[DescribeTransactionsResponse] = []
    new = DescribeTransactionsResponse.__new__
    for _ in range(count):
        item = new(DescribeTransactionsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.transaction_states, pos = _read_transaction_state(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_transactions_response(
    out: bytearray, items: Sequence[DescribeTransactionsResponse], version: int
) -> None:
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.transaction_states), True)
        _write_transaction_state(out, item.transaction_states, version)
        out.append(0)
