"""The log of one partition: its segments, where it begins and ends, and what is known of its producers and leaders.

Single-threaded: everything but reads and a flush under way belongs to the event loop's thread.
"""

from __future__ import annotations

from tidelog.log import append, flushing, loading, lookup, reading, truncation
from tidelog.log.append import AppendInfo, Origin
from tidelog.log.config import LogConfig
from tidelog.log.errors import FULL, is_of_device
from tidelog.log.flushing import FlushPlan
from tidelog.log.host import LogHost
from tidelog.log.markers import Marker
from tidelog.log.segment import Segment
from tidelog.log.segments import Segments
from tidelog.log.snapshots import Snapshots
from tidelog.log.txn_index import AbortedTxn
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Clock, Disk
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.replication.epochs import LeaderEpochs
from tidelog.replication.producer_state import ProducerState

__all__ = ["AppendInfo", "Log", "Origin"]

REPAIR = "repair the disk and start the node again"


class Log:
    __slots__ = (
        "active",
        "clock",
        "config",
        "directory",
        "disk",
        "epochs",
        "generation",
        "has_gaps",
        "host",
        "is_cleaning",
        "is_new",
        "last_flush_ms",
        "log_end_offset",
        "log_start_offset",
        "new_files",
        "offline",
        "partition",
        "producers",
        "recovery_point",
        "segments",
        "snapshots",
        "tail",
        "tail_bytes_max",
        "tiered_offset",
        "topic_id",
        "unsynced",
    )

    open = classmethod(loading.open_log)
    append_as_leader = append.append_as_leader
    append_as_follower = append.append_as_follower
    append_plain = append.append_plain
    write = append.write_batch
    read = reading.read
    offset_for_timestamp = lookup.offset_for_timestamp
    max_timestamp_offset = lookup.max_timestamp_offset
    aborted_transactions = lookup.aborted_transactions
    truncate_to = truncation.truncate_to
    truncate_fully_and_start_at = truncation.truncate_fully_and_start_at
    increment_log_start_offset = truncation.increment_log_start_offset
    delete_old_segments = truncation.delete_old_segments
    plan_flush = flushing.plan_flush

    def __init__(
        self,
        disk: Disk,
        directory: str,
        partition: TopicPartition,
        config: LogConfig,
        clock: Clock,
        host: LogHost,
        topic_id: bytes,
        segments: list[Segment],
        listing: list[str],
    ) -> None:
        self.disk = disk
        self.directory = directory
        self.partition = partition
        self.config = config
        self.clock = clock
        self.host = host
        self.topic_id = topic_id
        self.segments = Segments(segments)
        self.active = segments[-1]
        self.log_start_offset = segments[0].base_offset
        self.log_end_offset = self.active.base_offset
        self.recovery_point = 0
        self.tiered_offset = 0  # everything before it can be read from remote storage
        self.generation = 0  # grows when the log is cut
        self.last_flush_ms = clock.now_ms()
        # Where the batch that was written last begins in its segment, and what it is, if that is small enough.
        self.tail: tuple[int, bytes] | None = None
        self.tail_bytes_max = 0
        self.new_files = self.is_new = False
        self.has_gaps = config.compact  # compaction has taken records out of it, or may have
        self.is_cleaning = False  # a compaction is under way: retention leaves the segments alone
        self.unsynced: list[str] = []  # small files that the next flush makes durable
        self.offline: str | None = None  # why nothing may be read or written any more
        self.epochs = LeaderEpochs()
        self.producers = ProducerState(self.log_end_offset, config.producer_ids_max)
        self.snapshots = Snapshots(disk, directory, listing)

    @property
    def local_start_offset(self) -> int:
        """The first offset on local disk; what lies between the log's start and this is in remote storage."""
        return max(self.segments.bases[0], self.log_start_offset)

    def last_stable_offset(self, high_watermark: int) -> int:
        """Up to here, every transaction is decided, on every replica that counts."""
        if self.producers.unreplicated_txns:
            self.producers.on_high_watermark(high_watermark)
        first = self.producers.first_unstable_offset()
        return high_watermark if first is None or first > high_watermark else first

    def end_txn(
        self, producer_id: int, epoch: int, marker: Marker, offset: int, timestamp: int, note_aborted: bool = True
    ) -> None:
        """A marker at `offset` is in the log; an abort is noted in the segment's index unless it is there already."""
        completed = self.producers.end_txn(
            producer_id, epoch, marker.coordinator_epoch, marker.commit, offset, timestamp
        )
        if completed is None:
            return
        if completed.is_aborted and note_aborted:
            stable = self.producers.stable_offset_after(completed)
            aborted = AbortedTxn(producer_id, completed.first_offset, completed.last_offset, stable)
            self.new_files |= self.segments[self.segments.find(offset)].txn_index.append(aborted)
        self.producers.complete(completed)

    def roll(self, now_ms: int, base_offset: int | None = None) -> Segment:
        """Closes the active segment and begins a new one at the end of the log; an empty one is kept as it is."""
        base = self.log_end_offset if base_offset is None else max(base_offset, self.log_end_offset)
        if base == self.active.base_offset:
            self.prepare_active()
            return self.active
        try:
            self.prepare_active()
            self.active.close_for_append()
            if self.recovery_point >= self.log_end_offset and self.active.size:
                # Nothing here waits for a flush, so no flush would see to these, and recovery will not read it again.
                self.active.flush_indexes()
            self.producers.end_offset = base
            self.snapshots.take(self.producers)
            segment = Segment(self.disk, self.directory, base, 0, now_ms, self.host.open_segments)
            segment.roll_jitter_ms = self.host.jitter_ms(min(self.config.segment_jitter_ms, self.config.segment_ms))
            self._open_active(segment)
        except OSError as error:
            self.failed(error)
            raise
        self.segments = self.segments.with_last(segment)
        self.active = segment
        self.new_files = True
        self.host.rolled(self)
        return segment

    def prepare_active(self) -> None:
        if not self.active.is_active:
            try:
                self._open_active(self.active)
            except OSError as error:
                self.failed(error)
                raise

    def _open_active(self, segment: Segment) -> None:
        segment.open_for_append(
            self.config.segment_index_bytes, self.config.segment_bytes if self.config.preallocate else 0
        )

    def cut_back(self, segment: Segment, size: int, error: OSError) -> None:
        """After a failed write: nothing of it may stay. A full disk can be emptied; any other failure is final."""
        try:
            segment.file.truncate(size)
        except OSError as second:
            self.failed(second)
            return
        if error.errno not in FULL:
            self.failed(error)

    def failed(self, error: OSError) -> None:
        if error.errno not in FULL:
            self.offline = f"{self.directory} failed: {error}; {REPAIR}"
            self.host.failed(error)

    def read_failed(self, error: OSError) -> None:
        """On the event loop's thread, of a read in any. A disk that cannot be read has failed as one that cannot be
        written; a file that went away under its reader says nothing about the disk."""
        if self.offline is None and is_of_device(error):
            self.failed(error)

    def check_online(self) -> None:
        if self.offline is not None:
            raise KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, self.offline)

    @property
    def needs_flush(self) -> bool:
        """Whether so many records are not yet durable that the next answer has to wait for a flush."""
        return self.log_end_offset - self.recovery_point >= self.config.flush_messages

    def flush(self) -> None:
        """Makes everything durable, here and now."""
        plan = self.plan_flush()
        try:
            plan.run()
        except OSError as error:
            self.flush_failed(error)
            raise
        plan.done()

    def flush_failed(self, error: OSError) -> None:
        """Whatever the error: nobody knows what has reached the disk, and asking again would not tell."""
        if self.offline is not None:
            return  # deleted under the flush, or reported already
        self.offline = f"{self.directory} failed: {error}; {REPAIR}"
        self.host.failed(error)

    @property
    def size(self) -> int:
        return sum(segment.size for segment in self.segments)

    def close(self) -> None:
        """Durable, indexes cut to their entries, and a snapshot of the producers, so that opening it again is quick."""
        plan = self.prepare_close()
        if plan is not None:
            plan.run()
            plan.done()
        self.release()

    def prepare_close(self) -> FlushPlan | None:
        """Brings the files into their final form; gives what is left to sync, None if the log may not be touched."""
        if self.offline is not None:
            return None
        self.active.create_indexes()
        self.active.close_for_append()
        self.snapshots.take(self.producers)
        plan = self.plan_flush()
        if self.active.indexes_unsynced:
            plan.syncs.append(self.active.flush_indexes)
        return plan

    def park(self) -> None:
        """Nobody has written for a while: the active segment lets go of its files until somebody does again."""
        self.active.close_for_append()
        self.active.close()

    def release(self) -> None:
        """Lets go of every file without touching any."""
        for segment in self.segments:
            self.host.open_segments.forget(segment)
            segment.close()

    def check_invariants(self) -> None:
        assert self.active is self.segments[-1]
        assert self.log_start_offset <= self.local_start_offset <= self.log_end_offset
        if not self.config.remote_storage:
            assert self.segments[0].base_offset <= max(self.log_start_offset, self.tiered_offset)
        assert self.active.base_offset <= self.log_end_offset
        assert self.recovery_point <= self.log_end_offset
        assert self.producers.end_offset == self.log_end_offset
        self.epochs.check_invariants()
        self.producers.check_invariants()
