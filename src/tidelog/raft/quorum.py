"""Raft: one node's part in the quorum.

Owns the epoch, the vote, the role and the high watermark. `step` takes a message of another node or an event of the
driver, `tick` the time; both give the effects to carry out, in order. Nothing here reads a clock or a file: time is an
argument, and of the log the machine sees where it begins and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tidelog.metadata.control import VoterKey
from tidelog.metadata.quorum_state import QuorumState
from tidelog.model.uuids import ZERO
from tidelog.raft import changes, elections, following, leading
from tidelog.raft import messages as m
from tidelog.raft.log_view import LogView, last_epoch
from tidelog.raft.messages import NOBODY, LeaderInfo
from tidelog.raft.roles import Role
from tidelog.raft.voters import Address, VoterHistory, Voters

# A first look for the quorum costs a pre-vote that disturbs nobody, so it does not wait for the election timeout.
FIRST_LOOK_MS = 50


class RaftConfig(NamedTuple):
    election_timeout_ms: int = 1000
    election_backoff_max_ms: int = 1000
    fetch_timeout_ms: int = 2000
    retry_backoff_ms: int = 20


class Raft:
    def __init__(
        self,
        node: VoterKey,
        config: RaftConfig,
        log: LogView,
        voters: VoterHistory,
        state: QuorumState | None,
        bootstrap: Sequence[Address],
        pick: Callable[[int], int],
        now_ms: int,
    ) -> None:
        self.node = node
        self.config = config
        self.log = log
        self.voters = voters
        self.bootstrap = bootstrap  # where the quorum may be found when no voter is known
        self.pick = pick  # a random number below its argument
        # Where this node listens, once that is known: the leader is told when the voters say something else.
        self.endpoints: tuple[tuple[str, str, int], ...] = ()
        self.role = Role.UNATTACHED
        self.epoch = state.leader_epoch if state else 0
        self.leader_id = state.leader_id if state else NOBODY
        self.leader_address: Address | None = None
        self.voted = VoterKey(state.voted_id, state.voted_directory_id) if state and state.voted_id >= 0 else None
        # A disk that remembers nothing: it may be new, or it may have lost what it voted and acknowledged.
        self.is_blank = state is None and log.end_offset == 0
        self.high_watermark = log.newest_snapshot.offset if log.newest_snapshot else log.start_offset
        self.election: elections.Election | None = None
        self.leadership: leading.Leadership | None = None
        self.following = following.Following(now_ms)
        # When a node without a leader, or whose leader is silent, does something about it.
        alone = self.is_voter and len(self.current.members) == 1
        self.deadline_ms = now_ms if alone else now_ms + pick(FIRST_LOOK_MS)
        self.lost_elections = 0
        self.in_flight: dict[tuple[Address, type], int] = {}
        self._effects: list[m.Effect] = []

    # what others read

    @property
    def current(self) -> Voters:
        return self.voters.current

    @property
    def own_key(self) -> VoterKey | None:
        """Under which this node votes; None for an observer."""
        return self.current.known(self.node)

    @property
    def is_voter(self) -> bool:
        return self.own_key is not None

    @property
    def is_leader(self) -> bool:
        return self.role is Role.LEADER

    @property
    def leader(self) -> LeaderInfo:
        """Whom this node takes for the leader now: one it has lost sight of is not named to others."""
        sees = self.role is Role.LEADER or (self.role is Role.FOLLOWER and not self.following.lost)
        return LeaderInfo(self.leader_id, self.epoch, self.leader_address) if sees else LeaderInfo(NOBODY, self.epoch)

    def next_deadline_ms(self) -> int:
        """When `tick` has something to do."""
        if self.leadership is not None:
            return leading.next_deadline_ms(self)
        retry_ms = self.election.retry_ms if self.election else following.next_fetch_ms(self)
        return min(self.deadline_ms, retry_ms)

    # what the driver calls

    def step(self, message: Any, now_ms: int) -> list[m.Effect]:
        _STEPS[type(message)](self, message, now_ms)
        return self._take()

    def tick(self, now_ms: int) -> list[m.Effect]:
        if self.leadership is not None:
            leading.tick(self, now_ms)
        elif self.election is not None:
            elections.tick(self, now_ms)
        else:
            if now_ms >= self.deadline_ms:
                self._deadline_passed(now_ms)
            following.fetch_if_due(self, now_ms)
        return self._take()

    def _deadline_passed(self, now_ms: int) -> None:
        if self.is_voter:
            elections.campaign(self, now_ms)
        else:
            # An observer cannot elect anyone; it asks whoever it can find.
            if self.role is Role.RESIGNED:
                self.role = Role.UNATTACHED
                self.following.follow(now_ms)
            self.following.lost = True
            self.deadline_ms = now_ms + self.config.fetch_timeout_ms

    def _take(self) -> list[m.Effect]:
        effects, self._effects = self._effects, []
        return effects

    # what the parts of the machine share

    def emit(self, effect: m.Effect) -> None:
        self._effects.append(effect)

    def send(self, to: Address | None, request: m.Request) -> bool:
        """One request of a kind to an address at a time; the driver answers each one, if only by its failure."""
        if to is None or (to, type(request)) in self.in_flight:
            return False
        self.in_flight[to, type(request)] = self.epoch
        self.emit(m.Send(to, request))
        return True

    def save(self) -> None:
        voted = self.voted or VoterKey(-1, ZERO)
        self.emit(
            m.Save(
                QuorumState(
                    self.leader_id,
                    self.epoch,
                    voted.id,
                    voted.directory_id,
                    tuple(each.id for each in self.current.keys),
                    min(self.current.kraft_version, 1),
                )
            )
        )

    def election_timeout(self, now_ms: int) -> int:
        return now_ms + self.config.election_timeout_ms + self.pick(self.config.election_timeout_ms + 1)

    def last_epoch(self) -> int:
        return last_epoch(self.log)

    # transitions

    def become_unattached(self, epoch: int, now_ms: int) -> None:
        """A newer epoch whose leader is not known."""
        assert epoch > self.epoch
        self._leave_role()
        self.role = Role.UNATTACHED
        self.epoch, self.leader_id, self.leader_address, self.voted = epoch, NOBODY, None, None
        self.deadline_ms = self.election_timeout(now_ms)
        self.following.follow(now_ms)
        self.save()
        self.emit(m.LeaderChanged(False, self.leader))

    def become_follower(self, leader: LeaderInfo, now_ms: int) -> None:
        assert leader.id != self.node.id
        assert leader.epoch >= self.epoch
        is_news = (leader.id, leader.epoch) != (self.leader_id, self.epoch)
        assert is_news is False or leader.epoch > self.epoch or self.leader_id == NOBODY, "two leaders in one epoch"
        self._leave_role()
        self.role = Role.FOLLOWER
        if leader.epoch > self.epoch:
            self.voted = None
        self.epoch, self.leader_id = leader.epoch, leader.id
        self.leader_address = leader.address or self.current.address(leader.id)
        self.deadline_ms = now_ms + self.config.fetch_timeout_ms
        self.lost_elections = 0
        self.following.follow(now_ms)
        if is_news:
            self.save()
        self.emit(m.LeaderChanged(False, self.leader))
        following.fetch_if_due(self, now_ms)

    def become_leader(self, granting: tuple[VoterKey, ...], now_ms: int) -> None:
        self._leave_role()
        self.role = Role.LEADER
        self.leader_id, self.leader_address = self.node.id, self._own_address()
        self.lost_elections = 0
        self.save()
        self.leadership = leading.Leadership(self.log.end_offset, now_ms)
        self.emit(m.LeaderChanged(True, self.leader))
        self.emit(m.OpenEpoch(self.epoch, granting))
        leading.announce(self, now_ms)

    def _own_address(self) -> Address | None:
        """The settings know best; a set in the log may be older than the place where this node listens now."""
        own = self.endpoints[0][1:] if self.endpoints and self.current.kraft_version else None
        return own or self.current.address(self.node.id)

    def become_resigned(self, now_ms: int) -> None:
        """Gives up the lead, and tells the others to find someone else."""
        candidates = leading.successors(self)
        info = self.leader
        self._leave_role()
        self.role = Role.RESIGNED
        self.deadline_ms = self.election_timeout(now_ms)
        for voter in self.current.members:
            if voter.key != self.own_key:
                self.send(voter.address, m.EndEpoch(info, candidates))
        self.emit(m.LeaderChanged(False, self.leader))

    def _leave_role(self) -> None:
        self.election = None
        if self.leadership is not None:
            changes.abandon(self)
            self.leadership = None

    def learn(self, told: LeaderInfo, now_ms: int) -> None:
        """Somebody said who leads, in an answer."""
        if told.epoch < self.epoch:
            return
        if told.id in (NOBODY, self.node.id):
            if told.epoch > self.epoch:
                self.become_unattached(told.epoch, now_ms)
            return
        if told.epoch == self.epoch:
            if self.leader_id not in (NOBODY, told.id) or self.role is Role.LEADER:
                return
            # Who has just seen the leader's process end does not believe others that have not noticed yet.
            if self.role is Role.FOLLOWER or (self.role is Role.PROSPECTIVE and self.following.lost):
                return
        if told.address is None and self.current.address(told.id) is None:
            if told.epoch > self.epoch:
                self.become_unattached(told.epoch, now_ms)
            return
        self.become_follower(told, now_ms)

    def commit(self, high_watermark: int) -> None:
        if high_watermark > self.high_watermark:
            assert high_watermark <= self.log.end_offset
            self.high_watermark = high_watermark
            self.emit(m.Commit(high_watermark))

    def check_invariants(self) -> None:
        assert (self.leadership is not None) == (self.role is Role.LEADER)
        assert (self.election is not None) == (self.role in (Role.PROSPECTIVE, Role.CANDIDATE))
        assert self.high_watermark <= self.log.end_offset
        assert self.role is not Role.LEADER or self.leader_id == self.node.id
        assert self.role is not Role.CANDIDATE or (self.voted == self.node and self.leader_id == NOBODY)
        assert last_epoch(self.log) <= self.epoch


def _answered(raft: Raft, answer: m.Answered, now_ms: int) -> None:
    raft.in_flight.pop((answer.to, type(answer.request)), None)
    _ANSWERS[type(answer.request)](raft, answer, now_ms)


def _durable(raft: Raft, event: m.Durable, now_ms: int) -> None:
    if raft.leadership is not None:
        leading.advance(raft, now_ms)
    else:
        following.durable(raft, now_ms)


def _resign(raft: Raft, event: m.Resign, now_ms: int) -> None:
    if raft.role is Role.LEADER:
        raft.become_resigned(now_ms)


_STEPS: dict[type, Callable[[Raft, Any, int], None]] = {
    m.Vote: elections.on_vote,
    m.BeginEpoch: following.on_begin_epoch,
    m.EndEpoch: following.on_end_epoch,
    m.FetchLog: leading.on_fetch,
    m.FetchChunk: leading.on_fetch_chunk,
    m.UpdateVoter: changes.on_update,
    m.ChangeVoters: changes.on_change,
    m.UpgradeVoters: changes.on_upgrade,
    m.Answered: _answered,
    m.Durable: _durable,
    m.Installed: following.on_installed,
    m.Resign: _resign,
}
_ANSWERS: dict[type, Callable[[Raft, m.Answered, int], None]] = {
    m.Vote: elections.on_vote_reply,
    m.BeginEpoch: leading.on_epoch_reply,
    m.EndEpoch: leading.on_epoch_reply,
    m.FetchLog: following.on_fetch_reply,
    m.FetchChunk: following.on_chunk_reply,
    m.UpdateVoter: following.on_update_reply,
}
