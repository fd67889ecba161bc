"""StreamsGroupDescribeRequest and StreamsGroupDescribeResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_oB = Format(">?B").unpack_from
_get_HB = Format(">HB").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ii = Format(">ii").unpack_from
_get_iqB = Format(">iqB").unpack_from
_put_ox = Format(">?x").pack
_put_Hx = Format(">Hx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ii = Format(">ii").pack
_put_iqx = Format(">iqx").pack
_put_ix = Format(">ix").pack


class StreamsGroupDescribeRequest(Message):
    __slots__ = ("group_ids", "include_authorized_operations")

    API_KEY = 89
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, group_ids: list[str] = UNSET, include_authorized_operations: bool = False) -> None:
        self.group_ids = [] if group_ids is UNSET else group_ids
        self.include_authorized_operations = include_authorized_operations

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupDescribeRequest, int]:
        (item,), pos = _read_streams_group_describe_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_describe_request(out, (self,), version)


def _read_streams_group_describe_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupDescribeRequest], int]:
    items: list[StreamsGroupDescribeRequest] = []
    new = StreamsGroupDescribeRequest.__new__
    for _ in range(count):
        item = new(StreamsGroupDescribeRequest)
        item.group_ids, pos = reading.strings(buf, pos, True, left)
        item.include_authorized_operations, tags = _get_oB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_streams_group_describe_request(
    out: bytearray, items: Sequence[StreamsGroupDescribeRequest], version: int
) -> None:
    for item in items:
        writing.strings(out, item.group_ids, True)
        out += _put_ox(item.include_authorized_operations)


class KeyValue(Struct):
    __slots__ = ("key", "value")

    def __init__(self, *, key: str = "", value: str = "") -> None:
        self.key = key
        self.value = value


class TopicInfo(Struct):
    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    def __init__(
        self, *, name: str = "", partitions: int = 0, replication_factor: int = 0, topic_configs: list[KeyValue] = UNSET
    ) -> None:
        self.name = name
        self.partitions = partitions
        self.replication_factor = replication_factor
        self.topic_configs = [] if topic_configs is UNSET else topic_configs


class Subtopology(Struct):
    __slots__ = (
        "subtopology_id",
        "source_topics",
        "repartition_sink_topics",
        "state_changelog_topics",
        "repartition_source_topics",
    )

    def __init__(
        self,
        *,
        subtopology_id: str = "",
        source_topics: list[str] = UNSET,
        repartition_sink_topics: list[str] = UNSET,
        state_changelog_topics: list[TopicInfo] = UNSET,
        repartition_source_topics: list[TopicInfo] = UNSET,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics = [] if source_topics is UNSET else source_topics
        self.repartition_sink_topics = [] if repartition_sink_topics is UNSET else repartition_sink_topics
        self.state_changelog_topics = [] if state_changelog_topics is UNSET else state_changelog_topics
        self.repartition_source_topics = [] if repartition_source_topics is UNSET else repartition_source_topics


class Topology(Struct):
    __slots__ = ("epoch", "subtopologies")

    def __init__(self, *, epoch: int = 0, subtopologies: list[Subtopology] | None = None) -> None:
        self.epoch = epoch
        self.subtopologies = subtopologies


class Endpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(self, *, host: str = "", port: int = 0) -> None:
        self.host = host
        self.port = port


class TaskOffset(Struct):
    __slots__ = ("subtopology_id", "partition", "offset")

    def __init__(self, *, subtopology_id: str = "", partition: int = 0, offset: int = 0) -> None:
        self.subtopology_id = subtopology_id
        self.partition = partition
        self.offset = offset


class TaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(self, *, subtopology_id: str = "", partitions: list[int] = UNSET) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is UNSET else partitions


class Assignment(Struct):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")

    def __init__(
        self,
        *,
        active_tasks: list[TaskIds] = UNSET,
        standby_tasks: list[TaskIds] = UNSET,
        warmup_tasks: list[TaskIds] = UNSET,
    ) -> None:
        self.active_tasks = [] if active_tasks is UNSET else active_tasks
        self.standby_tasks = [] if standby_tasks is UNSET else standby_tasks
        self.warmup_tasks = [] if warmup_tasks is UNSET else warmup_tasks


class Member(Struct):
    __slots__ = (
        "member_id",
        "member_epoch",
        "instance_id",
        "rack_id",
        "client_id",
        "client_host",
        "topology_epoch",
        "process_id",
        "user_endpoint",
        "client_tags",
        "task_offsets",
        "task_end_offsets",
        "assignment",
        "target_assignment",
        "is_classic",
    )

    def __init__(
        self,
        *,
        member_id: str = "",
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: Endpoint | None = None,
        client_tags: list[KeyValue] = UNSET,
        task_offsets: list[TaskOffset] = UNSET,
        task_end_offsets: list[TaskOffset] = UNSET,
        assignment: Assignment = UNSET,
        target_assignment: Assignment = UNSET,
        is_classic: bool = False,
    ) -> None:
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.topology_epoch = topology_epoch
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = [] if client_tags is UNSET else client_tags
        self.task_offsets = [] if task_offsets is UNSET else task_offsets
        self.task_end_offsets = [] if task_end_offsets is UNSET else task_end_offsets
        self.assignment = Assignment() if assignment is UNSET else assignment
        self.target_assignment = Assignment() if target_assignment is UNSET else target_assignment
        self.is_classic = is_classic


class DescribedGroup(Struct):
    __slots__ = (
        "error_code",
        "error_message",
        "group_id",
        "group_state",
        "group_epoch",
        "assignment_epoch",
        "topology",
        "members",
        "authorized_operations",
    )

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        topology: Topology | None = None,
        members: list[Member] = UNSET,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.topology = topology
        self.members = [] if members is UNSET else members
        self.authorized_operations = authorized_operations


class StreamsGroupDescribeResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")

    API_KEY = 89
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, groups: list[DescribedGroup] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET else groups

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupDescribeResponse, int]:
        (item,), pos = _read_streams_group_describe_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_describe_response(out, (self,), version)


def _read_key_value(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[KeyValue], int]:
    items: list[KeyValue] = []
    new = KeyValue.__new__
    for _ in range(count):
        item = new(KeyValue)
        item.key, pos = reading.string(buf, pos, True)
        item.value, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_key_value(out: bytearray, items: Sequence[KeyValue], version: int) -> None:
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
        item.topic_configs, pos = _read_key_value(buf, pos, length, version, left)
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
        _write_key_value(out, item.topic_configs, version)
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
        item.repartition_sink_topics, pos = reading.strings(buf, pos, True, left)
        length, pos = reading.count(buf, pos, True, left)
        item.state_changelog_topics, pos = _read_topic_info(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.repartition_source_topics, pos = _read_topic_info(buf, pos, length, version, left)
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
        writing.strings(out, item.repartition_sink_topics, True)
        writing.count(out, len(item.state_changelog_topics), True)
        _write_topic_info(out, item.state_changelog_topics, version)
        writing.count(out, len(item.repartition_source_topics), True)
        _write_topic_info(out, item.repartition_source_topics, version)
        out.append(0)


def _read_topology(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Topology], int]:
    items: list[Topology] = []
    new = Topology.__new__
    for _ in range(count):
        item = new(Topology)
        (item.epoch,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.subtopologies = None
        else:
            item.subtopologies, pos = _read_subtopology(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topology(out: bytearray, items: Sequence[Topology], version: int) -> None:
    for item in items:
        out += _put_i(item.epoch)
        if item.subtopologies is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.subtopologies), True)
            _write_subtopology(out, item.subtopologies, version)
        out.append(0)


def _read_endpoint(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Endpoint], int]:
    items: list[Endpoint] = []
    new = Endpoint.__new__
    for _ in range(count):
        item = new(Endpoint)
        item.host, pos = reading.string(buf, pos, True)
        item.port, tags = _get_HB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_endpoint(out: bytearray, items: Sequence[Endpoint], version: int) -> None:
    for item in items:
        writing.string(out, item.host, True)
        out += _put_Hx(item.port)


def _read_task_offset(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TaskOffset], int]:
    items: list[TaskOffset] = []
    new = TaskOffset.__new__
    for _ in range(count):
        item = new(TaskOffset)
        item.subtopology_id, pos = reading.string(buf, pos, True)
        item.partition, item.offset, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_task_offset(out: bytearray, items: Sequence[TaskOffset], version: int) -> None:
    for item in items:
        writing.string(out, item.subtopology_id, True)
        out += _put_iqx(item.partition, item.offset)


def _read_task_ids(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[TaskIds], int]:
    items: list[TaskIds] = []
    new = TaskIds.__new__
    for _ in range(count):
        item = new(TaskIds)
        item.subtopology_id, pos = reading.string(buf, pos, True)
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_task_ids(out: bytearray, items: Sequence[TaskIds], version: int) -> None:
    for item in items:
        writing.string(out, item.subtopology_id, True)
        writing.int32s(out, item.partitions, True)
        out.append(0)


def _read_assignment(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[Assignment], int]:
    items: list[Assignment] = []
    new = Assignment.__new__
    for _ in range(count):
        item = new(Assignment)
        length, pos = reading.count(buf, pos, True, left)
        item.active_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.standby_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.warmup_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_assignment(out: bytearray, items: Sequence[Assignment], version: int) -> None:
    for item in items:
        writing.count(out, len(item.active_tasks), True)
        _write_task_ids(out, item.active_tasks, version)
        writing.count(out, len(item.standby_tasks), True)
        _write_task_ids(out, item.standby_tasks, version)
        writing.count(out, len(item.warmup_tasks), True)
        _write_task_ids(out, item.warmup_tasks, version)
        out.append(0)


def _read_member(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Member], int]:
    items: list[Member] = []
    new = Member.__new__
    for _ in range(count):
        item = new(Member)
        item.member_id, pos = reading.string(buf, pos, True)
        (item.member_epoch,) = _get_i(buf, pos)
        pos += 4
        item.instance_id, pos = reading.nullable_string(buf, pos, True)
        item.rack_id, pos = reading.nullable_string(buf, pos, True)
        item.client_id, pos = reading.string(buf, pos, True)
        item.client_host, pos = reading.string(buf, pos, True)
        (item.topology_epoch,) = _get_i(buf, pos)
        pos += 4
        item.process_id, pos = reading.string(buf, pos, True)
        here, pos = reading.present(buf, pos)
        item.user_endpoint = None
        if here:
            (item.user_endpoint,), pos = _read_endpoint(buf, pos, 1, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.client_tags, pos = _read_key_value(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.task_offsets, pos = _read_task_offset(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.task_end_offsets, pos = _read_task_offset(buf, pos, length, version, left)
        (item.assignment,), pos = _read_assignment(buf, pos, 1, version, left)
        (item.target_assignment,), pos = _read_assignment(buf, pos, 1, version, left)
        item.is_classic, tags = _get_oB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_member(out: bytearray, items: Sequence[Member], version: int) -> None:
    for item in items:
        writing.string(out, item.member_id, True)
        out += _put_i(item.member_epoch)
        writing.nullable_string(out, item.instance_id, True)
        writing.nullable_string(out, item.rack_id, True)
        writing.string(out, item.client_id, True)
        writing.string(out, item.client_host, True)
        out += _put_i(item.topology_epoch)
        writing.string(out, item.process_id, True)
        if item.user_endpoint is None:
            out.append(255)
        else:
            out.append(1)
            _write_endpoint(out, (item.user_endpoint,), version)
        writing.count(out, len(item.client_tags), True)
        _write_key_value(out, item.client_tags, version)
        writing.count(out, len(item.task_offsets), True)
        _write_task_offset(out, item.task_offsets, version)
        writing.count(out, len(item.task_end_offsets), True)
        _write_task_offset(out, item.task_end_offsets, version)
        _write_assignment(out, (item.assignment,), version)
        _write_assignment(out, (item.target_assignment,), version)
        out += _put_ox(item.is_classic)


def _read_described_group(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribedGroup], int]:
    items: list[DescribedGroup] = []
    new = DescribedGroup.__new__
    for _ in range(count):
        item = new(DescribedGroup)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        item.group_id, pos = reading.string(buf, pos, True)
        item.group_state, pos = reading.string(buf, pos, True)
        item.group_epoch, item.assignment_epoch = _get_ii(buf, pos)
        pos += 8
        here, pos = reading.present(buf, pos)
        item.topology = None
        if here:
            (item.topology,), pos = _read_topology(buf, pos, 1, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.members, pos = _read_member(buf, pos, length, version, left)
        item.authorized_operations, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_described_group(out: bytearray, items: Sequence[DescribedGroup], version: int) -> None:
    for item in items:
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.string(out, item.group_id, True)
        writing.string(out, item.group_state, True)
        out += _put_ii(item.group_epoch, item.assignment_epoch)
        if item.topology is None:
            out.append(255)
        else:
            out.append(1)
            _write_topology(out, (item.topology,), version)
        writing.count(out, len(item.members), True)
        _write_member(out, item.members, version)
        out += _put_ix(item.authorized_operations)


def _read_streams_group_describe_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupDescribeResponse], int]:
    items: list[StreamsGroupDescribeResponse] = []
    new = StreamsGroupDescribeResponse.__new__
    for _ in range(count):
        item = new(StreamsGroupDescribeResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.groups, pos = _read_described_group(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_streams_group_describe_response(
    out: bytearray, items: Sequence[StreamsGroupDescribeResponse], version: int
) -> None:
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.groups), True)
        _write_described_group(out, item.groups, version)
        out.append(0)
