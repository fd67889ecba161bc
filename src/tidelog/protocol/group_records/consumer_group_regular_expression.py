"""ConsumerGroupRegularExpressionKey and ConsumerGroupRegularExpressionValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable

_get_qqB = Format(">qqB").unpack_from
_put_qqx = Format(">qqx").pack


class ConsumerGroupRegularExpressionKey(Message):
    __slots__ = ("group_id", "regular_expression")

    API_KEY = 16
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", regular_expression: str = "") -> None:
        self.group_id = group_id
        self.regular_expression = regular_expression

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupRegularExpressionKey, int]:
        (item,), pos = _read_consumer_group_regular_expression_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_regular_expression_key(out, (self,), version)


def _read_consumer_group_regular_expression_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupRegularExpressionKey], int]:
    items: list[ConsumerGroupRegularExpressionKey] = []
    new = ConsumerGroupRegularExpressionKey.__new__
    for _ in range(count):
        item = new(ConsumerGroupRegularExpressionKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.regular_expression, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_consumer_group_regular_expression_key(
    out: bytearray, items: Sequence[ConsumerGroupRegularExpressionKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.string(out, item.regular_expression, False)


class ConsumerGroupRegularExpressionValue(Message):
    __slots__ = ("topics", "version", "timestamp")

    API_KEY = 16
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, topics: list[str] = UNSET, version: int = 0, timestamp: int = 0) -> None:
        self.topics = [] if topics is UNSET else topics
        self.version = version
        self.timestamp = timestamp

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupRegularExpressionValue, int]:
        (item,), pos = _read_consumer_group_regular_expression_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_regular_expression_value(out, (self,), version)


def _read_consumer_group_regular_expression_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupRegularExpressionValue], int]:
    items: list[ConsumerGroupRegularExpressionValue] = []
    new = ConsumerGroupRegularExpressionValue.__new__
    for _ in range(count):
        item = new(ConsumerGroupRegularExpressionValue)
        item.topics, pos = reading.strings(buf, pos, True, left)
        item.version, item.timestamp, tags = _get_qqB(buf, pos)
        pos += 17
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_consumer_group_regular_expression_value(
    out: bytearray, items: Sequence[ConsumerGroupRegularExpressionValue], version: int
) -> None:
    for item in items:
        writing.strings(out, item.topics, True)
        out += _put_qqx(item.version, item.timestamp)
