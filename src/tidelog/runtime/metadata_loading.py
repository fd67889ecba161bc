"""Reads the state of the cluster back from disk: the newest good snapshot, then the log behind it."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.config.broker_config import BrokerConfig
from tidelog.controller.bootstrap import fresh_records, with_defaults
from tidelog.log.errors import CorruptLogError
from tidelog.metadata.control import read_control
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.metadata.records import AbortTransactionRecord, MetadataRecord, UnreadableRecord, decode_record
from tidelog.metadata.snapshot import Snapshot, SnapshotId, image_of
from tidelog.metadata.transactions import TransactionFilter
from tidelog.metadata.voters import VoterSet
from tidelog.protocol.record_batch import BatchError, decode_records
from tidelog.runtime.metadata_files import MetadataFiles


class Loaded(NamedTuple):
    image: MetadataImage
    snapshot_id: SnapshotId | None
    voters: VoterSet
    bytes_since_snapshot: int
    bootstrap: Snapshot | None
    closing_records: list[MetadataRecord]  # what must be written before anything else

    def bootstrap_records(self, config: BrokerConfig) -> list[MetadataRecord]:
        """The first records of a new cluster."""
        given = self.bootstrap.records if self.bootstrap else fresh_records()
        return with_defaults(given, config)


def load(files: MetadataFiles) -> Loaded:
    snapshot_id, image, voters = _newest_snapshot(files)
    start = snapshot_id.offset if snapshot_id else files.log.log_start_offset
    if start < files.log.log_start_offset:
        raise CorruptLogError(
            f"{files.directory} has no snapshot for the start of its log, offset {files.log.log_start_offset}; restore "
            "the directory from another node or a backup"
        )
    if start > files.log.log_end_offset:
        files.restart_log_at(start)
    image, voters, size, unfinished = _replay(files, image, voters, start)
    closing: list[MetadataRecord] = []
    if unfinished:
        closing.append(AbortTransactionRecord(reason="the node stopped inside the transaction"))
    return Loaded(image, snapshot_id, voters, size, files.bootstrap(), closing)


def _newest_snapshot(files: MetadataFiles) -> tuple[SnapshotId | None, MetadataImage, VoterSet]:
    """A snapshot that cannot be read is passed over as long as an older one or the whole log is there."""
    problem: Exception | None = None
    for snapshot_id in reversed(files.snapshots()):
        try:
            snapshot = files.read_snapshot(snapshot_id)
            return snapshot_id, image_of(snapshot, snapshot_id), VoterSet().replay(snapshot.controls)
        except (UnreadableRecord, BatchError) as error:
            problem = error
    if problem is not None and files.log.log_start_offset > 0:
        raise CorruptLogError(f"no snapshot in {files.directory} can be read: {problem}") from problem
    return None, EMPTY, VoterSet()


def _replay(
    files: MetadataFiles, image: MetadataImage, voters: VoterSet, start: int
) -> tuple[MetadataImage, VoterSet, int, bool]:
    delta = MetadataDelta(image)
    provenance = image.provenance
    pending = TransactionFilter()
    size = 0
    for data, position, header in files.batches(start):
        records = decode_records(data, position, header=header)
        if header.is_control:
            voters = voters.replay(map(read_control, records))
        else:
            decoded = [decode_record(each.value) for each in records if each.offset >= start]
            delta.replay_all(pending.feed(decoded))
            size += header.size
        provenance = Provenance(header.last_offset, header.partition_leader_epoch, header.max_timestamp)
    return delta.apply(provenance), voters, size, pending.open
