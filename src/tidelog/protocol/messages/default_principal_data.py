"""DefaultPrincipalData. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_oB = Format(">?B").unpack_from
_put_ox = Format(">?x").pack


class DefaultPrincipalData(Message):
    __slots__ = ("type", "name", "token_authenticated")

    API_KEY = -1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, type: str = "", name: str = "", token_authenticated: bool = False) -> None:
        self.type = type
        self.name = name
        self.token_authenticated = token_authenticated

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DefaultPrincipalData, int]:
        (item,), pos = _read_default_principal_data(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_default_principal_data(out, (self,), version)


def _read_default_principal_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DefaultPrincipalData], int]:
    items: list[DefaultPrincipalData] = []
    new = DefaultPrincipalData.__new__
    for _ in range(count):
        item = new(DefaultPrincipalData)
        item.type, pos = reading.string(buf, pos, True)
        item.name, pos = reading.string(buf, pos, True)
        item.token_authenticated, tags = _get_oB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_default_principal_data(out: bytearray, items: Sequence[DefaultPrincipalData], version: int) -> None:
    for item in items:
        writing.string(out, item.type, True)
        writing.string(out, item.name, True)
        out += _put_ox(item.token_authenticated)
