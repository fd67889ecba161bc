"""DeleteShareGroupOffsetsRequest and DeleteShareGroupOffsetsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_uh = Format(">16sh").unpack_from
_get_ih = Format(">ih").unpack_from
_put_uh = Format(">16sh").pack
_put_ih = Format(">ih").pack


class DeleteShareGroupOffsetsRequestTopic(Struct):
    __slots__ = ("topic_name",)

    def __init__(self, *, topic_name: str = "") -> None:
        self.topic_name = topic_name


class DeleteShareGroupOffsetsRequest(Message):
    __slots__ = ("group_id", "topics")

    API_KEY = 92
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, group_id: str = "", topics: list[DeleteShareGroupOffsetsRequestTopic] = UNSET) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DeleteShareGroupOffsetsRequest, int]:
        (item,), pos = _read_delete_share_group_offsets_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_share_group_offsets_request(out, (self,), version)


def _read_delete_share_group_offsets_request_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteShareGroupOffsetsRequestTopic], int]:
    items: list[DeleteShareGroupOffsetsRequestTopic] = []
    new = DeleteShareGroupOffsetsRequestTopic.__new__
    for _ in range(count):
        item = new(DeleteShareGroupOffsetsRequestTopic)
        item.topic_name, pos = reading.string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_share_group_offsets_request_topic(
    out: bytearray, items: Sequence[DeleteShareGroupOffsetsRequestTopic], version: int
) -> None:
    for item in items:
        writing.string(out, item.topic_name, True)
        out.append(0)


def _read_delete_share_group_offsets_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteShareGroupOffsetsRequest], int]:
    items: list[DeleteShareGroupOffsetsRequest] = []
    new = DeleteShareGroupOffsetsRequest.__new__
    for _ in range(count):
        item = new(DeleteShareGroupOffsetsRequest)
        item.group_id, pos = reading.string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_delete_share_group_offsets_request_topic(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_share_group_offsets_request(
    out: bytearray, items: Sequence[DeleteShareGroupOffsetsRequest], version: int
) -> None:
    for item in items:
        writing.string(out, item.group_id, True)
        writing.count(out, len(item.topics), True)
        _write_delete_share_group_offsets_request_topic(out, item.topics, version)
        out.append(0)


class DeleteShareGroupOffsetsResponseTopic(Struct):
    __slots__ = ("topic_name", "topic_id", "error_code", "error_message")

    def __init__(
        self, *, topic_name: str = "", topic_id: bytes = ZERO, error_code: int = 0, error_message: str | None = None
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message


class DeleteShareGroupOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "responses")

    API_KEY = 92
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        responses: list[DeleteShareGroupOffsetsResponseTopic] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.responses = [] if responses is UNSET else responses

    @classmethod
    def _read(
        cls, buf: Readable, pos: int, version: int, left: list[int]
    ) -> tuple[DeleteShareGroupOffsetsResponse, int]:
        (item,), pos = _read_delete_share_group_offsets_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_share_group_offsets_response(out, (self,), version)


def _read_delete_share_group_offsets_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteShareGroupOffsetsResponseTopic], int]:
    items: list[DeleteShareGroupOffsetsResponseTopic] = []
    new = DeleteShareGroupOffsetsResponseTopic.__new__
    for _ in range(count):
        item = new(DeleteShareGroupOffsetsResponseTopic)
        item.topic_name, pos = reading.string(buf, pos, True)
        item.topic_id, item.error_code = _get_uh(buf, pos)
        pos += 18
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_share_group_offsets_response_topic(
    out: bytearray, items: Sequence[DeleteShareGroupOffsetsResponseTopic], version: int
) -> None:
    for item in items:
        writing.string(out, item.topic_name, True)
        out += _put_uh(item.topic_id, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)


def _read_delete_share_group_offsets_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteShareGroupOffsetsResponse], int]:
    items: list[DeleteShareGroupOffsetsResponse] = []
    new = DeleteShareGroupOffsetsResponse.__new__
    for _ in range(count):
        item = new(DeleteShareGroupOffsetsResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        length, pos = reading.count(buf, pos, True, left)
        item.responses, pos = _read_delete_share_group_offsets_response_topic(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_share_group_offsets_response(
    out: bytearray, items: Sequence[DeleteShareGroupOffsetsResponse], version: int
) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        writing.count(out, len(item.responses), True)
        _write_delete_share_group_offsets_response_topic(out, item.responses, version)
        out.append(0)
