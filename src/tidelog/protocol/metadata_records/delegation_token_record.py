"""DelegationTokenRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable

_get_qqq = Format(">qqq").unpack_from
_put_qqq = Format(">qqq").pack


class DelegationTokenRecord(Message):
    __slots__ = (
        "owner",
        "requester",
        "renewers",
        "issue_timestamp",
        "max_timestamp",
        "expiration_timestamp",
        "token_id",
    )

    API_KEY = 10
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        owner: str = "",
        requester: str = "",
        renewers: list[str] = UNSET,
        issue_timestamp: int = 0,
        max_timestamp: int = 0,
        expiration_timestamp: int = 0,
        token_id: str = "",
    ) -> None:
        self.owner = owner
        self.requester = requester
        self.renewers = [] if renewers is UNSET else renewers
        self.issue_timestamp = issue_timestamp
        self.max_timestamp = max_timestamp
        self.expiration_timestamp = expiration_timestamp
        self.token_id = token_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DelegationTokenRecord, int]:
        (item,), pos = _read_delegation_token_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delegation_token_record(out, (self,), version)


def _read_delegation_token_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DelegationTokenRecord], int]:
    items: list[DelegationTokenRecord] = []
    new = DelegationTokenRecord.__new__
    for _ in range(count):
        item = new(DelegationTokenRecord)
        item.owner, pos = reading.string(buf, pos, True)
        item.requester, pos = reading.string(buf, pos, True)
        item.renewers, pos = reading.strings(buf, pos, True, left)
        item.issue_timestamp, item.max_timestamp, item.expiration_timestamp = _get_qqq(buf, pos)
        pos += 24
        item.token_id, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delegation_token_record(out: bytearray, items: Sequence[DelegationTokenRecord], version: int) -> None:
    for item in items:
        writing.string(out, item.owner, True)
        writing.string(out, item.requester, True)
        writing.strings(out, item.renewers, True)
        out += _put_qqq(item.issue_timestamp, item.max_timestamp, item.expiration_timestamp)
        writing.string(out, item.token_id, True)
        out.append(0)
