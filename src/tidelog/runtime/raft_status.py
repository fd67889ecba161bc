"""How far the replicas of the metadata log are, as their leader knows it."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.metadata.control import VoterKey
from tidelog.ports import Clock
from tidelog.raft.quorum import Raft


class ReplicaStatus(NamedTuple):
    """How far a replica is, and when it was last heard of by the wall clock."""

    key: VoterKey
    end_offset: int
    fetched_ms: int
    caught_up_ms: int


def statuses(raft: Raft, end_offset: int, clock: Clock) -> tuple[list[ReplicaStatus], list[ReplicaStatus]]:
    """Voters and observers."""
    now_ms = clock.now_ms()
    behind_ms = now_ms - clock.monotonic_ms()
    replicas = raft.leadership.replicas if raft.leadership else {}

    def status(key: VoterKey) -> ReplicaStatus:
        if key == raft.own_key:
            return ReplicaStatus(key, end_offset, now_ms, now_ms)
        found = replicas.get(key)
        if found is None:
            return ReplicaStatus(key, -1, -1, -1)
        times = (each + behind_ms if each >= 0 else -1 for each in (found.fetched_ms, found.caught_up_ms))
        return ReplicaStatus(key, found.end_offset, *times)

    voters = raft.current.keys
    return [status(each) for each in voters], [status(each) for each in replicas if each not in voters]
