"""The follower's side: fetching from the leader, and finding out who that is. Observers do nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.metadata.snapshot import SnapshotId
from tidelog.protocol.errors import ErrorCode
from tidelog.raft import messages as m
from tidelog.raft.elections import is_meant
from tidelog.raft.log_view import truncation_offset
from tidelog.raft.roles import Role
from tidelog.raft.voters import Address

if TYPE_CHECKING:
    from tidelog.raft.quorum import Raft

NEVER = 1 << 62
# The leader's process is gone for sure: whoever is next waits only so long that not all ask at the same moment.
REFUSED_WAIT_MS = 150
SUCCESSOR_STEP_MS = 100


class Following:
    """One fetch at a time: the next one goes out when what the last one brought is durable."""

    def __init__(self, now_ms: int) -> None:
        self.next_fetch_ms = now_ms
        self.busy = False  # a fetch, or the flush of what it brought, is under way
        self.lost = False  # the leader's process was seen to be gone, or it said that it stops
        self.has_fetched = False
        self.leader_high_watermark = -1
        self.snapshot_id: SnapshotId | None = None
        self.position = 0
        self.is_updated = False  # the leader was asked to note where this voter listens now

    def follow(self, now_ms: int, lost: bool = False) -> None:
        self.__init__(now_ms)  # type: ignore[misc]
        self.lost = lost

    @property
    def is_doubtful(self) -> bool:
        """Nothing came from this leader yet, or it is known to be gone: another one would be welcome."""
        return self.lost or not self.has_fetched


def _may_fetch(raft: Raft) -> bool:
    if raft.role is Role.FOLLOWER:
        return True
    # Voters without a leader hear of one by its announcement, or by the answers to their own pre-votes.
    return raft.role is Role.UNATTACHED and not raft.is_voter


def next_fetch_ms(raft: Raft) -> int:
    return raft.following.next_fetch_ms if _may_fetch(raft) and not raft.following.busy else NEVER


def fetch_if_due(raft: Raft, now_ms: int) -> None:
    if now_ms < next_fetch_ms(raft):
        return
    following = raft.following
    if raft.log.durable_offset < raft.log.end_offset:
        following.busy = True  # a fetch would acknowledge bytes that a power failure can take; `durable` goes on
        return
    to = _source(raft)
    request: m.FetchLog | m.FetchChunk
    if following.snapshot_id is not None:
        request = m.FetchChunk(raft.node, raft.epoch, following.snapshot_id, following.position)
    else:
        log = raft.log
        request = m.FetchLog(raft.node, raft.epoch, log.end_offset, raft.last_epoch(), raft.high_watermark)
    if raft.send(to, request):
        following.busy = True
    else:
        following.next_fetch_ms = now_ms + max(raft.config.retry_backoff_ms, 1)


def _source(raft: Raft) -> Address | None:
    if raft.role is Role.FOLLOWER and not (raft.following.lost and not raft.is_voter):
        return raft.leader_address
    places = [*(each.address for each in raft.current.members if each.key != raft.own_key), *raft.bootstrap]
    return places[raft.pick(len(places))] if places else None


def _retry(raft: Raft, now_ms: int) -> None:
    raft.following.busy = False
    raft.following.next_fetch_ms = now_ms + max(raft.config.retry_backoff_ms, 1)


def _failed(raft: Raft, answer: m.Answered, now_ms: int) -> None:
    """No answer. That nobody listens there any more is a surer and quicker sign than silence."""
    _retry(raft, now_ms)
    if answer.refused:
        _doubt(raft, answer.to, now_ms)


def _doubt(raft: Raft, address: Address, now_ms: int) -> None:
    if raft.role is Role.FOLLOWER and address == raft.leader_address and not raft.following.lost:
        raft.following.lost = True
        if raft.is_voter:
            raft.deadline_ms = min(raft.deadline_ms, now_ms + raft.pick(REFUSED_WAIT_MS))


def _is_stale(raft: Raft, epoch: int) -> bool:
    """The answer belongs to an earlier life of this node's role."""
    return epoch != raft.epoch or not _may_fetch(raft)


def on_fetch_reply(raft: Raft, answer: m.Answered, now_ms: int) -> None:
    request, reply = answer.request, answer.reply
    assert isinstance(request, m.FetchLog)
    if _is_stale(raft, request.epoch):
        return
    if reply is None:
        _failed(raft, answer, now_ms)
        return
    assert isinstance(reply, m.FetchReply)
    if reply.error is not ErrorCode.NONE:
        _retry(raft, now_ms)
        if reply.error is ErrorCode.NOT_LEADER_OR_FOLLOWER and reply.leader.epoch == raft.epoch:
            _doubt(raft, answer.to, now_ms)  # it says itself that it does not lead any more
        raft.learn(reply.leader, now_ms)
        return
    if raft.role is not Role.FOLLOWER or (reply.leader.id, reply.leader.epoch) != (raft.leader_id, raft.epoch):
        _retry(raft, now_ms)
        raft.learn(reply.leader, now_ms)
        return
    if request.offset != raft.log.end_offset or request.last_epoch != raft.last_epoch():
        _retry(raft, now_ms)
        return
    _heard(raft, now_ms)
    _take(raft, reply, now_ms)


def _heard(raft: Raft, now_ms: int) -> None:
    raft.following.has_fetched = True
    raft.following.lost = False
    raft.is_blank = False
    raft.deadline_ms = now_ms + raft.config.fetch_timeout_ms
    _tell_endpoints(raft)


