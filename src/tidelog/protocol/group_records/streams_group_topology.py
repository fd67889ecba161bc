"""StreamsGroupTopologyKey and StreamsGroupTopologyValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack


class StreamsGroupTopologyKey(Message):
    __slots__ = ("group_id",)

    API_KEY = 23
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "") -> None:
        self.group_id = group_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupTopologyKey, int]:
        (item,), pos = _read_streams_group_topology_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_topology_key(out, (self,), version)


def _read_streams_group_topology_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupTopologyKey], int]:
    items: list[StreamsGroupTopologyKey] = []
    new = StreamsGroupTopologyKey.__new__
    for _ in range(count):
        item = new(StreamsGroupTopologyKey)
        item.group_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_streams_group_topology_key(out: bytearray, items: Sequence[StreamsGroupTopologyKey], version: int) -> None:
    for item in items:
        writing.string(out, item.group_id, False)


class TopicConfig(Struct):
    __slots__ = ("key", "value")

    def __init__(self, *, key: str = "", value: str = "") -> None:
        self.key = key
        self.value = value


class TopicInfo(Struct):
    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    def __init__(
        self,
        *,
        name: str = "",
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: list[TopicConfig] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = partitions
        self.replication_factor = replication_factor
        self.topic_configs = [] if topic_configs is UNSET else topic_configs


class CopartitionGroup(Struct):
    __slots__ = ("source_topics", "source_topic_regex", "repartition_source_topics")

    def __init__(
        self,
        *,
        source_topics: list[int] = UNSET,
        source_topic_regex: list[int] = UNSET,
        repartition_source_topics: list[int] = UNSET,
    ) -> None:
        self.source_topics = [] if source_topics is UNSET else source_topics
        self.source_topic_regex = [] if source_topic_regex is UNSET else source_topic_regex
        self.repartition_source_topics = [] if repartition_source_topics is UNSET else repartition_source_topics


class Subtopology(Struct):
    __slots__ = (
        "subtopology_id",
        "source_topics",
        "source_topic_regex",
        "state_changelog_topics",
        "repartition_sink_topics",
        "repartition_source_topics",
        "copartition_groups",
    )

    def __init__(
        self,
        *,
        subtopology_id: str = "",
        source_topics: list[str] = UNSET,
        source_topic_regex: list[str] = UNSET,
        state_changelog_topics: list[TopicInfo] = UNSET,
        repartition_sink_topics: list[str] = UNSET,
        repartition_source_topics: list[TopicInfo] = UNSET,
        copartition_groups: list[CopartitionGroup] = UNSET,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics = [] if source_topics is UNSET else source_topics
        self.source_topic_regex = [] if source_topic_regex is UNSET else source_topic_regex
        self.state_changelog_topics = [] if state_changelog_topics is UNSET else state_changelog_topics
        self.repartition_sink_topics = [] if repartition_sink_topics is UNSET else repartition_sink_topics
        self.repartition_source_topics = [] if repartition_source_topics is UNSET else repartition_source_topics
        self.copartition_groups = [] if copartition_groups is UNSET else copartition_groups


class StreamsGroupTopologyValue(Message):
    __slots__ = ("epoch", "subtopologies")

    API_KEY = 23
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, epoch: int = 0, subtopologies: list[Subtopology] = UNSET) -> None:
        self.epoch = epoch
        self.subtopologies = [] if subtopologies is UNSET else subtopologies

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupTopologyValue, int]:
        (item,), pos = _read_streams_group_topology_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_topology_value(out, (self,), version)


def _read_topic_config(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicConfig], int]:
    items: list[TopicConfig] = []
    new = TopicConfig.__new__
    for _ in range(count):
        item = new(TopicConfig)
        item.key, pos = reading.string(buf, pos, True)
        item.value, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_config(out: bytearray, items: Sequence[TopicConfig], version: int) -> None:
    for item in items:
        writing.string(out, item.key, True)
        writing.string(out, item.value, True)
        out.append(0)


def _read_topic_info(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[TopicInfo], int]:
    items: list[TopicInfo] = []
    new = TopicInfo.__new__
    for _ in range(count):
        item = new(TopicInfo)
        item.name, pos = reading.string(buf, pos, True)
        item.partitions, item.replication_factor = _get_ih(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, True, left)
        item.topic_configs, pos = _read_topic_config(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_info(out: bytearray, items: Sequence[TopicInfo], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_ih(item.partitions, item.replication_factor)
        writing.count(out, len(item.topic_configs), True)
        _write_topic_config(out, item.topic_configs, version)
        out.append(0)


def _read_copartition_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CopartitionGroup], int]:
    items: list[CopartitionGroup] = []
    new = CopartitionGroup.__new__
    for _ in range(count):
        item = new(CopartitionGroup)
        item.source_topics, pos = reading.numbers(buf, pos, True, "h", 2)
        item.source_topic_regex, pos = reading.numbers(buf, pos, True, "h", 2)
        item.repartition_source_topics, pos = reading.numbers(buf, pos, True, "h", 2)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_copartition_group(out: bytearray, items: Sequence[CopartitionGroup], version: int) -> None:
    for item in items:
        writing.numbers(out, item.source_topics, True, "h")
        writing.numbers(out, item.source_topic_regex, True, "h")
        writing.numbers(out, item.repartition_source_topics, True, "h")
        out.append(0)


def _read_subtopology(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[Subtopology], int]:
    items: list[Subtopology] = []
    new = Subtopology.__new__
    for _ in range(count):
        item = new(Subtopology)
        item.subtopology_id, pos = reading.string(buf, pos, True)
        item.source_topics, pos = reading.strings(buf, pos, True, left)
        item.source_topic_regex, pos = reading.strings(buf, pos, True, left)
        length, pos = reading.count(buf, pos, True, left)
        item.state_changelog_topics, pos = _read_topic_info(buf, pos, length, version, left)
        item.repartition_sink_topics, pos = reading.strings(buf, pos, True, left)
        length, pos = reading.count(buf, pos, True, left)
        item.repartition_source_topics, pos = _read_topic_info(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.copartition_groups, pos = _read_copartition_group(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_subtopology(out: bytearray, items: Sequence[Subtopology], version: int) -> None:
    for item in items:
        writing.string(out, item.subtopology_id, True)
        writing.strings(out, item.source_topics, True)
        writing.strings(out, item.source_topic_regex, True)
        writing.count(out, len(item.state_changelog_topics), True)
        _write_topic_info(out, item.state_changelog_topics, version)
        writing.strings(out, item.repartition_sink_topics, True)
        writing.count(out, len(item.repartition_source_topics), True)
        _write_topic_info(out, item.repartition_source_topics, version)
        writing.count(out, len(item.copartition_groups), True)
        _write_copartition_group(out, item.copartition_groups, version)
        out.append(0)


def _read_streams_group_topology_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupTopologyValue], int]:
    items: list[StreamsGroupTopologyValue] = []
    new = StreamsGroupTopologyValue.__new__
    for _ in range(count):
        item = new(StreamsGroupTopologyValue)
        (item.epoch,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.subtopologies, pos = _read_subtopology(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_streams_group_topology_value(
    out: bytearray, items: Sequence[StreamsGroupTopologyValue], version: int
) -> None:
    for item in items:
        out += _put_i(item.epoch)
        writing.count(out, len(item.subtopologies), True)
        _write_subtopology(out, item.subtopologies, version)
        out.append(0)
