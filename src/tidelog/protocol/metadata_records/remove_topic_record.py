"""RemoveTopicRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading
from tidelog.protocol.primitives import Message, Readable

_get_uB = Format(">16sB").unpack_from
_put_ux = Format(">16sx").pack


class RemoveTopicRecord(Message):
    __slots__ = ("topic_id",)

    API_KEY = 9
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, topic_id: bytes = ZERO) -> None:
        self.topic_id = topic_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RemoveTopicRecord, int]:
        (item,), pos = _read_remove_topic_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remove_topic_record(out, (self,), version)


def _read_remove_topic_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoveTopicRecord], int]:
    items: list[RemoveTopicRecord] = []
    new = RemoveTopicRecord.__new__
    for _ in range(count):
        item = new(RemoveTopicRecord)
        item.topic_id, tags = _get_uB(buf, pos)
        pos += 17
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remove_topic_record(out: bytearray, items: Sequence[RemoveTopicRecord], version: int) -> None:
    for item in items:
        out += _put_ux(item.topic_id)
