"""PartitionChangeRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_b = Format(">b").unpack_from
_get_i = Format(">i").unpack_from
_get_iuB = Format(">i16sB").unpack_from
_put_b = Format(">b").pack
_put_i = Format(">i").pack
_put_iu = Format(">i16s").pack


class PartitionChangeRecord(Message):
    __slots__ = (
        "partition_id",
        "topic_id",
        "isr",
        "leader",
        "replicas",
        "removing_replicas",
        "adding_replicas",
        "leader_recovery_state",
        "directories",
        "eligible_leader_replicas",
        "last_known_elr",
    )

    API_KEY = 5
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        partition_id: int = -1,
        topic_id: bytes = ZERO,
        isr: list[int] | None = None,
        leader: int = -2,
        replicas: list[int] | None = None,
        removing_replicas: list[int] | None = None,
        adding_replicas: list[int] | None = None,
        leader_recovery_state: int = -1,
        directories: list[bytes] | None = None,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.isr = isr
        self.leader = leader
        self.replicas = replicas
        self.removing_replicas = removing_replicas
        self.adding_replicas = adding_replicas
        self.leader_recovery_state = leader_recovery_state
        self.directories = directories
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[PartitionChangeRecord, int]:
        (item,), pos = _read_partition_change_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_partition_change_record(out, (self,), version)


def _tags_partition_change_record(
    item: PartitionChangeRecord, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            item.isr, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        elif tag == 1:
            (item.leader,) = _get_i(buf, pos)
            pos += 4
        elif tag == 2:
            item.replicas, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        elif tag == 3:
            item.removing_replicas, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        elif tag == 4:
            item.adding_replicas, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        elif tag == 5:
            (item.leader_recovery_state,) = _get_b(buf, pos)
            pos += 1
        elif tag == 6 and version >= 2:
            item.eligible_leader_replicas, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        elif tag == 7 and version >= 2:
            item.last_known_elr, pos = reading.nullable_numbers(buf, pos, True, "i", 4)
        elif tag == 8 and version >= 1:
            item.directories, pos = reading.nullable_uuids(buf, pos, True)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_partition_change_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionChangeRecord], int]:
    items: list[PartitionChangeRecord] = []
    new = PartitionChangeRecord.__new__
    for _ in range(count):
        item = new(PartitionChangeRecord)
        item.partition_id, item.topic_id, tags = _get_iuB(buf, pos)
        pos += 21
        item.isr = None
        item.leader = -2
        item.replicas = None
        item.removing_replicas = None
        item.adding_replicas = None
        item.leader_recovery_state = -1
        item.eligible_leader_replicas = None
        item.last_known_elr = None
        item.directories = None
        if tags:
            pos = _tags_partition_change_record(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_partition_change_record(out: bytearray, item: PartitionChangeRecord, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.isr is not None:
        body = bytearray()
        writing.int32s(body, item.isr, True)
        fields.append((0, body))
    if item.leader != -2:
        body = bytearray()
        body += _put_i(item.leader)
        fields.append((1, body))
    if item.replicas is not None:
        body = bytearray()
        writing.int32s(body, item.replicas, True)
        fields.append((2, body))
    if item.removing_replicas is not None:
        body = bytearray()
        writing.int32s(body, item.removing_replicas, True)
        fields.append((3, body))
    if item.adding_replicas is not None:
        body = bytearray()
        writing.int32s(body, item.adding_replicas, True)
        fields.append((4, body))
    if item.leader_recovery_state != -1:
        body = bytearray()
        body += _put_b(item.leader_recovery_state)
        fields.append((5, body))
    if item.eligible_leader_replicas is not None:
        if not (version >= 2):
            raise writing.not_carried("eligible_leader_replicas", version)
        body = bytearray()
        writing.int32s(body, item.eligible_leader_replicas, True)
        fields.append((6, body))
    if item.last_known_elr is not None:
        if not (version >= 2):
            raise writing.not_carried("last_known_elr", version)
        body = bytearray()
        writing.int32s(body, item.last_known_elr, True)
        fields.append((7, body))
    if item.directories is not None:
        if not (version >= 1):
            raise writing.not_carried("directories", version)
        body = bytearray()
        writing.uuids(body, item.directories, True)
        fields.append((8, body))
    writing.tags(out, fields)


def _write_partition_change_record(out: bytearray, items: Sequence[PartitionChangeRecord], version: int) -> None:
    for item in items:
        out += _put_iu(item.partition_id, item.topic_id)
        _put_tags_partition_change_record(out, item, version)
