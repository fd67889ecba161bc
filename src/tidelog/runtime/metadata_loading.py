"""Reads the state of the cluster back from disk: the newest good snapshot at start, then the log as it is committed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tidelog.config.broker_config import BrokerConfig
from tidelog.controller.bootstrap import fresh_records, with_defaults
from tidelog.log.errors import CorruptLogError
from tidelog.metadata.control import read_control
from tidelog.metadata.image import EMPTY, MetadataImage
from tidelog.metadata.records import MetadataRecord, UnreadableRecord, decode_record
from tidelog.metadata.snapshot import Snapshot, SnapshotId, image_of
from tidelog.metadata.voters import VoterSet
from tidelog.protocol.metadata_records.kraft_version_record import KRaftVersionRecord
from tidelog.protocol.metadata_records.voters_record import VotersRecord
from tidelog.protocol.record_batch import BatchError, decode_records
from tidelog.raft.voters import VoterHistory, Voters, logged_voters
from tidelog.runtime.metadata_files import MetadataFiles


class Loaded(NamedTuple):
    image: MetadataImage
    snapshot_id: SnapshotId | None
    voters: VoterHistory
    bootstrap: Snapshot | None

    @property
    def applied(self) -> int:
        """Behind what the image holds."""
        return self.snapshot_id.offset if self.snapshot_id else 0

    def bootstrap_records(self, config: BrokerConfig) -> list[MetadataRecord]:
        """The first records of a new cluster."""
        given = self.bootstrap.records if self.bootstrap else fresh_records()
        return with_defaults(given, config)


def load(files: MetadataFiles, named: Voters) -> Loaded:
    """The newest snapshot, and the voters as the whole log has them; `named` are those of the settings."""
    with without_collection():
        snapshot_id, image, logged = _newest_snapshot(files)
    start = snapshot_id.offset if snapshot_id else 0
    if start < files.log.log_start_offset:
        raise CorruptLogError(
            f"{files.directory} has no snapshot for the start of its log, offset {files.log.log_start_offset}; restore "
            "the directory from another node or a backup"
        )
    if start > files.log.log_end_offset:
        files.restart_log_at(start)
    return Loaded(image, snapshot_id, _voters(files, logged, named, start), files.bootstrap())


@contextmanager
def without_collection() -> Iterator[None]:
    """Nothing of what is loaded is garbage, and looking for some takes longer than loading it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _newest_snapshot(files: MetadataFiles) -> tuple[SnapshotId | None, MetadataImage, VoterSet]:
    """A snapshot that cannot be read is passed over as long as an older one or the whole log is there."""
    problem: Exception | None = None
    for snapshot_id in reversed(files.snapshot_ids):
        try:
            snapshot = files.read_snapshot(snapshot_id)
            image = image_of(snapshot, snapshot_id)
        except (UnreadableRecord, BatchError) as error:
            problem = error
            continue
        files.snapshot_ids = tuple(each for each in files.snapshot_ids if each <= snapshot_id)
        return snapshot_id, image, VoterSet().replay(snapshot.controls)
    files.snapshot_ids = ()
    if problem is not None and files.log.log_start_offset > 0:
        raise CorruptLogError(f"no snapshot in {files.directory} can be read: {problem}") from problem
    return None, EMPTY, VoterSet()


def _voters(files: MetadataFiles, found: VoterSet, named: Voters, start: int) -> VoterHistory:
    """Sets hold from the moment they are appended, so all of the log counts, not only what is committed."""
    history = VoterHistory(logged_voters(found) or named)
    for data, position, header in files.batches(start):
        if not header.is_control:
            continue
        for record in decode_records(data, position, header=header):
            control = read_control(record)
            if isinstance(control, (KRaftVersionRecord, VotersRecord)):
                found = found.replay([control])
                voters = logged_voters(found)
                if isinstance(control, VotersRecord) and voters is not None:
                    history.append(record.offset, voters)
    return history


class Committed(NamedTuple):
    """A run of committed batches: their records, and where the run ends."""

    records: list[MetadataRecord]
    next_offset: int
    epoch: int
    timestamp_ms: int
    size: int


def read_committed(files: MetadataFiles, start: int, high_watermark: int, batches_max: int) -> Committed | None:
    """From `start` on; None when there is nothing."""
    records: list[MetadataRecord] = []
    next_offset, epoch, timestamp_ms, size, count = start, -1, -1, 0, 0
    for data, position, header in files.batches(start):
        if header.next_offset > high_watermark or count == batches_max:
            break
        count += 1
        if not header.is_control:
            decoded = decode_records(data, position, header=header)
            records += [decode_record(each.value) for each in decoded if each.offset >= start]
            size += header.size
        next_offset, epoch, timestamp_ms = header.next_offset, header.partition_leader_epoch, header.max_timestamp
    return Committed(records, next_offset, epoch, timestamp_ms, size) if count else None
