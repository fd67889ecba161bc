"""RemoveUserScramCredentialRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_bB = Format(">bB").unpack_from
_put_bx = Format(">bx").pack


class RemoveUserScramCredentialRecord(Message):
    __slots__ = ("name", "mechanism")

    API_KEY = 22
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, name: str = "", mechanism: int = 0) -> None:
        self.name = name
        self.mechanism = mechanism

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[RemoveUserScramCredentialRecord, int]:
        (item,), pos = _read_remove_user_scram_credential_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remove_user_scram_credential_record(out, (self,), version)


def _read_remove_user_scram_credential_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoveUserScramCredentialRecord], int]:
    items: list[RemoveUserScramCredentialRecord] = []
    new = RemoveUserScramCredentialRecord.__new__
    for _ in range(count):
        item = new(RemoveUserScramCredentialRecord)
        item.name, pos = reading.string(buf, pos, True)
        item.mechanism, tags = _get_bB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remove_user_scram_credential_record(
    out: bytearray, items: Sequence[RemoveUserScramCredentialRecord], version: int
) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_bx(item.mechanism)
