"""ConsumerGroupPartitionMetadataKey and ConsumerGroupPartitionMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_i = Format(">i").unpack_from
_put_u = Format(">16s").pack
_put_i = Format(">i").pack


class ConsumerGroupPartitionMetadataKey(Message):
    __slots__ = ("group_id",)

    API_KEY = 4
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "") -> None:
        self.group_id = group_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupPartitionMetadataKey, int]:
        (item,), pos = _read_consumer_group_partition_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_partition_metadata_key(out, (self,), version)


def _read_consumer_group_partition_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupPartitionMetadataKey], int]:
    items: list[ConsumerGroupPartitionMetadataKey] = []
    new = ConsumerGroupPartitionMetadataKey.__new__
    for _ in range(count):
        item = new(ConsumerGroupPartitionMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_consumer_group_partition_metadata_key(
    out: bytearray, items: Sequence[ConsumerGroupPartitionMetadataKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)


class PartitionMetadata(Struct):
    __slots__ = ("partition", "racks")

    def __init__(self, *, partition: int = 0, racks: list[str] = UNSET) -> None:
        self.partition = partition
        self.racks = [] if racks is UNSET else racks


class TopicMetadata(Struct):
    __slots__ = ("topic_id", "topic_name", "num_partitions", "partition_metadata")

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO,
        topic_name: str = "",
        num_partitions: int = 0,
        partition_metadata: list[PartitionMetadata] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.num_partitions = num_partitions
        self.partition_metadata = [] if partition_metadata is UNSET else partition_metadata


class ConsumerGroupPartitionMetadataValue(Message):
    __slots__ = ("topics",)

    API_KEY = 4
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, topics: list[TopicMetadata] = UNSET) -> None:
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
        (item,), pos = _read_consumer_group_partition_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_partition_metadata_value(out, (self,), version)


def _read_partition_metadata(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionMetadata], int]:
    items: list[PartitionMetadata] = []
    new = PartitionMetadata.__new__
    for _ in range(count):
        item = new(PartitionMetadata)
        (item.partition,) = _get_i(buf, pos)
        pos += 4
        item.racks, pos = reading.strings(buf, pos, True, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partition_metadata(out: bytearray, items: Sequence[PartitionMetadata], version: int) -> None:
    for item in items:
        out += _put_i(item.partition)
        writing.strings(out, item.racks, True)
        out.append(0)


def _read_topic_metadata(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicMetadata], int]:
    items: list[TopicMetadata] = []
    new = TopicMetadata.__new__
    for _ in range(count):
        item = new(TopicMetadata)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        item.topic_name, pos = reading.string(buf, pos, True)
        (item.num_partitions,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.partition_metadata, pos = _read_partition_metadata(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_metadata(out: bytearray, items: Sequence[TopicMetadata], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.string(out, item.topic_name, True)
        out += _put_i(item.num_partitions)
        writing.count(out, len(item.partition_metadata), True)
        _write_partition_metadata(out, item.partition_metadata, version)
        out.append(0)


def _read_consumer_group_partition_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupPartitionMetadataValue], int]:
    items: list[ConsumerGroupPartitionMetadataValue] = []
    new = ConsumerGroupPartitionMetadataValue.__new__
    for _ in range(count):
        item = new(ConsumerGroupPartitionMetadataValue)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_topic_metadata(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_consumer_group_partition_metadata_value(
    out: bytearray, items: Sequence[ConsumerGroupPartitionMetadataValue], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.topics), True)
        _write_topic_metadata(out, item.topics, version)
        out.append(0)
