"""ShareGroupStatePartitionMetadataKey and ShareGroupStatePartitionMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_put_u = Format(">16s").pack


class ShareGroupStatePartitionMetadataKey(Message):
    __slots__ = ("group_id",)

    API_KEY = 15
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "") -> None:
        self.group_id = group_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ShareGroupStatePartitionMetadataKey, int]:
        (item,), pos = _read_share_group_state_partition_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_group_state_partition_metadata_key(out, (self,), version)


def _read_share_group_state_partition_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareGroupStatePartitionMetadataKey], int]:
    items: list[ShareGroupStatePartitionMetadataKey] = []
    new = ShareGroupStatePartitionMetadataKey.__new__
    for _ in range(count):
        item = new(ShareGroupStatePartitionMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_share_group_state_partition_metadata_key(
    out: bytearray, items: Sequence[ShareGroupStatePartitionMetadataKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)


class TopicPartitionsInfo(Struct):
    __slots__ = ("topic_id", "topic_name", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, topic_name: str = "", partitions: list[int] = UNSET) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class TopicInfo(Struct):
    __slots__ = ("topic_id", "topic_name")

    def __init__(self, *, topic_id: bytes = ZERO, topic_name: str = "") -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name


class ShareGroupStatePartitionMetadataValue(Message):
    __slots__ = ("initializing_topics", "initialized_topics", "deleting_topics")

    API_KEY = 15
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        initializing_topics: list[TopicPartitionsInfo] = UNSET,
        initialized_topics: list[TopicPartitionsInfo] = UNSET,
        deleting_topics: list[TopicInfo] = UNSET,
    ) -> None:
        self.initializing_topics = [] if initializing_topics is UNSET else initializing_topics
        self.initialized_topics = [] if initialized_topics is UNSET else initialized_topics
        self.deleting_topics = [] if deleting_topics is UNSET else deleting_topics

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ShareGroupStatePartitionMetadataValue, int]:
        (item,), pos = _read_share_group_state_partition_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_group_state_partition_metadata_value(out, (self,), version)


def _read_topic_partitions_info(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicPartitionsInfo], int]:
    items: list[TopicPartitionsInfo] = []
    new = TopicPartitionsInfo.__new__
    for _ in range(count):
        item = new(TopicPartitionsInfo)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        item.topic_name, pos = reading.string(buf, pos, True)
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_partitions_info(out: bytearray, items: Sequence[TopicPartitionsInfo], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.string(out, item.topic_name, True)
        writing.int32s(out, item.partitions, True)
        out.append(0)


def _read_topic_info(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[TopicInfo], int]:
    items: list[TopicInfo] = []
    new = TopicInfo.__new__
    for _ in range(count):
        item = new(TopicInfo)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        item.topic_name, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_info(out: bytearray, items: Sequence[TopicInfo], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.string(out, item.topic_name, True)
        out.append(0)


def _read_share_group_state_partition_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareGroupStatePartitionMetadataValue], int]:
    items: list[ShareGroupStatePartitionMetadataValue] = []
    new = ShareGroupStatePartitionMetadataValue.__new__
    for _ in range(count):
        item = new(ShareGroupStatePartitionMetadataValue)
        length, pos = reading.count(buf, pos, True, left)
        item.initializing_topics, pos = _read_topic_partitions_info(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.initialized_topics, pos = _read_topic_partitions_info(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.deleting_topics, pos = _read_topic_info(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_share_group_state_partition_metadata_value(
    out: bytearray, items: Sequence[ShareGroupStatePartitionMetadataValue], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.initializing_topics), True)
        _write_topic_partitions_info(out, item.initializing_topics, version)
        writing.count(out, len(item.initialized_topics), True)
        _write_topic_partitions_info(out, item.initialized_topics, version)
        writing.count(out, len(item.deleting_topics), True)
        _write_topic_info(out, item.deleting_topics, version)
        out.append(0)
