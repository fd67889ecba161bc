"""UserScramCredentialRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_b = Format(">b").unpack_from
_get_iB = Format(">iB").unpack_from
_put_b = Format(">b").pack
_put_ix = Format(">ix").pack


class UserScramCredentialRecord(Message):
    __slots__ = ("name", "mechanism", "salt", "stored_key", "server_key", "iterations")

    API_KEY = 11
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        name: str = "",
        mechanism: int = 0,
        salt: bytes = b"",
        stored_key: bytes = b"",
        server_key: bytes = b"",
        iterations: int = 0,
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.salt = salt
        self.stored_key = stored_key
        self.server_key = server_key
        self.iterations = iterations

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[UserScramCredentialRecord, int]:
        (item,), pos = _read_user_scram_credential_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_user_scram_credential_record(out, (self,), version)


def _read_user_scram_credential_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UserScramCredentialRecord], int]:
    items: list[UserScramCredentialRecord] = []
    new = UserScramCredentialRecord.__new__
    for _ in range(count):
        item = new(UserScramCredentialRecord)
        item.name, pos = reading.string(buf, pos, True)
        (item.mechanism,) = _get_b(buf, pos)
        pos += 1
        item.salt, pos = reading.blob(buf, pos, True)
        item.stored_key, pos = reading.blob(buf, pos, True)
        item.server_key, pos = reading.blob(buf, pos, True)
        item.iterations, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_user_scram_credential_record(
    out: bytearray, items: Sequence[UserScramCredentialRecord], version: int
) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_b(item.mechanism)
        writing.blob(out, item.salt, True)
        writing.blob(out, item.stored_key, True)
        writing.blob(out, item.server_key, True)
        out += _put_ix(item.iterations)
