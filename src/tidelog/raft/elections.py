"""Elections: asking for votes, and giving them.

A vote counts only in its epoch and only once. Before it asks for votes in a new epoch, a node asks whether it would get
them (pre-vote), so that one that is merely cut off, or comes back, never ends the reign of a leader that works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.metadata.control import VoterKey
from tidelog.protocol.errors import ErrorCode
from tidelog.raft import messages as m
from tidelog.raft.roles import Role

if TYPE_CHECKING:
    from tidelog.raft.quorum import Raft

# A voter that could not be asked is asked again after this, at least: at start the others come up one by one.
ASK_AGAIN_MS = 50
# The shortest wait after an election that was not won; it doubles with each one up to the configured maximum.
BACKOFF_MS = 100


class Election:
    """Votes of one election, real or not. A vote is None as long as the voter has not answered."""

    def __init__(self, raft: Raft, pre_vote: bool, now_ms: int) -> None:
        self.pre_vote = pre_vote
        self.epoch = raft.epoch
        self.votes: dict[VoterKey, bool | None] = dict.fromkeys(raft.current.keys)
        self.retry_ms = now_ms
        self.is_lost = False

    def count(self, granted: bool) -> int:
        return sum(vote is granted for vote in self.votes.values())


def campaign(raft: Raft, now_ms: int) -> None:
    """Asks whether this node would be elected; the sole voter goes straight on to lead."""
    raft.role = Role.PROSPECTIVE
    raft.election = Election(raft, True, now_ms)
    raft.deadline_ms = raft.election_timeout(now_ms)
    _record(raft, raft.own_key, True, now_ms)


def stand(raft: Raft, now_ms: int) -> None:
    """Asks for votes in a new epoch, having voted for itself."""
    raft.role = Role.CANDIDATE
    raft.epoch += 1
    raft.leader_id, raft.leader_address, raft.voted = m.NOBODY, None, raft.node
    raft.election = Election(raft, False, now_ms)
    raft.deadline_ms = raft.election_timeout(now_ms)
    raft.save()
    raft.emit(m.LeaderChanged(False, raft.leader))
    _record(raft, raft.own_key, True, now_ms)


def tick(raft: Raft, now_ms: int) -> None:
    election = raft.election
    assert election is not None
    if now_ms >= raft.deadline_ms:
        if election.pre_vote:
            _fall_back(raft, now_ms)
        else:
            campaign(raft, now_ms)
    elif now_ms >= election.retry_ms:
        _ask(raft, election, now_ms)


def _ask(raft: Raft, election: Election, now_ms: int) -> None:
    for voter in raft.current.members:
        if election.votes.get(voter.key, False) is None and voter.key != raft.own_key:
            vote = m.Vote(raft.node, voter.key, raft.epoch, raft.last_epoch(), raft.log.end_offset, election.pre_vote)
            raft.send(voter.address, vote)
    election.retry_ms = now_ms + max(ASK_AGAIN_MS, raft.config.retry_backoff_ms)


def _record(raft: Raft, voter: VoterKey | None, granted: bool, now_ms: int) -> None:
    election = raft.election
    assert election is not None
    if voter in election.votes:
        election.votes[voter] = granted
    majority = raft.current.majority
    if election.count(True) >= majority:
        if election.pre_vote:
            stand(raft, now_ms)
        else:
            granting = tuple(key for key, vote in election.votes.items() if vote)
            raft.become_leader(granting, now_ms)
    elif len(election.votes) - election.count(False) < majority:
        if election.pre_vote:
            _fall_back(raft, now_ms)
        elif not election.is_lost:
            election.is_lost = True
            election.retry_ms = raft.deadline_ms = now_ms + _backoff_ms(raft)
    elif not granted:
        # Undecided, but somebody stands in the way and the rest may be gone: do not wait out the whole timeout.
        raft.deadline_ms = min(raft.deadline_ms, now_ms + _backoff_ms(raft))
    elif now_ms >= election.retry_ms:
        _ask(raft, election, now_ms)


def _backoff_ms(raft: Raft) -> int:
    raft.lost_elections += 1
    most = min(raft.config.election_backoff_max_ms, BACKOFF_MS << min(raft.lost_elections, 10))
    return raft.config.retry_backoff_ms + raft.pick(most + 1)


def _fall_back(raft: Raft, now_ms: int) -> None:
    """It would not be elected: back to the leader that was known, or to looking for one."""
    raft.election = None
    known = raft.leader_id not in (m.NOBODY, raft.node.id) and raft.leader_address is not None
    raft.role = Role.FOLLOWER if known else Role.UNATTACHED
    raft.deadline_ms = now_ms + _backoff_ms(raft)
    raft.following.follow(now_ms, lost=known and raft.following.lost)


def on_vote(raft: Raft, vote: m.Vote, now_ms: int) -> None:
    if vote.voter.id not in (m.NOBODY, raft.node.id) or not is_meant(raft, vote.voter):
        raft.emit(m.Reply(m.VoteReply(ErrorCode.INVALID_VOTER_KEY, raft.leader)))
        return
    if vote.epoch < raft.epoch:
        raft.emit(m.Reply(m.VoteReply(ErrorCode.FENCED_LEADER_EPOCH, raft.leader)))
        return
    if vote.epoch > raft.epoch:
        raft.become_unattached(vote.epoch, now_ms)
    granted = _grants(raft, vote)
    if granted and not vote.pre_vote:
        if raft.voted is None:
            raft.voted = vote.candidate
            raft.save()
        raft.deadline_ms = raft.election_timeout(now_ms)
        if raft.election is not None:  # it asked whether it would be elected; now somebody else will be
            _fall_back_voted(raft, now_ms)
    raft.emit(m.Reply(m.VoteReply(ErrorCode.NONE, raft.leader, granted)))


def _fall_back_voted(raft: Raft, now_ms: int) -> None:
    raft.election = None
    raft.role = Role.UNATTACHED
    raft.following.follow(now_ms)


def is_meant(raft: Raft, voter: VoterKey) -> bool:
    """A candidate that knows this node under the directory of a lost disk must not get a vote from the new one."""
    return voter.id == m.NOBODY or voter.directory_id in (bytes(16), raft.node.directory_id)


def _grants(raft: Raft, vote: m.Vote) -> bool:
    if raft.role is Role.LEADER:
        return False
    if raft.is_blank and raft.log.end_offset == 0 and vote.end_offset > 0 and raft.current.kraft_version == 0:
        # This disk has seen nothing of a quorum that has a history. Unless it is the first start, it lost its votes.
        return False
    is_current = (vote.last_epoch, vote.end_offset) >= (raft.last_epoch(), raft.log.end_offset)
    if vote.pre_vote:
        return is_current and (raft.role is not Role.FOLLOWER or raft.following.is_doubtful)
    if raft.voted is not None:
        return raft.voted == vote.candidate
    return is_current and raft.leader_id == m.NOBODY


def on_vote_reply(raft: Raft, answer: m.Answered, now_ms: int) -> None:
    vote, reply = answer.request, answer.reply
    assert isinstance(vote, m.Vote)
    if reply is None:
        return
    assert isinstance(reply, m.VoteReply)
    if not reply.granted or reply.leader.epoch > raft.epoch:
        # Who grants may still name the leader that both have lost; going back to it would waste the vote, for ever.
        raft.learn(reply.leader, now_ms)
    election = raft.election
    if election is None or vote.epoch != raft.epoch or vote.pre_vote != election.pre_vote:
        return
    _record(raft, vote.voter, reply.granted, now_ms)
