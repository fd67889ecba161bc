"""StreamsGroupTargetAssignmentMemberKey and StreamsGroupTargetAssignmentMemberValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct


class StreamsGroupTargetAssignmentMemberKey(Message):
    __slots__ = ("group_id", "member_id")

    API_KEY = 21
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", member_id: str = "") -> None:
        self.group_id = group_id
        self.member_id = member_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[StreamsGroupTargetAssignmentMemberKey, int]:
        (item,), pos = _read_streams_group_target_assignment_member_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_target_assignment_member_key(out, (self,), version)


def _read_streams_group_target_assignment_member_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupTargetAssignmentMemberKey], int]:
    items: list[StreamsGroupTargetAssignmentMemberKey] = []
    new = StreamsGroupTargetAssignmentMemberKey.__new__
    for _ in range(count):
        item = new(StreamsGroupTargetAssignmentMemberKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.member_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_streams_group_target_assignment_member_key(
    out: bytearray, items: Sequence[StreamsGroupTargetAssignmentMemberKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.string(out, item.member_id, False)


class TaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(self, *, subtopology_id: str = "", partitions: list[int] = UNSET) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is UNSET else partitions


class StreamsGroupTargetAssignmentMemberValue(Message):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")

    API_KEY = 21
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

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

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
        (item,), pos = _read_streams_group_target_assignment_member_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_target_assignment_member_value(out, (self,), version)


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


def _read_streams_group_target_assignment_member_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupTargetAssignmentMemberValue], int]:
    items: list[StreamsGroupTargetAssignmentMemberValue] = []
    new = StreamsGroupTargetAssignmentMemberValue.__new__
    for _ in range(count):
        item = new(StreamsGroupTargetAssignmentMemberValue)
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


def _write_streams_group_target_assignment_member_value(
    out: bytearray, items: Sequence[StreamsGroupTargetAssignmentMemberValue], version: int
) -> None:
    for item in items:
        writing.count(out, len(item.active_tasks), True)
        _write_task_ids(out, item.active_tasks, version)
        writing.count(out, len(item.standby_tasks), True)
        _write_task_ids(out, item.standby_tasks, version)
        writing.count(out, len(item.warmup_tasks), True)
        _write_task_ids(out, item.warmup_tasks, version)
        out.append(0)
