"""AlterUserScramCredentialsRequest and AlterUserScramCredentialsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_bB = Format(">bB").unpack_from
_get_bi = Format(">bi").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_put_bi = Format(">bi").pack
_put_bx = Format(">bx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack


class ScramCredentialDeletion(Struct):
    __slots__ = ("name", "mechanism")

    def __init__(self, *, name: str = "", mechanism: int = 0) -> None:
        self.name = name
        self.mechanism = mechanism


class ScramCredentialUpsertion(Struct):
    __slots__ = ("name", "mechanism", "iterations", "salt", "salted_password")

    def __init__(
        self,
        *,
        name: str = "",
        mechanism: int = 0,
        iterations: int = 0,
        salt: bytes = b"",
        salted_password: bytes = b"",
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.iterations = iterations
        self.salt = salt
        self.salted_password = salted_password


class AlterUserScramCredentialsRequest(Message):
    __slots__ = ("deletions", "upsertions")

    API_KEY = 51
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, deletions: list[ScramCredentialDeletion] = UNSET, upsertions: list[ScramCredentialUpsertion] = UNSET
    ) -> None:
        self.deletions = [] if deletions is UNSET else deletions
        self.upsertions = [] if upsertions is UNSET else upsertions

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[AlterUserScramCredentialsRequest, int]:
        (item,), pos = _read_alter_user_scram_credentials_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_user_scram_credentials_request(out, (self,), version)


def _read_scram_credential_deletion(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ScramCredentialDeletion], int]:
    items: list[ScramCredentialDeletion] = []
    new = ScramCredentialDeletion.__new__
    for _ in range(count):
        item = new(ScramCredentialDeletion)
        item.name, pos = reading.string(buf, pos, True)
        item.mechanism, tags = _get_bB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_scram_credential_deletion(out: bytearray, items: Sequence[ScramCredentialDeletion], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_bx(item.mechanism)


def _read_scram_credential_upsertion(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ScramCredentialUpsertion], int]:
    items: list[ScramCredentialUpsertion] = []
    new = ScramCredentialUpsertion.__new__
    for _ in range(count):
        item = new(ScramCredentialUpsertion)
        item.name, pos = reading.string(buf, pos, True)
        item.mechanism, item.iterations = _get_bi(buf, pos)
        pos += 5
        item.salt, pos = reading.blob(buf, pos, True)
        item.salted_password, pos = reading.blob(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_scram_credential_upsertion(out: bytearray, items: Sequence[ScramCredentialUpsertion], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_bi(item.mechanism, item.iterations)
        writing.blob(out, item.salt, True)
        writing.blob(out, item.salted_password, True)
        out.append(0)


def _read_alter_user_scram_credentials_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterUserScramCredentialsRequest], int]:
    items: list[AlterUserScramCredentialsRequest] = []
    new = AlterUserScramCredentialsRequest.__new__
    for _ in range(count):
        item = new(AlterUserScramCredentialsRequest)
        length, pos = reading.count(buf, pos, True, left)
        item.deletions, pos = _read_scram_credential_deletion(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.upsertions, pos = _read_scram_credential_upsertion(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_user_scram_credentials_request(
    out: bytearray, items: Sequence[AlterUserScramCredentialsRequest], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.deletions), True)
        _write_scram_credential_deletion(out, item.deletions, version)
        writing.count(out, len(item.upsertions), True)
        _write_scram_credential_upsertion(out, item.upsertions, version)
        out.append(0)


class AlterUserScramCredentialsResult(Struct):
    __slots__ = ("user", "error_code", "error_message")

    def __init__(self, *, user: str = "", error_code: int = 0, error_message: str | None = "") -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message


class AlterUserScramCredentialsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    API_KEY = 51
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, results: list[AlterUserScramCredentialsResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[AlterUserScramCredentialsResponse, int]:
        (item,), pos = _read_alter_user_scram_credentials_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_user_scram_credentials_response(out, (self,), version)


def _read_alter_user_scram_credentials_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterUserScramCredentialsResult], int]:
    items: list[AlterUserScramCredentialsResult] = []
    new = AlterUserScramCredentialsResult.__new__
    for _ in range(count):
        item = new(AlterUserScramCredentialsResult)
        item.user, pos = reading.string(buf, pos, True)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_user_scram_credentials_result(
    out: bytearray, items: Sequence[AlterUserScramCredentialsResult], version: int
) -> None:
    for item in items:
        writing.string(out, item.user, True)
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)


def _read_alter_user_scram_credentials_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterUserScramCredentialsResponse], int]:
    items: list[AlterUserScramCredentialsResponse] = []
    new = AlterUserScramCredentialsResponse.__new__
    for _ in range(count):
        item = new(AlterUserScramCredentialsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.results, pos = _read_alter_user_scram_credentials_result(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_user_scram_credentials_response(
    out: bytearray, items: Sequence[AlterUserScramCredentialsResponse], version: int
) -> None:
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.results), True)
        _write_alter_user_scram_credentials_result(out, item.results, version)
        out.append(0)
