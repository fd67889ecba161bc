"""Opening the log of a partition from its directory."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from tidelog.log import checkpoints, names
from tidelog.log.append import replay_batch
from tidelog.log.clean_swap import finish_swaps
from tidelog.log.config import LogConfig
from tidelog.log.epoch_order import EpochOrder
from tidelog.log.errors import CorruptLogError
from tidelog.log.host import LogHost, LoneHost
from tidelog.log.indexing import rebuild_indexes
from tidelog.log.recovery import recover
from tidelog.log.scanning import iter_headers
from tidelog.log.segment import Segment
from tidelog.model import uuids
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Clock, Disk
from tidelog.replication.epochs import LeaderEpochs

if TYPE_CHECKING:
    from tidelog.log.log import Log

logger = logging.getLogger(__name__)


def open_log(
    cls: type[Log],
    disk: Disk,
    directory: str,
    partition: TopicPartition,
    config: LogConfig,
    clock: Clock,
    *,
    recovery_point: int = 0,
    log_start_offset: int | None = None,
    is_clean: bool = False,
    was_compacted: bool = False,
    topic_id: bytes = uuids.ZERO,
    host: LogHost | None = None,
) -> Log:
    """The log in `directory`, made if nothing is there. Raises CorruptLogError when flushed data is damaged.

    `recovery_point` and `log_start_offset` come from checkpoints; after a clean shutdown (`is_clean`) nothing is read
    again; `was_compacted` allows for gaps. May take long, and touches nothing that is shared: call it in any thread.
    """
    disk.makedirs(directory)
    listing = _tidy(disk, directory, disk.listdir(directory))
    host = host or LoneHost()
    segments = _segments(disk, directory, listing, clock.now_ms(), log_start_offset or 0, host)
    log = cls(disk, directory, partition, config, clock, host, topic_id, segments, listing)
    if log_start_offset is not None:
        # Of a tiered log only the newest part is here; no segment is gone from it before its start was written down.
        log.log_start_offset = (
            log_start_offset if config.remote_storage else max(log_start_offset, log.log_start_offset)
        )
    log.recovery_point = recovery_point
    log.has_gaps = config.compact or was_compacted
    if not listing:
        log.is_new = log.new_files = True
    log.epochs, is_known = _read_epochs(log)
    order = EpochOrder(log.epochs)
    if is_clean:
        _check_indexes(log, set(listing))
    first_recovered = len(log.segments) if is_clean else max(0, log.segments.find(recovery_point))
    if not is_known:
        _find_epochs(log.segments.items[:first_recovered], order)
    if not is_clean:
        log.new_files = True  # the process before may have made some whose names are not durable yet
        recover(log, first_recovered, order)
        log.active = log.segments[-1]
    _load_epochs(log, order.found)
    log.recovery_point = min(recovery_point, log.log_end_offset)
    if log.log_start_offset > log.log_end_offset:
        logger.warning("%s: all records were deleted up to offset %d", directory, log.log_start_offset)
        log.truncate_fully_and_start_at(log.log_start_offset)
        first_recovered = 0
    log.epochs.truncate_from_start(log.log_start_offset)
    _load_producers(log, first_recovered)
    log.release()
    return log


def _tidy(disk: Disk, directory: str, listing: list[str]) -> list[str]:
    """Removes what a stopped node left half done, and indexes without a segment."""
    listing = finish_swaps(disk, directory, listing)
    logs = {name for name in listing if name.endswith(names.LOG)}
    kept = []
    for name in sorted(listing):
        is_orphan = name.endswith((names.INDEX, names.TIME_INDEX, names.TXN_INDEX)) and _log_of(name) not in logs
        if is_orphan or name.endswith((names.DELETED, names.CLEANED, names.TEMPORARY)):
            disk.remove(f"{directory}/{name}")
        else:
            kept.append(name)
    return kept


def _log_of(name: str) -> str:
    return name.partition(".")[0] + names.LOG


def _segments(
    disk: Disk, directory: str, listing: list[str], now_ms: int, log_start_offset: int, host: LogHost
) -> list[Segment]:
    bases = sorted(base for name in listing if name.endswith(names.LOG) and (base := names.offset_of(name)) is not None)
    segments = []
    for base in bases:
        segment = Segment(disk, directory, base, 0, now_ms, host.open_segments)
        segment.size = disk.size(segment.path(names.LOG))
        segments.append(segment)
    if not segments:
        segment = Segment(disk, directory, log_start_offset, 0, now_ms, host.open_segments)
        disk.open(segment.path(names.LOG), create=True).close()
        segments.append(segment)
    segments[-1].roll_jitter_ms = 0
    return segments


def _check_indexes(log: Log, listing: set[str]) -> None:
    """After a clean shutdown: indexes that are missing or senseless are made anew. Also finds the end of the log."""
    for segment in log.segments:
        is_there = not segment.size or all(
            names.offset_name(segment.base_offset, suffix) in listing for suffix in (names.INDEX, names.TIME_INDEX)
        )
        end_offset = _next_offset(segment) if segment is log.active and is_there else None
        if not is_there or (segment is log.active and end_offset is None):
            end_offset = _make_anew(log, segment)
        if end_offset is not None:
            log.log_end_offset = end_offset


def _next_offset(segment: Segment) -> int | None:
    """Behind the last batch, found from the last entry of the index on; None when the index leads nowhere."""
    if not segment.size:
        return segment.base_offset
    index, times = segment.offset_index, segment.time_index
    if not index.is_sane() or not times.is_sane():
        return None
    expected, start = index.entry(index.count - 1) if index.count else (None, 0)
    next_offset, end = segment.base_offset, start
    for position, header, _ in iter_headers(segment.file, start, segment.size):
        next_offset, end = header[0] + header[6] + 1, position + header[1] + 12
        if expected is not None and next_offset != expected + 1:
            return None
        expected = None
    return next_offset if end == segment.size else None


def _make_anew(log: Log, segment: Segment) -> int:
    if segment.size:
        logger.warning("%s: its indexes are missing or damaged and are made anew", segment.path(names.LOG))
    scan = rebuild_indexes(segment, log.config, epochs=EpochOrder(log.epochs))
    if scan.problem is not None:
        raise CorruptLogError(
            f"{segment.path(names.LOG)}: there is damage at position {scan.position} (offset {scan.next_offset}): "
            f"{scan.problem}. The node had been shut down cleanly; restore the file from a replica or a backup."
        )
    return scan.next_offset


def _read_epochs(log: Log) -> tuple[LeaderEpochs, bool]:
    """What the checkpoint says, and whether it says anything."""
    path = f"{log.directory}/{names.EPOCHS}"
    if log.disk.exists(path):
        try:
            return LeaderEpochs(checkpoints.decode_epochs(log.disk.read_bytes(path))), True
        except checkpoints.BadCheckpoint as error:
            logger.warning("%s is made anew from the log: %s", path, error)
    return LeaderEpochs(), False


def _find_epochs(segments: list[Segment], order: EpochOrder) -> None:
    """Of segments that recovery does not read, without a checkpoint."""
    for segment in segments:
        for position, header, _ in iter_headers(segment.file, 0, segment.size):
            problem = order.problem(header[2], header[0])
            if problem is not None:
                raise CorruptLogError(
                    f"{segment.path(names.LOG)}: there is damage at position {position} (offset {header[0]}): "
                    f"{problem}. Restore the file from a replica or a backup."
                )


def _load_epochs(log: Log, found: list[tuple[int, int]]) -> None:
    """Adds what was `found` in the segments to what the checkpoint says."""
    epochs = log.epochs
    for epoch, offset in found:
        if epoch > epochs.latest:
            epochs.assign(epoch, offset)
    # An epoch that has written nothing yet is kept. One whose records are gone must not be found there another time:
    # other records may stand in their place by then.
    if epochs.truncate_from_end(log.log_end_offset + 1):
        log.disk.write_atomic(f"{log.directory}/{names.EPOCHS}", checkpoints.encode_epochs(epochs.entries()))


def _load_producers(log: Log, first_recovered: int) -> None:
    """From the newest snapshot that recovery has not overtaken, and the batches since."""
    recovered = log.segments.items[first_recovered:]
    limit = min([log.log_end_offset, *(segment.base_offset for segment in recovered[:1])])
    log.snapshots.load(log.producers, log.log_start_offset, limit)
    replay_producers(log, recovered)
    log.snapshots.keep_only(log.segments.bases)


def replay_producers(log: Log, recovered: list[Segment]) -> None:
    """Brings the producers up to the end of the log; aborted transactions are noted only in `recovered` segments."""
    start = log.producers.end_offset
    for segment in log.segments.items[max(0, log.segments.find(start)) :]:
        is_recovered = segment in recovered
        if is_recovered and segment.base_offset > log.log_start_offset:
            log.producers.end_offset = max(log.producers.end_offset, segment.base_offset)
            log.snapshots.take(log.producers)
        if log.producers.end_offset >= log.log_end_offset:
            break
        for _, header, body in iter_headers(segment.file, 0, segment.size):
            if header[0] + header[6] >= start:
                replay_batch(log, body, header, is_recovered)
    log.producers.end_offset = log.log_end_offset
