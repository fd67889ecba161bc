"""RenewDelegationTokenRequest and RenewDelegationTokenResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_hqi = Format(">hqi").unpack_from
_get_hqiB = Format(">hqiB").unpack_from
_get_q = Format(">q").unpack_from
_get_qB = Format(">qB").unpack_from
_put_hqi = Format(">hqi").pack
_put_hqix = Format(">hqix").pack
_put_q = Format(">q").pack
_put_qx = Format(">qx").pack


class RenewDelegationTokenRequest(Message):
    __slots__ = ("hmac", "renew_period_ms")

    API_KEY = 39
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, hmac: bytes = b"", renew_period_ms: int = 0) -> None:
        self.hmac = hmac
        self.renew_period_ms = renew_period_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RenewDelegationTokenRequest, int]:
        (item,), pos = _read_renew_delegation_token_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_renew_delegation_token_request(out, (self,), version)


def _read_renew_delegation_token_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RenewDelegationTokenRequest], int]:
    compact = version >= 2
    items: list[RenewDelegationTokenRequest] = []
    new = RenewDelegationTokenRequest.__new__
    for _ in range(count):
        item = new(RenewDelegationTokenRequest)
        item.hmac, pos = reading.blob(buf, pos, compact)
        if version >= 2:
            item.renew_period_ms, tags = _get_qB(buf, pos)
            pos += 9
        else:
            (item.renew_period_ms,) = _get_q(buf, pos)
            pos += 8
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_renew_delegation_token_request(
    out: bytearray, items: Sequence[RenewDelegationTokenRequest], version: int
) -> None:
    compact = version >= 2
    for item in items:
        writing.blob(out, item.hmac, compact)
        if version >= 2:
            out += _put_qx(item.renew_period_ms)
        else:
            out += _put_q(item.renew_period_ms)


class RenewDelegationTokenResponse(Message):
    __slots__ = ("error_code", "expiry_timestamp_ms", "throttle_time_ms")

    API_KEY = 39
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, error_code: int = 0, expiry_timestamp_ms: int = 0, throttle_time_ms: int = 0) -> None:
        self.error_code = error_code
        self.expiry_timestamp_ms = expiry_timestamp_ms
        self.throttle_time_ms = throttle_time_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RenewDelegationTokenResponse, int]:
        (item,), pos = _read_renew_delegation_token_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_renew_delegation_token_response(out, (self,), version)


def _read_renew_delegation_token_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RenewDelegationTokenResponse], int]:
    items: list[RenewDelegationTokenResponse] = []
    new = RenewDelegationTokenResponse.__new__
    for _ in range(count):
        item = new(RenewDelegationTokenResponse)
        if version >= 2:
            item.error_code, item.expiry_timestamp_ms, item.throttle_time_ms, tags = _get_hqiB(buf, pos)
            pos += 15
        else:
            item.error_code, item.expiry_timestamp_ms, item.throttle_time_ms = _get_hqi(buf, pos)
            pos += 14
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_renew_delegation_token_response(
    out: bytearray, items: Sequence[RenewDelegationTokenResponse], version: int
) -> None:
    for item in items:
        if version >= 2:
            out += _put_hqix(item.error_code, item.expiry_timestamp_ms, item.throttle_time_ms)
        else:
            out += _put_hqi(item.error_code, item.expiry_timestamp_ms, item.throttle_time_ms)
