"""Bugs on purpose, one at a time: a simulation that does not find them would not find others either.

Some are those that systems of this kind have had (acknowledging before the replicas have it, cutting a log at the high
watermark instead of by epochs, voting again after forgetting a vote), others are promises taken away one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tidelog.broker import following, replica_fetcher
from tidelog.broker.broker import Broker
from tidelog.broker.partition import Partition
from tidelog.log.epoch_order import EpochOrder
from tidelog.log.log import Log
from tidelog.raft.messages import Save
from tidelog.replication.leader import LeaderState
from tidelog.replication.producer_state import ProducerState
from tidelog.runtime import raft
from tidelog.runtime.controller import ControllerRuntime
from tidelog.sim.profile import PROFILES
from tidelog.sim.simulation import Verdict, simulate

Patch = tuple[Any, str, Any]


class Planted(NamedTuple):
    what: str
    profile: str
    patches: Callable[[], list[Patch]]


def _acknowledge_before_isr() -> list[Patch]:
    def is_acked(self: Partition, acks: int, end_offset: int) -> bool:
        return self.leader is not None and self.leader.end_offset >= end_offset

    return [(Partition, "is_acked", is_acked)]


def _watermark_of_leader_alone() -> list[Patch]:
    def advance(self: LeaderState) -> bool:
        moved = self.end_offset > self.high_watermark
        self.high_watermark = max(self.high_watermark, self.end_offset)
        return moved

    return [(LeaderState, "_advance", advance)]


def _cut_at_watermark() -> list[Patch]:
    """As before leader epochs: a follower trusts its own high watermark, and the leader is not asked."""
    follow = Partition.follow

    def cut_and_follow(self: Partition, state: Any) -> bool:
        is_news = follow(self, state)
        if is_news and self.log.offline is None:
            following.cut_to(self, min(self.high_watermark, self.log.log_end_offset))
        return is_news

    def position(partition: Partition) -> Any:
        log = partition.log
        return partition.leader_epoch, log.log_end_offset, -1, log.log_start_offset

    return [(Partition, "follow", cut_and_follow), (following, "position", position)]


def _never_cut() -> list[Patch]:
    def position(partition: Partition) -> Any:
        log = partition.log
        return partition.leader_epoch, log.log_end_offset, -1, log.log_start_offset

    return [(following, "position", position)]


def _join_at_once() -> list[Patch]:
    return [(LeaderState, "wanted_expansion", lambda self, broker_id: self.proposal is None)]


def _forget_votes() -> list[Patch]:
    """Only the first state of a node is written down, as it was when the node was new."""
    save = raft._EFFECTS[Save]

    def saved(driver: raft.RaftDriver, effect: Any) -> None:
        if driver._files.read_quorum_state() is None:
            save(driver, effect)

    return [(raft, "_EFFECTS", {**raft._EFFECTS, Save: saved})]


def _acknowledge_before_sync() -> list[Patch]:
    return [(Log, "needs_flush", property(lambda self: False))]


def _follower_believes_all() -> list[Patch]:
    """The high watermark moves with the log, not with what the leader says."""
    return [(following, "follower_high_watermark", lambda known, leader, end_offset: end_offset)]


def _cut_without_own_epochs() -> list[Patch]:
    """KAFKA-6361: the follower takes the leader's word for the end and does not look where its own epoch ended."""

    def offset(epochs: Any, log_end_offset: int, high_watermark: int, leader_epoch: int, leader_end: int) -> int:
        return min(leader_end if leader_end >= 0 else high_watermark, log_end_offset)

    return [(following, "truncation_offset", offset)]


def _keep_later_epochs() -> list[Patch]:
    """KAFKA-10706: a cut that takes no record away leaves epochs behind that never wrote one."""
    truncate_to = Log.truncate_to

    def truncate(self: Log, offset: int) -> bool:
        return False if offset >= self.log_end_offset else truncate_to(self, offset)

    return [(Log, "truncate_to", truncate)]


