"""ConsumerProtocolAssignment. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct


class TopicPartition(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(self, *, topic: str = "", partitions: list[int] = UNSET) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


class ConsumerProtocolAssignment(Message):
    __slots__ = ("assigned_partitions", "user_data")

    API_KEY = -1
    VERSIONS = (0, 3)
    FLEXIBLE_FROM = None

    def __init__(self, *, assigned_partitions: list[TopicPartition] = UNSET, user_data: bytes | None = None) -> None:
        self.assigned_partitions = [] if assigned_partitions is UNSET else assigned_partitions
        self.user_data = user_data

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ConsumerProtocolAssignment, int]:
        (item,), pos = _read_consumer_protocol_assignment(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_protocol_assignment(out, (self,), version)


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


def _read_consumer_protocol_assignment(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerProtocolAssignment], int]:
    items: list[ConsumerProtocolAssignment] = []
    new = ConsumerProtocolAssignment.__new__
    for _ in range(count):
        item = new(ConsumerProtocolAssignment)
        length, pos = reading.count(buf, pos, False, left)
        item.assigned_partitions, pos = _read_topic_partition(buf, pos, length, version, left)
        item.user_data, pos = reading.nullable_blob(buf, pos, False)
        items.append(item)
    return items, pos


def _write_consumer_protocol_assignment(
    out: bytearray, items: Sequence[ConsumerProtocolAssignment], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.assigned_partitions), False)
        _write_topic_partition(out, item.assigned_partitions, version)
        writing.nullable_blob(out, item.user_data, False)
