"""PartitionRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable

_get_b = Format(">b").unpack_from
_get_iu = Format(">i16s").unpack_from
_get_iii = Format(">iii").unpack_from
_put_b = Format(">b").pack
_put_iu = Format(">i16s").pack
_put_iii = Format(">iii").pack


class PartitionRecord(Message):
    __slots__ = (
        "partition_id",
        "topic_id",
        "replicas",
        "isr",
        "removing_replicas",
        "adding_replicas",
        "leader",
        "leader_recovery_state",
        "leader_epoch",
        "partition_epoch",
        "directories",
        "eligible_leader_replicas",
        "last_known_elr",
    )

    API_KEY = 3
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        partition_id: int = -1,
        topic_id: bytes = ZERO,
        replicas: list[int] = UNSET,
        isr: list[int] = UNSET,
        removing_replicas: list[int] = UNSET,
        adding_replicas: list[int] = UNSET,
        leader: int = -1,
        leader_recovery_state: int = 0,
        leader_epoch: int = -1,
        partition_epoch: int = -1,
        directories: list[bytes] = UNSET,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.replicas = [] if replicas is UNSET else replicas
        self.isr = [] if isr is UNSET else isr
        self.removing_replicas = [] if removing_replicas is UNSET else removing_replicas
        self.adding_replicas = [] if adding_replicas is UNSET else adding_replicas
        self.leader = leader
        self.leader_recovery_state = leader_recovery_state
        self.leader_epoch = leader_epoch
        self.partition_epoch = partition_epoch
        self.directories = [] if directories is UNSET else directories
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[PartitionRecord, int]:
        (item,), pos = _read_partition_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_partition_record(out, (self,), version)


def _tags_partition_record(item: PartitionRecord, buf: Readable, pos: int, version: int, left: list[int]) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.leader_recovery_state,) = _get_b(buf, pos)
            pos += 1
        elif tag == 1 and version >= 2:
            item.eligible_leader_replicas, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        elif tag == 2 and version >= 2:
            item.last_known_elr, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_partition_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionRecord], int]:
    items: list[PartitionRecord] = []
    new = PartitionRecord.__new__
    for _ in range(count):
        item = new(PartitionRecord)
        item.partition_id, item.topic_id = _get_iu(buf, pos)
        pos += 20
        item.replicas, pos = reading.int32s(buf, pos, True)
        item.isr, pos = reading.int32s(buf, pos, True)
        item.removing_replicas, pos = reading.int32s(buf, pos, True)
        item.adding_replicas, pos = reading.int32s(buf, pos, True)
        item.leader, item.leader_epoch, item.partition_epoch = _get_iii(buf, pos)
        pos += 12
        if version >= 1:
            item.directories, pos = reading.uuids(buf, pos, True)
        else:
            item.directories = []
        tags = buf[pos]
        pos += 1
        item.leader_recovery_state = 0
        item.eligible_leader_replicas = None
        item.last_known_elr = None
        if tags:
            pos = _tags_partition_record(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_partition_record(out: bytearray, item: PartitionRecord, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.leader_recovery_state != 0:
        body = bytearray()
        body += _put_b(item.leader_recovery_state)
        fields.append((0, body))
    if item.eligible_leader_replicas is not None:
        if not (version >= 2):
            raise writing.not_carried("eligible_leader_replicas", version)
        body = bytearray()
        writing.int32s(body, item.eligible_leader_replicas, True)
        fields.append((1, body))
    if item.last_known_elr is not None:
        if not (version >= 2):
            raise writing.not_carried("last_known_elr", version)
        body = bytearray()
        writing.int32s(body, item.last_known_elr, True)
        fields.append((2, body))
    writing.tags(out, fields)


def _write_partition_record(out: bytearray, items: Sequence[PartitionRecord], version: int) -> None:
    for item in items:
        out += _put_iu(item.partition_id, item.topic_id)
        writing.int32s(out, item.replicas, True)
        writing.int32s(out, item.isr, True)
        writing.int32s(out, item.removing_replicas, True)
        writing.int32s(out, item.adding_replicas, True)
        out += _put_iii(item.leader, item.leader_epoch, item.partition_epoch)
        if version >= 1:
            writing.uuids(out, item.directories, True)
        else:
            if item.directories:
                raise writing.not_carried("directories", version)
        _put_tags_partition_record(out, item, version)
