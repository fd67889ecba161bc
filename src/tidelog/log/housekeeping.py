"""What a node does with its logs from time to time: retention, flushing by age, checkpoints, removing deleted files."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tidelog.log import names
from tidelog.log.config import MAX_LONG
from tidelog.log.directory import LogDirectory
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Blocking, Clock, Disk

logger = logging.getLogger(__name__)
HighWatermarks = Callable[[], Mapping[TopicPartition, int]]
TICK_MS = 1000
IDLE_CHECK_MS = 300_000


@dataclass(frozen=True, slots=True)
class HousekeepingIntervals:
    """How often, in milliseconds; named after the broker settings."""

    retention_check_ms: int = 300_000
    offset_checkpoint_ms: int = 60_000
    high_watermark_checkpoint_ms: int = 5_000
    producer_expiration_ms: int = 86_400_000
    producer_expiration_check_ms: int = 600_000


class Housekeeping:
    def __init__(
        self,
        manager: LogManager,
        disk: Disk,
        clock: Clock,
        blocking: Blocking,
        high_watermarks: HighWatermarks,
        intervals: HousekeepingIntervals | None = None,
    ) -> None:
        self._manager = manager
        self._disk = disk
        self._clock = clock
        self._blocking = blocking
        self._high_watermarks = high_watermarks
        self._intervals = intervals or HousekeepingIntervals()
        self._due: dict[str, int] = {}
        self._ends: dict[Log, int] = {}

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await asyncio.sleep(TICK_MS / 1000)
            try:
                await self.tick()
            except OSError as error:
                logger.error("housekeeping of the logs failed, and goes on: %s", error)

    async def tick(self) -> None:
        now_ms = self._clock.monotonic_ms()
        intervals = self._intervals
        await self._flush_by_age()
        if self._is_due("retention", intervals.retention_check_ms, now_ms):
            self.apply_retention()
        if self._is_due("offsets", intervals.offset_checkpoint_ms, now_ms):
            await self.checkpoint_offsets()
        if self._is_due("high watermarks", intervals.high_watermark_checkpoint_ms, now_ms):
            await self.checkpoint_high_watermarks()
        if self._is_due("idle", IDLE_CHECK_MS, now_ms):
            self.park_idle()
        if self._is_due("producers", intervals.producer_expiration_check_ms, now_ms):
            self._expire_producers()
        await self._remove_deleted(now_ms)

    def _is_due(self, what: str, interval_ms: int, now_ms: int) -> bool:
        due_ms = self._due.setdefault(what, now_ms + interval_ms)
        if now_ms >= due_ms:
            self._due[what] = now_ms + interval_ms
        return now_ms >= due_ms

    async def _flush_by_age(self) -> None:
        now_ms = self._clock.now_ms()
        for log in self._manager:
            age_ms = log.config.flush_ms
            if age_ms != MAX_LONG and log.recovery_point < log.log_end_offset and now_ms - log.last_flush_ms >= age_ms:
                await self._quietly(log)

    async def _quietly(self, log: Log) -> None:
        """A failing disk has been reported, and has taken its directory offline; the others are flushed on."""
        try:
            await self._manager.flush(log)
        except Exception as error:
            logger.debug("flush of %s: %s", log.partition, error)

    def apply_retention(self) -> int:
        """Gives how many segments went."""
        high_watermarks = self._high_watermarks()
        count = 0
        for log in self._manager:
            if log.offline is None and not log.is_cleaning and log.partition in high_watermarks:
                try:
                    count += log.delete_old_segments(self._clock.now_ms(), high_watermarks[log.partition])
                except OSError as error:
                    log.failed(error)
        return count

    async def checkpoint_offsets(self) -> None:
        """Recovery points and log starts."""
        for directory in self._manager.online():
            directory.collect()
            await self._write(directory, names.RECOVERY_POINTS, directory.recovery_points)
            await self._write(directory, names.LOG_STARTS, directory.log_starts)

    async def checkpoint_high_watermarks(self) -> None:
        high_watermarks = self._high_watermarks()
        for directory in self._manager.online():
            directory.high_watermarks.update(
                {tp: high_watermarks[tp] for tp in directory.logs if tp in high_watermarks}
            )
            await self._write(directory, names.HIGH_WATERMARKS, directory.high_watermarks)

    async def _write(self, directory: LogDirectory, name: str, offsets: dict[TopicPartition, int]) -> None:
        try:
            await self._blocking.run(directory.write, name, offsets)
        except OSError as error:
            directory.trouble(error)

    def park_idle(self) -> int:
        """Logs that have not grown since the last look let go of their files; gives how many did."""
        count = 0
        for log in self._manager:
            is_idle = self._ends.get(log) == log.log_end_offset
            self._ends[log] = log.log_end_offset
            if is_idle and log.active.is_active and log.offline is None and not log.needs_flush:
                try:
                    log.park()
                    count += 1
                except OSError as error:
                    log.failed(error)
        self._ends = {log: end for log, end in self._ends.items() if log.offline is None}
        return count

    def _expire_producers(self) -> None:
        now_ms = self._clock.now_ms()
        for log in self._manager:
            log.producers.remove_expired(now_ms, self._intervals.producer_expiration_ms)

    async def _remove_deleted(self, now_ms: int) -> None:
        due = [paths for when_ms, paths in self._manager.removable if when_ms <= now_ms]
        self._manager.removable = [each for each in self._manager.removable if each[0] > now_ms]
        for paths in due:
            await self._blocking.run(self._remove, paths)

    def _remove(self, paths: list[str]) -> None:
        for path in paths:
            try:
                if self._disk.is_dir(path):
                    self._disk.remove_tree(path)
                elif self._disk.exists(path):
                    self._disk.remove(path)
            except OSError as error:
                logger.warning("%s could not be removed, and is left for the next start: %s", path, error)
