"""Making a log durable: what to sync is decided on the event loop, the syncing itself may run in any thread.

The recovery point moves only after every sync has returned without an error. The active segment's indexes are left out:
after a crash they are made again from the segment, which recovery reads from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tidelog.log import checkpoints, names

if TYPE_CHECKING:
    from tidelog.log.log import Log


class FlushPlan:
    """Syncs to run in order. Never run again after an error: the kernel forgets what it failed to write."""

    __slots__ = ("cuts", "epochs", "generation", "log", "offset", "syncs")

    def __init__(self, log: Log, offset: int, syncs: list[Callable[[], None]], epochs: bytes | None) -> None:
        self.log = log
        self.offset = offset
        self.generation = log.generation
        self.syncs = syncs
        self.epochs = epochs
        self.cuts = log.epochs.cuts

    def run(self) -> None:
        self.write()
        for sync in self.syncs:
            sync()

    def write(self, sync: bool = True) -> None:
        """What is not written yet; without `sync` the caller makes it and everything else durable.

        Epochs that were cut meanwhile have been written by whoever cut them.
        """
        if self.epochs is not None and self.cuts == self.log.epochs.cuts:
            self.log.disk.write_atomic(f"{self.log.directory}/{names.EPOCHS}", self.epochs, sync=sync)

    def done(self) -> None:
        """On the event loop's thread, after `run`. For a log that was cut meanwhile it promises nothing."""
        if self.generation == self.log.generation:
            self.log.recovery_point = max(self.log.recovery_point, self.offset)
            self.log.last_flush_ms = self.log.clock.now_ms()


def plan_flush(log: Log, offset: int | None = None) -> FlushPlan:
    """Everything up to `offset`: the end of the log, or the beginning of its active segment."""
    target = log.log_end_offset if offset is None else offset
    syncs: list[Callable[[], None]] = []
    if target > log.recovery_point:
        for segment in log.segments.items[max(0, log.segments.find(log.recovery_point)) :]:
            if segment.base_offset >= target and segment is not log.segments[0]:
                break
            syncs.append(segment.file.fsync)
            if segment is not log.active:
                syncs += [segment.offset_index.flush, segment.time_index.flush, segment.txn_index.flush]
    syncs += [partial(_sync, log, path) for path in (*log.snapshots.take_unflushed(), *log.unsynced)]
    log.unsynced = []
    epochs = checkpoints.encode_epochs(log.epochs.entries()) if log.epochs.dirty else None
    log.epochs.dirty = False
    if log.new_files:
        syncs.append(lambda: log.disk.fsync_dir(log.directory))
        log.new_files = False
    if log.is_new:
        parent = log.directory.rpartition("/")[0]
        syncs.append(lambda: log.disk.fsync_dir(parent))
        log.is_new = False
    return FlushPlan(log, target, syncs, epochs)


def _sync(log: Log, path: str) -> None:
    if log.disk.exists(path):  # a snapshot may be gone with its segment
        log.disk.open(path).fsync()
