"""DescribeDelegationTokenRequest and DescribeDelegationTokenResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_qqq = Format(">qqq").unpack_from
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ix = Format(">ix").pack
_put_qqq = Format(">qqq").pack


class DescribeDelegationTokenOwner(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(self, *, principal_type: str = "", principal_name: str = "") -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name


class DescribeDelegationTokenRequest(Message):
    __slots__ = ("owners",)

    API_KEY = 41
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(self, *, owners: list[DescribeDelegationTokenOwner] | None = UNSET) -> None:
        self.owners = [] if owners is UNSET else owners

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DescribeDelegationTokenRequest, int]:
        (item,), pos = _read_describe_delegation_token_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_delegation_token_request(out, (self,), version)


def _read_describe_delegation_token_owner(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeDelegationTokenOwner], int]:
    compact = version >= 2
    items: list[DescribeDelegationTokenOwner] = []
    new = DescribeDelegationTokenOwner.__new__
    for _ in range(count):
        item = new(DescribeDelegationTokenOwner)
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


def _write_describe_delegation_token_owner(
    out: bytearray, items: Sequence[DescribeDelegationTokenOwner], version: int
) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.principal_type, compact)
        writing.string(out, item.principal_name, compact)
        if version >= 2:
            out.append(0)


def _read_describe_delegation_token_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeDelegationTokenRequest], int]:
    compact = version >= 2
    items: list[DescribeDelegationTokenRequest] = []
    new = DescribeDelegationTokenRequest.__new__
    for _ in range(count):
        item = new(DescribeDelegationTokenRequest)
        length, pos = reading.nullable_count(buf, pos, compact, left)
        if length < 0:
            item.owners = None
        else:
            item.owners, pos = _read_describe_delegation_token_owner(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_delegation_token_request(
    out: bytearray, items: Sequence[DescribeDelegationTokenRequest], version: int
) -> None:
    compact = version >= 2
    for item in items:
        if item.owners is None:
            writing.null(out, compact)
        else:
            writing.count(out, len(item.owners), compact)
            _write_describe_delegation_token_owner(out, item.owners, version)
        if version >= 2:
            out.append(0)


class DescribedDelegationTokenRenewer(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(self, *, principal_type: str = "", principal_name: str = "") -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name


class DescribedDelegationToken(Struct):
    __slots__ = (
        "principal_type",
        "principal_name",
        "token_requester_principal_type",
        "token_requester_principal_name",
        "issue_timestamp",
        "expiry_timestamp",
        "max_timestamp",
        "token_id",
        "hmac",
        "renewers",
    )

    def __init__(
        self,
        *,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp: int = 0,
        expiry_timestamp: int = 0,
        max_timestamp: int = 0,
        token_id: str = "",
        hmac: bytes = b"",
        renewers: list[DescribedDelegationTokenRenewer] = UNSET,
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.token_requester_principal_type = token_requester_principal_type
        self.token_requester_principal_name = token_requester_principal_name
        self.issue_timestamp = issue_timestamp
        self.expiry_timestamp = expiry_timestamp
        self.max_timestamp = max_timestamp
        self.token_id = token_id
        self.hmac = hmac
        self.renewers = [] if renewers is UNSET else renewers


class DescribeDelegationTokenResponse(Message):
    __slots__ = ("error_code", "tokens", "throttle_time_ms")

    API_KEY = 41
    VERSIONS = (1, 3)
    FLEXIBLE_FROM = 2

    def __init__(
        self, *, error_code: int = 0, tokens: list[DescribedDelegationToken] = UNSET, throttle_time_ms: int = 0
    ) -> None:
        self.error_code = error_code
        self.tokens = [] if tokens is UNSET else tokens
        self.throttle_time_ms = throttle_time_ms

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DescribeDelegationTokenResponse, int]:
        (item,), pos = _read_describe_delegation_token_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_delegation_token_response(out, (self,), version)


def _read_described_delegation_token_renewer(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribedDelegationTokenRenewer], int]:
    compact = version >= 2
    items: list[DescribedDelegationTokenRenewer] = []
    new = DescribedDelegationTokenRenewer.__new__
    for _ in range(count):
        item = new(DescribedDelegationTokenRenewer)
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


def _write_described_delegation_token_renewer(
    out: bytearray, items: Sequence[DescribedDelegationTokenRenewer], version: int
) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.principal_type, compact)
        writing.string(out, item.principal_name, compact)
        if version >= 2:
            out.append(0)


def _read_described_delegation_token(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribedDelegationToken], int]:
    compact = version >= 2
    items: list[DescribedDelegationToken] = []
    new = DescribedDelegationToken.__new__
    for _ in range(count):
        item = new(DescribedDelegationToken)
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
        item.issue_timestamp, item.expiry_timestamp, item.max_timestamp = _get_qqq(buf, pos)
        pos += 24
        item.token_id, pos = reading.string(buf, pos, compact)
        item.hmac, pos = reading.blob(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.renewers, pos = _read_described_delegation_token_renewer(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_described_delegation_token(out: bytearray, items: Sequence[DescribedDelegationToken], version: int) -> None:
    compact = version >= 2
    for item in items:
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
        out += _put_qqq(item.issue_timestamp, item.expiry_timestamp, item.max_timestamp)
        writing.string(out, item.token_id, compact)
        writing.blob(out, item.hmac, compact)
        writing.count(out, len(item.renewers), compact)
        _write_described_delegation_token_renewer(out, item.renewers, version)
        if version >= 2:
            out.append(0)


def _read_describe_delegation_token_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeDelegationTokenResponse], int]:
    compact = version >= 2
    items: list[DescribeDelegationTokenResponse] = []
    new = DescribeDelegationTokenResponse.__new__
    for _ in range(count):
        item = new(DescribeDelegationTokenResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        length, pos = reading.count(buf, pos, compact, left)
        item.tokens, pos = _read_described_delegation_token(buf, pos, length, version, left)
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


def _write_describe_delegation_token_response(
    out: bytearray, items: Sequence[DescribeDelegationTokenResponse], version: int
) -> None:
    compact = version >= 2
    for item in items:
        out += _put_h(item.error_code)
        writing.count(out, len(item.tokens), compact)
        _write_described_delegation_token(out, item.tokens, version)
        if version >= 2:
            out += _put_ix(item.throttle_time_ms)
        else:
            out += _put_i(item.throttle_time_ms)
