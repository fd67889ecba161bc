"""ListTransactionsRequest and ListTransactionsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_ih = Format(">ih").unpack_from
_get_q = Format(">q").unpack_from
_put_ih = Format(">ih").pack
_put_q = Format(">q").pack


class ListTransactionsRequest(Message):
    __slots__ = ("state_filters", "producer_id_filters", "duration_filter", "transactional_id_pattern")

    API_KEY = 66
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        state_filters: list[str] = UNSET,
        producer_id_filters: list[int] = UNSET,
        duration_filter: int = -1,
        transactional_id_pattern: str | None = None,
    ) -> None:
        self.state_filters = [] if state_filters is UNSET else state_filters
        self.producer_id_filters = [] if producer_id_filters is UNSET else producer_id_filters
        self.duration_filter = duration_filter
        self.transactional_id_pattern = transactional_id_pattern

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ListTransactionsRequest, int]:
        (item,), pos = _read_list_transactions_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_transactions_request(out, (self,), version)


def _read_list_transactions_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListTransactionsRequest], int]:
    items: list[ListTransactionsRequest] = []
    new = ListTransactionsRequest.__new__
    for _ in range(count):
        item = new(ListTransactionsRequest)
        item.state_filters, pos = reading.strings(buf, pos, True, left)
        item.producer_id_filters, pos = reading.numbers(buf, pos, True, "q", 8)
        if version >= 1:
            (item.duration_filter,) = _get_q(buf, pos)
            pos += 8
        else:
            item.duration_filter = -1
        if version >= 2:
            item.transactional_id_pattern, pos = reading.nullable_string(buf, pos, True)
        else:
            item.transactional_id_pattern = None
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_transactions_request(out: bytearray, items: Sequence[ListTransactionsRequest], version: int) -> None:
    for item in items:
        writing.strings(out, item.state_filters, True)
        writing.numbers(out, item.producer_id_filters, True, "q")
        if version >= 1:
            out += _put_q(item.duration_filter)
        else:
            if item.duration_filter != -1:
                raise writing.not_carried("duration_filter", version)
        if version >= 2:
            writing.nullable_string(out, item.transactional_id_pattern, True)
        else:
            if item.transactional_id_pattern is not None:
                raise writing.not_carried("transactional_id_pattern", version)
        out.append(0)


class TransactionState(Struct):
    __slots__ = ("transactional_id", "producer_id", "transaction_state")

    def __init__(self, *, transactional_id: str = "", producer_id: int = 0, transaction_state: str = "") -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.transaction_state = transaction_state


class ListTransactionsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "unknown_state_filters", "transaction_states")

    API_KEY = 66
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_state_filters: list[str] = UNSET,
        transaction_states: list[TransactionState] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.unknown_state_filters = [] if unknown_state_filters is UNSET else unknown_state_filters
        self.transaction_states = [] if transaction_states is UNSET else transaction_states

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ListTransactionsResponse, int]:
        (item,), pos = _read_list_transactions_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_list_transactions_response(out, (self,), version)


def _read_transaction_state(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TransactionState], int]:
    items: list[TransactionState] = []
    new = TransactionState.__new__
    for _ in range(count):
        item = new(TransactionState)
        item.transactional_id, pos = reading.string(buf, pos, True)
        (item.producer_id,) = _get_q(buf, pos)
        pos += 8
        item.transaction_state, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_transaction_state(out: bytearray, items: Sequence[TransactionState], version: int) -> None:
    for item in items:
        writing.string(out, item.transactional_id, True)
        out += _put_q(item.producer_id)
        writing.string(out, item.transaction_state, True)
        out.append(0)


def _read_list_transactions_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ListTransactionsResponse], int]:
    items: list[ListTransactionsResponse] = []
    new = ListTransactionsResponse.__new__
    for _ in range(count):
        item = new(ListTransactionsResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.unknown_state_filters, pos = reading.strings(buf, pos, True, left)
        length, pos = reading.count(buf, pos, True, left)
        item.transaction_states, pos = _read_transaction_state(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_list_transactions_response(out: bytearray, items: Sequence[ListTransactionsResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.strings(out, item.unknown_state_filters, True)
        writing.count(out, len(item.transaction_states), True)
        _write_transaction_state(out, item.transaction_states, version)
        out.append(0)
