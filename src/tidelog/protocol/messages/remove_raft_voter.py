"""RemoveRaftVoterRequest and RemoveRaftVoterResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import Message, Readable

_get_iuB = Format(">i16sB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_iux = Format(">i16sx").pack
_put_ih = Format(">ih").pack


class RemoveRaftVoterRequest(Message):
    __slots__ = ("cluster_id", "voter_id", "voter_directory_id")

    API_KEY = 81
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, cluster_id: str | None = "", voter_id: int = 0, voter_directory_id: bytes = ZERO) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RemoveRaftVoterRequest, int]:
        (item,), pos = _read_remove_raft_voter_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remove_raft_voter_request(out, (self,), version)


def _read_remove_raft_voter_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoveRaftVoterRequest], int]:
    items: list[RemoveRaftVoterRequest] = []
    new = RemoveRaftVoterRequest.__new__
    for _ in range(count):
        item = new(RemoveRaftVoterRequest)
        item.cluster_id, pos = reading.nullable_string(buf, pos, True)
        item.voter_id, item.voter_directory_id, tags = _get_iuB(buf, pos)
        pos += 21
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remove_raft_voter_request(out: bytearray, items: Sequence[RemoveRaftVoterRequest], version: int) -> None:
    for item in items:
        writing.nullable_string(out, item.cluster_id, True)
        out += _put_iux(item.voter_id, item.voter_directory_id)


class RemoveRaftVoterResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")

    API_KEY = 81
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, throttle_time_ms: int = 0, error_code: int = 0, error_message: str | None = "") -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[RemoveRaftVoterResponse, int]:
        (item,), pos = _read_remove_raft_voter_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_remove_raft_voter_response(out, (self,), version)


def _read_remove_raft_voter_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RemoveRaftVoterResponse], int]:
    items: list[RemoveRaftVoterResponse] = []
    new = RemoveRaftVoterResponse.__new__
    for _ in range(count):
        item = new(RemoveRaftVoterResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_remove_raft_voter_response(out: bytearray, items: Sequence[RemoveRaftVoterResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)
