"""PushTelemetryRequest and PushTelemetryResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_uiob = Format(">16si?b").unpack_from
_get_ihB = Format(">ihB").unpack_from
_put_uiob = Format(">16si?b").pack
_put_ihx = Format(">ihx").pack


class PushTelemetryRequest(Message):
    __slots__ = ("client_instance_id", "subscription_id", "terminating", "compression_type", "metrics")

    API_KEY = 72
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        client_instance_id: bytes = ZERO,
        subscription_id: int = 0,
        terminating: bool = False,
        compression_type: int = 0,
        metrics: bytes = b"",
    ) -> None:
        self.client_instance_id = client_instance_id
        self.subscription_id = subscription_id
        self.terminating = terminating
        self.compression_type = compression_type
        self.metrics = metrics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[PushTelemetryRequest, int]:
        (item,), pos = _read_push_telemetry_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_push_telemetry_request(out, (self,), version)


def _read_push_telemetry_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PushTelemetryRequest], int]:
    items: list[PushTelemetryRequest] = []
    new = PushTelemetryRequest.__new__
    for _ in range(count):
        item = new(PushTelemetryRequest)
        item.client_instance_id, item.subscription_id, item.terminating, item.compression_type = _get_uiob(buf, pos)
        pos += 22
        item.metrics, pos = reading.blob(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_push_telemetry_request(out: bytearray, items: Sequence[PushTelemetryRequest], version: int) -> None:
    for item in items:
        out += _put_uiob(item.client_instance_id, item.subscription_id, item.terminating, item.compression_type)
        writing.blob(out, item.metrics, True)
        out.append(0)


class PushTelemetryResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")

    API_KEY = 72
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[PushTelemetryResponse, int]:
        (item,), pos = _read_push_telemetry_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_push_telemetry_response(out, (self,), version)


def _read_push_telemetry_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PushTelemetryResponse], int]:
    items: list[PushTelemetryResponse] = []
    new = PushTelemetryResponse.__new__
    for _ in range(count):
        item = new(PushTelemetryResponse)
        item.throttle_time_ms, item.error_code, tags = _get_ihB(buf, pos)
        pos += 7
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_push_telemetry_response(out: bytearray, items: Sequence[PushTelemetryResponse], version: int) -> None:
    for item in items:
        out += _put_ihx(item.throttle_time_ms, item.error_code)
