"""TopicRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_uB = Format(">16sB").unpack_from
_put_ux = Format(">16sx").pack


class TopicRecord(Message):
    __slots__ = ("name", "topic_id")

    API_KEY = 2
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, name: str = "", topic_id: bytes = ZERO) -> None:
        self.name = name
        self.topic_id = topic_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[TopicRecord, int]:
        (item,), pos = _read_topic_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_topic_record(out, (self,), version)


def _read_topic_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicRecord], int]:
    items: list[TopicRecord] = []
    new = TopicRecord.__new__
    for _ in range(count):
        item = new(TopicRecord)
        item.name, pos = reading.string(buf, pos, True)
        item.topic_id, tags = _get_uB(buf, pos)
        pos += 17
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_record(out: bytearray, items: Sequence[TopicRecord], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_ux(item.topic_id)
