"""DeleteTopicsRequest and DeleteTopicsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_uB = Format(">16sB").unpack_from
_get_uh = Format(">16sh").unpack_from
_get_h = Format(">h").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_put_uh = Format(">16sh").pack
_put_ux = Format(">16sx").pack
_put_h = Format(">h").pack
_put_i = Format(">i").pack
_put_ix = Format(">ix").pack


class DeleteTopicState(Struct):
    __slots__ = ("name", "topic_id")

    def __init__(self, *, name: str | None = None, topic_id: bytes = ZERO) -> None:
        self.name = name
        self.topic_id = topic_id


class DeleteTopicsRequest(Message):
    __slots__ = ("topics", "topic_names", "timeout_ms")

    API_KEY = 20
    VERSIONS = (1, 6)
    FLEXIBLE_FROM = 4

    def __init__(
        self, *, topics: list[DeleteTopicState] = UNSET, topic_names: list[str] = UNSET, timeout_ms: int = 0
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.topic_names = [] if topic_names is UNSET else topic_names
        self.timeout_ms = timeout_ms

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteTopicsRequest, int]:
        (item,), pos = _read_delete_topics_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_topics_request(out, (self,), version)


def _read_delete_topic_state(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteTopicState], int]:
    items: list[DeleteTopicState] = []
    new = DeleteTopicState.__new__
    for _ in range(count):
        item = new(DeleteTopicState)
        item.name, pos = reading.nullable_string(buf, pos, True)
        item.topic_id, tags = _get_uB(buf, pos)
        pos += 17
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_topic_state(out: bytearray, items: Sequence[DeleteTopicState], version: int) -> None:
    for item in items:
        writing.nullable_string(out, item.name, True)
        out += _put_ux(item.topic_id)


def _read_delete_topics_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteTopicsRequest], int]:
    compact = version >= 4
    items: list[DeleteTopicsRequest] = []
    new = DeleteTopicsRequest.__new__
    for _ in range(count):
        item = new(DeleteTopicsRequest)
        if version >= 6:
            length, pos = reading.count(buf, pos, True, left)
            item.topics, pos = _read_delete_topic_state(buf, pos, length, version, left)
        else:
            item.topics = []
        if version <= 5:
            item.topic_names, pos = reading.strings(buf, pos, compact, left)
        else:
            item.topic_names = []
        if version >= 4:
            item.timeout_ms, tags = _get_iB(buf, pos)
            pos += 5
        else:
            (item.timeout_ms,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_topics_request(out: bytearray, items: Sequence[DeleteTopicsRequest], version: int) -> None:
    compact = version >= 4
    for item in items:
        if version >= 6:
            writing.count(out, len(item.topics), True)
            _write_delete_topic_state(out, item.topics, version)
        else:
            if item.topics:
                raise writing.not_carried("topics", version)
        if version <= 5:
            writing.strings(out, item.topic_names, compact)
        if version >= 4:
            out += _put_ix(item.timeout_ms)
        else:
            out += _put_i(item.timeout_ms)


class DeletableTopicResult(Struct):
    __slots__ = ("name", "topic_id", "error_code", "error_message")

    def __init__(
        self, *, name: str | None = "", topic_id: bytes = ZERO, error_code: int = 0, error_message: str | None = None
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message


class DeleteTopicsResponse(Message):
    __slots__ = ("throttle_time_ms", "responses")

    API_KEY = 20
    VERSIONS = (1, 6)
    FLEXIBLE_FROM = 4

    def __init__(self, *, throttle_time_ms: int = 0, responses: list[DeletableTopicResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses = [] if responses is UNSET else responses

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DeleteTopicsResponse, int]:
        (item,), pos = _read_delete_topics_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_delete_topics_response(out, (self,), version)


def _read_deletable_topic_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeletableTopicResult], int]:
    compact = version >= 4
    items: list[DeletableTopicResult] = []
    new = DeletableTopicResult.__new__
    for _ in range(count):
        item = new(DeletableTopicResult)
        item.name, pos = reading.nullable_string(buf, pos, compact)
        if item.name is None and not (version >= 6):
            raise reading.null_refused("name", version)
        if version >= 6:
            item.topic_id, item.error_code = _get_uh(buf, pos)
            pos += 18
        else:
            (item.error_code,) = _get_h(buf, pos)
            pos += 2
            item.topic_id = ZERO
        if version >= 5:
            item.error_message, pos = reading.nullable_string(buf, pos, True)
        else:
            item.error_message = None
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_deletable_topic_result(out: bytearray, items: Sequence[DeletableTopicResult], version: int) -> None:
    compact = version >= 4
    for item in items:
        if item.name is None and not (version >= 6):
            raise writing.null_refused("name", version)
        writing.nullable_string(out, item.name, compact)
        if version >= 6:
            out += _put_uh(item.topic_id, item.error_code)
        else:
            out += _put_h(item.error_code)
        if version >= 5:
            writing.nullable_string(out, item.error_message, True)
        if version >= 4:
            out.append(0)


def _read_delete_topics_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DeleteTopicsResponse], int]:
    compact = version >= 4
    items: list[DeleteTopicsResponse] = []
    new = DeleteTopicsResponse.__new__
    for _ in range(count):
        item = new(DeleteTopicsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.responses, pos = _read_deletable_topic_result(buf, pos, length, version, left)
        if version >= 4:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_delete_topics_response(out: bytearray, items: Sequence[DeleteTopicsResponse], version: int) -> None:
    compact = version >= 4
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.responses), compact)
        _write_deletable_topic_result(out, item.responses, version)
        if version >= 4:
            out.append(0)
