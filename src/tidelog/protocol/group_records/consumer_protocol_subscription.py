"""ConsumerProtocolSubscription. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_put_i = Format(">i").pack


class TopicPartition(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(self, *, topic: str = "", partitions: list[int] = UNSET) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


class ConsumerProtocolSubscription(Message):
    __slots__ = ("topics", "user_data", "owned_partitions", "generation_id", "rack_id")

    API_KEY = -1
    VERSIONS = (0, 3)
    FLEXIBLE_FROM = None

    def __init__(
        self,
        *,
        topics: list[str] = UNSET,
        user_data: bytes | None = None,
        owned_partitions: list[TopicPartition] = UNSET,
        generation_id: int = -1,
        rack_id: str | None = None,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.user_data = user_data
        self.owned_partitions = [] if owned_partitions is UNSET else owned_partitions
        self.generation_id = generation_id
        self.rack_id = rack_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ConsumerProtocolSubscription, int]:
        (item,), pos = _read_consumer_protocol_subscription(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_protocol_subscription(out, (self,), version)


def _read_topic_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicPartition], int]:
    items: list[TopicPartition] = []
    new = TopicPartition.__new__
    for _ in range(count):
        item = new(TopicPartition)
        item.topic, pos = reading.string(buf, pos, False)
        item.partitions, pos = reading.int32s(buf, pos, False)
        items.append(item)
    return items, pos


def _write_topic_partition(out: bytearray, items: Sequence[TopicPartition], version: int) -> None:
    for item in items:
        writing.string(out, item.topic, False)
        writing.int32s(out, item.partitions, False)


def _read_consumer_protocol_subscription(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerProtocolSubscription], int]:
    items: list[ConsumerProtocolSubscription] = []
    new = ConsumerProtocolSubscription.__new__
    for _ in range(count):
        item = new(ConsumerProtocolSubscription)
        item.topics, pos = reading.strings(buf, pos, False, left)
        item.user_data, pos = reading.nullable_blob(buf, pos, False)
        if version >= 1:
            length, pos = reading.count(buf, pos, False, left)
            item.owned_partitions, pos = _read_topic_partition(buf, pos, length, version, left)
        else:
            item.owned_partitions = []
        if version >= 2:
            (item.generation_id,) = _get_i(buf, pos)
            pos += 4
        else:
            item.generation_id = -1
        if version >= 3:
            item.rack_id, pos = reading.nullable_string(buf, pos, False)
        else:
            item.rack_id = None
        items.append(item)
    return items, pos


def _write_consumer_protocol_subscription(
    out: bytearray, items: Sequence[ConsumerProtocolSubscription], version: int
) -> None:
    for item in items:
        writing.strings(out, item.topics, False)
        writing.nullable_blob(out, item.user_data, False)
        if version >= 1:
            writing.count(out, len(item.owned_partitions), False)
            _write_topic_partition(out, item.owned_partitions, version)
        if version >= 2:
            out += _put_i(item.generation_id)
        if version >= 3:
            writing.nullable_string(out, item.rack_id, False)
