"""Changes of the voters, one at a time: a set differs from the one before by one voter, so any two majorities meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tidelog.metadata.control import VoterKey
from tidelog.model.uuids import ZERO
from tidelog.protocol.errors import ErrorCode
from tidelog.raft import messages as m
from tidelog.raft.voters import Voter, Voters

if TYPE_CHECKING:
    from tidelog.raft.quorum import Raft

NO_TOKEN = -1
FIRST_LOGGED = 1  # the kraft.version from which on voters are in the log
# An observer that did not reach the end of the log within this time is not made a voter: the quorum would wait for it.
CAUGHT_UP_MS = 60 * 60_000
ADDED, REMOVED, UPDATED = "added", "removed", "updated"


class PendingChange(NamedTuple):
    token: int
    offset: int
    deadline_ms: int


def on_change(raft: Raft, change: m.ChangeVoters, now_ms: int) -> None:
    refusal = _refusal(raft) or (_cannot_add(raft, change, now_ms) if change.voter else _cannot_remove(raft, change))
    if refusal is not None:
        raft.emit(m.VotersChanged(change.token, *refusal))
        return
    current = raft.current
    after = current.with_voter(change.voter) if change.voter else current.without(change.key)
    token = change.token
    if not change.ack_when_committed:
        raft.emit(m.VotersChanged(token, ErrorCode.NONE, ""))
        token = NO_TOKEN
    _append(raft, after, token, now_ms + change.timeout_ms)


def on_upgrade(raft: Raft, upgrade: m.UpgradeVoters, now_ms: int) -> None:
    """The voters go from the settings into the log, each with the disk on which it has been seen to follow."""
    refusal = _not_now(raft)
    missing = [each.key.id for each in raft.current.members if not _directory(raft, each.key)]
    if refusal is None and raft.current.kraft_version == 0 and missing:
        refusal = (
            ErrorCode.INVALID_UPDATE_VERSION,
            f"Controller {missing[0]} has not followed this leader yet, so its directory is not known; start it first.",
        )
    if refusal is not None or raft.current.kraft_version:
        raft.emit(m.VotersChanged(upgrade.token, *(refusal or (ErrorCode.NONE, ""))))
        return
    before = raft.current.members
    members = tuple(_with_directory(raft, each) for each in before)
    assert raft.leadership is not None
    raft.leadership.rename({old.key: new.key for old, new in zip(before, members)})
    _append(raft, Voters(members, FIRST_LOGGED), upgrade.token, now_ms + upgrade.timeout_ms, is_first=True)


def _with_directory(raft: Raft, voter: Voter) -> Voter:
    own = raft.endpoints if voter.key.id == raft.node.id else ()
    return voter._replace(key=VoterKey(voter.key.id, _directory(raft, voter.key)), endpoints=own or voter.endpoints)


def _directory(raft: Raft, key: VoterKey) -> bytes:
    """The disk of a voter, as it says itself when it fetches; nothing if it has not said it."""
    if key.id == raft.node.id:
        return raft.node.directory_id
    progress = raft.leadership.replicas.get(key) if raft.leadership else None
    return progress.directory_id if progress and progress.directory_id != ZERO else b""


def on_update(raft: Raft, update: m.UpdateVoter, now_ms: int) -> None:
    """A voter listens elsewhere than the set says."""
    error = ErrorCode.NONE
    if update.epoch != raft.epoch:
        error = ErrorCode.FENCED_LEADER_EPOCH if update.epoch < raft.epoch else ErrorCode.UNKNOWN_LEADER_EPOCH
    elif raft.leadership is None:
        error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    elif (refusal := _refusal(raft)) is not None:
        error = refusal[0]
    elif update.voter.key not in raft.current.keys:
        error = ErrorCode.VOTER_NOT_FOUND
    elif update.voter not in raft.current.members:
        _append(raft, raft.current.with_voter(update.voter), NO_TOKEN, now_ms + raft.config.fetch_timeout_ms)
    raft.emit(m.Reply(m.EpochReply(error, raft.leader)))


def _append(raft: Raft, voters: Voters, token: int, deadline_ms: int, *, is_first: bool = False) -> None:
    leadership = raft.leadership
    assert leadership is not None
    offset = raft.log.end_offset + is_first  # behind the record of kraft.version
    leadership.change = PendingChange(token, offset, deadline_ms)
    raft.voters.append(offset, voters)
    raft.emit(m.AppendVoters(voters, is_first))


def _refusal(raft: Raft) -> tuple[ErrorCode, str] | None:
    if raft.leadership is not None and raft.current.kraft_version < 1:
        return (
            ErrorCode.UNSUPPORTED_VERSION,
            "The voters of this cluster are named in controller.quorum.voters and cannot be changed while it runs; "
            "that needs kraft.version 1: kafka-features upgrade --feature kraft.version=1.",
        )
    return _not_now(raft)


def _not_now(raft: Raft) -> tuple[ErrorCode, str] | None:
    leadership = raft.leadership
    if leadership is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER, "This node does not lead the quorum; ask the leader."
    if raft.high_watermark <= leadership.epoch_start:
        return ErrorCode.REQUEST_TIMED_OUT, "The leader has not committed a record of its epoch yet; try again."
    if leadership.change is not None or raft.voters.current_offset >= raft.high_watermark:
        return ErrorCode.REQUEST_TIMED_OUT, "Another change of the voters is not committed yet; try again."
    return None


def _cannot_add(raft: Raft, change: m.ChangeVoters, now_ms: int) -> tuple[ErrorCode, str] | None:
    node_id = change.key.id
    if raft.current.find(node_id) is not None:
        return (
            ErrorCode.DUPLICATE_VOTER,
            f"Node {node_id} is a voter already; remove it first if its disk was replaced.",
        )
    assert raft.leadership is not None
    progress = raft.leadership.replicas.get(change.key)
    if progress is None or progress.caught_up_ms < 0 or now_ms - progress.fetched_ms > CAUGHT_UP_MS:
        return (
            ErrorCode.REQUEST_TIMED_OUT,
            f"Node {node_id} has not caught up with the metadata log; start it, wait until it has, and try again.",
        )
    return None


def _cannot_remove(raft: Raft, change: m.ChangeVoters) -> tuple[ErrorCode, str] | None:
    if change.key not in raft.current.keys:
        return ErrorCode.VOTER_NOT_FOUND, f"No voter has the id {change.key.id} with this directory id."
    if len(raft.current.members) == 1:
        return ErrorCode.INVALID_REQUEST, "The last voter cannot be removed: nobody would be left to lead."
    return None


def advance(raft: Raft, now_ms: int) -> None:
    """A set that is committed is answered; a leader that is not in it any more gives up."""
    leadership = raft.leadership
    assert leadership is not None
    change = leadership.change
    if change is None or raft.high_watermark <= change.offset:
        return
    leadership.change = None
    _answer(raft, change.token, ErrorCode.NONE, "")
    if not raft.is_voter:
        raft.become_resigned(now_ms)


def tick(raft: Raft, now_ms: int) -> None:
    leadership = raft.leadership
    assert leadership is not None
    change = leadership.change
    if change is not None and now_ms >= change.deadline_ms:
        # The record is in the log and may still be committed; only the answer stops waiting.
        _answer(raft, change.token, ErrorCode.REQUEST_TIMED_OUT, "The change was not committed in time.")
        leadership.change = change._replace(token=NO_TOKEN, deadline_ms=1 << 62)


def abandon(raft: Raft) -> None:
    leadership = raft.leadership
    if leadership is not None and leadership.change is not None:
        message = "The leader changed before the change of the voters was committed; see whether it took place."
        _answer(raft, leadership.change.token, ErrorCode.NOT_LEADER_OR_FOLLOWER, message)


def _answer(raft: Raft, token: int, error: ErrorCode, message: str) -> None:
    if token != NO_TOKEN:
        raft.emit(m.VotersChanged(token, error, message))


def caught_up(raft: Raft, key: VoterKey) -> bool:
    """Whether an observer has been at the end of the log."""
    progress = raft.leadership.replicas.get(key) if raft.leadership else None
    return progress is not None and progress.caught_up_ms >= 0
