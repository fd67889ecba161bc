"""One partition as the metadata log describes it."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.metadata.records import PartitionChangeRecord, PartitionRecord

NO_LEADER = -1
NO_LEADER_CHANGE = -2
NO_RECOVERY_CHANGE = -1
RECOVERED = 0


class Partition(NamedTuple):
    """`leader_epoch` grows with each election, `partition_epoch` with each change of any field."""

    replicas: tuple[int, ...]
    directories: tuple[bytes, ...]  # one per replica
    isr: tuple[int, ...]
    removing_replicas: tuple[int, ...]
    adding_replicas: tuple[int, ...]
    elr: tuple[int, ...]
    last_known_elr: tuple[int, ...]
    leader: int
    leader_recovery_state: int
    leader_epoch: int
    partition_epoch: int

    @classmethod
    def from_record(cls, record: PartitionRecord) -> Partition:
        replicas = tuple(record.replicas)
        isr = tuple(record.isr)
        return cls(
            replicas=replicas,
            directories=tuple(record.directories) or (bytes(16),) * len(replicas),
            isr=replicas if isr == replicas else isr,  # 200,000 partitions: share equal tuples
            removing_replicas=tuple(record.removing_replicas),
            adding_replicas=tuple(record.adding_replicas),
            elr=tuple(record.eligible_leader_replicas or ()),
            last_known_elr=tuple(record.last_known_elr or ()),
            leader=record.leader,
            leader_recovery_state=record.leader_recovery_state,
            leader_epoch=record.leader_epoch,
            partition_epoch=record.partition_epoch,
        )

    def to_record(self, topic_id: bytes, partition_id: int) -> PartitionRecord:
        return PartitionRecord(
            partition_id=partition_id,
            topic_id=topic_id,
            replicas=list(self.replicas),
            isr=list(self.isr),
            removing_replicas=list(self.removing_replicas),
            adding_replicas=list(self.adding_replicas),
            leader=self.leader,
            leader_recovery_state=self.leader_recovery_state,
            leader_epoch=self.leader_epoch,
            partition_epoch=self.partition_epoch,
            directories=list(self.directories),
            eligible_leader_replicas=list(self.elr) or None,
            last_known_elr=list(self.last_known_elr) or None,
        )

    def changed(self, record: PartitionChangeRecord) -> Partition:
        """The partition after a change record: absent fields stay, a leader change starts a new leader epoch."""
        fresh: dict[str, object] = {"partition_epoch": self.partition_epoch + 1}
        for field, value in (
            ("isr", record.isr),
            ("replicas", record.replicas),
            ("removing_replicas", record.removing_replicas),
            ("adding_replicas", record.adding_replicas),
            ("elr", record.eligible_leader_replicas),
            ("last_known_elr", record.last_known_elr),
        ):
            if value is not None:
                fresh[field] = tuple(value)
        if record.directories is not None:
            fresh["directories"] = tuple(record.directories)
        elif record.replicas is not None:
            known = dict(zip(self.replicas, self.directories))
            fresh["directories"] = tuple(known.get(replica, bytes(16)) for replica in record.replicas)
        if record.leader != NO_LEADER_CHANGE:
            fresh |= {"leader": record.leader, "leader_epoch": self.leader_epoch + 1}
        if record.leader_recovery_state != NO_RECOVERY_CHANGE:
            fresh["leader_recovery_state"] = record.leader_recovery_state
        return self._replace(**fresh)  # type: ignore[arg-type]

    def check_invariants(self) -> None:
        assert self.replicas, "a partition has replicas"
        assert len(set(self.replicas)) == len(self.replicas), "replicas are distinct"
        assert len(self.directories) == len(self.replicas), "one directory per replica"
        assert set(self.isr) <= set(self.replicas), "the ISR is a part of the replicas"
        assert self.leader == NO_LEADER or self.leader in self.replicas, "the leader is a replica"
