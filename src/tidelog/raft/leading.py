"""The leader's side: what each replica has, the high watermark, and whether a majority is still there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.metadata.control import VoterKey
from tidelog.metadata.snapshot import SnapshotId
from tidelog.model.uuids import ZERO
from tidelog.protocol.errors import ErrorCode
from tidelog.raft import changes
from tidelog.raft import messages as m
from tidelog.raft.log_view import check_position

if TYPE_CHECKING:
    from tidelog.raft.quorum import Raft

OBSERVER_EXPIRY_MS = 5 * 60_000


class Progress:
    """What is known of one replica; `end_offset` is what it has said to be durable there."""

    __slots__ = ("caught_up_ms", "directory_id", "end_offset", "fetched_ms", "leader_end_offset")

    def __init__(self) -> None:
        self.end_offset = -1
        self.fetched_ms = -1
        self.caught_up_ms = -1
        self.leader_end_offset = -1  # the end of the leader's log at the last fetch
        self.directory_id = ZERO  # the disk that it said it has

    def fetched(self, offset: int, leader_end_offset: int, now_ms: int) -> None:
        if offset >= leader_end_offset:
            self.caught_up_ms = now_ms
        elif self.leader_end_offset >= 0 and offset >= self.leader_end_offset:
            self.caught_up_ms = max(self.caught_up_ms, self.fetched_ms)
        self.fetched_ms = now_ms
        self.leader_end_offset = leader_end_offset
        self.end_offset = offset


class Leadership:
    """One reign. Nothing of earlier epochs counts as committed before the first record of this one is."""

    def __init__(self, epoch_start: int, now_ms: int) -> None:
        self.epoch_start = epoch_start
        self.since_ms = now_ms
        self.replicas: dict[VoterKey, Progress] = {}
        self.announce_ms = now_ms
        self.change: changes.PendingChange | None = None

    def progress(self, key: VoterKey) -> Progress:
        return self.replicas.setdefault(key, Progress())

    def rename(self, keys: dict[VoterKey, VoterKey]) -> None:
        """The same replicas have other keys from now on."""
        self.replicas = {keys.get(key, key): progress for key, progress in self.replicas.items()}


def _others(raft: Raft) -> list[VoterKey]:
    own = raft.own_key
    return [each for each in raft.current.keys if each != own]


def _end_offset(raft: Raft, leadership: Leadership, key: VoterKey) -> int:
    if key == raft.own_key:
        return raft.log.durable_offset
    progress = leadership.replicas.get(key)
    return progress.end_offset if progress else -1


# time


def _quorum_deadline_ms(raft: Raft) -> int | None:
    """When the leader has heard too long from too few; None while its own copy is a majority."""
    leadership = raft.leadership
    assert leadership is not None
    needed = raft.current.majority - (raft.own_key is not None)
    if needed <= 0:
        return None
    heard = sorted((_heard_ms(leadership, each) for each in _others(raft)), reverse=True)
    return heard[needed - 1] + raft.config.fetch_timeout_ms * 3 // 2


def _heard_ms(leadership: Leadership, key: VoterKey) -> int:
    progress = leadership.replicas.get(key)
    return max(progress.fetched_ms, leadership.since_ms) if progress else leadership.since_ms


def next_deadline_ms(raft: Raft) -> int:
    leadership = raft.leadership
    assert leadership is not None
    deadline = _quorum_deadline_ms(raft)
    times = [leadership.announce_ms] if _others(raft) else []
    if deadline is not None:
        times.append(deadline)
    if leadership.change is not None:
        times.append(leadership.change.deadline_ms)
    return min(times, default=1 << 62)


def tick(raft: Raft, now_ms: int) -> None:
    leadership = raft.leadership
    assert leadership is not None
    deadline = _quorum_deadline_ms(raft)
    if deadline is not None and now_ms >= deadline:
        raft.become_resigned(now_ms)
        return
    if now_ms >= leadership.announce_ms:
        announce(raft, now_ms)
    changes.tick(raft, now_ms)


def announce(raft: Raft, now_ms: int) -> None:
    """Tells voters that do not fetch who leads."""
    leadership = raft.leadership
    assert leadership is not None
    period_ms = max(raft.config.fetch_timeout_ms // 2, 1)
    leadership.announce_ms = now_ms + period_ms
    for voter in raft.current.members:
        if voter.key == raft.own_key:
            continue
        progress = leadership.replicas.get(voter.key)
        if progress is None or progress.fetched_ms < 0 or now_ms - progress.fetched_ms > period_ms:
            raft.send(voter.address, m.BeginEpoch(raft.leader, voter.key))


def on_epoch_reply(raft: Raft, answer: m.Answered, now_ms: int) -> None:
    if isinstance(answer.reply, m.EpochReply):
        raft.learn(answer.reply.leader, now_ms)


# replicas


def _refusal(raft: Raft, epoch: int) -> ErrorCode:
    if epoch < raft.epoch and raft.leadership is not None:
        return ErrorCode.FENCED_LEADER_EPOCH
    if epoch > raft.epoch:
        return ErrorCode.UNKNOWN_LEADER_EPOCH
    return ErrorCode.NONE if raft.leadership is not None else ErrorCode.NOT_LEADER_OR_FOLLOWER


def on_fetch(raft: Raft, fetch: m.FetchLog, now_ms: int) -> None:
    error = _refusal(raft, fetch.epoch)
    leadership = raft.leadership
    if error is not ErrorCode.NONE or leadership is None:
        raft.emit(m.Reply(m.FetchReply(error, raft.leader)))
        return
    log = raft.log
    found = check_position(log, fetch.offset, fetch.last_epoch)
    if found is not None:
        raft.emit(m.Reply(_parted(raft, found)))
        _note_contact(raft, fetch.replica, now_ms)
        return
    if fetch.replica.id >= 0:
        key = raft.current.known(fetch.replica) or fetch.replica
        progress = leadership.progress(key)
        progress.fetched(fetch.offset, log.end_offset, now_ms)
        progress.directory_id = fetch.replica.directory_id
        _forget_observers(raft, leadership, now_ms)
        advance(raft, now_ms)
    if raft.leadership is leadership:
        raft.emit(m.Serve(fetch))
    else:
        raft.emit(m.Reply(m.FetchReply(ErrorCode.NOT_LEADER_OR_FOLLOWER, raft.leader)))


def _parted(raft: Raft, found: tuple[int, int] | SnapshotId) -> m.FetchReply:
    reply = m.FetchReply(ErrorCode.NONE, raft.leader, raft.high_watermark, raft.log.start_offset)
    if isinstance(found, SnapshotId):
        return reply._replace(snapshot_id=found)
    return reply._replace(diverging=found)


def _note_contact(raft: Raft, replica: VoterKey, now_ms: int) -> None:
    """It is alive and follows, even if nothing it has counts yet."""
    if replica.id >= 0 and raft.leadership is not None:
        raft.leadership.progress(raft.current.known(replica) or replica).fetched_ms = now_ms


def on_fetch_chunk(raft: Raft, fetch: m.FetchChunk, now_ms: int) -> None:
    error = _refusal(raft, fetch.epoch)
    if error is not ErrorCode.NONE:
        raft.emit(m.Reply(m.ChunkReply(error, raft.leader, fetch.snapshot_id)))
        return
    _note_contact(raft, fetch.replica, now_ms)
    raft.emit(m.ServeChunk(fetch))


def _forget_observers(raft: Raft, leadership: Leadership, now_ms: int) -> None:
    if len(leadership.replicas) > len(raft.current.members):
        voters = raft.current.keys
        for key, progress in list(leadership.replicas.items()):
            if key not in voters and now_ms - progress.fetched_ms > OBSERVER_EXPIRY_MS:
                del leadership.replicas[key]


def advance(raft: Raft, now_ms: int) -> None:
    """The high watermark: what a majority holds, once that includes a record of this epoch."""
    leadership = raft.leadership
    assert leadership is not None
    ends = sorted((_end_offset(raft, leadership, each) for each in raft.current.keys), reverse=True)
    if ends:
        held = ends[raft.current.majority - 1]
        if held > leadership.epoch_start:
            raft.commit(held)
    changes.advance(raft, now_ms)


def successors(raft: Raft) -> tuple[VoterKey, ...]:
    """The other voters, the one that has most of the log first."""
    leadership = raft.leadership
    assert leadership is not None
    ranked = sorted((-_end_offset(raft, leadership, each), each) for each in _others(raft))
    return tuple(key for _, key in ranked)
