"""Taking records away: from the end when a leader's history differs, from the start by retention and DeleteRecords."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.log import checkpoints, names
from tidelog.log.loading import replay_producers
from tidelog.log.reading import find_batch
from tidelog.log.retention import deletable_count, local_deletable_count
from tidelog.log.segment import Segment
from tidelog.log.segments import Segments
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.log.log import Log


def truncate_to(log: Log, offset: int) -> bool:
    """Cuts the log so that it ends at `offset`, or before it if that lies inside a batch. False if nothing was cut."""
    log.check_online()
    try:
        return _truncate_to(log, offset)
    except OSError as error:
        log.failed(error)
        raise


def _truncate_to(log: Log, offset: int) -> bool:
    if offset >= log.log_end_offset:
        # The epochs may know of a later leader that never wrote here.
        if log.epochs.truncate_from_end(offset):
            _write_epochs(log)
        return False
    if offset < log.segments[0].base_offset:
        _start_over(log, offset, None)
        return True
    _before_cut(log, offset)
    later = [segment for segment in log.segments if segment.base_offset > offset]
    _remove_files(log, later)
    log.segments = log.segments.without(later)
    log.active = segment = log.segments[-1]
    batch = find_batch(segment, offset)
    end_offset = offset
    if batch is not None:
        end_offset = batch.base_offset if batch.base_offset < offset else offset
        segment.truncate(batch.position, end_offset)
    _after_cut(log, end_offset)
    return True


def truncate_fully_and_start_at(log: Log, offset: int, log_start_offset: int | None = None) -> None:
    """Empties the log; the next record gets `offset`. Before it there may be records in remote storage."""
    log.check_online()
    try:
        _start_over(log, offset, log_start_offset)
    except OSError as error:
        log.failed(error)
        raise


def _start_over(log: Log, offset: int, log_start_offset: int | None) -> None:
    _before_cut(log, min(offset, log.log_end_offset))
    _remove_files(log, log.segments.items)
    segment = Segment(log.disk, log.directory, offset, 0, log.clock.now_ms(), log.host.open_segments)
    log.disk.open(segment.path(names.LOG), create=True).close()
    log.segments = Segments([segment])
    log.active = segment
    log.log_start_offset = offset if log_start_offset is None else log_start_offset
    log.tiered_offset = 0
    log.epochs.clear()
    _after_cut(log, offset)


def _before_cut(log: Log, offset: int) -> None:
    """After a crash in the middle of what follows, a log that ends at `offset` must not look as if it had lost data."""
    if log.recovery_point > offset:
        log.recovery_point = offset
        log.host.lower_recovery_point(log, offset)


def _after_cut(log: Log, end_offset: int) -> None:
    log.generation += 1
    log.log_end_offset = end_offset
    log.host.was_cut(log, end_offset)
    log.recovery_point = min(log.recovery_point, end_offset)
    log.log_start_offset = min(log.log_start_offset, end_offset)
    log.new_files = True
    log.epochs.truncate_from_end(end_offset)
    _write_epochs(log)
    log.snapshots.load(log.producers, log.log_start_offset, end_offset)
    replay_producers(log, [])


def _write_epochs(log: Log) -> None:
    log.disk.write_atomic(f"{log.directory}/{names.EPOCHS}", checkpoints.encode_epochs(log.epochs.entries()))
    log.epochs.dirty = False


def _remove_files(log: Log, segments: list[Segment]) -> None:
    """The newest first, so that what is left after a crash has no gap; indexes before the records they lead to."""
    for segment in reversed(segments):
        log.host.open_segments.forget(segment)
        for path in reversed(segment.existing_paths()):
            log.disk.remove(path)
    if segments:
        log.disk.fsync_dir(log.directory)


def increment_log_start_offset(log: Log, offset: int, high_watermark: int) -> bool:
    """Readers see nothing before `offset` any more; the segments go at the next retention check."""
    if offset > high_watermark:
        raise KafkaError(
            ErrorCode.OFFSET_OUT_OF_RANGE,
            f"Records of {log.partition} can be deleted up to offset {high_watermark}, not {offset}.",
        )
    if offset <= log.log_start_offset:
        return False
    log.log_start_offset = offset
    log.epochs.truncate_from_start(offset)
    log.producers.on_log_start_offset(offset)
    return True


def delete_old_segments(log: Log, now_ms: int, high_watermark: int) -> int:
    """Applies retention; gives how many segments went. Their files are renamed now and removed some time later."""
    if log.config.remote_storage:
        return _delete_local_segments(log, now_ms, high_watermark)
    count = deletable_count(
        log.segments.items, log.log_end_offset, log.config, log.log_start_offset, high_watermark, now_ms
    )
    if count == 0:
        return 0
    if count == len(log.segments):
        log.roll(now_ms)
    _drop_oldest(log, count, log.segments[count].base_offset)
    return count


def _delete_local_segments(log: Log, now_ms: int, high_watermark: int) -> int:
    """Of a tiered log: its records stay readable, so where it begins is written down before the first file goes."""
    count = local_deletable_count(
        log.segments.items, log.config, log.log_start_offset, log.tiered_offset, high_watermark, now_ms
    )
    if count:
        local_start = log.segments[count].base_offset
        if local_start > log.tiered_offset:
            log.log_start_offset = max(log.log_start_offset, local_start)
        log.host.keep_log_start(log)
        _drop_oldest(log, count, log.log_start_offset)
    return count


def _drop_oldest(log: Log, count: int, start: int) -> None:
    gone = log.segments.items[:count]
    log.segments = Segments(log.segments.items[count:])
    if start > log.log_start_offset:
        log.log_start_offset = start
    log.epochs.truncate_from_start(log.log_start_offset)
    log.producers.on_log_start_offset(log.log_start_offset)
    log.host.remove_later(
        [path for segment in gone for path in _rename_deleted(log, segment)], log.config.file_delete_delay_ms
    )


def _rename_deleted(log: Log, segment: Segment) -> list[str]:
    """Out of the way under names that the next start removes; open files stay readable."""
    log.host.open_segments.forget(segment)
    paths = segment.existing_paths()
    if segment.base_offset in log.snapshots.offsets:
        log.snapshots.offsets.remove(segment.base_offset)
        paths.append(log.snapshots.path(segment.base_offset))
    for path in paths:
        log.disk.rename(path, path + names.DELETED)
    return [path + names.DELETED for path in paths]
