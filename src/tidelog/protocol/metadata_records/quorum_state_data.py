"""QuorumStateData. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_iB = Format(">iB").unpack_from
_get_iiiu = Format(">iii16s").unpack_from
_get_iiiq = Format(">iiiq").unpack_from
_put_iiiu = Format(">iii16s").pack
_put_iiiq = Format(">iiiq").pack
_put_ix = Format(">ix").pack


class Voter(Struct):
    __slots__ = ("voter_id",)

    def __init__(self, *, voter_id: int = 0) -> None:
        self.voter_id = voter_id


class QuorumStateData(Message):
    __slots__ = (
        "cluster_id",
        "leader_id",
        "leader_epoch",
        "voted_id",
        "voted_directory_id",
        "applied_offset",
        "current_voters",
    )

    API_KEY = -1
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        cluster_id: str = "",
        leader_id: int = -1,
        leader_epoch: int = -1,
        voted_id: int = -1,
        voted_directory_id: bytes = ZERO,
        applied_offset: int = 0,
        current_voters: list[Voter] | None = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.voted_id = voted_id
        self.voted_directory_id = voted_directory_id
        self.applied_offset = applied_offset
        self.current_voters = [] if current_voters is UNSET else current_voters

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[QuorumStateData, int]:
        (item,), pos = _read_quorum_state_data(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_quorum_state_data(out, (self,), version)


def _read_voter(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Voter], int]:
    items: list[Voter] = []
    new = Voter.__new__
    for _ in range(count):
        item = new(Voter)
        item.voter_id, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_voter(out: bytearray, items: Sequence[Voter], version: int) -> None:
    for item in items:
        out += _put_ix(item.voter_id)


def _read_quorum_state_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[QuorumStateData], int]:
    items: list[QuorumStateData] = []
    new = QuorumStateData.__new__
    for _ in range(count):
        item = new(QuorumStateData)
        if version <= 0:
            item.cluster_id, pos = reading.string(buf, pos, True)
        else:
            item.cluster_id = ""
        if version >= 1:
            item.leader_id, item.leader_epoch, item.voted_id, item.voted_directory_id = _get_iiiu(buf, pos)
            pos += 28
            item.applied_offset = 0
        else:
            item.leader_id, item.leader_epoch, item.voted_id, item.applied_offset = _get_iiiq(buf, pos)
            pos += 20
            item.voted_directory_id = ZERO
        if version <= 0:
            length, pos = reading.nullable_count(buf, pos, True, left)
            if length < 0:
                item.current_voters = None
            else:
                item.current_voters, pos = _read_voter(buf, pos, length, version, left)
        else:
            item.current_voters = []
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_quorum_state_data(out: bytearray, items: Sequence[QuorumStateData], version: int) -> None:
    for item in items:
        if version <= 0:
            writing.string(out, item.cluster_id, True)
        else:
            if item.cluster_id:
                raise writing.not_carried("cluster_id", version)
        if version >= 1:
            if item.applied_offset != 0:
                raise writing.not_carried("applied_offset", version)
            out += _put_iiiu(item.leader_id, item.leader_epoch, item.voted_id, item.voted_directory_id)
        else:
            if item.voted_directory_id != ZERO:
                raise writing.not_carried("voted_directory_id", version)
            out += _put_iiiq(item.leader_id, item.leader_epoch, item.voted_id, item.applied_offset)
        if version <= 0:
            if item.current_voters is None:
                writing.null(out, True)
            else:
                writing.count(out, len(item.current_voters), True)
                _write_voter(out, item.current_voters, version)
        else:
            if item.current_voters is None or len(item.current_voters) > 0:
                raise writing.not_carried("current_voters", version)
        out.append(0)
