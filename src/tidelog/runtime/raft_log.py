"""The log of the quorum as the machine sees it, and what is written to it: batches, control records, snapshots."""

from __future__ import annotations

from collections.abc import Sequence

from tidelog.metadata.control import VoterKey, control_batch, control_value, leader_change, read_control
from tidelog.metadata.snapshot import SnapshotId
from tidelog.metadata.voters import VoterSet
from tidelog.ports import Buffer, Clock
from tidelog.protocol.metadata_records.kraft_version_record import KRaftVersionRecord
from tidelog.protocol.metadata_records.voters_record import VotersRecord
from tidelog.protocol.record_batch import Record, build_batch, decode_records, iter_batches
from tidelog.raft.voters import Voters, logged_voters
from tidelog.runtime.metadata_files import MetadataFiles


class RaftLog:
    def __init__(self, files: MetadataFiles, clock: Clock) -> None:
        self.files = files
        self._clock = clock

    # what the machine asks

    @property
    def start_offset(self) -> int:
        return self.files.log.log_start_offset

    @property
    def end_offset(self) -> int:
        return self.files.log.log_end_offset

    @property
    def durable_offset(self) -> int:
        return self.files.log.recovery_point

    @property
    def epochs(self) -> Sequence[tuple[int, int]]:
        return self.files.log.epochs.entries()

    @property
    def oldest_snapshot(self) -> SnapshotId | None:
        return self.files.snapshot_ids[0] if self.files.snapshot_ids else None

    @property
    def newest_snapshot(self) -> SnapshotId | None:
        return self.files.snapshot_ids[-1] if self.files.snapshot_ids else None

    # writing

    def append_values(self, values: Sequence[bytes], epoch: int) -> int:
        """One batch of records; gives the offset of the last."""
        now_ms = self._clock.now_ms()
        base = self.end_offset
        records = [Record(base + index, now_ms, None, value) for index, value in enumerate(values)]
        self.files.append(build_batch(records, base, partition_leader_epoch=epoch), now_ms)
        return base + len(values) - 1

    def open_epoch(self, node_id: int, epoch: int, voters: Voters, granting: Sequence[VoterKey]) -> None:
        """The leader-change record; at the beginning of the log the voters follow it, where a change can follow them:
        formatting left them in a snapshot of nothing."""
        opening = [leader_change(node_id, voters.keys, granting)]
        if self.end_offset == 0:
            opening += [control_value(each) for each in voters.to_set().controls()]
        now_ms = self._clock.now_ms()
        self.files.append(control_batch(opening, self.end_offset, epoch, now_ms), now_ms)

    def append_voters(self, voters: Voters, epoch: int, is_first: bool = False) -> None:
        """The first set of the log comes with the version that it begins, in one batch."""
        controls = voters.to_set().controls()
        values = [control_value(each) for each in (controls if is_first else controls[-1:])]
        now_ms = self._clock.now_ms()
        self.files.append(control_batch(values, self.end_offset, epoch, now_ms), now_ms)

    def append_from_leader(self, records: Buffer, kraft_version: int) -> list[tuple[int, Voters]]:
        """Batches as they came; gives the sets of voters among them, with their offsets. KafkaError if damaged."""
        before = self.end_offset
        self.files.append(records, self._clock.now_ms())
        data = bytes(records)
        found: list[tuple[int, Voters]] = []
        for position, header in iter_batches(data):
            if header.next_offset > self.end_offset:
                break
            if header.is_control and header.base_offset >= before:
                for record in decode_records(data, position, header=header):
                    control = read_control(record)
                    if isinstance(control, KRaftVersionRecord):
                        kraft_version = control.kraft_version
                    elif isinstance(control, VotersRecord):
                        voters = logged_voters(VoterSet(kraft_version, control))
                        if voters is not None:
                            found.append((record.offset, voters))
        return found

    def read(self, offset: int, max_bytes: int) -> bytes:
        """Whole batches from `offset` on, at least one if there is one."""
        found = self.files.log.read(offset, max(max_bytes, 1), self.end_offset)
        return found.file.pread(found.length, found.position) if found is not None and found.length else b""
