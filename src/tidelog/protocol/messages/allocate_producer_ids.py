"""AllocateProducerIdsRequest and AllocateProducerIdsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_ihqiB = Format(">ihqiB").unpack_from
_get_iqB = Format(">iqB").unpack_from
_put_ihqix = Format(">ihqix").pack
_put_iqx = Format(">iqx").pack


class AllocateProducerIdsRequest(Message):
    __slots__ = ("broker_id", "broker_epoch")

    API_KEY = 67
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, broker_id: int = 0, broker_epoch: int = -1) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AllocateProducerIdsRequest, int]:
        (item,), pos = _read_allocate_producer_ids_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_allocate_producer_ids_request(out, (self,), version)


def _read_allocate_producer_ids_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AllocateProducerIdsRequest], int]:
    items: list[AllocateProducerIdsRequest] = []
    new = AllocateProducerIdsRequest.__new__
    for _ in range(count):
        item = new(AllocateProducerIdsRequest)
        item.broker_id, item.broker_epoch, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_allocate_producer_ids_request(
    out: bytearray, items: Sequence[AllocateProducerIdsRequest], version: int
) -> None:
    for item in items:
        out += _put_iqx(item.broker_id, item.broker_epoch)


class AllocateProducerIdsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id_start", "producer_id_len")

    API_KEY = 67
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, throttle_time_ms: int = 0, error_code: int = 0, producer_id_start: int = 0, producer_id_len: int = 0
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id_start = producer_id_start
        self.producer_id_len = producer_id_len

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AllocateProducerIdsResponse, int]:
        (item,), pos = _read_allocate_producer_ids_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_allocate_producer_ids_response(out, (self,), version)


def _read_allocate_producer_ids_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AllocateProducerIdsResponse], int]:
    items: list[AllocateProducerIdsResponse] = []
    new = AllocateProducerIdsResponse.__new__
    for _ in range(count):
        item = new(AllocateProducerIdsResponse)
        item.throttle_time_ms, item.error_code, item.producer_id_start, item.producer_id_len, tags = _get_ihqiB(
            buf, pos
        )
        pos += 19
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_allocate_producer_ids_response(
    out: bytearray, items: Sequence[AllocateProducerIdsResponse], version: int
) -> None:
    for item in items:
        out += _put_ihqix(item.throttle_time_ms, item.error_code, item.producer_id_start, item.producer_id_len)
