"""UpdateRaftVoterRequest and UpdateRaftVoterResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_HB = Format(">HB").unpack_from
_get_hhB = Format(">hhB").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ihB = Format(">ihB").unpack_from
_get_ii = Format(">ii").unpack_from
_get_iiu = Format(">ii16s").unpack_from
_put_Hx = Format(">Hx").pack
_put_hhx = Format(">hhx").pack
_put_ih = Format(">ih").pack
_put_ii = Format(">ii").pack
_put_iiu = Format(">ii16s").pack
_put_ix = Format(">ix").pack


class Listener(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(self, *, name: str = "", host: str = "", port: int = 0) -> None:
        self.name = name
        self.host = host
        self.port = port


class KRaftVersionFeature(Struct):
    __slots__ = ("min_supported_version", "max_supported_version")

    def __init__(self, *, min_supported_version: int = 0, max_supported_version: int = 0) -> None:
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class UpdateRaftVoterRequest(Message):
    __slots__ = (
        "cluster_id",
        "current_leader_epoch",
        "voter_id",
        "voter_directory_id",
        "listeners",
        "kraft_version_feature",
    )

    API_KEY = 82
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        cluster_id: str | None = "",
        current_leader_epoch: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO,
        listeners: list[Listener] = UNSET,
        kraft_version_feature: KRaftVersionFeature = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.current_leader_epoch = current_leader_epoch
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners = [] if listeners is UNSET else listeners
        self.kraft_version_feature = KRaftVersionFeature() if kraft_version_feature is UNSET else kraft_version_feature

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[UpdateRaftVoterRequest, int]:
        (item,), pos = _read_update_raft_voter_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_update_raft_voter_request(out, (self,), version)


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


def _read_kraft_version_feature(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[KRaftVersionFeature], int]:
    items: list[KRaftVersionFeature] = []
    new = KRaftVersionFeature.__new__
    for _ in range(count):
        item = new(KRaftVersionFeature)
        item.min_supported_version, item.max_supported_version, tags = _get_hhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_kraft_version_feature(out: bytearray, items: Sequence[KRaftVersionFeature], version: int) -> None:
    for item in items:
        out += _put_hhx(item.min_supported_version, item.max_supported_version)


def _read_update_raft_voter_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UpdateRaftVoterRequest], int]:
    items: list[UpdateRaftVoterRequest] = []
    new = UpdateRaftVoterRequest.__new__
    for _ in range(count):
        item = new(UpdateRaftVoterRequest)
        item.cluster_id, pos = reading.nullable_string(buf, pos, True)
        item.current_leader_epoch, item.voter_id, item.voter_directory_id = _get_iiu(buf, pos)
        pos += 24
        length, pos = reading.count(buf, pos, True, left)
        item.listeners, pos = _read_listener(buf, pos, length, version, left)
        (item.kraft_version_feature,), pos = _read_kraft_version_feature(buf, pos, 1, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_update_raft_voter_request(out: bytearray, items: Sequence[UpdateRaftVoterRequest], version: int) -> None:
    for item in items:
        writing.nullable_string(out, item.cluster_id, True)
        out += _put_iiu(item.current_leader_epoch, item.voter_id, item.voter_directory_id)
        writing.count(out, len(item.listeners), True)
        _write_listener(out, item.listeners, version)
        _write_kraft_version_feature(out, (item.kraft_version_feature,), version)
        out.append(0)


class CurrentLeader(Struct):
    __slots__ = ("leader_id", "leader_epoch", "host", "port")

    def __init__(self, *, leader_id: int = -1, leader_epoch: int = -1, host: str = "", port: int = 0) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.host = host
        self.port = port


class UpdateRaftVoterResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "current_leader")

    API_KEY = 82
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, throttle_time_ms: int = 0, error_code: int = 0, current_leader: CurrentLeader = UNSET
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.current_leader = CurrentLeader() if current_leader is UNSET else current_leader

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[UpdateRaftVoterResponse, int]:
        (item,), pos = _read_update_raft_voter_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_update_raft_voter_response(out, (self,), version)


def _read_current_leader(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[CurrentLeader], int]:
    items: list[CurrentLeader] = []
    new = CurrentLeader.__new__
    for _ in range(count):
        item = new(CurrentLeader)
        item.leader_id, item.leader_epoch = _get_ii(buf, pos)
        pos += 8
        item.host, pos = reading.string(buf, pos, True)
        item.port, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_current_leader(out: bytearray, items: Sequence[CurrentLeader], version: int) -> None:
    for item in items:
        out += _put_ii(item.leader_id, item.leader_epoch)
        writing.string(out, item.host, True)
        out += _put_ix(item.port)


def _tags_update_raft_voter_response(
    item: UpdateRaftVoterResponse, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.current_leader,), pos = _read_current_leader(buf, pos, 1, version, left)
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_update_raft_voter_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UpdateRaftVoterResponse], int]:
    items: list[UpdateRaftVoterResponse] = []
    new = UpdateRaftVoterResponse.__new__
    for _ in range(count):
        item = new(UpdateRaftVoterResponse)
        item.throttle_time_ms, item.error_code, tags = _get_ihB(buf, pos)
        pos += 7
        item.current_leader = CurrentLeader()
        if tags:
            pos = _tags_update_raft_voter_response(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_update_raft_voter_response(out: bytearray, item: UpdateRaftVoterResponse, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if (
        item.current_leader.leader_id != -1
        or item.current_leader.leader_epoch != -1
        or item.current_leader.host
        or item.current_leader.port != 0
    ):
        body = bytearray()
        _write_current_leader(body, (item.current_leader,), version)
        fields.append((0, body))
    writing.tags(out, fields)


def _write_update_raft_voter_response(out: bytearray, items: Sequence[UpdateRaftVoterResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        _put_tags_update_raft_voter_response(out, item, version)
