"""What the leader of one partition knows of its replicas: who is in sync, how far each is, and the high watermark.

Pure: it is told about appends, follower fetches and the passing of time, and says when the high watermark moved and
which change of the in-sync replicas (ISR) it wants. A wanted change is only proposed: until the controller has decided,
the high watermark waits for every replica that may be in sync, so that whichever of the two sets turns out to hold, no
record counts as committed that one of its members does not have. With no follower in sync the high watermark is simply
the end of the leader's own durable log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

LAG_MS_MAX = 30_000
ANY_LAG = 1 << 63
UNKNOWN_EPOCH = -1
NOBODY: Mapping[int, int] = {}


class Follower:
    """How far one other replica is, as it has shown by fetching; one that has not fetched yet has shown nothing."""

    __slots__ = ("broker_epoch", "caught_up_ms", "end_offset", "fetched_ms", "joins", "leader_end", "log_start_offset")

    def __init__(self, caught_up_ms: int) -> None:
        self.end_offset = 0
        self.log_start_offset = 0
        self.caught_up_ms = caught_up_ms
        self.fetched_ms = 0
        self.leader_end = 0  # the end of the leader's log at its last fetch
        self.broker_epoch = UNKNOWN_EPOCH
        self.joins = False  # not in sync by decree, but near enough that the high watermark waits for it

    def looked(self, leader_end: int, now_ms: int) -> None:
        """It asks, or is answered, when the leader's log ends at `leader_end`."""
        end_offset = self.end_offset
        if end_offset >= leader_end:
            if now_ms > self.caught_up_ms:
                self.caught_up_ms = now_ms
        elif end_offset >= self.leader_end and self.fetched_ms > self.caught_up_ms:
            # It has all that there was at its last fetch, so it was caught up at that moment.
            self.caught_up_ms = self.fetched_ms
        self.leader_end = leader_end
        self.fetched_ms = now_ms


class Proposal(NamedTuple):
    """A change of the ISR that the controller is asked for."""

    isr: tuple[int, ...]
    partition_epoch: int
    leader_epoch: int


