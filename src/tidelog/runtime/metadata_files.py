"""The directory of the metadata log: its segments, its snapshots and the quorum-state file.

Knows files and nothing of what the records mean. `__cluster_metadata-0` lies in `metadata.log.dir`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from tidelog.log import checkpoints, names
from tidelog.log.config import LogConfig
from tidelog.log.flushing import FlushPlan
from tidelog.log.host import LoneHost
from tidelog.log.log import Log
from tidelog.log.meta_properties import decode_meta_properties
from tidelog.metadata.quorum_state import FILE_NAME as QUORUM_STATE
from tidelog.metadata.quorum_state import QuorumState, format_quorum_state, parse_quorum_state
from tidelog.metadata.snapshot import BOOTSTRAP_NAME, Snapshot, SnapshotId, read_snapshot
from tidelog.model import uuids
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Buffer, Clock, Disk
from tidelog.protocol.record_batch import BatchHeader, check_crc, iter_batches

LOG = logging.getLogger("tidelog.metadata")
PARTITION = TopicPartition("__cluster_metadata", 0)
READ_BYTES = 8 * 1024 * 1024


class MetadataFiles:
    def __init__(self, disk: Disk, clock: Clock, root: str, config: LogConfig) -> None:
        self._disk = disk
        self._root = root
        self.directory = f"{root}/{PARTITION}"
        if not disk.exists(self.directory):
            disk.makedirs(self.directory)
            # A vote must not be forgotten: the directory that holds it has to survive a power loss itself.
            disk.fsync_dir(root)
        description = f"{self.directory}/{names.PARTITION_METADATA}"
        if not disk.exists(description):
            disk.write_atomic(description, checkpoints.encode_partition_metadata(uuids.METADATA_TOPIC_ID))
        self._host = LoneHost()
        self.log: Log = Log.open(
            disk, self.directory, PARTITION, config, clock, topic_id=uuids.METADATA_TOPIC_ID, host=self._host
        )
        # The snapshots there are, oldest first.
        self.snapshot_ids: tuple[SnapshotId, ...] = tuple(self.snapshots())

    def read_quorum_state(self) -> QuorumState | None:
        path = f"{self.directory}/{QUORUM_STATE}"
        return parse_quorum_state(self._disk.read_bytes(path)) if self._disk.exists(path) else None

    def write_quorum_state(self, state: QuorumState) -> None:
        self._disk.write_atomic(f"{self.directory}/{QUORUM_STATE}", format_quorum_state(state))

    def directory_id(self) -> bytes:
        """Which disk this is, as formatting named it."""
        path = f"{self._root}/{names.META_PROPERTIES}"
        meta = decode_meta_properties(self._disk.read_bytes(path)) if self._disk.exists(path) else None
        return (meta.directory_id if meta else None) or uuids.ZERO

    def bootstrap(self) -> Snapshot | None:
        """What formatting left for the first start, if it did."""
        path = f"{self._root}/{BOOTSTRAP_NAME}"
        return read_snapshot(self._disk.read_bytes(path)) if self._disk.exists(path) else None

    def snapshots(self) -> list[SnapshotId]:
        """Oldest first."""
        found = map(SnapshotId.from_file_name, self._disk.listdir(self.directory))
        return sorted(each for each in found if each is not None)

    def read_snapshot(self, snapshot_id: SnapshotId) -> Snapshot:
        return read_snapshot(self._disk.read_bytes(f"{self.directory}/{snapshot_id.file_name}"))

    def write_snapshot(self, snapshot_id: SnapshotId, batches: Iterable[bytes]) -> int:
        """Runs beside the event loop; gives the size of the file."""
        data = b"".join(batches)
        self._disk.write_atomic(f"{self.directory}/{snapshot_id.file_name}", data)
        self.snapshot_ids = tuple(sorted({*self.snapshot_ids, snapshot_id}))
        return len(data)

    def read_snapshot_part(self, snapshot_id: SnapshotId, position: int, length: int) -> bytes:
        file = self._disk.open(f"{self.directory}/{snapshot_id.file_name}", writable=False)
        try:
            return file.pread(min(length, file.size() - position), position)
        finally:
            file.close()

    def remove_snapshot(self, snapshot_id: SnapshotId) -> None:
        self.snapshot_ids = tuple(each for each in self.snapshot_ids if each != snapshot_id)
        self._disk.remove(f"{self.directory}/{snapshot_id.file_name}")

    def snapshot_size(self, snapshot_id: SnapshotId) -> int:
        return self._disk.size(f"{self.directory}/{snapshot_id.file_name}")

    def snapshot_age_ms(self, snapshot_id: SnapshotId, now_ms: int) -> int:
        return now_ms - self._disk.modified_ms(f"{self.directory}/{snapshot_id.file_name}")

    def batches(self, offset: int) -> Iterator[tuple[bytes, int, BatchHeader]]:
        """Buffer, position and header of every batch from `offset` on, checked."""
        while offset < self.log.log_end_offset:
            found = self.log.read(offset, READ_BYTES, self.log.log_end_offset)
            if found is None:
                return
            data = found.file.pread(found.length, found.position)
            for position, header in iter_batches(data):
                check_crc(data, position, header)
                offset = header.next_offset
                yield data, position, header

    def append(self, batch: Buffer, now_ms: int) -> None:
        self.log.append_as_follower(batch, now_ms)

    def plan_flush(self) -> FlushPlan:
        return self.log.plan_flush()

    def start_log_at(self, offset: int, now_ms: int) -> None:
        """Everything before `offset` is in a snapshot; whole segments before it go."""
        end = self.log.log_end_offset
        if self.log.increment_log_start_offset(offset, end):
            self.log.delete_old_segments(now_ms, end)
            for path in self._host.removable:
                self._disk.remove(path)
            self._host.removable.clear()

    def restart_log_at(self, offset: int) -> None:
        """The log ends before its newest snapshot: what it holds is in the snapshot, and the rest is lost anyway."""
        self.log.truncate_fully_and_start_at(offset)

    def close(self) -> None:
        """Nothing committed waits for this: what a disk no longer takes, the next start makes anew."""
        try:
            self.log.close()
        except OSError as error:
            LOG.warning("the metadata log could not be closed in order: %s; the next start checks all of it", error)
            self.log.release()
