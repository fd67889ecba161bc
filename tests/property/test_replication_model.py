"""Replication as a model: the shipped decisions of leaders and followers, a controller, delays and deaths by chance.

Brokers hear of decisions late, propose changes of the ISR on old knowledge, die and come back with the log they had.
What any leader ever counted as committed must be in the log of every later leader that was elected from the ISR.
"""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tidelog.replication.epochs import LeaderEpochs
from tidelog.replication.follower import follower_high_watermark, truncation_offset
from tidelog.replication.leader import LeaderState

Entry = tuple[int, int]  # epoch, value
LAG_MS = 20
BROKERS = (1, 2, 3)


class State:
    """What the controller has decided."""

    def __init__(self) -> None:
        self.leader, self.leader_epoch, self.partition_epoch = 1, 0, 0
        self.isr: tuple[int, ...] = BROKERS

    def copy(self) -> State:
        found = State()
        found.__dict__.update(self.__dict__)
        return found


class Replica:
    def __init__(self, node_id: int) -> None:
        self.id = node_id
        self.log: list[Entry] = []
        self.epochs = LeaderEpochs()
        self.high_watermark = 0
        self.known = State()
        self.leader: LeaderState | None = None

    def cut(self, offset: int) -> None:
        del self.log[offset:]
        self.epochs.truncate_from_end(offset)
        self.high_watermark = min(self.high_watermark, len(self.log))


