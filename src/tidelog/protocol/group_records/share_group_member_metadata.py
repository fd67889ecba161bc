"""ShareGroupMemberMetadataKey and ShareGroupMemberMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable


class ShareGroupMemberMetadataKey(Message):
    __slots__ = ("group_id", "member_id")

    API_KEY = 10
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", member_id: str = "") -> None:
        self.group_id = group_id
        self.member_id = member_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareGroupMemberMetadataKey, int]:
        (item,), pos = _read_share_group_member_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_group_member_metadata_key(out, (self,), version)


def _read_share_group_member_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareGroupMemberMetadataKey], int]:
    items: list[ShareGroupMemberMetadataKey] = []
    new = ShareGroupMemberMetadataKey.__new__
    for _ in range(count):
        item = new(ShareGroupMemberMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.member_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_share_group_member_metadata_key(
    out: bytearray, items: Sequence[ShareGroupMemberMetadataKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.string(out, item.member_id, False)


class ShareGroupMemberMetadataValue(Message):
    __slots__ = ("rack_id", "client_id", "client_host", "subscribed_topic_names")

    API_KEY = 10
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = UNSET,
    ) -> None:
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is UNSET else subscribed_topic_names

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ShareGroupMemberMetadataValue, int]:
        (item,), pos = _read_share_group_member_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_share_group_member_metadata_value(out, (self,), version)


def _read_share_group_member_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ShareGroupMemberMetadataValue], int]:
    items: list[ShareGroupMemberMetadataValue] = []
    new = ShareGroupMemberMetadataValue.__new__
    for _ in range(count):
        item = new(ShareGroupMemberMetadataValue)
        item.rack_id, pos = reading.nullable_string(buf, pos, True)
        item.client_id, pos = reading.string(buf, pos, True)
        item.client_host, pos = reading.string(buf, pos, True)
        item.subscribed_topic_names, pos = reading.strings(buf, pos, True, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_share_group_member_metadata_value(
    out: bytearray, items: Sequence[ShareGroupMemberMetadataValue], version: int
) -> None:
    for item in items:
        writing.nullable_string(out, item.rack_id, True)
        writing.string(out, item.client_id, True)
        writing.string(out, item.client_host, True)
        writing.strings(out, item.subscribed_topic_names, True)
        out.append(0)
