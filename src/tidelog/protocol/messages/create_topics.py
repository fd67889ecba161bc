"""CreateTopicsRequest and CreateTopicsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_uh = Format(">16sh").unpack_from
_get_oboB = Format(">?b?B").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_io = Format(">i?").unpack_from
_get_ioB = Format(">i?B").unpack_from
_get_ih = Format(">ih").unpack_from
_put_uh = Format(">16sh").pack
_put_obox = Format(">?b?x").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_io = Format(">i?").pack
_put_iox = Format(">i?x").pack
_put_ih = Format(">ih").pack


class CreatableReplicaAssignment(Struct):
    __slots__ = ("partition_index", "broker_ids")

    def __init__(self, *, partition_index: int = 0, broker_ids: list[int] = UNSET) -> None:
        self.partition_index = partition_index
        self.broker_ids = [] if broker_ids is UNSET else broker_ids


class CreatableTopicConfig(Struct):
    __slots__ = ("name", "value")

    def __init__(self, *, name: str = "", value: str | None = "") -> None:
        self.name = name
        self.value = value


class CreatableTopic(Struct):
    __slots__ = ("name", "num_partitions", "replication_factor", "assignments", "configs")

    def __init__(
        self,
        *,
        name: str = "",
        num_partitions: int = 0,
        replication_factor: int = 0,
        assignments: list[CreatableReplicaAssignment] = UNSET,
        configs: list[CreatableTopicConfig] = UNSET,
    ) -> None:
        self.name = name
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.assignments = [] if assignments is UNSET else assignments
        self.configs = [] if configs is UNSET else configs


class CreateTopicsRequest(Message):
    __slots__ = ("topics", "timeout_ms", "validate_only")

    API_KEY = 19
    VERSIONS = (2, 7)
    FLEXIBLE_FROM = 5

    def __init__(
        self, *, topics: list[CreatableTopic] = UNSET, timeout_ms: int = 60000, validate_only: bool = False
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[CreateTopicsRequest, int]:
        (item,), pos = _read_create_topics_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_create_topics_request(out, (self,), version)


def _read_creatable_replica_assignment(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatableReplicaAssignment], int]:
    compact = version >= 5
    items: list[CreatableReplicaAssignment] = []
    new = CreatableReplicaAssignment.__new__
    for _ in range(count):
        item = new(CreatableReplicaAssignment)
        (item.partition_index,) = _get_i(buf, pos)
        pos += 4
        item.broker_ids, pos = reading.int32s(buf, pos, compact)
        if version >= 5:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_creatable_replica_assignment(
    out: bytearray, items: Sequence[CreatableReplicaAssignment], version: int
) -> None:
    compact = version >= 5
    for item in items:
        out += _put_i(item.partition_index)
        writing.int32s(out, item.broker_ids, compact)
        if version >= 5:
            out.append(0)


def _read_creatable_topic_config(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatableTopicConfig], int]:
    compact = version >= 5
    items: list[CreatableTopicConfig] = []
    new = CreatableTopicConfig.__new__
    for _ in range(count):
        item = new(CreatableTopicConfig)
        item.name, pos = reading.string(buf, pos, compact)
        item.value, pos = reading.nullable_string(buf, pos, compact)
        if version >= 5:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_creatable_topic_config(out: bytearray, items: Sequence[CreatableTopicConfig], version: int) -> None:
    compact = version >= 5
    for item in items:
        writing.string(out, item.name, compact)
        writing.nullable_string(out, item.value, compact)
        if version >= 5:
            out.append(0)


def _read_creatable_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatableTopic], int]:
    compact = version >= 5
    items: list[CreatableTopic] = []
    new = CreatableTopic.__new__
    for _ in range(count):
        item = new(CreatableTopic)
        item.name, pos = reading.string(buf, pos, compact)
        item.num_partitions, item.replication_factor = _get_ih(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, compact, left)
        item.assignments, pos = _read_creatable_replica_assignment(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, compact, left)
        item.configs, pos = _read_creatable_topic_config(buf, pos, length, version, left)
        if version >= 5:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_creatable_topic(out: bytearray, items: Sequence[CreatableTopic], version: int) -> None:
    compact = version >= 5
    for item in items:
        writing.string(out, item.name, compact)
        out += _put_ih(item.num_partitions, item.replication_factor)
        writing.count(out, len(item.assignments), compact)
        _write_creatable_replica_assignment(out, item.assignments, version)
        writing.count(out, len(item.configs), compact)
        _write_creatable_topic_config(out, item.configs, version)
        if version >= 5:
            out.append(0)


def _read_create_topics_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreateTopicsRequest], int]:
    compact = version >= 5
    items: list[CreateTopicsRequest] = []
    new = CreateTopicsRequest.__new__
    for _ in range(count):
        item = new(CreateTopicsRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_creatable_topic(buf, pos, length, version, left)
        if version >= 5:
            item.timeout_ms, item.validate_only, tags = _get_ioB(buf, pos)
            pos += 6
        else:
            item.timeout_ms, item.validate_only = _get_io(buf, pos)
            pos += 5
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_topics_request(out: bytearray, items: Sequence[CreateTopicsRequest], version: int) -> None:
    compact = version >= 5
    for item in items:
        writing.count(out, len(item.topics), compact)
        _write_creatable_topic(out, item.topics, version)
        if version >= 5:
            out += _put_iox(item.timeout_ms, item.validate_only)
        else:
            out += _put_io(item.timeout_ms, item.validate_only)


class CreatableTopicConfigs(Struct):
    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive")

    def __init__(
        self,
        *,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive


class CreatableTopicResult(Struct):
    __slots__ = (
        "name",
        "topic_id",
        "error_code",
        "error_message",
        "topic_config_error_code",
        "num_partitions",
        "replication_factor",
        "configs",
    )

    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ZERO,
        error_code: int = 0,
        error_message: str | None = "",
        topic_config_error_code: int = 0,
        num_partitions: int = -1,
        replication_factor: int = -1,
        configs: list[CreatableTopicConfigs] | None = UNSET,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message
        self.topic_config_error_code = topic_config_error_code
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.configs = [] if configs is UNSET else configs


class CreateTopicsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    API_KEY = 19
    VERSIONS = (2, 7)
    FLEXIBLE_FROM = 5

    def __init__(self, *, throttle_time_ms: int = 0, topics: list[CreatableTopicResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[CreateTopicsResponse, int]:
        (item,), pos = _read_create_topics_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_create_topics_response(out, (self,), version)


def _read_creatable_topic_configs(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatableTopicConfigs], int]:
    items: list[CreatableTopicConfigs] = []
    new = CreatableTopicConfigs.__new__
    for _ in range(count):
        item = new(CreatableTopicConfigs)
        item.name, pos = reading.string(buf, pos, True)
        item.value, pos = reading.nullable_string(buf, pos, True)
        item.read_only, item.config_source, item.is_sensitive, tags = _get_oboB(buf, pos)
        pos += 4
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_creatable_topic_configs(out: bytearray, items: Sequence[CreatableTopicConfigs], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.nullable_string(out, item.value, True)
        out += _put_obox(item.read_only, item.config_source, item.is_sensitive)


def _tags_creatable_topic_result(
    item: CreatableTopicResult, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.topic_config_error_code,) = _get_h(buf, pos)
            pos += 2
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_creatable_topic_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreatableTopicResult], int]:
    compact = version >= 5
    items: list[CreatableTopicResult] = []
    new = CreatableTopicResult.__new__
    for _ in range(count):
        item = new(CreatableTopicResult)
        item.name, pos = reading.string(buf, pos, compact)
        if version >= 7:
            item.topic_id, item.error_code = _get_uh(buf, pos)
            pos += 18
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            item.topic_id = ZERO
        item.error_message, pos = reading.nullable_string(buf, pos, compact)
        if version >= 5:
            item.num_partitions, item.replication_factor = _get_ih(buf, pos)
            pos += 6
        else:
            item.num_partitions = -1
            item.replication_factor = -1
        if version >= 5:
            length, pos = reading.nullable_count(buf, pos, True, left)
            if length < 0:
                item.configs = None
            else:
                item.configs, pos = _read_creatable_topic_configs(buf, pos, length, version, left)
        else:
            item.configs = []
        if version >= 5:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        item.topic_config_error_code = 0
        if tags:
            pos = _tags_creatable_topic_result(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_creatable_topic_result(out: bytearray, item: CreatableTopicResult, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.topic_config_error_code != 0:
        body = bytearray()
        body += _put_h(item.topic_config_error_code)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_creatable_topic_result(out: bytearray, items: Sequence[CreatableTopicResult], version: int) -> None:
    compact = version >= 5
    for item in items:
        writing.string(out, item.name, compact)
        if version >= 7:
            out += _put_uh(item.topic_id, item.error_code)
        else:
            out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, compact)
        if version >= 5:
            out += _put_ih(item.num_partitions, item.replication_factor)
        if version >= 5:
            if item.configs is None:
                writing.null(out, True)
            else:
                writing.count(out, len(item.configs), True)
                _write_creatable_topic_configs(out, item.configs, version)
        if version >= 5:
            _put_tags_creatable_topic_result(out, item, version)


def _read_create_topics_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CreateTopicsResponse], int]:
    compact = version >= 5
    items: list[CreateTopicsResponse] = []
    new = CreateTopicsResponse.__new__
    for _ in range(count):
        item = new(CreateTopicsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_creatable_topic_result(buf, pos, length, version, left)
        if version >= 5:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_create_topics_response(out: bytearray, items: Sequence[CreateTopicsResponse], version: int) -> None:
    compact = version >= 5
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.topics), compact)
        _write_creatable_topic_result(out, item.topics, version)
        if version >= 5:
            out.append(0)