def _forget_epoch_on_empty_fetch() -> list[Patch]:
    """KAFKA-15510: after an answer without records the follower no longer says which epoch it has."""
    take, position = following.take, following.position
    taken: dict[int, int] = {}

    def taking(partition: Partition, records: Any, *rest: Any) -> None:
        take(partition, records, *rest)
        taken[id(partition)] = len(records)

    def placed(partition: Partition) -> Any:
        epoch, offset, latest, start = position(partition)
        return epoch, offset, latest if taken.get(id(partition), 1) else -1, start

    return [(following, "take", taking), (following, "position", placed)]


def _believe_any_epoch() -> list[Patch]:
    """Whatever leader epoch stands in a batch is taken for what was written there."""

    def problem(self: EpochOrder, epoch: int, offset: int) -> None:
        if not self.found or epoch > self.found[-1][0]:
            self.found.append((epoch, offset))

    return [(EpochOrder, "problem", problem), (Broker, "_check_epochs", lambda self, partition, state: None)]


def _no_retention() -> list[Patch]:
    return [(Log, "delete_old_segments", lambda self, now_ms, high_watermark: 0)]


def _eager_retention() -> list[Patch]:
    delete = Log.delete_old_segments
    return [
        (
            Log,
            "delete_old_segments",
            lambda self, now_ms, high_watermark: delete(self, now_ms + 1_500_000, high_watermark),
        )
    ]


def _no_balance() -> list[Patch]:
    return [(ControllerRuntime, "_elect", lambda self, now_ms: None)]


def _no_expiry() -> list[Patch]:
    return [(ProducerState, "remove_expired", lambda self, now_ms, expiration_ms: 0)]


PLANTED = {
    "ack-before-isr": Planted("acks=all is acknowledged by the leader alone", "chase", _acknowledge_before_isr),
    "leader-watermark": Planted("the high watermark does not wait for followers", "chase", _watermark_of_leader_alone),
    "cut-at-watermark": Planted("logs are cut at the high watermark, not by epoch", "chase", _cut_at_watermark),
    "never-cut": Planted("a history that differs is not cut", "chase", _never_cut),
    "join-at-once": Planted("a follower is in sync before it has caught up", "stale", _join_at_once),
    "eager-watermark": Planted("a follower advances its watermark with its log", "chase", _follower_believes_all),
    "amnesia": Planted("votes and epochs of the quorum are not written down", "usurp", _forget_votes),
    "ack-before-sync": Planted("durable mode acknowledges before the disk has it", "power", _acknowledge_before_sync),
    "own-epochs-ignored": Planted("KAFKA-6361: cut at the leader's end of an epoch", "seesaw", _cut_without_own_epochs),
    "epochs-kept": Planted("KAFKA-10706: epochs without records stay", "moves", _keep_later_epochs),
    "epoch-forgotten": Planted("KAFKA-15510: no epoch after an empty answer", "chase", _forget_epoch_on_empty_fetch),
    "epochs-believed": Planted("a bit that turned in a leader epoch is believed", "rot", _believe_any_epoch),
    "no-retention": Planted("old segments stay", "hours", _no_retention),
    "eager-retention": Planted("segments go 25 minutes too early", "hours", _eager_retention),
    "no-balance": Planted("leaders are not given back", "hours", _no_balance),
    "no-expiry": Planted("producer ids are never forgotten", "hours", _no_expiry),
}
assert replica_fetcher  # its calls go through the module that is patched


@contextmanager
def planted(name: str) -> Iterator[None]:
    patches = PLANTED[name].patches()
    before = [(owner, attribute, owner.__dict__[attribute]) for owner, attribute, _ in patches]
    try:
        for owner, attribute, value in patches:
            setattr(owner, attribute, value)
        yield
    finally:
        for owner, attribute, value in before:
            setattr(owner, attribute, value)


def catch(name: str, seeds_max: int, first: int = 0) -> tuple[int, Verdict | None]:
    """How many seeds it took, and the verdict that caught it."""
    profile = PROFILES[PLANTED[name].profile]
    with planted(name):
        for count, seed in enumerate(range(first, first + seeds_max), 1):
            verdict = simulate(seed, profile)
            if not verdict.is_clean:
                return count, verdict
    return seeds_max, None
