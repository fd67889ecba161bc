"""PartitionChange: what becomes of one partition when its replicas, its in-sync replicas or its brokers change.

Set what is wanted, then `record()` gives the change as one record, or None when nothing changes. In this order it
completes a reassignment that has everything in sync, keeps the eligible leaders, elects, and bumps the leader epoch
when replicas leave. A leader comes from the in-sync replicas; when there are none, from the eligible ones, which left
the in-sync set while it was already too small to accept writes and so have every acknowledged record; then the last
leader that was known, and only where it is allowed any replica at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from tidelog.metadata.partition import NO_LEADER, NO_LEADER_CHANGE, RECOVERED, Partition
from tidelog.metadata.records import PartitionChangeRecord

RECOVERING = 1
NOBODY: frozenset[int] = frozenset()


class Election(Enum):
    ONLINE = "online"  # whoever leads stays, if it may
    PREFERRED = "preferred"  # the first replica, if it may
    UNCLEAN = "unclean"  # any replica that lives, if nobody else may


class Elected(NamedTuple):
    leader: int
    unclean: bool


class PartitionChange:
    def __init__(
        self,
        partition: Partition,
        topic_id: bytes,
        index: int,
        is_acceptable: Callable[[int], bool],
        min_insync_replicas: int,
        elr_enabled: bool,
    ) -> None:
        self.partition = partition
        self.topic_id = topic_id
        self.index = index
        self.is_acceptable = is_acceptable  # alive, and with the directory of this replica online
        self.min_insync_replicas = min_insync_replicas
        self.elr_enabled = elr_enabled
        self.election = Election.ONLINE
        self.isr: Sequence[int] = partition.isr
        self.replicas: Sequence[int] = partition.replicas
        self.removing: Sequence[int] = partition.removing_replicas
        self.adding: Sequence[int] = partition.adding_replicas
        self.elr: Sequence[int] = partition.elr
        self.leader_recovery_state = partition.leader_recovery_state
        self.unclean_shutdown = NOBODY  # these came back without what they may have acknowledged
        self.lost_disks = NOBODY  # these begin again with nothing
        self.directories: Mapping[int, bytes] = {}
        self.default_directory: Callable[[int], bytes] = _unknown_directory

    def record(self) -> PartitionChangeRecord | None:
        record = PartitionChangeRecord(partition_id=self.index, topic_id=self.topic_id)
        self._complete_reassignment()
        self._populate_elr()
        self._elect(record)
        self._bump_when_replicas_leave(record)
        self._write_elr(record)
        if record.isr is None and (self.isr or self.elr_enabled) and tuple(self.isr) != self.partition.isr:
            record.isr = list(self.isr)
        self._write_last_known_leader(record)
        self._write_assignment(record)
        if self.leader_recovery_state != self.partition.leader_recovery_state:
            record.leader_recovery_state = self.leader_recovery_state
        return record if _says_something(record) else None

    # reassignment

    def _complete_reassignment(self) -> None:
        """All that were to come are in sync: those that were to go, go."""
        if not self.removing and not self.adding:
            return
        isr = [each for each in self.isr if each not in self.removing]
        if isr and set(self.adding) <= set(isr):
            self.isr = isr
            self.replicas = [each for each in self.replicas if each not in self.removing]
            self.removing = self.adding = ()

    def _bump_when_replicas_leave(self, record: PartitionChangeRecord) -> None:
        """A new epoch tells a replica that left from one that belongs there."""
        if record.leader == NO_LEADER_CHANGE and not set(self.partition.replicas) <= set(self.replicas):
            record.leader = self.partition.leader

    def _write_assignment(self, record: PartitionChangeRecord) -> None:
        before = self.partition
        if self.replicas and tuple(self.replicas) != before.replicas:
            record.replicas = list(self.replicas)
        if tuple(self.removing) != before.removing_replicas:
            record.removing_replicas = list(self.removing)
        if tuple(self.adding) != before.adding_replicas:
            record.adding_replicas = list(self.adding)
        known = {**dict(zip(before.replicas, before.directories)), **self.directories}
        directories = [known[each] if each in known else self.default_directory(each) for each in self.replicas]
        if tuple(directories) != before.directories:
            record.directories = directories

    # eligible leaders

    def _populate_elr(self) -> None:
        if not self.elr_enabled:
            return
        if len(self.isr) >= self.min_insync_replicas:
            self.elr = ()
            return
        candidates = dict.fromkeys([*self.elr, *self.partition.isr])
        self.elr = sorted(each for each in candidates if each not in self.isr and each not in self.unclean_shutdown)

    def _write_elr(self, record: PartitionChangeRecord) -> None:
        if record.isr is not None or not self.elr_enabled:  # an unclean election: nobody has everything any more
            self.elr = ()
        if tuple(self.elr) != self.partition.elr:
            record.eligible_leader_replicas = list(self.elr)

    def _write_last_known_leader(self, record: PartitionChangeRecord) -> None:
        """Kept while there is no leader: if nobody is eligible either, it is the best guess there is."""
        if not self.elr_enabled:
            return
        known = self.partition.last_known_elr
        if record.leader == NO_LEADER and not known:
            record.last_known_elr = [self.partition.leader]
        elif known and (record.leader >= 0 or self.lost_disks.issuperset(known)):
            record.last_known_elr = []

    # elections

    def _elect(self, record: PartitionChangeRecord) -> None:
        leader, unclean = self._preferred() if self.election is Election.PREFERRED else self._any()
        if leader == self.partition.leader:
            return
        if leader in self.elr:
            self.isr = (leader,)
            self.elr = [each for each in self.elr if each != leader]
        record.leader = leader
        if unclean:
            record.isr = [leader]
            if self.partition.leader_recovery_state != RECOVERING:
                record.leader_recovery_state = RECOVERING

    def _preferred(self) -> Elected:
        first = self.replicas[0]
        for candidate in (first, self.partition.leader, *self.replicas[1:]):
            if self._may_lead(candidate):
                return Elected(candidate, False)
        return Elected(NO_LEADER, False)

    def _any(self) -> Elected:
        for candidate in (self.partition.leader, *self.replicas):
            if self._may_lead(candidate):
                return Elected(candidate, False)
        last = [each for each in self.partition.last_known_elr if each not in self.lost_disks]
        if self.elr_enabled and not self.elr and not self.isr and len(last) == 1 and self.is_acceptable(last[0]):
            return Elected(last[0], True)
        if self.election is Election.UNCLEAN:
            for candidate in self.replicas:
                if self.is_acceptable(candidate):
                    return Elected(candidate, True)
        return Elected(NO_LEADER, False)

    def _may_lead(self, replica: int) -> bool:
        allowed = replica in self.isr or (not self.isr and replica in self.elr)
        return allowed and self.is_acceptable(replica)


def _says_something(record: PartitionChangeRecord) -> bool:
    return (
        record.leader != NO_LEADER_CHANGE
        or record.leader_recovery_state >= RECOVERED
        or any(
            each is not None
            for each in (
                record.isr,
                record.replicas,
                record.removing_replicas,
                record.adding_replicas,
                record.directories,
                record.eligible_leader_replicas,
                record.last_known_elr,
            )
        )
    )


def _unknown_directory(replica: int) -> bytes:
    return bytes(16)
