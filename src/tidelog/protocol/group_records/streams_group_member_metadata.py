"""StreamsGroupMemberMetadataKey and StreamsGroupMemberMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_HB = Format(">HB").unpack_from
_get_ii = Format(">ii").unpack_from
_put_Hx = Format(">Hx").pack
_put_ii = Format(">ii").pack


class StreamsGroupMemberMetadataKey(Message):
    __slots__ = ("group_id", "member_id")

    API_KEY = 19
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", member_id: str = "") -> None:
        self.group_id = group_id
        self.member_id = member_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[StreamsGroupMemberMetadataKey, int]:
        (item,), pos = _read_streams_group_member_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_member_metadata_key(out, (self,), version)


def _read_streams_group_member_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupMemberMetadataKey], int]:
    items: list[StreamsGroupMemberMetadataKey] = []
    new = StreamsGroupMemberMetadataKey.__new__
    for _ in range(count):
        item = new(StreamsGroupMemberMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.member_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_streams_group_member_metadata_key(
    out: bytearray, items: Sequence[StreamsGroupMemberMetadataKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.string(out, item.member_id, False)


class Endpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(self, *, host: str = "", port: int = 0) -> None:
        self.host = host
        self.port = port


class KeyValue(Struct):
    __slots__ = ("key", "value")

    def __init__(self, *, key: str = "", value: str = "") -> None:
        self.key = key
        self.value = value


class StreamsGroupMemberMetadataValue(Message):
    __slots__ = (
        "instance_id",
        "rack_id",
        "client_id",
        "client_host",
        "rebalance_timeout_ms",
        "topology_epoch",
        "process_id",
        "user_endpoint",
        "client_tags",
    )

    API_KEY = 19
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout_ms: int = -1,
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: Endpoint | None = None,
        client_tags: list[KeyValue] = UNSET,
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.topology_epoch = topology_epoch
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = [] if client_tags is UNSET else client_tags

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[StreamsGroupMemberMetadataValue, int]:
        (item,), pos = _read_streams_group_member_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_streams_group_member_metadata_value(out, (self,), version)


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


def _read_streams_group_member_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[StreamsGroupMemberMetadataValue], int]:
    items: list[StreamsGroupMemberMetadataValue] = []
    new = StreamsGroupMemberMetadataValue.__new__
    for _ in range(count):
        item = new(StreamsGroupMemberMetadataValue)
        item.instance_id, pos = reading.nullable_string(buf, pos, True)
        item.rack_id, pos = reading.nullable_string(buf, pos, True)
        item.client_id, pos = reading.string(buf, pos, True)
        item.client_host, pos = reading.string(buf, pos, True)
        item.rebalance_timeout_ms, item.topology_epoch = _get_ii(buf, pos)
        pos += 8
        item.process_id, pos = reading.string(buf, pos, True)
        here, pos = reading.present(buf, pos)
        item.user_endpoint = None
        if here:
            (item.user_endpoint,), pos = _read_endpoint(buf, pos, 1, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.client_tags, pos = _read_key_value(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_streams_group_member_metadata_value(
    out: bytearray, items: Sequence[StreamsGroupMemberMetadataValue], version: int
) -> None:
    for item in items:
        writing.nullable_string(out, item.instance_id, True)
        writing.nullable_string(out, item.rack_id, True)
        writing.string(out, item.client_id, True)
        writing.string(out, item.client_host, True)
        out += _put_ii(item.rebalance_timeout_ms, item.topology_epoch)
        writing.string(out, item.process_id, True)
        if item.user_endpoint is None:
            out.append(255)
        else:
            out.append(1)
            _write_endpoint(out, (item.user_endpoint,), version)
        writing.count(out, len(item.client_tags), True)
        _write_key_value(out, item.client_tags, version)
        out.append(0)
