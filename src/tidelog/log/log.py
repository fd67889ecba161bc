"""The log of one partition: its segments, where it begins and ends, and what is known of its producers and leaders.

Single-threaded: everything but `read` and a flush under way belongs to the event loop's thread.
"""

from __future__ import annotations

from tidelog.log import append, names, reading
from tidelog.log.config import LogConfig
from tidelog.log.markers import Marker
from tidelog.log.segment import Segment
from tidelog.log.segments import Segments
from tidelog.log.txn_index import AbortedTxn
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Clock, Disk
from tidelog.replication.epochs import LeaderEpochs
from tidelog.replication.producer_state import ProducerState


class Log:
    __slots__ = (
        "active",
        "clock",
        "config",
        "directory",
        "disk",
        "epochs",
        "last_flush_ms",
        "log_end_offset",
        "log_start_offset",
        "partition",
        "producers",
        "recovery_point",
        "segments",
        "topic_id",
    )

    append_as_leader = append.append_as_leader
    append_as_follower = append.append_as_follower
    write = append.write_batch
    read = reading.read

    def __init__(
        self,
        disk: Disk,
        directory: str,
        partition: TopicPartition,
        config: LogConfig,
        clock: Clock,
        segments: list[Segment],
        log_end_offset: int,
        topic_id: bytes,
    ) -> None:
        self.disk = disk
        self.directory = directory
        self.partition = partition
        self.config = config
        self.clock = clock
        self.topic_id = topic_id
        self.segments = Segments(segments)
        self.active = self.segments[-1]
        self.log_start_offset = segments[0].base_offset
        self.log_end_offset = log_end_offset
        self.recovery_point = 0
        self.last_flush_ms = clock.now_ms()
        self.epochs = LeaderEpochs()
        self.producers = ProducerState(log_end_offset, config.producer_ids_max)

    def last_stable_offset(self, high_watermark: int) -> int:
        """Up to here, every transaction is decided."""
        first = self.producers.first_unstable_offset()
        return high_watermark if first is None or first > high_watermark else first

    def end_txn(self, producer_id: int, epoch: int, marker: Marker, offset: int, timestamp: int) -> None:
        completed = self.producers.end_txn(
            producer_id, epoch, marker.coordinator_epoch, marker.commit, offset, timestamp
        )
        if completed is None:
            return
        if completed.is_aborted:
            stable = self.producers.stable_offset_after(completed)
            self.active.txn_index.append(AbortedTxn(producer_id, completed.first_offset, completed.last_offset, stable))
        self.producers.complete(completed)

    def roll(self, now_ms: int, base_offset: int | None = None) -> Segment:
        """Closes the active segment and begins a new one at the end of the log."""
        base = self.log_end_offset if base_offset is None else max(base_offset, self.log_end_offset)
        self.active.close_for_append()
        segment = Segment(self.disk, self.directory, base, 0, now_ms)
        segment.open_for_append(self.config.segment_index_bytes)
        self.segments = self.segments.with_last(segment)
        self.active = segment
        return segment

    def cut_back(self, segment: Segment, size: int) -> None:
        """After a failed write: nothing of it may stay."""
        segment.file.truncate(size)

    @property
    def size(self) -> int:
        return sum(segment.size for segment in self.segments)

    def close(self) -> None:
        self.active.close_for_append()
        for segment in self.segments:
            segment.close()


def open_log(
    disk: Disk, directory: str, partition: TopicPartition, config: LogConfig, clock: Clock, topic_id: bytes
) -> Log:
    bases = sorted(
        offset
        for name in disk.listdir(directory)
        if name.endswith(names.LOG) and (offset := names.offset_of(name)) is not None
    )
    now_ms = clock.now_ms()
    segments = [
        Segment(disk, directory, base, disk.size(f"{directory}/{names.offset_name(base, names.LOG)}"), now_ms)
        for base in bases
    ]
    if not segments:
        segments = [Segment(disk, directory, 0, 0, now_ms)]
        _ = segments[0].file
    last = segments[-1]
    last.open_for_append(config.segment_index_bytes)
    end = reading.scan(last.file, 0, last.size, 2**63 - 1)
    log_end = last.base_offset
    position = 0
    while (batch := reading.scan(last.file, position, last.size, -1)) is not None:
        log_end = batch.last_offset + 1
        position += batch.size
    assert end is None
    return Log(disk, directory, partition, config, clock, segments, log_end, topic_id)
