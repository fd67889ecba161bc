"""What voters say to each other, and what the machine asks of its driver: plain values.

A request carries the epoch in which it was sent and comes back with its answer (`Answered`), so that the machine keeps
no table of what is under way beyond whom it waits for. Effects are carried out in order: a `Save` before a `Reply` is
on disk before the reply leaves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tidelog.metadata.control import VoterKey
from tidelog.metadata.quorum_state import QuorumState
from tidelog.metadata.snapshot import SnapshotId
from tidelog.protocol.errors import ErrorCode
from tidelog.raft.voters import Address, Voter, Voters

NOBODY = -1


class LeaderInfo(NamedTuple):
    """Who leads in an epoch, as far as the sender knows."""

    id: int
    epoch: int
    address: Address | None = None


# requests


class Vote(NamedTuple):
    candidate: VoterKey
    voter: VoterKey  # whom the candidate means; id -1 when it does not say
    epoch: int
    last_epoch: int
    end_offset: int
    pre_vote: bool


class BeginEpoch(NamedTuple):
    leader: LeaderInfo
    voter: VoterKey


class EndEpoch(NamedTuple):
    leader: LeaderInfo
    candidates: tuple[VoterKey, ...]  # the furthest first


class FetchLog(NamedTuple):
    """Asks for what follows `offset`, and says that everything before it is durable at `replica`."""

    replica: VoterKey
    epoch: int
    offset: int
    last_epoch: int
    high_watermark: int


class FetchChunk(NamedTuple):
    """Asks for a piece of a snapshot."""

    replica: VoterKey
    epoch: int
    snapshot_id: SnapshotId
    position: int


class UpdateVoter(NamedTuple):
    """A voter tells the leader where it listens now."""

    epoch: int
    voter: Voter


Request = Vote | BeginEpoch | EndEpoch | FetchLog | FetchChunk | UpdateVoter


# replies


class VoteReply(NamedTuple):
    error: ErrorCode
    leader: LeaderInfo
    granted: bool = False


class EpochReply(NamedTuple):
    error: ErrorCode
    leader: LeaderInfo


class FetchReply(NamedTuple):
    """Batches, or why there are none: the logs differ behind `diverging` (epoch, end), or a snapshot is needed."""

    error: ErrorCode
    leader: LeaderInfo
    high_watermark: int = -1
    log_start_offset: int = -1
    diverging: tuple[int, int] | None = None
    snapshot_id: SnapshotId | None = None
    records: Any = b""


class ChunkReply(NamedTuple):
    error: ErrorCode
    leader: LeaderInfo
    snapshot_id: SnapshotId
    size: int = 0
    position: int = 0
    data: Any = b""


AnyReply = VoteReply | EpochReply | FetchReply | ChunkReply


# what the driver tells


class Answered(NamedTuple):
    """`reply` is None when there was none in time; `refused` says that no process listens there any more."""

    to: Address
    request: Request
    reply: AnyReply | None
    refused: bool = False


class Durable(NamedTuple):
    """The log is flushed, or was cut: the view of it tells how far."""


class Installed(NamedTuple):
    """A snapshot that was fetched stands in the place of the log."""

    snapshot_id: SnapshotId


class ChangeVoters(NamedTuple):
    """An administrator adds (`voter`) or removes (`key`) a voter; `token` finds whoever waits for the answer."""

    token: int
    key: VoterKey
    voter: Voter | None
    timeout_ms: int
    ack_when_committed: bool = True


class UpgradeVoters(NamedTuple):
    """An administrator wants the voters of the settings to be kept in the log from now on (kraft.version 1)."""

    token: int
    timeout_ms: int


class Resign(NamedTuple):
    """The node stops: if it leads, somebody else should."""


# effects


class Save(NamedTuple):
    state: QuorumState


class Send(NamedTuple):
    to: Address
    request: Request


class Reply(NamedTuple):
    reply: AnyReply


class Serve(NamedTuple):
    """The fetch is valid: answer it from the log, or wait until there is something to say."""

    request: FetchLog


class ServeChunk(NamedTuple):
    request: FetchChunk


class OpenEpoch(NamedTuple):
    """Append the leader-change record of a new epoch."""

    epoch: int
    granting: tuple[VoterKey, ...]


class AppendVoters(NamedTuple):
    voters: Voters
    is_first: bool = False  # the first set of the log: its kraft.version is written before it


class Append(NamedTuple):
    """Batches of the leader go to the end of the log and are flushed; `Durable` follows."""

    records: Any


class Truncate(NamedTuple):
    """The log is cut so that it ends at `offset` or before; `Durable` follows."""

    offset: int


class StoreChunk(NamedTuple):
    snapshot_id: SnapshotId
    position: int
    data: Any


class InstallSnapshot(NamedTuple):
    """All of it is stored; `Installed` follows."""

    snapshot_id: SnapshotId


class Commit(NamedTuple):
    high_watermark: int


class LeaderChanged(NamedTuple):
    """Who leads, and whether that is this node."""

    leading: bool
    leader: LeaderInfo


class VotersChanged(NamedTuple):
    token: int
    error: ErrorCode
    message: str


Effect = (
    Save
    | Send
    | Reply
    | Serve
    | ServeChunk
    | OpenEpoch
    | AppendVoters
    | Append
    | Truncate
    | StoreChunk
    | InstallSnapshot
    | Commit
    | LeaderChanged
    | VotersChanged
)
