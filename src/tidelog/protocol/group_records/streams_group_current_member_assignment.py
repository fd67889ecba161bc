"""StreamsGroupCurrentMemberAssignmentKey and StreamsGroupCurrentMemberAssignmentValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_iib = Format(">iib").unpack_from
_put_iib = Format(">iib").pack


class StreamsGroupCurrentMemberAssignmentKey(Message):
    __slots__ = ("group_id", "member_id")

    API_KEY = 22
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", member_id: str = "") -> None:
        self.group_id = group_id
        self.member_id = member_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[StreamsGroupCurrentMemberAssignmentKey, int]:
        (item,), pos = _read_streams_group_current_member_assignment_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_current_member_assignment_key(out, (self,), version)


def _read_streams_group_current_member_assignment_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupCurrentMemberAssignmentKey], int]:
    items: list[StreamsGroupCurrentMemberAssignmentKey] = []
    new = StreamsGroupCurrentMemberAssignmentKey.__new__
    for _ in range(count):
        item = new(StreamsGroupCurrentMemberAssignmentKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.member_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_streams_group_current_member_assignment_key(
    out: bytearray, items: Sequence[StreamsGroupCurrentMemberAssignmentKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.string(out, item.member_id, False)


class TaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self, *, subtopology_id: str = "", partitions: list[int] = UNSET, assignment_epochs: list[int] | None = UNSET
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is UNSET else partitions
        self.assignment_epochs = [] if assignment_epochs is UNSET else assignment_epochs


class StreamsGroupCurrentMemberAssignmentValue(Message):
    __slots__ = (
        "member_epoch",
        "previous_member_epoch",
        "state",
        "active_tasks",
        "standby_tasks",
        "warmup_tasks",
        "active_tasks_pending_revocation",
        "standby_tasks_pending_revocation",
        "warmup_tasks_pending_revocation",
    )

    API_KEY = 22
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        active_tasks: list[TaskIds] = UNSET,
        standby_tasks: list[TaskIds] = UNSET,
        warmup_tasks: list[TaskIds] = UNSET,
        active_tasks_pending_revocation: list[TaskIds] = UNSET,
        standby_tasks_pending_revocation: list[TaskIds] = UNSET,
        warmup_tasks_pending_revocation: list[TaskIds] = UNSET,
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.active_tasks = [] if active_tasks is UNSET else active_tasks
        self.standby_tasks = [] if standby_tasks is UNSET else standby_tasks
        self.warmup_tasks = [] if warmup_tasks is UNSET else warmup_tasks
        self.active_tasks_pending_revocation = (
            [] if active_tasks_pending_revocation is UNSET else active_tasks_pending_revocation
        )
        self.standby_tasks_pending_revocation = (
            [] if standby_tasks_pending_revocation is UNSET else standby_tasks_pending_revocation
        )
        self.warmup_tasks_pending_revocation = (
            [] if warmup_tasks_pending_revocation is UNSET else warmup_tasks_pending_revocation
        )

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
        (item,), pos = _read_streams_group_current_member_assignment_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_current_member_assignment_value(out, (self,), version)


def _tags_task_ids(item: TaskIds, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            item.assignment_epochs, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_task_ids(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[TaskIds], int]:
    items: list[TaskIds] = []
    new = TaskIds.__new__
    for _ in range(count):
        item = new(TaskIds)
        item.subtopology_id, pos = reading.string(buf, pos, True)
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        item.assignment_epochs = []
        if tags:
            pos = _tags_task_ids(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_task_ids(out: bytearray, item: TaskIds, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.assignment_epochs is None or len(item.assignment_epochs) > 0:
        body = bytearray()
        if item.assignment_epochs is None:
            writing.null(body, True)
        else:
            writing.int32s(body, item.assignment_epochs, True)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_task_ids(out: bytearray, items: Sequence[TaskIds], version: int) -> None:
    for item in items:
        writing.string(out, item.subtopology_id, True)
        writing.int32s(out, item.partitions, True)
        _put_tags_task_ids(out, item, version)


def _read_streams_group_current_member_assignment_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupCurrentMemberAssignmentValue], int]:
    items: list[StreamsGroupCurrentMemberAssignmentValue] = []
    new = StreamsGroupCurrentMemberAssignmentValue.__new__
    for _ in range(count):
        item = new(StreamsGroupCurrentMemberAssignmentValue)
        item.member_epoch, item.previous_member_epoch, item.state = _get_iib(buf, pos)
        pos += 9
        length, pos = reading.count(buf, pos, True, left)
        item.active_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.standby_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.warmup_tasks, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.active_tasks_pending_revocation, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.standby_tasks_pending_revocation, pos = _read_task_ids(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.warmup_tasks_pending_revocation, pos = _read_task_ids(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_streams_group_current_member_assignment_value(
    out: bytearray, items: Sequence[StreamsGroupCurrentMemberAssignmentValue], version: int
) -> None:
    for item in items:
        out += _put_iib(item.member_epoch, item.previous_member_epoch, item.state)
        writing.count(out, len(item.active_tasks), True)
        _write_task_ids(out, item.active_tasks, version)
        writing.count(out, len(item.standby_tasks), True)
        _write_task_ids(out, item.standby_tasks, version)
        writing.count(out, len(item.warmup_tasks), True)
        _write_task_ids(out, item.warmup_tasks, version)
        writing.count(out, len(item.active_tasks_pending_revocation), True)
        _write_task_ids(out, item.active_tasks_pending_revocation, version)
        writing.count(out, len(item.standby_tasks_pending_revocation), True)
        _write_task_ids(out, item.standby_tasks_pending_revocation, version)
        writing.count(out, len(item.warmup_tasks_pending_revocation), True)
        _write_task_ids(out, item.warmup_tasks_pending_revocation, version)
        out.append(0)