class Model:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.now_ms = 0
        self.decided = State()
        self.live = dict.fromkeys(BROKERS, 0)
        self.replicas = {each: Replica(each) for each in BROKERS}
        self.committed: list[Entry] = []
        self.values = 0
        for each in BROKERS:
            self.hear(each)

    # metadata

    def hear(self, node_id: int) -> None:
        """A broker gets to know the newest decision."""
        replica, state = self.replicas[node_id], self.decided.copy()
        is_new = replica.known.leader_epoch != state.leader_epoch or replica.leader is None
        replica.known = state
        if state.leader != node_id:
            if replica.leader is not None:
                replica.high_watermark = replica.leader.high_watermark
            replica.leader = None
        elif is_new:
            if replica.leader is not None:
                replica.high_watermark = replica.leader.high_watermark
            replica.epochs.assign(state.leader_epoch, len(replica.log))
            replica.leader = LeaderState(
                node_id, state.leader_epoch, state.isr, len(replica.log), replica.high_watermark,
                replicas=BROKERS, partition_epoch=state.partition_epoch, live=self.live, lag_ms_max=LAG_MS,
                now_ms=self.now_ms,
            )  # fmt: skip
            self.note_committed(replica)
        else:
            assert replica.leader is not None
            replica.leader.isr_changed(state.isr, state.partition_epoch)
            self.note_committed(replica)

    def elect(self) -> None:
        """From the ISR alone; with nobody of it alive the partition waits."""
        able = [each for each in self.decided.isr if each in self.live]
        leader = self.random.choice(able) if able else -1
        self.decided.leader = leader
        self.decided.leader_epoch += 1
        self.decided.partition_epoch += 1
        if leader >= 0:
            log = self.replicas[leader].log
            assert log[: len(self.committed)] == self.committed, "a leader from the ISR has all that was committed"

    def die(self, node_id: int) -> None:
        self.live.pop(node_id, None)
        decided = self.decided
        if len(decided.isr) > 1 and node_id in decided.isr:
            decided.isr = tuple(each for each in decided.isr if each != node_id)
            decided.partition_epoch += 1
        if decided.leader == node_id:
            self.elect()

    def come_back(self, node_id: int, restart: bool) -> None:
        """After a pause it goes on with what it knew; after a restart it knows its log and nothing else."""
        replica = self.replicas[node_id]
        self.live[node_id] = self.live.get(node_id, 0) + 1
        if restart:
            if replica.leader is not None:
                replica.high_watermark = replica.leader.high_watermark
            # Checkpoints of the high watermark are old.
            replica.high_watermark = self.random.randint(0, replica.high_watermark)
            replica.leader = None
            replica.known = self.decided.copy()
            if replica.known.leader == node_id:
                replica.known.leader = -1
        if self.decided.leader < 0:
            self.elect()

    # data

    def append(self, node_id: int) -> None:
        replica = self.replicas[node_id]
        if replica.leader is not None:
            for _ in range(self.random.randint(1, 3)):
                self.values += 1
                replica.log.append((replica.leader.epoch, self.values))
            replica.leader.appended(len(replica.log))
            self.note_committed(replica)

    def fetch(self, follower_id: int, leader_id: int) -> None:
        follower, replica = self.replicas[follower_id], self.replicas[leader_id]
        leader, known = replica.leader, follower.known
        if leader is None or follower.leader is not None or known.leader != leader_id:
            return
        if known.leader_epoch != leader.epoch:
            return  # fenced, or unknown yet
        offset, last_epoch = len(follower.log), follower.epochs.latest
        if last_epoch >= 0:
            epoch, end = replica.epochs.end_offset_for(last_epoch, len(replica.log))
            if epoch < last_epoch or end < offset:
                assert end >= 0, "a follower knows no epoch that its leader cannot place"
                cut = truncation_offset(follower.epochs, offset, follower.high_watermark, epoch, end)
                follower.cut(cut)
                return
        assert follower.log == replica.log[:offset], "after agreeing on the epoch, one log begins like the other"
        moved = leader.follower_fetched(
            follower_id, offset, leader_end=len(replica.log), now_ms=self.now_ms,
            broker_epoch=self.live.get(follower_id, -2),
        )  # fmt: skip
        if moved:
            self.note_committed(replica)
        if self.random.random() < 0.2:
            return  # the answer is lost
        for entry in replica.log[offset : offset + self.random.randint(1, 4)]:
            if entry[0] != follower.epochs.latest:
                follower.epochs.assign(entry[0], len(follower.log))
            follower.log.append(entry)
        follower.high_watermark = follower_high_watermark(
            follower.high_watermark, leader.high_watermark, len(follower.log)
        )

    def note_committed(self, replica: Replica) -> None:
        assert replica.leader is not None
        seen = replica.log[: replica.leader.high_watermark]
        shared = min(len(seen), len(self.committed))
        assert seen[:shared] == self.committed[:shared], "readers of two leaders see the same records"
        self.committed += seen[shared:]

    # who is in sync

    def propose(self, node_id: int) -> None:
        leader = self.replicas[node_id].leader
        if leader is None or leader.proposal is not None:
            return
        lagging = leader.lagging(self.now_ms)
        joining = [each for each in leader.followers if leader.wanted_expansion(each)]
        if lagging:
            leader.propose_shrink(lagging)
        elif joining:
            leader.propose_expansion(joining[0])

    def decide(self, node_id: int) -> None:
        """A proposal reaches the controller; its answer may be lost, and then only the metadata tells."""
        leader = self.replicas[node_id].leader
        if leader is None or leader.proposal is None:
            return
        proposal, decided = leader.proposal, self.decided
        if (proposal.leader_epoch, proposal.partition_epoch) != (decided.leader_epoch, decided.partition_epoch):
            return  # the leader hears of what happened meanwhile
        epochs = leader.broker_epochs(proposal.isr, self.live.get(node_id, -2))
        if any(self.live.get(each) != epoch for each, epoch in epochs if each not in decided.isr):
            leader.proposal_refused()
            return
        decided.isr = proposal.isr
        decided.partition_epoch += 1
        if self.random.random() < 0.7:
            leader.isr_changed(decided.isr, decided.partition_epoch)
            self.note_committed(self.replicas[node_id])

    def step(self) -> None:
        random = self.random
        self.now_ms += random.randint(0, 4)
        one, other = random.sample(BROKERS, 2)
        kind = random.random()
        if kind < 0.25:
            self.append(one)
        elif kind < 0.70:
            self.fetch(one, other)
        elif kind < 0.80:
            self.hear(one)
        elif kind < 0.86:
            self.propose(one)
        elif kind < 0.92:
            self.decide(one)
        elif kind < 0.96 and len(self.live) > 1:
            self.die(one)
        else:
            self.come_back(one, restart=random.random() < 0.5) if one not in self.live else self.hear(one)
        for replica in self.replicas.values():
            replica.epochs.check_invariants()
            if replica.leader is not None:
                replica.leader.check_invariants()

    def settle(self) -> None:
        """Everybody is back and hears everything: all logs become one, with all that was committed."""
        for each in BROKERS:
            if each not in self.live:
                self.come_back(each, restart=False)
        for _ in range(400):
            self.now_ms += 1
            for each in BROKERS:
                self.hear(each)
                self.propose(each)
                self.decide(each)
                for other in BROKERS:
                    if each != other:
                        self.fetch(each, other)
        logs = [replica.log for replica in self.replicas.values()]
        assert logs[0] == logs[1] == logs[2], "the replicas agree in the end"
        assert logs[0][: len(self.committed)] == self.committed, "nothing that was committed is lost"
        assert set(self.decided.isr) == set(BROKERS), "everybody is in sync again"


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_nothing_committed_is_lost_and_replicas_agree(seed: int) -> None:
    model = Model(seed)
    for _ in range(300):
        model.step()
    model.settle()
