"""GroupMetadataKey and GroupMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_ii = Format(">ii").unpack_from
_get_q = Format(">q").unpack_from
_put_i = Format(">i").pack
_put_ii = Format(">ii").pack
_put_q = Format(">q").pack


class GroupMetadataKey(Message):
    __slots__ = ("group",)

    API_KEY = 2
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group: str = "") -> None:
        self.group = group

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[GroupMetadataKey, int]:
        (item,), pos = _read_group_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_group_metadata_key(out, (self,), version)


def _read_group_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[GroupMetadataKey], int]:
    items: list[GroupMetadataKey] = []
    new = GroupMetadataKey.__new__
    for _ in range(count):
        item = new(GroupMetadataKey)
        item.group, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_group_metadata_key(out: bytearray, items: Sequence[GroupMetadataKey], version: int) -> None:
    for item in items:
        writing.string(out, item.group, False)


class MemberMetadata(Struct):
    __slots__ = (
        "member_id",
        "group_instance_id",
        "client_id",
        "client_host",
        "rebalance_timeout",
        "session_timeout",
        "subscription",
        "assignment",
    )

    def __init__(
        self,
        *,
        member_id: str = "",
        group_instance_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout: int = -1,
        session_timeout: int = 0,
        subscription: bytes = b"",
        assignment: bytes = b"",
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout = rebalance_timeout
        self.session_timeout = session_timeout
        self.subscription = subscription
        self.assignment = assignment


class GroupMetadataValue(Message):
    __slots__ = ("protocol_type", "generation", "protocol", "leader", "current_state_timestamp", "members")

    API_KEY = 2
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        *,
        protocol_type: str = "",
        generation: int = 0,
        protocol: str | None = "",
        leader: str | None = "",
        current_state_timestamp: int = -1,
        members: list[MemberMetadata] = UNSET,
    ) -> None:
        self.protocol_type = protocol_type
        self.generation = generation
        self.protocol = protocol
        self.leader = leader
        self.current_state_timestamp = current_state_timestamp
        self.members = [] if members is UNSET else members

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[GroupMetadataValue, int]:
        (item,), pos = _read_group_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_group_metadata_value(out, (self,), version)


def _read_member_metadata(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MemberMetadata], int]:
    compact = version >= 4
    items: list[MemberMetadata] = []
    new = MemberMetadata.__new__
    for _ in range(count):
        item = new(MemberMetadata)
        item.member_id, pos = reading.string(buf, pos, compact)
        if version >= 3:
            item.group_instance_id, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.group_instance_id = None
        item.client_id, pos = reading.string(buf, pos, compact)
        item.client_host, pos = reading.string(buf, pos, compact)
        if version >= 1:
            item.rebalance_timeout, item.session_timeout = _get_ii(buf, pos)
            pos += 8
        else:
            (item.session_timeout,) = _get_i(buf, pos)
            pos += 4
            item.rebalance_timeout = -1
        item.subscription, pos = reading.blob(buf, pos, compact)
        item.assignment, pos = reading.blob(buf, pos, compact)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_member_metadata(out: bytearray, items: Sequence[MemberMetadata], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.member_id, compact)
        if version >= 3:
            writing.nullable_string(out, item.group_instance_id, compact)
        writing.string(out, item.client_id, compact)
        writing.string(out, item.client_host, compact)
        if version >= 1:
            out += _put_ii(item.rebalance_timeout, item.session_timeout)
        else:
            out += _put_i(item.session_timeout)
        writing.blob(out, item.subscription, compact)
        writing.blob(out, item.assignment, compact)
        if version >= 4:
            out.append(0)


def _read_group_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[GroupMetadataValue], int]:
    compact = version >= 4
    items: list[GroupMetadataValue] = []
    new = GroupMetadataValue.__new__
    for _ in range(count):
        item = new(GroupMetadataValue)
        item.protocol_type, pos = reading.string(buf, pos, compact)
        (item.generation,) = _get_i(buf, pos)
        pos += 4
        item.protocol, pos = reading.nullable_string(buf, pos, compact)
        item.leader, pos = reading.nullable_string(buf, pos, compact)
        if version >= 2:
            (item.current_state_timestamp,) = _get_q(buf, pos)
            pos += 8
        else:
            item.current_state_timestamp = -1
        length, pos = reading.count(buf, pos, compact, left)
        item.members, pos = _read_member_metadata(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_group_metadata_value(out: bytearray, items: Sequence[GroupMetadataValue], version: int) -> None:
    compact = version >= 4
    for item in items:
        writing.string(out, item.protocol_type, compact)
        out += _put_i(item.generation)
        writing.nullable_string(out, item.protocol, compact)
        writing.nullable_string(out, item.leader, compact)
        if version >= 2:
            out += _put_q(item.current_state_timestamp)
        writing.count(out, len(item.members), compact)
        _write_member_metadata(out, item.members, version)
        if version >= 4:
            out.append(0)
