"""LeaderChangeMessage. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_hi = Format(">hi").unpack_from
_get_iuB = Format(">i16sB").unpack_from
_get_iB = Format(">iB").unpack_from
_put_hi = Format(">hi").pack
_put_iux = Format(">i16sx").pack
_put_ix = Format(">ix").pack


class Voter(Struct):
    __slots__ = ("voter_id", "voter_directory_id")

    def __init__(self, *, voter_id: int = 0, voter_directory_id: bytes = ZERO) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id


class LeaderChangeMessage(Message):
    __slots__ = ("version", "leader_id", "voters", "granting_voters")

    API_KEY = -1
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, version: int = 0, leader_id: int = 0, voters: list[Voter] = UNSET, granting_voters: list[Voter] = UNSET
    ) -> None:
        self.version = version
        self.leader_id = leader_id
        self.voters = [] if voters is UNSET else voters
        self.granting_voters = [] if granting_voters is UNSET else granting_voters

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[LeaderChangeMessage, int]:
        (item,), pos = _read_leader_change_message(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_leader_change_message(out, (self,), version)


def _read_voter(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Voter], int]:
    items: list[Voter] = []
    new = Voter.__new__
    for _ in range(count):
        item = new(Voter)
        if version >= 1:
            item.voter_id, item.voter_directory_id, tags = _get_iuB(buf, pos)
            pos += 21
        else:
            item.voter_id, tags = _get_iB(buf, pos)
            pos += 5
            item.voter_directory_id = ZERO
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_voter(out: bytearray, items: Sequence[Voter], version: int) -> None:
    for item in items:
        if version >= 1:
            out += _put_iux(item.voter_id, item.voter_directory_id)
        else:
            if item.voter_directory_id != ZERO:
                raise writing.not_carried("voter_directory_id", version)
            out += _put_ix(item.voter_id)


def _read_leader_change_message(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[LeaderChangeMessage], int]:
    items: list[LeaderChangeMessage] = []
    new = LeaderChangeMessage.__new__
    for _ in range(count):
        item = new(LeaderChangeMessage)
        item.version, item.leader_id = _get_hi(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, True, left)
        item.voters, pos = _read_voter(buf, pos, length, version, left)
        length, pos = reading.count(buf, pos, True, left)
        item.granting_voters, pos = _read_voter(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_leader_change_message(out: bytearray, items: Sequence[LeaderChangeMessage], version: int) -> None:
    for item in items:
        out += _put_hi(item.version, item.leader_id)
        writing.count(out, len(item.voters), True)
        _write_voter(out, item.voters, version)
        writing.count(out, len(item.granting_voters), True)
        _write_voter(out, item.granting_voters, version)
        out.append(0)
