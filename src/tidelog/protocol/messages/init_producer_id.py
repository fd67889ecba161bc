"""InitProducerIdRequest and InitProducerIdResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ihqh = Format(">ihqh").unpack_from
_get_ihqhB = Format(">ihqhB").unpack_from
_get_ihqhqhB = Format(">ihqhqhB").unpack_from
_get_iqhooB = Format(">iqh??B").unpack_from
_get_iqhB = Format(">iqhB").unpack_from
_put_i = Format(">i").pack
_put_ihqh = Format(">ihqh").pack
_put_ihqhqhx = Format(">ihqhqhx").pack
_put_ihqhx = Format(">ihqhx").pack
_put_iqhoox = Format(">iqh??x").pack
_put_iqhx = Format(">iqhx").pack
_put_ix = Format(">ix").pack


class InitProducerIdRequest(Message):
    __slots__ = (
        "transactional_id",
        "transaction_timeout_ms",
        "producer_id",
        "producer_epoch",
        "enable2_pc",
        "keep_prepared_txn",
    )

    API_KEY = 22
    VERSIONS = (0, 6)
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        *,
        transactional_id: str | None = "",
        transaction_timeout_ms: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
        enable2_pc: bool = False,
        keep_prepared_txn: bool = False,
    ) -> None:
        self.transactional_id = transactional_id
        self.transaction_timeout_ms = transaction_timeout_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.enable2_pc = enable2_pc
        self.keep_prepared_txn = keep_prepared_txn

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[InitProducerIdRequest, int]:
        (item,), pos = _read_init_producer_id_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_init_producer_id_request(out, (self,), version)


def _read_init_producer_id_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[InitProducerIdRequest], int]:
    compact = version >= 2
    items: list[InitProducerIdRequest] = []
    new = InitProducerIdRequest.__new__
    for _ in range(count):
        item = new(InitProducerIdRequest)
        item.transactional_id, pos = reading.nullable_string(buf, pos, compact)
        if version >= 6:
            (
                item.transaction_timeout_ms,
                item.producer_id,
                item.producer_epoch,
                item.enable2_pc,
                item.keep_prepared_txn,
                tags,
            ) = _get_iqhooB(buf, pos)
            pos += 17
        elif version >= 3:
            item.transaction_timeout_ms, item.producer_id, item.producer_epoch, tags = _get_iqhB(buf, pos)
            pos += 15
            item.enable2_pc = False
            item.keep_prepared_txn = False
        elif version >= 2:
            item.transaction_timeout_ms, tags = _get_iB(buf, pos)
            pos += 5
            item.producer_id = -1
            item.producer_epoch = -1
            item.enable2_pc = False
            item.keep_prepared_txn = False
        else:
            (item.transaction_timeout_ms,) = _get_i(buf, pos)
            pos += 4
            item.producer_id = -1
            item.producer_epoch = -1
            item.enable2_pc = False
            item.keep_prepared_txn = False
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_init_producer_id_request(out: bytearray, items: Sequence[InitProducerIdRequest], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.nullable_string(out, item.transactional_id, compact)
        if version >= 6:
            out += _put_iqhoox(
                item.transaction_timeout_ms,
                item.producer_id,
                item.producer_epoch,
                item.enable2_pc,
                item.keep_prepared_txn,
            )
        elif version >= 3:
            if item.enable2_pc:
                raise writing.not_carried("enable2_pc", version)
            if item.keep_prepared_txn:
                raise writing.not_carried("keep_prepared_txn", version)
            out += _put_iqhx(item.transaction_timeout_ms, item.producer_id, item.producer_epoch)
        elif version >= 2:
            if item.producer_id != -1:
                raise writing.not_carried("producer_id", version)
            if item.producer_epoch != -1:
                raise writing.not_carried("producer_epoch", version)
            if item.enable2_pc:
                raise writing.not_carried("enable2_pc", version)
            if item.keep_prepared_txn:
                raise writing.not_carried("keep_prepared_txn", version)
            out += _put_ix(item.transaction_timeout_ms)
        else:
            if item.producer_id != -1:
                raise writing.not_carried("producer_id", version)
            if item.producer_epoch != -1:
                raise writing.not_carried("producer_epoch", version)
            if item.enable2_pc:
                raise writing.not_carried("enable2_pc", version)
            if item.keep_prepared_txn:
                raise writing.not_carried("keep_prepared_txn", version)
            out += _put_i(item.transaction_timeout_ms)


class InitProducerIdResponse(Message):
    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "producer_id",
        "producer_epoch",
        "ongoing_txn_producer_id",
        "ongoing_txn_producer_epoch",
    )

    API_KEY = 22
    VERSIONS = (0, 6)
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = 0,
        ongoing_txn_producer_id: int = -1,
        ongoing_txn_producer_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.ongoing_txn_producer_id = ongoing_txn_producer_id
        self.ongoing_txn_producer_epoch = ongoing_txn_producer_epoch

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[InitProducerIdResponse, int]:
        (item,), pos = _read_init_producer_id_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_init_producer_id_response(out, (self,), version)


def _read_init_producer_id_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[InitProducerIdResponse], int]:
    items: list[InitProducerIdResponse] = []
    new = InitProducerIdResponse.__new__
    for _ in range(count):
        item = new(InitProducerIdResponse)
        if version >= 6:
            (
                item.throttle_time_ms,
                item.error_code,
                item.producer_id,
                item.producer_epoch,
                item.ongoing_txn_producer_id,
                item.ongoing_txn_producer_epoch,
                tags,
            ) = _get_ihqhqhB(buf, pos)
            pos += 27
        elif version >= 2:
            item.throttle_time_ms, item.error_code, item.producer_id, item.producer_epoch, tags = _get_ihqhB(buf, pos)
            pos += 17
            item.ongoing_txn_producer_id = -1
            item.ongoing_txn_producer_epoch = -1
        else:
            item.throttle_time_ms, item.error_code, item.producer_id, item.producer_epoch = _get_ihqh(buf, pos)
            pos += 16
            item.ongoing_txn_producer_id = -1
            item.ongoing_txn_producer_epoch = -1
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_init_producer_id_response(out: bytearray, items: Sequence[InitProducerIdResponse], version: int) -> None:
    for item in items:
        if version >= 6:
            out += _put_ihqhqhx(
                item.throttle_time_ms,
                item.error_code,
                item.producer_id,
                item.producer_epoch,
                item.ongoing_txn_producer_id,
                item.ongoing_txn_producer_epoch,
            )
        elif version >= 2:
            if item.ongoing_txn_producer_id != -1:
                raise writing.not_carried("ongoing_txn_producer_id", version)
            if item.ongoing_txn_producer_epoch != -1:
                raise writing.not_carried("ongoing_txn_producer_epoch", version)
            out += _put_ihqhx(item.throttle_time_ms, item.error_code, item.producer_id, item.producer_epoch)
        else:
            if item.ongoing_txn_producer_id != -1:
                raise writing.not_carried("ongoing_txn_producer_id", version)
            if item.ongoing_txn_producer_epoch != -1:
                raise writing.not_carried("ongoing_txn_producer_epoch", version)
            out += _put_ihqh(item.throttle_time_ms, item.error_code, item.producer_id, item.producer_epoch)
