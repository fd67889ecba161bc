"""OffsetFetchRequest and OffsetFetchResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_oB = Format(">?B").unpack_from
_get_h = Format(">h").unpack_from
_get_hB = Format(">hB").unpack_from
_get_i = Format(">i").unpack_from
_get_iq = Format(">iq").unpack_from
_get_iqi = Format(">iqi").unpack_from
_put_u = Format(">16s").pack
_put_ox = Format(">?x").pack
_put_h = Format(">h").pack
_put_hx = Format(">hx").pack
_put_i = Format(">i").pack
_put_iq = Format(">iq").pack
_put_iqi = Format(">iqi").pack


class OffsetFetchRequestTopic(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(self, *, name: str = "", partition_indexes: list[int] = UNSET) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


class OffsetFetchRequestTopics(Struct):
    __slots__ = ("name", "topic_id", "partition_indexes")

    def __init__(self, *, name: str = "", topic_id: bytes = ZERO, partition_indexes: list[int] = UNSET) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


class OffsetFetchRequestGroup(Struct):
    __slots__ = ("group_id", "member_id", "member_epoch", "topics")

    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str | None = None,
        member_epoch: int = -1,
        topics: list[OffsetFetchRequestTopics] | None = UNSET,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.topics = [] if topics is UNSET else topics


class OffsetFetchRequest(Message):
    __slots__ = ("group_id", "topics", "groups", "require_stable")

    API_KEY = 9
    VERSIONS = (1, 10)
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[OffsetFetchRequestTopic] | None = UNSET,
        groups: list[OffsetFetchRequestGroup] = UNSET,
        require_stable: bool = False,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics
        self.groups = [] if groups is UNSET else groups
        self.require_stable = require_stable

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetFetchRequest, int]:
        (item,), pos = _read_offset_fetch_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_fetch_request(out, (self,), version)


def _read_offset_fetch_request_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchRequestTopic], int]:
    compact = version >= 6
    items: list[OffsetFetchRequestTopic] = []
    new = OffsetFetchRequestTopic.__new__
    for _ in range(count):
        item = new(OffsetFetchRequestTopic)
        item.name, pos = reading.string(buf, pos, compact)
        item.partition_indexes, pos = reading.int32s(buf, pos, compact)
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_request_topic(out: bytearray, items: Sequence[OffsetFetchRequestTopic], version: int) -> None:
    compact = version >= 6
    for item in items:
        writing.string(out, item.name, compact)
        writing.int32s(out, item.partition_indexes, compact)
        if version >= 6:
            out.append(0)


def _read_offset_fetch_request_topics(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchRequestTopics], int]:
    items: list[OffsetFetchRequestTopics] = []
    new = OffsetFetchRequestTopics.__new__
    for _ in range(count):
        item = new(OffsetFetchRequestTopics)
        if version <= 9:
            item.name, pos = reading.string(buf, pos, True)
        else:
            item.name = ""
        if version >= 10:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        item.partition_indexes, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_request_topics(out: bytearray, items: Sequence[OffsetFetchRequestTopics], version: int) -> None:
    for item in items:
        if version <= 9:
            writing.string(out, item.name, True)
        if version >= 10:
            out += _put_u(item.topic_id)
        writing.int32s(out, item.partition_indexes, True)
        out.append(0)


def _read_offset_fetch_request_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchRequestGroup], int]:
    items: list[OffsetFetchRequestGroup] = []
    new = OffsetFetchRequestGroup.__new__
    for _ in range(count):
        item = new(OffsetFetchRequestGroup)
        item.group_id, pos = reading.string(buf, pos, True)
        if version >= 9:
            item.member_id, pos = reading.nullable_string(buf, pos, True)
        else:
            item.member_id = None
        if version >= 9:
            (item.member_epoch,) = _get_i(buf, pos)
            pos += 4
        else:
            item.member_epoch = -1
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.topics = None
        else:
            item.topics, pos = _read_offset_fetch_request_topics(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_request_group(out: bytearray, items: Sequence[OffsetFetchRequestGroup], version: int) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        if version >= 9:
            writing.nullable_string(out, item.member_id, True)
        if version >= 9:
            out += _put_i(item.member_epoch)
        if item.topics is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.topics), True)
            _write_offset_fetch_request_topics(out, item.topics, version)
        out.append(0)


def _read_offset_fetch_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchRequest], int]:
    compact = version >= 6
    items: list[OffsetFetchRequest] = []
    new = OffsetFetchRequest.__new__
    for _ in range(count):
        item = new(OffsetFetchRequest)
        if version <= 7:
            item.group_id, pos = reading.string(buf, pos, compact)
        else:
            item.group_id = ""
        if version <= 7:
            length, pos = reading.nullable_count(buf, pos, compact, left)
            if length < 0:
                item.topics = None
            else:
                item.topics, pos = _read_offset_fetch_request_topic(buf, pos, length, version, left)
            if item.topics is None and not (version >= 2):
                raise reading.null_refused("topics", version)
        else:
            item.topics = []
        if version >= 8:
            length, pos = reading.count(buf, pos, True, left)
            item.groups, pos = _read_offset_fetch_request_group(buf, pos, length, version, left)
        else:
            item.groups = []
        if version >= 7:
            item.require_stable, tags = _get_oB(buf, pos)
            pos += 2
        elif version >= 6:
            tags = buf[pos]
            pos += 1
            item.require_stable = False
        else:
            item.require_stable = False
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_request(out: bytearray, items: Sequence[OffsetFetchRequest], version: int) -> None:
    compact = version >= 6
    for item in items:
        if version <= 7:
            writing.string(out, item.group_id, compact)
        else:
            if item.group_id:
                raise writing.not_carried("group_id", version)
        if version <= 7:
            if item.topics is None and not (version >= 2):
                raise writing.null_refused("topics", version)
            if item.topics is None:
                writing.null(out, compact)
            else:
                writing.count(out, len(item.topics), compact)
                _write_offset_fetch_request_topic(out, item.topics, version)
        else:
            if item.topics is None or len(item.topics) > 0:
                raise writing.not_carried("topics", version)
        if version >= 8:
            writing.count(out, len(item.groups), True)
            _write_offset_fetch_request_group(out, item.groups, version)
        else:
            if item.groups:
                raise writing.not_carried("groups", version)
        if version >= 7:
            out += _put_ox(item.require_stable)
        elif version >= 6:
            if item.require_stable:
                raise writing.not_carried("require_stable", version)
            out.append(0)
        else:
            if item.require_stable:
                raise writing.not_carried("require_stable", version)


class OffsetFetchResponsePartition(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code


class OffsetFetchResponseTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[OffsetFetchResponsePartition] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class OffsetFetchResponsePartitions(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code")

    def __init__(
        self,
        *,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code


class OffsetFetchResponseTopics(Struct):
    __slots__ = ("name", "topic_id", "partitions")

    def __init__(
        self, *, name: str = "", topic_id: bytes = ZERO, partitions: list[OffsetFetchResponsePartitions] = UNSET
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class OffsetFetchResponseGroup(Struct):
    __slots__ = ("group_id", "topics", "error_code")

    def __init__(
        self, *, group_id: str = "", topics: list[OffsetFetchResponseTopics] = UNSET, error_code: int = 0
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics
        self.error_code = error_code


class OffsetFetchResponse(Message):
    __slots__ = ("throttle_time_ms", "topics", "error_code", "groups")

    API_KEY = 9
    VERSIONS = (1, 10)
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[OffsetFetchResponseTopic] = UNSET,
        error_code: int = 0,
        groups: list[OffsetFetchResponseGroup] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics
        self.error_code = error_code
        self.groups = [] if groups is UNSET else groups

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[OffsetFetchResponse, int]:
        (item,), pos = _read_offset_fetch_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_offset_fetch_response(out, (self,), version)


def _read_offset_fetch_response_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchResponsePartition], int]:
    compact = version >= 6
    items: list[OffsetFetchResponsePartition] = []
    new = OffsetFetchResponsePartition.__new__
    for _ in range(count):
        item = new(OffsetFetchResponsePartition)
        if version >= 5:
            item.partition_index, item.committed_offset, item.committed_leader_epoch = _get_iqi(buf, pos)
            pos += 16
        else:
            item.partition_index, item.committed_offset = _get_iq(buf, pos)
            pos += 12
            item.committed_leader_epoch = -1
        item.metadata, pos = reading.nullable_string(buf, pos, compact)
        if version >= 6:
            item.error_code, tags = _get_hB(buf, pos)
            pos += 3
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_response_partition(
    out: bytearray, items: Sequence[OffsetFetchResponsePartition], version: int
) -> None:
    compact = version >= 6
    for item in items:
        if version >= 5:
            out += _put_iqi(item.partition_index, item.committed_offset, item.committed_leader_epoch)
        else:
            out += _put_iq(item.partition_index, item.committed_offset)
        writing.nullable_string(out, item.metadata, compact)
        if version >= 6:
            out += _put_hx(item.error_code)
        else:
            out += _put_h(item.error_code)


def _read_offset_fetch_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchResponseTopic], int]:
    compact = version >= 6
    items: list[OffsetFetchResponseTopic] = []
    new = OffsetFetchResponseTopic.__new__
    for _ in range(count):
        item = new(OffsetFetchResponseTopic)
        item.name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_offset_fetch_response_partition(buf, pos, length, version, left)
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_response_topic(out: bytearray, items: Sequence[OffsetFetchResponseTopic], version: int) -> None:
    compact = version >= 6
    for item in items:
        writing.string(out, item.name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_offset_fetch_response_partition(out, item.partitions, version)
        if version >= 6:
            out.append(0)


def _read_offset_fetch_response_partitions(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchResponsePartitions], int]:
    items: list[OffsetFetchResponsePartitions] = []
    new = OffsetFetchResponsePartitions.__new__
    for _ in range(count):
        item = new(OffsetFetchResponsePartitions)
        item.partition_index, item.committed_offset, item.committed_leader_epoch = _get_iqi(buf, pos)
        pos += 16
        item.metadata, pos = reading.nullable_string(buf, pos, True)
        item.error_code, tags = _get_hB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_response_partitions(
    out: bytearray, items: Sequence[OffsetFetchResponsePartitions], version: int
) -> None:
    for item in items:
        out += _put_iqi(item.partition_index, item.committed_offset, item.committed_leader_epoch)
        writing.nullable_string(out, item.metadata, True)
        out += _put_hx(item.error_code)


def _read_offset_fetch_response_topics(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchResponseTopics], int]:
    items: list[OffsetFetchResponseTopics] = []
    new = OffsetFetchResponseTopics.__new__
    for _ in range(count):
        item = new(OffsetFetchResponseTopics)
        if version <= 9:
            item.name, pos = reading.string(buf, pos, True)
        else:
            item.name = ""
        if version >= 10:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_offset_fetch_response_partitions(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_response_topics(
    out: bytearray, items: Sequence[OffsetFetchResponseTopics], version: int
) -> None:
    for item in items:
        if version <= 9:
            writing.string(out, item.name, True)
        if version >= 10:
            out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_offset_fetch_response_partitions(out, item.partitions, version)
        out.append(0)


def _read_offset_fetch_response_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchResponseGroup], int]:
    items: list[OffsetFetchResponseGroup] = []
    new = OffsetFetchResponseGroup.__new__
    for _ in range(count):
        item = new(OffsetFetchResponseGroup)
        item.group_id, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_offset_fetch_response_topics(buf, pos, length, version, left)
        item.error_code, tags = _get_hB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_response_group(out: bytearray, items: Sequence[OffsetFetchResponseGroup], version: int) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.count(out, len(item.topics), True)
        _write_offset_fetch_response_topics(out, item.topics, version)
        out += _put_hx(item.error_code)


def _read_offset_fetch_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[OffsetFetchResponse], int]:
    compact = version >= 6
    items: list[OffsetFetchResponse] = []
    new = OffsetFetchResponse.__new__
    for _ in range(count):
        item = new(OffsetFetchResponse)
        if version >= 3:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
        else:
            item.throttle_time_ms = 0
        if version <= 7:
            length, pos = reading.count(buf, pos, compact, left)
            item.topics, pos = _read_offset_fetch_response_topic(buf, pos, length, version, left)
        else:
            item.topics = []
        if version >= 8:
            item.error_code = 0
        elif version >= 2:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
        else:
            item.error_code = 0
        if version >= 8:
            length, pos = reading.count(buf, pos, True, left)
            item.groups, pos = _read_offset_fetch_response_group(buf, pos, length, version, left)
        else:
            item.groups = []
        if version >= 6:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_offset_fetch_response(out: bytearray, items: Sequence[OffsetFetchResponse], version: int) -> None:
    compact = version >= 6
    for item in items:
        if version >= 3:
            out += _put_i(item.throttle_time_ms)
        if version <= 7:
            writing.count(out, len(item.topics), compact)
            _write_offset_fetch_response_topic(out, item.topics, version)
        else:
            if item.topics:
                raise writing.not_carried("topics", version)
        if version >= 8:
            pass
        elif version >= 2:
            out += _put_h(item.error_code)
        if version >= 8:
            writing.count(out, len(item.groups), True)
            _write_offset_fetch_response_group(out, item.groups, version)
        else:
            if item.groups:
                raise writing.not_carried("groups", version)
        if version >= 6:
            out.append(0)
