"""One log directory: its lock, its checkpoints, whether it works, and whether it was left cleanly."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from tidelog.log import checkpoints, names
from tidelog.log.errors import FULL
from tidelog.log.host import OpenSegments
from tidelog.log.log import REPAIR, Log
from tidelog.log.meta_properties import MetaProperties, decode_meta_properties
from tidelog.model import uuids
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import DirectoryLock, Disk

logger = logging.getLogger(__name__)
Offsets = dict[TopicPartition, int]


class DirectoryLocked(Exception):
    """Another process works in the directory."""


class LogDirectory:
    """The host of the logs in it. Once `offline` is set, nothing in it is read or written until the node restarts."""

    def __init__(
        self,
        disk: Disk,
        path: str,
        open_segments: OpenSegments,
        jitter_ms: Callable[[int], int],
        on_rolled: Callable[[Log], None],
        on_removable: Callable[[list[str], int], None],
        on_failed: Callable[[LogDirectory], None],
    ) -> None:
        self._disk = disk
        self.path = path
        self.open_segments = open_segments
        self.jitter_ms = jitter_ms
        self.rolled = on_rolled
        self.remove_later = on_removable
        self._on_failed = on_failed
        self._lock: DirectoryLock | None = None
        self.offline: str | None = None
        self.is_clean = False
        self.broker_epoch = -1  # of the last clean shutdown
        self.meta: MetaProperties | None = None
        self.logs: dict[TopicPartition, Log] = {}
        self.recovery_points: Offsets = {}
        self.log_starts: Offsets = {}
        self.high_watermarks: Offsets = {}
        self.cleaned: Offsets = {}  # up to where each log has been compacted
        self._written: dict[str, Offsets] = {}  # what the files hold, to leave unchanged ones alone
        self._writing = threading.Lock()

    @property
    def directory_id(self) -> bytes:
        return (self.meta.directory_id if self.meta else None) or uuids.ZERO

    def file(self, name: str) -> str:
        return f"{self.path}/{name}"

    def open(self) -> None:
        """Takes the lock and reads what the last run left; raises DirectoryLocked, OSError or BadCheckpoint."""
        self._make()
        self._lock = self._disk.lock(self.file(names.LOCK))
        if self._lock is None:
            raise DirectoryLocked(
                f"{self.path} is in use by another process; stop that node, or give this one another log.dirs."
            )
        if self._disk.exists(self.file(names.META_PROPERTIES)):
            self.meta = decode_meta_properties(self._disk.read_bytes(self.file(names.META_PROPERTIES)))
        self.is_clean = self._disk.exists(self.file(names.CLEAN_SHUTDOWN))
        if self.is_clean:
            self.broker_epoch = checkpoints.decode_clean_shutdown(
                self._disk.read_bytes(self.file(names.CLEAN_SHUTDOWN))
            )
        self.recovery_points = self._read_offsets(names.RECOVERY_POINTS)
        self.log_starts = self._read_offsets(names.LOG_STARTS)
        self.high_watermarks = self._read_offsets(names.HIGH_WATERMARKS)
        self.cleaned = self._read_offsets(names.CLEANER_OFFSETS)

    def _make(self) -> None:
        """With all the directories above it that are missing, durably."""
        made, path = [], self.path
        while path and not self._disk.exists(path):
            path = path.rpartition("/")[0]
            made.append(path or "/")
        if made:
            self._disk.makedirs(self.path)
            for parent in made:
                self._disk.fsync_dir(parent)

    def opened(self) -> None:
        """All logs are open: from now on only a clean shutdown may say that nothing needs to be recovered."""
        if self.is_clean:
            self._disk.remove(self.file(names.CLEAN_SHUTDOWN))
            self._disk.fsync_dir(self.path)

    def _read_offsets(self, name: str) -> Offsets:
        path = self.file(name)
        if not self._disk.exists(path):
            return {}
        try:
            return checkpoints.decode_offsets(self._disk.read_bytes(path))
        except checkpoints.BadCheckpoint as error:
            logger.warning("%s is of no use, so all logs here are checked from their beginning: %s", path, error)
            self.is_clean = False
            return {}

    def log_opened(self, log: Log) -> None:
        self.logs[log.partition] = log

    def trouble(self, error: OSError) -> None:
        """Something could not be made or written that can be tried again: a full disk is no broken disk."""
        if error.errno in FULL:
            logger.warning("%s is full, make room: %s", self.path, error)
        else:
            self.failed(error)

    def failed(self, error: OSError) -> None:
        if self.offline is None:
            self.offline = f"{self.path} failed: {error}; {REPAIR}"
            for log in self.logs.values():
                log.offline = self.offline
            logger.error("%s; its logs are offline until then", self.offline)
            self._on_failed(self)

    def lower_recovery_point(self, log: Log, offset: int) -> None:
        self.recovery_points[log.partition] = offset
        self.write(names.RECOVERY_POINTS, self.recovery_points)

    def keep_log_start(self, log: Log) -> None:
        self.log_starts[log.partition] = log.log_start_offset
        self.write(names.LOG_STARTS, self.log_starts)

    def was_cut(self, log: Log, offset: int) -> None:
        if self.cleaned.get(log.partition, 0) > offset:
            self.cleaned[log.partition] = offset
            self.write(names.CLEANER_OFFSETS, self.cleaned)

    def write(self, name: str, offsets: Offsets) -> None:
        """Durable when it returns. May run in any thread: whoever comes last writes the newest values."""
        with self._writing:
            newest = offsets.copy()
            if self._written.get(name) != newest:
                self._disk.write_atomic(self.file(name), checkpoints.encode_offsets(newest))
                self._written[name] = newest

    def collect(self) -> None:
        """Brings recovery points and log starts up to date; those of logs that could not be opened are kept."""
        for partition, log in self.logs.items():
            self.recovery_points[partition] = log.recovery_point
            if log.config.remote_storage or log.log_start_offset != log.segments[0].base_offset:
                self.log_starts[partition] = log.log_start_offset
            else:
                self.log_starts.pop(partition, None)  # the first segment's name says it

    def forget(self, partition: TopicPartition) -> None:
        """The partition is deleted."""
        self.logs.pop(partition, None)
        for offsets in (self.recovery_points, self.log_starts, self.high_watermarks, self.cleaned):
            offsets.pop(partition, None)

    def close(self, broker_epoch: int, is_clean: bool) -> None:
        """Writes the checkpoints and, if every log was closed without an error, the mark that says so."""
        if self.offline is None:
            self.collect()
            self.write(names.RECOVERY_POINTS, self.recovery_points)
            self.write(names.LOG_STARTS, self.log_starts)
            self.write(names.HIGH_WATERMARKS, self.high_watermarks)
            if is_clean:
                mark = checkpoints.encode_clean_shutdown(broker_epoch)
                self._disk.write_atomic(self.file(names.CLEAN_SHUTDOWN), mark)
        self.unlock()

    def unlock(self) -> None:
        if self._lock is not None:
            self._disk.remove(self.file(names.LOCK))
            self._lock.release()
            self._lock = None
