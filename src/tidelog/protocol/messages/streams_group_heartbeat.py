"""StreamsGroupHeartbeatRequest and StreamsGroupHeartbeatResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_oB = Format(">?B").unpack_from
_get_HB = Format(">HB").unpack_from
_get_b = Format(">b").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ii = Format(">ii").unpack_from
_get_iiii = Format(">iiii").unpack_from
_get_iqB = Format(">iqB").unpack_from
_put_ox = Format(">?x").pack
_put_Hx = Format(">Hx").pack
_put_b = Format(">b").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ii = Format(">ii").pack
_put_iiii = Format(">iiii").pack
_put_iqx = Format(">iqx").pack


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


class Topology(Struct):
    __slots__ = ("epoch", "subtopologies")

    def __init__(self, *, epoch: int = 0, subtopologies: list[Subtopology] = UNSET) -> None:
        self.epoch = epoch
        self.subtopologies = [] if subtopologies is UNSET else subtopologies


class TaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(self, *, subtopology_id: str = "", partitions: list[int] = UNSET) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is UNSET else partitions


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


class StreamsGroupHeartbeatRequest(Message):
    __slots__ = (
        "group_id",
        "member_id",
        "member_epoch",
        "endpoint_information_epoch",
        "instance_id",
        "rack_id",
        "rebalance_timeout_ms",
        "topology",
        "active_tasks",
        "standby_tasks",
        "warmup_tasks",
        "process_id",
        "user_endpoint",
        "client_tags",
        "task_offsets",
        "task_end_offsets",
        "shutdown_application",
    )

    API_KEY = 88
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        endpoint_information_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        topology: Topology | None = None,
        active_tasks: list[TaskIds] | None = None,
        standby_tasks: list[TaskIds] | None = None,
        warmup_tasks: list[TaskIds] | None = None,
        process_id: str | None = None,
        user_endpoint: Endpoint | None = None,
        client_tags: list[KeyValue] | None = None,
        task_offsets: list[TaskOffset] | None = None,
        task_end_offsets: list[TaskOffset] | None = None,
        shutdown_application: bool = False,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.endpoint_information_epoch = endpoint_information_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.topology = topology
        self.active_tasks = active_tasks
        self.standby_tasks = standby_tasks
        self.warmup_tasks = warmup_tasks
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = client_tags
        self.task_offsets = task_offsets
        self.task_end_offsets = task_end_offsets
        self.shutdown_application = shutdown_application

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupHeartbeatRequest, int]:
        (item,), pos = _read_streams_group_heartbeat_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_heartbeat_request(out, (self,), version)


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


def _read_topology(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Topology], int]:
    items: list[Topology] = []
    new = Topology.__new__
    for _ in range(count):
        item = new(Topology)
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


def _write_topology(out: bytearray, items: Sequence[Topology], version: int) -> None:
    for item in items:
        out += _put_i(item.epoch)
        writing.count(out, len(item.subtopologies), True)
        _write_subtopology(out, item.subtopologies, version)
        out.append(0)


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


def _read_streams_group_heartbeat_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupHeartbeatRequest], int]:
    items: list[StreamsGroupHeartbeatRequest] = []
    new = StreamsGroupHeartbeatRequest.__new__
    for _ in range(count):
        item = new(StreamsGroupHeartbeatRequest)
        item.group_id, pos = reading.string(buf, pos, True)
        item.member_id, pos = reading.string(buf, pos, True)
        item.member_epoch, item.endpoint_information_epoch = _get_ii(buf, pos)
        pos += 8
        item.instance_id, pos = reading.nullable_string(buf, pos, True)
        item.rack_id, pos = reading.nullable_string(buf, pos, True)
        (item.rebalance_timeout_ms,) = _get_i(buf, pos)
        pos += 4
        here, pos = reading.present(buf, pos)
        item.topology = None
        if here:
            (item.topology,), pos = _read_topology(buf, pos, 1, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.active_tasks = None
        else:
            item.active_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.standby_tasks = None
        else:
            item.standby_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.warmup_tasks = None
        else:
            item.warmup_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        item.process_id, pos = reading.nullable_string(buf, pos, True)
        here, pos = reading.present(buf, pos)
        item.user_endpoint = None
        if here:
            (item.user_endpoint,), pos = _read_endpoint(buf, pos, 1, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.client_tags = None
        else:
            item.client_tags, pos = _read_key_value(buf, pos, length, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.task_offsets = None
        else:
            item.task_offsets, pos = _read_task_offset(buf, pos, length, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.task_end_offsets = None
        else:
            item.task_end_offsets, pos = _read_task_offset(buf, pos, length, version, left)
        item.shutdown_application, tags = _get_oB(buf, pos)
        pos += 2
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_streams_group_heartbeat_request(
    out: bytearray, items: Sequence[StreamsGroupHeartbeatRequest], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.string(out, item.member_id, True)
        out += _put_ii(item.member_epoch, item.endpoint_information_epoch)
        writing.nullable_string(out, item.instance_id, True)
        writing.nullable_string(out, item.rack_id, True)
        out += _put_i(item.rebalance_timeout_ms)
        if item.topology is None:
            out.append(255)
        else:
            out.append(1)
            _write_topology(out, (item.topology,), version)
        if item.active_tasks is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.active_tasks), True)
            _write_task_ids(out, item.active_tasks, version)
        if item.standby_tasks is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.standby_tasks), True)
            _write_task_ids(out, item.standby_tasks, version)
        if item.warmup_tasks is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.warmup_tasks), True)
            _write_task_ids(out, item.warmup_tasks, version)
        writing.nullable_string(out, item.process_id, True)
        if item.user_endpoint is None:
            out.append(255)
        else:
            out.append(1)
            _write_endpoint(out, (item.user_endpoint,), version)
        if item.client_tags is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.client_tags), True)
            _write_key_value(out, item.client_tags, version)
        if item.task_offsets is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.task_offsets), True)
            _write_task_offset(out, item.task_offsets, version)
        if item.task_end_offsets is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.task_end_offsets), True)
            _write_task_offset(out, item.task_end_offsets, version)
        out += _put_ox(item.shutdown_application)


class Status(Struct):
    __slots__ = ("status_code", "status_detail")

    def __init__(self, *, status_code: int = 0, status_detail: str = "") -> None:
        self.status_code = status_code
        self.status_detail = status_detail


class TopicPartition(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(self, *, topic: str = "", partitions: list[int] = UNSET) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


class EndpointToPartitions(Struct):
    __slots__ = ("user_endpoint", "active_partitions", "standby_partitions")

    def __init__(
        self,
        *,
        user_endpoint: Endpoint = UNSET,
        active_partitions: list[TopicPartition] = UNSET,
        standby_partitions: list[TopicPartition] = UNSET,
    ) -> None:
        self.user_endpoint = Endpoint() if user_endpoint is UNSET else user_endpoint
        self.active_partitions = [] if active_partitions is UNSET else active_partitions
        self.standby_partitions = [] if standby_partitions is UNSET else standby_partitions


class StreamsGroupHeartbeatResponse(Message):
    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "member_id",
        "member_epoch",
        "heartbeat_interval_ms",
        "acceptable_recovery_lag",
        "task_offset_interval_ms",
        "status",
        "active_tasks",
        "standby_tasks",
        "warmup_tasks",
        "endpoint_information_epoch",
        "partitions_by_user_endpoint",
    )

    API_KEY = 88
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str = "",
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        acceptable_recovery_lag: int = 0,
        task_offset_interval_ms: int = 0,
        status: list[Status] | None = UNSET,
        active_tasks: list[TaskIds] | None = None,
        standby_tasks: list[TaskIds] | None = None,
        warmup_tasks: list[TaskIds] | None = None,
        endpoint_information_epoch: int = 0,
        partitions_by_user_endpoint: list[EndpointToPartitions] | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.acceptable_recovery_lag = acceptable_recovery_lag
        self.task_offset_interval_ms = task_offset_interval_ms
        self.status = [] if status is UNSET else status
        self.active_tasks = active_tasks
        self.standby_tasks = standby_tasks
        self.warmup_tasks = warmup_tasks
        self.endpoint_information_epoch = endpoint_information_epoch
        self.partitions_by_user_endpoint = partitions_by_user_endpoint

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupHeartbeatResponse, int]:
        (item,), pos = _read_streams_group_heartbeat_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_heartbeat_response(out, (self,), version)


def _read_status(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Status], int]:
    items: list[Status] = []
    new = Status.__new__
    for _ in range(count):
        item = new(Status)
        (item.status_code,) = _get_b(buf, pos)
        pos += 1
        item.status_detail, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_status(out: bytearray, items: Sequence[Status], version: int) -> None:
    for item in items:
        out += _put_b(item.status_code)
        writing.string(out, item.status_detail, True)
        out.append(0)


def _read_topic_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicPartition], int]:
    items: list[TopicPartition] = []
    new = TopicPartition.__new__
    for _ in range(count):
        item = new(TopicPartition)
        item.topic, pos = reading.string(buf, pos, True)
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_partition(out: bytearray, items: Sequence[TopicPartition], version: int) -> None:
    for item in items:
        writing.string(out, item.topic, True)
        writing.int32s(out, item.partitions, True)
        out.append(0)


def _read_endpoint_to_partitions(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[EndpointToPartitions], int]:
    items: list[EndpointToPartitions] = []
    new = EndpointToPartitions.__new__
    for _ in range(count):
        item = new(EndpointToPartitions)
        (item.user_endpoint,), pos = _read_endpoint(buf, pos, 1, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.active_partitions, pos = _read_topic_partition(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.standby_partitions, pos = _read_topic_partition(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_endpoint_to_partitions(out: bytearray, items: Sequence[EndpointToPartitions], version: int) -> None:
    for item in items:
        _write_endpoint(out, (item.user_endpoint,), version)
        writing.count(out, len(item.active_partitions), True)
        _write_topic_partition(out, item.active_partitions, version)
        writing.count(out, len(item.standby_partitions), True)
        _write_topic_partition(out, item.standby_partitions, version)
        out.append(0)


def _read_streams_group_heartbeat_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupHeartbeatResponse], int]:
    items: list[StreamsGroupHeartbeatResponse] = []
    new = StreamsGroupHeartbeatResponse.__new__
    for _ in range(count):
        item = new(StreamsGroupHeartbeatResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        item.member_id, pos = reading.string(buf, pos, True)
        item.member_epoch, item.heartbeat_interval_ms, item.acceptable_recovery_lag, item.task_offset_interval_ms = (
            _get_iiii(buf, pos)
        )
        pos += 16
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.status = None
        else:
            item.status, pos = _read_status(buf, pos, length, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.active_tasks = None
        else:
            item.active_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.standby_tasks = None
        else:
            item.standby_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.warmup_tasks = None
        else:
            item.warmup_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        (item.endpoint_information_epoch,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.nullable_count(buf, pos, True, left)
        if length < 0:
            item.partitions_by_user_endpoint = None
        else:
            item.partitions_by_user_endpoint, pos = _read_endpoint_to_partitions(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_streams_group_heartbeat_response(
    out: bytearray, items: Sequence[StreamsGroupHeartbeatResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.string(out, item.member_id, True)
        out += _put_iiii(
            item.member_epoch, item.heartbeat_interval_ms, item.acceptable_recovery_lag, item.task_offset_interval_ms
        )
        if item.status is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.status), True)
            _write_status(out, item.status, version)
        if item.active_tasks is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.active_tasks), True)
            _write_task_ids(out, item.active_tasks, version)
        if item.standby_tasks is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.standby_tasks), True)
            _write_task_ids(out, item.standby_tasks, version)
        if item.warmup_tasks is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.warmup_tasks), True)
            _write_task_ids(out, item.warmup_tasks, version)
        out += _put_i(item.endpoint_information_epoch)
        if item.partitions_by_user_endpoint is None:
            writing.null(out, True)
        else:
            writing.count(out, len(item.partitions_by_user_endpoint), True)
            _write_endpoint_to_partitions(out, item.partitions_by_user_endpoint, version)
        out.append(0)