class LeaderState:
    __slots__ = (
        "_lag_messages_max",
        "_lag_ms_max",
        "_live",
        "_maximal",
        "end_offset",
        "epoch",
        "followers",
        "high_watermark",
        "isr",
        "local_id",
        "min_isr",
        "partition_epoch",
        "proposal",
        "replicas",
        "start_offset",
    )

    def __init__(
        self,
        local_id: int,
        epoch: int,
        isr: tuple[int, ...],
        end_offset: int,
        high_watermark: int,
        *,
        replicas: tuple[int, ...] = (),
        partition_epoch: int = 0,
        min_isr: int = 1,
        live: Mapping[int, int] = NOBODY,
        lag_ms_max: int = LAG_MS_MAX,
        lag_messages_max: int = -1,
        now_ms: int = 0,
    ) -> None:
        self.local_id = local_id
        self.epoch = epoch
        self.isr = isr
        self.replicas = replicas or isr
        self.partition_epoch = partition_epoch
        self.min_isr = min(min_isr, len(self.replicas))
        self.end_offset = end_offset
        # Where this leader's reign begins: who has not come so far may still hold what another leader wrote.
        self.start_offset = end_offset
        self.high_watermark = min(high_watermark, end_offset)
        self.proposal: Proposal | None = None
        # Brokers that may be in sync at all, neither fenced nor leaving, with their epochs; kept up to date outside.
        self._live = live
        self._lag_ms_max = lag_ms_max
        self._lag_messages_max = ANY_LAG if lag_messages_max < 0 else lag_messages_max
        self.followers: dict[int, Follower] = {each: Follower(now_ms) for each in self.replicas if each != local_id}
        self._maximal: frozenset[int] = frozenset(isr)
        self._advance()

    # offsets

    def appended(self, end_offset: int) -> bool:
        """The local log is durable up to `end_offset`; True when the high watermark moved."""
        self.end_offset = end_offset
        if not self.followers:
            moved = end_offset > self.high_watermark
            if moved:
                self.high_watermark = end_offset
            return moved
        return self._advance()

    def follower_fetched(
        self,
        broker_id: int,
        end_offset: int,
        *,
        log_start_offset: int = 0,
        leader_end: int | None = None,
        now_ms: int = 0,
        broker_epoch: int = UNKNOWN_EPOCH,
    ) -> bool:
        """A follower asks from `end_offset` on, so it has everything before; True when the high watermark moved."""
        follower = self.followers[broker_id]
        follower.end_offset = end_offset
        follower.looked(self.end_offset if leader_end is None else leader_end, now_ms)
        follower.log_start_offset = log_start_offset
        follower.broker_epoch = broker_epoch
        if broker_id not in self._maximal:
            follower.joins = self._is_near(broker_id, follower, now_ms)
        return self._advance()

    def follower_answered(self, broker_id: int, leader_end: int, now_ms: int) -> None:
        """A fetch that waited is answered with what there is now; it says nothing new about the follower's own log."""
        self.followers[broker_id].looked(leader_end, now_ms)

    def truncated(self, end_offset: int) -> None:
        self.end_offset = end_offset
        self.high_watermark = min(self.high_watermark, end_offset)

    @property
    def is_under_min_isr(self) -> bool:
        return len(self.isr) < self.min_isr

    def low_watermark(self, log_start_offset: int) -> int:
        """Where the log begins in every replica that is alive."""
        starts = [each.log_start_offset for broker, each in self.followers.items() if broker in self._live]
        return min([*starts, log_start_offset])

    def _advance(self) -> bool:
        """Too few in sync: what is here may be here alone, so nothing more counts as committed."""
        lowest = self.end_offset
        for broker_id, follower in self.followers.items():
            if follower.end_offset < lowest and (follower.joins or broker_id in self._maximal):
                lowest = follower.end_offset
        if lowest <= self.high_watermark or len(self.isr) < self.min_isr:
            return False
        self.high_watermark = lowest
        return True

    # who is in sync

    def wanted_expansion(self, broker_id: int) -> bool:
        """Whether this follower should join: it has every committed record and stands within this leader's reign."""
        follower = self.followers.get(broker_id)
        return (
            follower is not None
            and self.proposal is None
            and broker_id not in self._maximal
            and self._is_eligible(broker_id, follower)
            and follower.end_offset >= self.high_watermark
            and follower.end_offset >= self.start_offset
        )

    def lagging(self, now_ms: int) -> tuple[int, ...]:
        """Those in sync that have not been caught up for too long."""
        if len(self.isr) == 1:
            return ()
        return tuple(
            each for each in self.isr if each != self.local_id and not self._is_caught_up(self.followers[each], now_ms)
        )

    def tick(self, now_ms: int) -> bool:
        """Time has passed, or brokers came and went: nobody waits for a follower that is no longer near."""
        for broker_id, follower in self.followers.items():
            if follower.joins:
                follower.joins = self._is_near(broker_id, follower, now_ms)
        return self._advance()

    def propose(self, isr: tuple[int, ...]) -> Proposal:
        assert self.proposal is None, "one change at a time"
        self.proposal = Proposal(isr, self.partition_epoch, self.epoch)
        self._maximal = frozenset(self.isr) | frozenset(isr)
        return self.proposal

    def propose_expansion(self, broker_id: int) -> Proposal:
        return self.propose((*self.isr, broker_id))

    def propose_shrink(self, lagging: tuple[int, ...]) -> Proposal:
        return self.propose(tuple(each for each in self.isr if each not in lagging))

    def proposal_refused(self) -> None:
        """The controller will never make this change: what was in force still is."""
        self.proposal = None
        self._maximal = frozenset(self.isr)

    def isr_changed(self, isr: tuple[int, ...], partition_epoch: int | None = None) -> bool:
        """The controller has decided; an older decision than the one in force says nothing."""
        if partition_epoch is not None:
            if partition_epoch < self.partition_epoch:
                return False
            if partition_epoch == self.partition_epoch and isr == self.isr:
                return False
            self.partition_epoch = partition_epoch
        self.isr = isr
        self.proposal = None
        self._maximal = frozenset(isr)
        for each in isr:
            follower = self.followers.get(each)
            if follower is not None:
                follower.joins = False
        return self._advance()

    def replicas_changed(self, replicas: tuple[int, ...], now_ms: int) -> None:
        """Replicas were added or taken away while this broker goes on leading."""
        self.replicas = replicas
        self.followers = {
            each: self.followers.get(each) or Follower(now_ms) for each in replicas if each != self.local_id
        }

    def broker_epochs(self, isr: tuple[int, ...], own_epoch: int) -> list[tuple[int, int]]:
        """The members with the incarnation each had when it last fetched, so that a restarted one is noticed."""
        return [
            (each, own_epoch if each == self.local_id else self.followers[each].broker_epoch)
            for each in isr
            if each == self.local_id or each in self.followers
        ]

    def _is_caught_up(self, follower: Follower, now_ms: int) -> bool:
        lag = self.end_offset - follower.end_offset
        return lag <= 0 or (lag <= self._lag_messages_max and now_ms - follower.caught_up_ms <= self._lag_ms_max)

    def _is_eligible(self, broker_id: int, follower: Follower) -> bool:
        epoch = self._live.get(broker_id)
        return epoch is not None and follower.broker_epoch in (UNKNOWN_EPOCH, epoch)

    def _is_near(self, broker_id: int, follower: Follower, now_ms: int) -> bool:
        return self._is_eligible(broker_id, follower) and self._is_caught_up(follower, now_ms)

    def check_invariants(self) -> None:
        assert 0 <= self.high_watermark <= self.end_offset, "the high watermark lies within the log"
        assert self.local_id in self.isr, "a leader is always in sync with itself"
        assert self._maximal >= frozenset(self.isr), "whoever is in sync is waited for"
        assert set(self.isr) <= set(self.replicas), "only replicas are in sync"
