"""BrokerHeartbeatRequest and BrokerHeartbeatResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable

_get_ihoooB = Format(">ih???B").unpack_from
_get_iqqooB = Format(">iqq??B").unpack_from
_put_ihooox = Format(">ih???x").pack
_put_iqqoo = Format(">iqq??").pack


class BrokerHeartbeatRequest(Message):
    __slots__ = (
        "broker_id",
        "broker_epoch",
        "current_metadata_offset",
        "want_fence",
        "want_shut_down",
        "offline_log_dirs",
        "cordoned_log_dirs",
    )

    API_KEY = 63
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        current_metadata_offset: int = 0,
        want_fence: bool = False,
        want_shut_down: bool = False,
        offline_log_dirs: list[bytes] = UNSET,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.current_metadata_offset = current_metadata_offset
        self.want_fence = want_fence
        self.want_shut_down = want_shut_down
        self.offline_log_dirs = [] if offline_log_dirs is UNSET else offline_log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[BrokerHeartbeatRequest, int]:
        (item,), pos = _read_broker_heartbeat_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_broker_heartbeat_request(out, (self,), version)


def _tags_broker_heartbeat_request(
    item: BrokerHeartbeatRequest, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0 and version >= 1:
            item.offline_log_dirs, pos = reading.uuids(buf, pos, True)
        elif tag == 1 and version >= 2:
            item.cordoned_log_dirs, pos = reading.nullable_uuids(buf, pos, True)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_broker_heartbeat_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BrokerHeartbeatRequest], int]:
    items: list[BrokerHeartbeatRequest] = []
    new = BrokerHeartbeatRequest.__new__
    for _ in range(count):
        item = new(BrokerHeartbeatRequest)
        item.broker_id, item.broker_epoch, item.current_metadata_offset, item.want_fence, item.want_shut_down, tags = (
            _get_iqqooB(buf, pos)
        )
        pos += 23
        item.offline_log_dirs = []
        item.cordoned_log_dirs = None
        if tags:
            pos = _tags_broker_heartbeat_request(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_broker_heartbeat_request(out: bytearray, item: BrokerHeartbeatRequest, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.offline_log_dirs:
        if not (version >= 1):
            raise writing.not_carried("offline_log_dirs", version)
        body = bytearray()
        writing.uuids(body, item.offline_log_dirs, True)
        fields.append((0, body))
    if item.cordoned_log_dirs is not None:
        if not (version >= 2):
            raise writing.not_carried("cordoned_log_dirs", version)
        body = bytearray()
        writing.uuids(body, item.cordoned_log_dirs, True)
        fields.append((1, body))
    writing.tags(out, fields)


def _write_broker_heartbeat_request(out: bytearray, items: Sequence[BrokerHeartbeatRequest], version: int) -> None:
    for item in items:
        out += _put_iqqoo(
            item.broker_id, item.broker_epoch, item.current_metadata_offset, item.want_fence, item.want_shut_down
        )
        _put_tags_broker_heartbeat_request(out, item, version)


class BrokerHeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "is_caught_up", "is_fenced", "should_shut_down")

    API_KEY = 63
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        is_caught_up: bool = False,
        is_fenced: bool = True,
        should_shut_down: bool = False,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.is_caught_up = is_caught_up
        self.is_fenced = is_fenced
        self.should_shut_down = should_shut_down

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[BrokerHeartbeatResponse, int]:
        (item,), pos = _read_broker_heartbeat_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_broker_heartbeat_response(out, (self,), version)


def _read_broker_heartbeat_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BrokerHeartbeatResponse], int]:
    items: list[BrokerHeartbeatResponse] = []
    new = BrokerHeartbeatResponse.__new__
    for _ in range(count):
        item = new(BrokerHeartbeatResponse)
        item.throttle_time_ms, item.error_code, item.is_caught_up, item.is_fenced, item.should_shut_down, tags = (
            _get_ihoooB(buf, pos)
        )
        pos += 10
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_broker_heartbeat_response(out: bytearray, items: Sequence[BrokerHeartbeatResponse], version: int) -> None:
    for item in items:
        out += _put_ihooox(
            item.throttle_time_ms, item.error_code, item.is_caught_up, item.is_fenced, item.should_shut_down
        )
