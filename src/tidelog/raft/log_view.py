"""What the machine may know of the log beside it, and where two logs part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tidelog.metadata.snapshot import SnapshotId


class LogView(Protocol):
    @property
    def start_offset(self) -> int: ...
    @property
    def end_offset(self) -> int: ...
    @property
    def durable_offset(self) -> int:
        """Everything before it has been flushed."""
        ...

    @property
    def epochs(self) -> Sequence[tuple[int, int]]:
        """Each epoch with the offset at which its records begin, oldest first."""
        ...

    @property
    def oldest_snapshot(self) -> SnapshotId | None: ...
    @property
    def newest_snapshot(self) -> SnapshotId | None: ...


def last_epoch(log: LogView) -> int:
    """Of the last record, or of the snapshot before the log; 0 when there is neither."""
    epochs = log.epochs
    if epochs:
        return epochs[-1][0]
    return log.newest_snapshot.epoch if log.newest_snapshot else 0


def end_offset_for(log: LogView, epoch: int) -> tuple[int, int]:
    """The last epoch known here that is not past `epoch`, and the offset at which its records end."""
    end = log.end_offset
    for known, start in reversed(log.epochs):
        if known <= epoch:
            return known, end
        end = start
    oldest = log.oldest_snapshot
    return (oldest.epoch, end) if oldest and oldest.epoch <= epoch else (0, log.start_offset)


def check_position(log: LogView, offset: int, epoch: int) -> tuple[int, int] | SnapshotId | None:
    """None if a log that ends at `offset` in `epoch` is a beginning of this one; else the epoch up to which they agree
    and its end here, or the snapshot to begin from when this log no longer reaches back so far."""
    oldest, newest = log.oldest_snapshot, log.newest_snapshot
    if oldest is not None and (offset < log.start_offset or (epoch < oldest.epoch and log.start_offset > 0)):
        return newest
    known, end = end_offset_for(log, epoch)
    return None if known == epoch and offset <= end else (known, end)


def truncation_offset(log: LogView, epoch: int, end_offset: int) -> int:
    """Where to cut this log when the leader's records of `epoch` end at `end_offset`."""
    known, end = end_offset_for(log, epoch)
    return min(end, end_offset) if known == epoch else end