def _tell_endpoints(raft: Raft) -> None:
    """A voter that came back under another address is in the log under the old one."""
    known = raft.current.find(raft.node.id) if raft.endpoints and raft.current.kraft_version else None
    if known is None or known.key != raft.node or known.endpoints == raft.endpoints or raft.following.is_updated:
        return
    update = m.UpdateVoter(raft.epoch, known._replace(endpoints=raft.endpoints))
    raft.following.is_updated = raft.send(raft.leader_address, update)


def _take(raft: Raft, reply: m.FetchReply, now_ms: int) -> None:
    following = raft.following
    following.busy = True
    following.leader_high_watermark = reply.high_watermark
    if reply.diverging is not None:
        offset = truncation_offset(raft.log, *reply.diverging)
        assert offset >= raft.high_watermark, f"the leader would have offset {offset} of what is committed cut away"
        raft.voters.truncate_from_end(offset)
        raft.emit(m.Truncate(offset))
    elif reply.snapshot_id is not None:
        following.snapshot_id, following.position = reply.snapshot_id, 0
        following.busy = False
        following.next_fetch_ms = now_ms
        fetch_if_due(raft, now_ms)
    elif len(reply.records):
        raft.emit(m.Append(reply.records))
    else:
        durable(raft, now_ms)


def durable(raft: Raft, now_ms: int) -> None:
    """What there is has been flushed: it may be told to the leader, and counts as committed as far as that says so."""
    following = raft.following
    if following.leader_high_watermark >= 0:
        raft.commit(min(following.leader_high_watermark, raft.log.durable_offset))
    if following.busy and raft.log.durable_offset >= raft.log.end_offset:
        following.busy = False
        following.next_fetch_ms = now_ms
        fetch_if_due(raft, now_ms)


def on_chunk_reply(raft: Raft, answer: m.Answered, now_ms: int) -> None:
    request, reply = answer.request, answer.reply
    assert isinstance(request, m.FetchChunk)
    following = raft.following
    if _is_stale(raft, request.epoch):
        return
    if reply is None:
        _failed(raft, answer, now_ms)
        return
    assert isinstance(reply, m.ChunkReply)
    if reply.error is not ErrorCode.NONE or request.snapshot_id != following.snapshot_id:
        following.snapshot_id = None  # it may be gone there; the next fetch says which one to take
        _retry(raft, now_ms)
        raft.learn(reply.leader, now_ms)
        return
    _heard(raft, now_ms)
    if reply.position == following.position and len(reply.data):
        raft.emit(m.StoreChunk(request.snapshot_id, reply.position, reply.data))
        following.position += len(reply.data)
    if following.position >= reply.size > 0:
        raft.emit(m.InstallSnapshot(request.snapshot_id))
        return
    following.busy = False
    following.next_fetch_ms = now_ms
    fetch_if_due(raft, now_ms)


def on_installed(raft: Raft, event: m.Installed, now_ms: int) -> None:
    following = raft.following
    following.snapshot_id, following.position = None, 0
    raft.commit(event.snapshot_id.offset)
    if _may_fetch(raft):
        following.busy = True
        durable(raft, now_ms)


# what a leader says unasked


def on_begin_epoch(raft: Raft, begin: m.BeginEpoch, now_ms: int) -> None:
    told = begin.leader
    error = ErrorCode.NONE
    if not is_meant(raft, begin.voter) or begin.voter.id not in (m.NOBODY, raft.node.id):
        error = ErrorCode.INVALID_VOTER_KEY
    elif told.epoch < raft.epoch:
        error = ErrorCode.FENCED_LEADER_EPOCH
    elif told.id == raft.node.id or (told.epoch == raft.epoch and raft.leader_id not in (m.NOBODY, told.id)):
        error = ErrorCode.INVALID_REQUEST
    elif told.epoch > raft.epoch or raft.role is not Role.FOLLOWER:
        raft.become_follower(told, now_ms)
    elif told.address is not None:
        raft.leader_address = told.address
    raft.emit(m.Reply(m.EpochReply(error, raft.leader)))


def on_end_epoch(raft: Raft, end: m.EndEpoch, now_ms: int) -> None:
    """The leader stops: the voter that has most of the log stands first, the others a little later."""
    told = end.leader
    if told.epoch < raft.epoch:
        raft.emit(m.Reply(m.EpochReply(ErrorCode.FENCED_LEADER_EPOCH, raft.leader)))
        return
    if told.epoch > raft.epoch and told.id != raft.node.id:
        raft.become_follower(told, now_ms)
    if raft.role is Role.FOLLOWER and raft.leader_id == told.id:
        raft.following.lost = True
        if raft.is_voter:
            ids = [each.id for each in end.candidates]
            rank = ids.index(raft.node.id) if raft.node.id in ids else len(ids)
            raft.deadline_ms = now_ms + rank * SUCCESSOR_STEP_MS + (raft.pick(SUCCESSOR_STEP_MS) if rank else 0)
    raft.emit(m.Reply(m.EpochReply(ErrorCode.NONE, raft.leader)))


def on_update_reply(raft: Raft, answer: m.Answered, now_ms: int) -> None:
    raft.following.is_updated = isinstance(answer.reply, m.EpochReply) and answer.reply.error is ErrorCode.NONE
    if isinstance(answer.reply, m.EpochReply):
        raft.learn(answer.reply.leader, now_ms)
