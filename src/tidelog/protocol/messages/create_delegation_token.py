"""CreateDelegationTokenRequest and CreateDelegationTokenResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_q = Format(">q").unpack_from
_get_qB = Format(">qB").unpack_from
_get_qqq = Format(">qqq").unpack_from
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ix = Format(">ix").pack
_put_q = Format(">q").pack
_put_qqq = Format(">qqq").pack
_put_qx = Format(">qx").pack


class CreatableRenewers(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(self, *, principal_type: str = "", principal_name: str = "") -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name


class CreateDelegationTokenRequest(Message):
    __slots__ = ("owner_principal_type", "owner_principal_name", "renewers", "max_lifetime_ms")

    API_KEY = 38
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        *,
        owner_principal_type: str | None = "",
        owner_principal_name: str | None = "",
        renewers: list[CreatableRenewers] = UNSET,
        max_lifetime_ms: int = 0,
    ) -> None:
        self.owner_principal_type = owner_principal_type
        self.owner_principal_name = owner_principal_name
        self.renewers = [] if renewers is UNSET else renewers
        self.max_lifetime_ms = max_lifetime_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[CreateDelegationTokenRequest, int]:
        (item,), pos = _read_create_delegation_token_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_create_delegation_token_request(out, (self,), version)


def _read_creatable_renewers(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatableRenewers], int]:
    compact = version >= 2
    items: list[CreatableRenewers] = []
    new = CreatableRenewers.__new__
    for _ in range(count):
        item = new(CreatableRenewers)
        item.principal_type, pos = reading.string(buf, pos, compact)
        item.principal_name, pos = reading.string(buf, pos, compact)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_creatable_renewers(out: bytearray, items: Sequence[CreatableRenewers], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.principal_type, compact)
        writing.string(out, item.principal_name, compact)
        if version >= 2:
            out.append(0)


def _read_create_delegation_token_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreateDelegationTokenRequest], int]:
    compact = version >= 2
    items: list[CreateDelegationTokenRequest] = []
    new = CreateDelegationTokenRequest.__new__
    for _ in range(count):
        item = new(CreateDelegationTokenRequest)
        if version >= 3:
            item.owner_principal_type, pos = reading.nullable_string(buf, pos, True)
        else:
            item.owner_principal_type = ""
        if version >= 3:
            item.owner_principal_name, pos = reading.nullable_string(buf, pos, True)
        else:
            item.owner_principal_name = ""
        length, pos = reading.count(buf, pos, compact, left)
        item.renewers, pos = _read_creatable_renewers(buf, pos, length, version, left)
        if version >= 2:
            item.max_lifetime_ms, tags = _get_qB(buf, pos)
            pos += 9
        else:
            (item.max_lifetime_ms,) = _get_q(buf, pos)
            pos += 8
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_delegation_token_request(
    out: bytearray, items: Sequence[CreateDelegationTokenRequest], version: int
) -> None:
    compact = version >= 2
    for item in items:
        if version >= 3:
            writing.nullable_string(out, item.owner_principal_type, True)
        else:
            if item.owner_principal_type is None or len(item.owner_principal_type) > 0:
                raise writing.not_carried("owner_principal_type", version)
        if version >= 3:
            writing.nullable_string(out, item.owner_principal_name, True)
        else:
            if item.owner_principal_name is None or len(item.owner_principal_name) > 0:
                raise writing.not_carried("owner_principal_name", version)
        writing.count(out, len(item.renewers), compact)
        _write_creatable_renewers(out, item.renewers, version)
        if version >= 2:
            out += _put_qx(item.max_lifetime_ms)
        else:
            out += _put_q(item.max_lifetime_ms)


class CreateDelegationTokenResponse(Message):
    __slots__ = (
        "error_code",
        "principal_type",
        "principal_name",
        "token_requester_principal_type",
        "token_requester_principal_name",
        "issue_timestamp_ms",
        "expiry_timestamp_ms",
        "max_timestamp_ms",
        "token_id",
        "hmac",
        "throttle_time_ms",
    )

    API_KEY = 38
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        *,
        error_code: int = 0,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp_ms: int = 0,
        expiry_timestamp_ms: int = 0,
        max_timestamp_ms: int = 0,
        token_id: str = "",
        hmac: bytes = b"",
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.token_requester_principal_type = token_requester_principal_type
        self.token_requester_principal_name = token_requester_principal_name
        self.issue_timestamp_ms = issue_timestamp_ms
        self.expiry_timestamp_ms = expiry_timestamp_ms
        self.max_timestamp_ms = max_timestamp_ms
        self.token_id = token_id
        self.hmac = hmac
        self.throttle_time_ms = throttle_time_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[CreateDelegationTokenResponse, int]:
        (item,), pos = _read_create_delegation_token_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_create_delegation_token_response(out, (self,), version)


def _read_create_delegation_token_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreateDelegationTokenResponse], int]:
    compact = version >= 2
    items: list[CreateDelegationTokenResponse] = []
    new = CreateDelegationTokenResponse.__new__
    for _ in range(count):
        item = new(CreateDelegationTokenResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.principal_type, pos = reading.string(buf, pos, compact)
        item.principal_name, pos = reading.string(buf, pos, compact)
        if version >= 3:
            item.token_requester_principal_type, pos = reading.string(buf, pos, True)
        else:
            item.token_requester_principal_type = ""
        if version >= 3:
            item.token_requester_principal_name, pos = reading.string(buf, pos, True)
        else:
            item.token_requester_principal_name = ""
        item.issue_timestamp_ms, item.expiry_timestamp_ms, item.max_timestamp_ms = _get_qqq(buf, pos)
        pos += 24
        item.token_id, pos = reading.string(buf, pos, compact)
        item.hmac, pos = reading.blob(buf, pos, compact)
        if version >= 2:
            item.throttle_time_ms, tags = _get_iB(buf, pos)
            pos += 5
        else:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_delegation_token_response(
    out: bytearray, items: Sequence[CreateDelegationTokenResponse], version: int
) -> None:
    compact = version >= 2
    for item in items:
        out += _put_h(item.error_code)
        writing.string(out, item.principal_type, compact)
        writing.string(out, item.principal_name, compact)
        if version >= 3:
            writing.string(out, item.token_requester_principal_type, True)
        else:
            if item.token_requester_principal_type:
                raise writing.not_carried("token_requester_principal_type", version)
        if version >= 3:
            writing.string(out, item.token_requester_principal_name, True)
        else:
            if item.token_requester_principal_name:
                raise writing.not_carried("token_requester_principal_name", version)
        out += _put_qqq(item.issue_timestamp_ms, item.expiry_timestamp_ms, item.max_timestamp_ms)
        writing.string(out, item.token_id, compact)
        writing.blob(out, item.hmac, compact)
        if version >= 2:
            out += _put_ix(item.throttle_time_ms)
        else:
            out += _put_i(item.throttle_time_ms)
