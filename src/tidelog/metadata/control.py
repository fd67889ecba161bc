"""The control records of the metadata log and its snapshots, as whole batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tidelog.model.uuids import ZERO
from tidelog.protocol.metadata_records.kraft_version_record import KRaftVersionRecord
from tidelog.protocol.metadata_records.leader_change_message import LeaderChangeMessage, Voter
from tidelog.protocol.metadata_records.snapshot_footer_record import SnapshotFooterRecord
from tidelog.protocol.metadata_records.snapshot_header_record import SnapshotHeaderRecord
from tidelog.protocol.metadata_records.voters_record import VotersRecord
from tidelog.protocol.record_batch import CONTROL_KEY, Record, build_batch

LEADER_CHANGE, SNAPSHOT_HEADER, SNAPSHOT_FOOTER, KRAFT_VERSION, KRAFT_VOTERS = 2, 3, 4, 5, 6

_CLASSES = {
    LEADER_CHANGE: LeaderChangeMessage,
    SNAPSHOT_HEADER: SnapshotHeaderRecord,
    SNAPSHOT_FOOTER: SnapshotFooterRecord,
    KRAFT_VERSION: KRaftVersionRecord,
    KRAFT_VOTERS: VotersRecord,
}
ControlRecord = LeaderChangeMessage | SnapshotHeaderRecord | SnapshotFooterRecord | KRaftVersionRecord | VotersRecord


class VoterKey(NamedTuple):
    """A voter is a node with one disk: a node that comes back with another disk is not the same voter."""

    id: int
    directory_id: bytes = ZERO


class ControlValue(NamedTuple):
    kind: int
    value: bytes


def control_value(record: ControlRecord, version: int = 0) -> ControlValue:
    kind = next(kind for kind, cls in _CLASSES.items() if type(record) is cls)
    return ControlValue(kind, record.encode(version))


def control_batch(values: Sequence[ControlValue], base_offset: int, epoch: int, now_ms: int) -> bytes:
    records = [
        Record(base_offset + index, now_ms, CONTROL_KEY.pack(0, each.kind), each.value)
        for index, each in enumerate(values)
    ]
    return build_batch(records, base_offset, control=True, partition_leader_epoch=epoch)


def read_control(record: Record) -> ControlRecord | None:
    """The control record in a record of a control batch; None for a kind that is not known."""
    if record.key is None or record.value is None or len(record.key) < CONTROL_KEY.size or len(record.value) < 2:
        return None
    _, kind = CONTROL_KEY.unpack_from(record.key)
    cls = _CLASSES.get(kind)
    version = int.from_bytes(record.value[:2], "big")
    found: ControlRecord | None = cls.decode(record.value, min(version, cls.VERSIONS[1])) if cls else None  # type: ignore[attr-defined]
    return found


def leader_change(leader_id: int, voters: Sequence[VoterKey], granting: Sequence[VoterKey]) -> ControlValue:
    """Opens an epoch. Written in version 0, with ids alone, as Apache Kafka's tools read no other."""

    def named(keys: Sequence[VoterKey]) -> list[Voter]:
        return [Voter(voter_id=each.id) for each in keys]

    message = LeaderChangeMessage(version=0, leader_id=leader_id, voters=named(voters), granting_voters=named(granting))
    return control_value(message)
