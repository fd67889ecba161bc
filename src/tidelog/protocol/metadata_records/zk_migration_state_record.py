"""ZkMigrationStateRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_bB = Format(">bB").unpack_from
_put_bx = Format(">bx").pack


class ZkMigrationStateRecord(Message):
    __slots__ = ("zk_migration_state",)

    API_KEY = 21
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, zk_migration_state: int = 0) -> None:
        self.zk_migration_state = zk_migration_state

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ZkMigrationStateRecord, int]:
        (item,), pos = _read_zk_migration_state_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_zk_migration_state_record(out, (self,), version)


def _read_zk_migration_state_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ZkMigrationStateRecord], int]:
    items: list[ZkMigrationStateRecord] = []
    new = ZkMigrationStateRecord.__new__
    for _ in range(count):
        item = new(ZkMigrationStateRecord)
        item.zk_migration_state, tags = _get_bB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_zk_migration_state_record(out: bytearray, items: Sequence[ZkMigrationStateRecord], version: int) -> None:
    for item in items:
        out += _put_bx(item.zk_migration_state)
