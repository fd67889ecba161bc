"""AddRaftVoterRequest and AddRaftVoterResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_oB = Format(">?B").unpack_from
_get_HB = Format(">HB").unpack_from
_get_ih = Format(">ih").unpack_from
_get_iiu = Format(">ii16s").unpack_from
_put_ox = Format(">?x").pack
_put_Hx = Format(">Hx").pack
_put_ih = Format(">ih").pack
_put_iiu = Format(">ii16s").pack


class Listener(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(self, *, name: str = "", host: str = "", port: int = 0) -> None:
        self.name = name
        self.host = host
        self.port = port


class AddRaftVoterRequest(Message):
    __slots__ = ("cluster_id", "timeout_ms", "voter_id", "voter_directory_id", "listeners", "ack_when_committed")

    API_KEY = 80
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        cluster_id: str | None = "",
        timeout_ms: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO,
        listeners: list[Listener] = UNSET,
        ack_when_committed: bool = True,
    ) -> None:
        self.cluster_id = cluster_id
        self.timeout_ms = timeout_ms
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners = [] if listeners is UNSET else listeners
        self.ack_when_committed = ack_when_committed

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AddRaftVoterRequest, int]:
        (item,), pos = _read_add_raft_voter_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_add_raft_voter_request(out, (self,), version)


def _read_listener(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Listener], int]:
    items: list[Listener] = []
    new = Listener.__new__
    for _ in range(count):
        item = new(Listener)
        item.name, pos = reading.string(buf, pos, True)
        item.host, pos = reading.string(buf, pos, True)
        item.port, tags = _get_HB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_listener(out: bytearray, items: Sequence[Listener], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.string(out, item.host, True)
        out += _put_Hx(item.port)


def _read_add_raft_voter_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddRaftVoterRequest], int]:
    items: list[AddRaftVoterRequest] = []
    new = AddRaftVoterRequest.__new__
    for _ in range(count):
        item = new(AddRaftVoterRequest)
        item.cluster_id, pos = reading.nullable_string(buf, pos, True)
        item.timeout_ms, item.voter_id, item.voter_directory_id = _get_iiu(buf, pos)
        pos += 24
        length, pos = reading.count(buf, pos, True, left)
        item.listeners, pos = _read_listener(buf, pos, length, version, left)
        if version >= 1:
            item.ack_when_committed, tags = _get_oB(buf, pos)
            pos += 2
        else:
            tags = buf[pos]
            pos += 1
            item.ack_when_committed = True
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_raft_voter_request(out: bytearray, items: Sequence[AddRaftVoterRequest], version: int) -> None:
    for item in items:
        writing.nullable_string(out, item.cluster_id, True)
        out += _put_iiu(item.timeout_ms, item.voter_id, item.voter_directory_id)
        writing.count(out, len(item.listeners), True)
        _write_listener(out, item.listeners, version)
        if version >= 1:
            out += _put_ox(item.ack_when_committed)
        else:
            if not item.ack_when_committed:
                raise writing.not_carried("ack_when_committed", version)
            out.append(0)


class AddRaftVoterResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")

    API_KEY = 80
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0, error_message: str | None = "") -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AddRaftVoterResponse, int]:
        (item,), pos = _read_add_raft_voter_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_add_raft_voter_response(out, (self,), version)


def _read_add_raft_voter_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AddRaftVoterResponse], int]:
    items: list[AddRaftVoterResponse] = []
    new = AddRaftVoterResponse.__new__
    for _ in range(count):
        item = new(AddRaftVoterResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_add_raft_voter_response(out: bytearray, items: Sequence[AddRaftVoterResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)
