"""ShareGroupHeartbeatRequest and ShareGroupHeartbeatResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ii = Format(">ii").unpack_from
_put_u = Format(">16s").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ii = Format(">ii").pack


class ShareGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "rack_id", "subscribed_topic_names")

    API_KEY = 76
    VERSIONS = (1, 1)
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        rack_id: str | None = None,
        subscribed_topic_names: list[str] | None = None,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.rack_id = rack_id
        self.subscribed_topic_names = subscribed_topic_names

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareGroupHeartbeatRequest, int]:
        (item,), pos = _read_share_group_heartbeat_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_group_heartbeat_request(out, (self,), version)


def _read_share_group_heartbeat_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareGroupHeartbeatRequest], int]:
    items: list[ShareGroupHeartbeatRequest] = []
    new = ShareGroupHeartbeatRequest.__new__
    for _ in range(count):
        item = new(ShareGroupHeartbeatRequest)
        item.group_id, pos = reading.string(buf, pos, True)
        item.member_id, pos = reading.string(buf, pos, True)
        (item.member_epoch,) = _get_i(buf, pos)
        pos += 4
        item.rack_id, pos = reading.nullable_string(buf, pos, True)
        item.subscribed_topic_names, pos = reading.nullable_strings(buf, pos, True, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_share_group_heartbeat_request(
    out: bytearray, items: Sequence[ShareGroupHeartbeatRequest], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.string(out, item.member_id, True)
        out += _put_i(item.member_epoch)
        writing.nullable_string(out, item.rack_id, True)
        if item.subscribed_topic_names is None:
            writing.null(out, True)
        else:
            writing.strings(out, item.subscribed_topic_names, True)
        out.append(0)


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[int] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class Assignment(Struct):
    __slots__ = ("topic_partitions",)

    def __init__(self, *, topic_partitions: list[TopicPartitions] = UNSET) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET else topic_partitions


class ShareGroupHeartbeatResponse(Message):
    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "member_id",
        "member_epoch",
        "heartbeat_interval_ms",
        "assignment",
    )

    API_KEY = 76
    VERSIONS = (1, 1)
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str | None = None,
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        assignment: Assignment | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.assignment = assignment

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareGroupHeartbeatResponse, int]:
        (item,), pos = _read_share_group_heartbeat_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_group_heartbeat_response(out, (self,), version)


def _read_topic_partitions(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TopicPartitions], int]:
    items: list[TopicPartitions] = []
    new = TopicPartitions.__new__
    for _ in range(count):
        item = new(TopicPartitions)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        item.partitions, pos = reading.int32s(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_topic_partitions(out: bytearray, items: Sequence[TopicPartitions], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
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
        item.topic_partitions, pos = _read_topic_partitions(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_assignment(out: bytearray, items: Sequence[Assignment], version: int) -> None:
    for item in items:
        writing.count(out, len(item.topic_partitions), True)
        _write_topic_partitions(out, item.topic_partitions, version)
        out.append(0)


def _read_share_group_heartbeat_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareGroupHeartbeatResponse], int]:
    items: list[ShareGroupHeartbeatResponse] = []
    new = ShareGroupHeartbeatResponse.__new__
    for _ in range(count):
        item = new(ShareGroupHeartbeatResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        item.member_id, pos = reading.nullable_string(buf, pos, True)
        item.member_epoch, item.heartbeat_interval_ms = _get_ii(buf, pos)
        pos += 8
        here, pos = reading.present(buf, pos)
        item.assignment = None
        if here:
            (item.assignment,), pos = _read_assignment(buf, pos, 1, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_share_group_heartbeat_response(
    out: bytearray, items: Sequence[ShareGroupHeartbeatResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.nullable_string(out, item.member_id, True)
        out += _put_ii(item.member_epoch, item.heartbeat_interval_ms)
        if item.assignment is None:
            out.append(255)
        else:
            out.append(1)
            _write_assignment(out, (item.assignment,), version)
        out.append(0)
