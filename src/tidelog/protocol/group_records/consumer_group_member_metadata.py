"""ConsumerGroupMemberMetadataKey and ConsumerGroupMemberMetadataValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_put_i = Format(">i").pack


class ConsumerGroupMemberMetadataKey(Message):
    __slots__ = ("group_id", "member_id")

    API_KEY = 5
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, group_id: str = "", member_id: str = "") -> None:
        self.group_id = group_id
        self.member_id = member_id

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupMemberMetadataKey, int]:
        (item,), pos = _read_consumer_group_member_metadata_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_member_metadata_key(out, (self,), version)


def _read_consumer_group_member_metadata_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupMemberMetadataKey], int]:
    items: list[ConsumerGroupMemberMetadataKey] = []
    new = ConsumerGroupMemberMetadataKey.__new__
    for _ in range(count):
        item = new(ConsumerGroupMemberMetadataKey)
        item.group_id, pos = reading.string(buf, pos, False)
        item.member_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_consumer_group_member_metadata_key(
    out: bytearray, items: Sequence[ConsumerGroupMemberMetadataKey], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, False)
        writing.string(out, item.member_id, False)


class ClassicProtocol(Struct):
    __slots__ = ("name", "metadata")

    def __init__(self, *, name: str = "", metadata: bytes = b"") -> None:
        self.name = name
        self.metadata = metadata


class ClassicMemberMetadata(Struct):
    __slots__ = ("session_timeout_ms", "supported_protocols")

    def __init__(self, *, session_timeout_ms: int = 0, supported_protocols: list[ClassicProtocol] = UNSET) -> None:
        self.session_timeout_ms = session_timeout_ms
        self.supported_protocols = [] if supported_protocols is UNSET else supported_protocols


class ConsumerGroupMemberMetadataValue(Message):
    __slots__ = (
        "instance_id",
        "rack_id",
        "client_id",
        "client_host",
        "subscribed_topic_names",
        "subscribed_topic_regex",
        "rebalance_timeout_ms",
        "server_assignor",
        "classic_member_metadata",
    )

    API_KEY = 5
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = UNSET,
        subscribed_topic_regex: str | None = "",
        rebalance_timeout_ms: int = -1,
        server_assignor: str | None = "",
        classic_member_metadata: ClassicMemberMetadata | None = UNSET,
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is UNSET else subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.server_assignor = server_assignor
        self.classic_member_metadata = (
            ClassicMemberMetadata() if classic_member_metadata is UNSET else classic_member_metadata
        )

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[ConsumerGroupMemberMetadataValue, int]:
        (item,), pos = _read_consumer_group_member_metadata_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_consumer_group_member_metadata_value(out, (self,), version)


def _read_classic_protocol(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ClassicProtocol], int]:
    items: list[ClassicProtocol] = []
    new = ClassicProtocol.__new__
    for _ in range(count):
        item = new(ClassicProtocol)
        item.name, pos = reading.string(buf, pos, True)
        item.metadata, pos = reading.blob(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_classic_protocol(out: bytearray, items: Sequence[ClassicProtocol], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.blob(out, item.metadata, True)
        out.append(0)


def _read_classic_member_metadata(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ClassicMemberMetadata], int]:
    items: list[ClassicMemberMetadata] = []
    new = ClassicMemberMetadata.__new__
    for _ in range(count):
        item = new(ClassicMemberMetadata)
        (item.session_timeout_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.supported_protocols, pos = _read_classic_protocol(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_classic_member_metadata(out: bytearray, items: Sequence[ClassicMemberMetadata], version: int) -> None:
    for item in items:
        out += _put_i(item.session_timeout_ms)
        writing.count(out, len(item.supported_protocols), True)
        _write_classic_protocol(out, item.supported_protocols, version)
        out.append(0)


def _tags_consumer_group_member_metadata_value(
    item: ConsumerGroupMemberMetadataValue, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            here, pos = reading.tagged_present(buf, pos)
            item.classic_member_metadata = None
            if here:
                (item.classic_member_metadata,), pos = _read_classic_member_metadata(buf, pos, 1, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_consumer_group_member_metadata_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ConsumerGroupMemberMetadataValue], int]:
    items: list[ConsumerGroupMemberMetadataValue] = []
    new = ConsumerGroupMemberMetadataValue.__new__
    for _ in range(count):
        item = new(ConsumerGroupMemberMetadataValue)
        item.instance_id, pos = reading.nullable_string(buf, pos, True)
        item.rack_id, pos = reading.nullable_string(buf, pos, True)
        item.client_id, pos = reading.string(buf, pos, True)
        item.client_host, pos = reading.string(buf, pos, True)
        item.subscribed_topic_names, pos = reading.strings(buf, pos, True, left)
        item.subscribed_topic_regex, pos = reading.nullable_string(buf, pos, True)
        (item.rebalance_timeout_ms,) = _get_i(buf, pos)
        pos += 4
        item.server_assignor, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        item.classic_member_metadata = ClassicMemberMetadata()
        if tags:
            pos = _tags_consumer_group_member_metadata_value(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_consumer_group_member_metadata_value(
    out: bytearray, item: ConsumerGroupMemberMetadataValue, version: int
) -> None:
    fields: list[tuple[int, bytearray]] = []
    if (
        item.classic_member_metadata is None
        or item.classic_member_metadata.session_timeout_ms != 0
        or item.classic_member_metadata.supported_protocols
    ):
        body = bytearray()
        if item.classic_member_metadata is None:
            body.append(0)
        else:
            body.append(1)
            _write_classic_member_metadata(body, (item.classic_member_metadata,), version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_consumer_group_member_metadata_value(
    out: bytearray, items: Sequence[ConsumerGroupMemberMetadataValue], version: int
) -> None:
    for item in items:
        writing.nullable_string(out, item.instance_id, True)
        writing.nullable_string(out, item.rack_id, True)
        writing.string(out, item.client_id, True)
        writing.string(out, item.client_host, True)
        writing.strings(out, item.subscribed_topic_names, True)
        writing.nullable_string(out, item.subscribed_topic_regex, True)
        out += _put_i(item.rebalance_timeout_ms)
        writing.nullable_string(out, item.server_assignor, True)
        _put_tags_consumer_group_member_metadata_value(out, item, version)
