"""DescribeUserScramCredentialsRequest and DescribeUserScramCredentialsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_biB = Format(">biB").unpack_from
_get_h = Format(">h").unpack_from
_get_ih = Format(">ih").unpack_from
_put_bix = Format(">bix").pack
_put_h = Format(">h").pack
_put_ih = Format(">ih").pack


class UserName(Struct):
    __slots__ = ("name",)

    def __init__(self, *, name: str = "") -> None:
        self.name = name


class DescribeUserScramCredentialsRequest(Message):
    __slots__ = ("users",)

    API_KEY = 50
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, users: list[UserName] | None = UNSET) -> None:
        self.users = [] if users is UNSET else users

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DescribeUserScramCredentialsRequest, int]:
        (item,), pos = _read_describe_user_scram_credentials_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_user_scram_credentials_request(out, (self,), version)


def _read_user_name(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[UserName], int]:
    items: list[UserName] = []
    new = UserName.__new__
    for _ in range(count):
        item = new(UserName)
        item.name, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_user_name(out: bytearray, items: Sequence[UserName], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out.append(0)


def _read_describe_user_scram_credentials_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeUserScramCredentialsRequest], int]:
    items: list[DescribeUserScramCredentialsRequest] = []
    new = DescribeUserScramCredentialsRequest.__new__
    for _ in range(count):
        item = new(DescribeUserScramCredentialsRequest)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.users = None
        else:
            item.users, pos = _read_user_name(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_user_scram_credentials_request(
    out: bytearray, items: Sequence[DescribeUserScramCredentialsRequest], version: int
) -> None:
    for item in items:
        if item.users is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.users), True)
            _write_user_name(out, item.users, version)
        out.append(0)


class CredentialInfo(Struct):
    __slots__ = ("mechanism", "iterations")

    def __init__(self, *, mechanism: int = 0, iterations: int = 0) -> None:
        self.mechanism = mechanism
        self.iterations = iterations


class DescribeUserScramCredentialsResult(Struct):
    __slots__ = ("user", "error_code", "error_message", "credential_infos")

    def __init__(
        self,
        *,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
        credential_infos: list[CredentialInfo] = UNSET,
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message
        self.credential_infos = [] if credential_infos is UNSET else credential_infos


class DescribeUserScramCredentialsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")

    API_KEY = 50
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[DescribeUserScramCredentialsResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DescribeUserScramCredentialsResponse, int]:
        (item,), pos = _read_describe_user_scram_credentials_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_user_scram_credentials_response(out, (self,), version)


def _read_credential_info(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CredentialInfo], int]:
    items: list[CredentialInfo] = []
    new = CredentialInfo.__new__
    for _ in range(count):
        item = new(CredentialInfo)
        item.mechanism, item.iterations, tags = _get_biB(buf, pos)
        pos += 6
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_credential_info(out: bytearray, items: Sequence[CredentialInfo], version: int) -> None:
    for item in items:
        out += _put_bix(item.mechanism, item.iterations)


def _read_describe_user_scram_credentials_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeUserScramCredentialsResult], int]:
    items: list[DescribeUserScramCredentialsResult] = []
    new = DescribeUserScramCredentialsResult.__new__
    for _ in range(count):
        item = new(DescribeUserScramCredentialsResult)
        item.user, pos = reading.string(buf, pos, True)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.credential_infos, pos = _read_credential_info(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_user_scram_credentials_result(
    out: bytearray, items: Sequence[DescribeUserScramCredentialsResult], version: int
) -> None:
    for item in items:
        writing.string(out, item.user, True)
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.count(out, len(item.credential_infos), True)
        _write_credential_info(out, item.credential_infos, version)
        out.append(0)


def _read_describe_user_scram_credentials_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeUserScramCredentialsResponse], int]:
    items: list[DescribeUserScramCredentialsResponse] = []
    new = DescribeUserScramCredentialsResponse.__new__
    for _ in range(count):
        item = new(DescribeUserScramCredentialsResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.results, pos = _read_describe_user_scram_credentials_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_user_scram_credentials_response(
    out: bytearray, items: Sequence[DescribeUserScramCredentialsResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.count(out, len(item.results), True)
        _write_describe_user_scram_credentials_result(out, item.results, version)
        out.append(0)
