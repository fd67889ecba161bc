"""A second copy of a log in another directory of the node, on its way to take the place of the first (KIP-113).

The copy lies in `topic-partition.<id>-future` and is made of the same batches. When it has all of them it takes over in
one turn of the event loop: the old directory is put aside as `-moved`, the copy gets the log's own name, and what was
put aside is deleted later. A crash between the two renames leaves only the `-moved` one, which is then taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tidelog.log import names
from tidelog.log.directory import LogDirectory
from tidelog.log.log import REPAIR, Log
from tidelog.log.manager import LogManager
from tidelog.ports import FileRange
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.replication.epochs import LeaderEpochs


def open_future(logs: LogManager, current: Log, directory: LogDirectory) -> Log:
    """An empty log that begins where the batches of the current one begin."""
    path = directory.file(names.marked_name(current.partition, logs.unique(), names.FUTURE_SUFFIX))
    future = Log.open(current.disk, path, current.partition, current.config, current.clock, host=directory)
    logs.write_topic_id(future, current.topic_id)
    begin_anew(current, future)
    return future


def begin_anew(current: Log, future: Log) -> None:
    start = _first_batch(current)
    if start != future.log_end_offset or future.log_start_offset != start:
        future.truncate_fully_and_start_at(start)


def _first_batch(current: Log) -> int:
    """Deleted records may share a batch with the first that is left."""
    with reading(current):
        found = current.read(current.log_start_offset, 1, current.log_end_offset)
        return int.from_bytes(found.file.pread(8, found.position), "big") if found else current.log_end_offset


@contextmanager
def reading(current: Log) -> Iterator[None]:
    """A log that cannot be read fails its own directory, not the one that the copy lies in."""
    try:
        yield
    except OSError as error:
        current.read_failed(error)
        raise KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, str(error)) from error


def next_range(current: Log, future: Log, max_bytes: int) -> FileRange | None:
    """What the copy does not have yet, having cut from it what the log does not have any more."""
    _agree(current, future)
    if future.log_end_offset < current.log_start_offset:
        begin_anew(current, future)
    with reading(current):
        return current.read(max(future.log_end_offset, current.log_start_offset), max_bytes, current.log_end_offset)


def _agree(current: Log, future: Log) -> None:
    """As a follower does: up to where did both write the same in the last epoch that the copy knows?"""
    last = future.epochs.latest
    if last < 0 or future.log_end_offset <= current.log_start_offset:
        return
    epoch, end_offset = current.epochs.end_offset_for(last, current.log_end_offset)
    if epoch < last:
        end_offset = min(end_offset, future.epochs.end_offset_for(max(epoch, 0), future.log_end_offset)[1])
    if end_offset < future.log_end_offset:
        future.truncate_to(max(end_offset, future.log_start_offset))


def is_level(current: Log, future: Log) -> bool:
    return future.log_end_offset == current.log_end_offset


def skip_to_end(current: Log, future: Log) -> None:
    """Nothing is left between the copy's end and the log's: compaction took it."""
    future.roll(future.clock.now_ms(), current.log_end_offset)
    future.log_end_offset = future.producers.end_offset = current.log_end_offset


def take_over(logs: LogManager, current: Log, future: Log) -> Log:
    """The copy is the log from now on; gives it as it is opened in its place. Both have the same batches."""
    assert is_level(current, future)
    old, new = current.host, future.host
    assert isinstance(old, LogDirectory)
    assert isinstance(new, LogDirectory)
    partition = current.partition
    # What is not in batches goes along: epochs without records, producers whose records are gone.
    future.epochs = LeaderEpochs(current.epochs.entries())
    future.epochs.dirty = True
    future.producers = current.producers
    future.close()
    future.offline = f"{partition} has taken its place"  # a flush that was due does not look for it any more
    current.release()
    aside = old.file(names.marked_name(partition, logs.unique(), names.MOVED_SUFFIX))
    try:
        current.disk.rename(current.directory, aside)
        current.disk.rename(future.directory, new.file(str(partition)))
        for directory in (new, old):
            current.disk.fsync_dir(directory.path)
        removable = old.file(names.marked_name(partition, logs.unique(), names.DELETE_SUFFIX))
        current.disk.rename(aside, removable)
        log = _opened(current, new)
    except OSError as error:
        # Its files are closed and may lie in either place: which one, a restart finds out.
        current.offline = f"{partition} is lost between {old.path} and {new.path}: {error}; {REPAIR}"
        new.failed(error)
        raise
    _hand_over(partition_of=log, old=old, new=new)
    logs.replaced(log)
    current.recovery_point = current.log_end_offset  # whoever waits for it to be durable has that
    old.remove_later([removable], current.config.file_delete_delay_ms)
    return log


def _opened(current: Log, new: LogDirectory) -> Log:
    log = Log.open(
        current.disk,
        new.file(str(current.partition)),
        current.partition,
        current.config,
        current.clock,
        recovery_point=current.log_end_offset,
        log_start_offset=current.log_start_offset,
        is_clean=True,
        was_compacted=current.has_gaps,
        topic_id=current.topic_id,
        host=new,
    )
    log.producers = current.producers
    return log


def _hand_over(partition_of: Log, old: LogDirectory, new: LogDirectory) -> None:
    """The checkpoints of a log are its directory's."""
    partition = partition_of.partition
    for name in ("log_starts", "high_watermarks", "cleaned"):
        before, after = getattr(old, name), getattr(new, name)
        after.pop(partition, None)
        if partition in before:
            after[partition] = before[partition]
    new.recovery_points[partition] = partition_of.recovery_point
    old.forget(partition)
    new.log_opened(partition_of)
    if partition in new.log_starts:
        new.write(names.LOG_STARTS, new.log_starts)
    if partition in new.cleaned:
        new.write(names.CLEANER_OFFSETS, new.cleaned)


def discard(future: Log) -> None:
    """The copy is not wanted any more."""
    directory = future.host
    assert isinstance(directory, LogDirectory)
    future.release()
    future.offline = f"the copy of {future.partition} in {directory.path} is not wanted any more"
    if future.partition not in directory.logs:
        directory.forget(future.partition)
    directory.remove_later([future.directory], 0)
