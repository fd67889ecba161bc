"""GetTelemetrySubscriptionsRequest and GetTelemetrySubscriptionsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable

_get_uB = Format(">16sB").unpack_from
_get_ihui = Format(">ih16si").unpack_from
_get_iio = Format(">ii?").unpack_from
_put_ux = Format(">16sx").pack
_put_ihui = Format(">ih16si").pack
_put_iio = Format(">ii?").pack


class GetTelemetrySubscriptionsRequest(Message):
    __slots__ = ("client_instance_id",)

    API_KEY = 71
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, client_instance_id: bytes = ZERO) -> None:
        self.client_instance_id = client_instance_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[GetTelemetrySubscriptionsRequest, int]:
        (item,), pos = _read_get_telemetry_subscriptions_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_get_telemetry_subscriptions_request(out, (self,), version)


def _read_get_telemetry_subscriptions_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[GetTelemetrySubscriptionsRequest], int]:
    items: list[GetTelemetrySubscriptionsRequest] = []
    new = GetTelemetrySubscriptionsRequest.__new__
    for _ in range(count):
        item = new(GetTelemetrySubscriptionsRequest)
        item.client_instance_id, tags = _get_uB(buf, pos)
        pos += 17
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_get_telemetry_subscriptions_request(
    out: bytearray, items: Sequence[GetTelemetrySubscriptionsRequest], version: int
) -> None:
    for item in items:
        out += _put_ux(item.client_instance_id)


class GetTelemetrySubscriptionsResponse(Message):
    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "client_instance_id",
        "subscription_id",
        "accepted_compression_types",
        "push_interval_ms",
        "telemetry_max_bytes",
        "delta_temporality",
        "requested_metrics",
    )

    API_KEY = 71
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        client_instance_id: bytes = ZERO,
        subscription_id: int = 0,
        accepted_compression_types: list[int] = UNSET,
        push_interval_ms: int = 0,
        telemetry_max_bytes: int = 0,
        delta_temporality: bool = False,
        requested_metrics: list[str] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.client_instance_id = client_instance_id
        self.subscription_id = subscription_id
        self.accepted_compression_types = [] if accepted_compression_types is UNSET else accepted_compression_types
        self.push_interval_ms = push_interval_ms
        self.telemetry_max_bytes = telemetry_max_bytes
        self.delta_temporality = delta_temporality
        self.requested_metrics = [] if requested_metrics is UNSET else requested_metrics

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[GetTelemetrySubscriptionsResponse, int]:
        (item,), pos = _read_get_telemetry_subscriptions_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_get_telemetry_subscriptions_response(out, (self,), version)


def _read_get_telemetry_subscriptions_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[GetTelemetrySubscriptionsResponse], int]:
    items: list[GetTelemetrySubscriptionsResponse] = []
    new = GetTelemetrySubscriptionsResponse.__new__
    for _ in range(count):
        item = new(GetTelemetrySubscriptionsResponse)
        item.throttle_time_ms, item.error_code, item.client_instance_id, item.subscription_id = _get_ihui(buf, pos)
        pos += 26
        item.accepted_compression_types, pos = reading.numbers(buf, pos, True, "b", 1)
        item.push_interval_ms, item.telemetry_max_bytes, item.delta_temporality = _get_iio(buf, pos)
        pos += 9
        item.requested_metrics, pos = reading.strings(buf, pos, True, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_get_telemetry_subscriptions_response(
    out: bytearray, items: Sequence[GetTelemetrySubscriptionsResponse], version: int
) -> None:
    for item in items:
        out += _put_ihui(item.throttle_time_ms, item.error_code, item.client_instance_id, item.subscription_id)
        writing.numbers(out, item.accepted_compression_types, True, "b")
        out += _put_iio(item.push_interval_ms, item.telemetry_max_bytes, item.delta_temporality)
        writing.strings(out, item.requested_metrics, True)
        out.append(0)
