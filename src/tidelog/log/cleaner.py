"""Compaction in the background: the dirtiest log first, beside the event loop and within a budget of bytes per second.

A compaction runs in short steps in threads; between them it returns to the loop, which puts compacted segments in their
place, keeps to the budget, and notices when the log is deleted, cut or no longer to be compacted. A log that cannot be
compacted is left alone until the node starts again, and all others go on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from tidelog.log import names
from tidelog.log.clean_job import Cleaned, CleanJob, CleanSettings, plan_job
from tidelog.log.clean_plan import DirtyPart, dirty_part
from tidelog.log.clean_read import Uncleanable
from tidelog.log.clean_swap import CleaningAborted, name_finally, swap_in
from tidelog.log.clean_totals import CleanTotals, Throttle
from tidelog.log.errors import FULL
from tidelog.log.log import Log
from tidelog.log.manager import LogManager
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Blocking, Clock
from tidelog.protocol.errors import KafkaError

logger = logging.getLogger(__name__)
HighWatermarks = Callable[[], Mapping[TopicPartition, int]]
STEP_BYTES = 1 << 20
"""A thread is given back after this many bytes, read and written."""
UNLIMITED = 1e300


@dataclass(frozen=True, slots=True)
class CleanerSettings:
    """Named after the broker settings that begin with log.cleaner."""

    enable: bool = True
    threads: int = 1
    dedupe_buffer_size: int = 134_217_728
    io_buffer_size: int = 524_288
    io_buffer_load_factor: float = 0.9
    io_max_bytes_per_second: float = UNLIMITED
    backoff_ms: int = 15_000

    def of_one(self, seed: bytes) -> CleanSettings:
        """What one of the compactions that run at a time may use."""
        share = max(self.threads, 1)
        return CleanSettings(
            self.dedupe_buffer_size // share, self.io_buffer_load_factor, self.io_buffer_size // share // 2, seed
        )


class Cleaner:
    def __init__(
        self,
        manager: LogManager,
        clock: Clock,
        blocking: Blocking,
        high_watermarks: HighWatermarks,
        settings: CleanerSettings | None = None,
        seed: bytes = bytes(16),
    ) -> None:
        self._manager = manager
        self._clock = clock
        self._blocking = blocking
        self._high_watermarks = high_watermarks
        self.settings = settings or CleanerSettings()
        self._seed = seed
        self._throttle = Throttle()
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self._is_stopping = False
        self.uncleanable: dict[TopicPartition, str] = {}
        self.totals = CleanTotals()

    # running

    def start(self) -> None:
        if self.settings.enable:
            self._hire()

    def reconfigure(self, settings: CleanerSettings) -> None:
        """Takes effect with the next step of every compaction."""
        self.settings = settings
        self._wake()
        if settings.enable and not self._is_stopping:
            self._hire()

    def _hire(self) -> None:
        """Every number below the setting works; one above it may still be busy, and goes when it is done."""
        for number in range(self.settings.threads):
            known = self._workers.get(number)
            if known is None or known.done():
                self._workers[number] = asyncio.ensure_future(self._work(number))

    async def stop(self) -> None:
        """Compactions under way end at their next step; what they have not put in place is removed."""
        self._is_stopping = True
        self._wake()
        await asyncio.gather(*self._workers.values(), return_exceptions=True)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _pause(self, delay_ms: float) -> None:
        """Or until settings change or the node stops."""
        if delay_ms > 0 and not self._is_stopping:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), delay_ms / 1000)

    async def _work(self, number: int) -> None:
        while not self._is_stopping and number < self.settings.threads:
            try:
                found = await self.clean_dirtiest()
            except Exception:
                logger.exception("a compaction failed; the others go on")
                found = False
            if not found:
                await self._pause(max(self.settings.backoff_ms, 1))

    # choosing

    def dirty_parts(self) -> list[tuple[Log, DirtyPart]]:
        """Of every log that may be compacted now."""
        now_ms = self._clock.now_ms()
        high_watermarks = self._high_watermarks()
        found = []
        for log in self._manager:
            is_free = log.offline is None and not log.is_cleaning and log.partition not in self.uncleanable
            if log.config.compact and is_free and log.partition in high_watermarks:
                try:
                    found.append((log, self._dirty_part(log, high_watermarks[log.partition], now_ms)))
                except OSError as error:
                    log.failed(error)
        return found

    def _dirty_part(self, log: Log, high_watermark: int, now_ms: int) -> DirtyPart:
        return dirty_part(
            log.segments.items,
            log.config,
            self._manager.directory_of(log).cleaned.get(log.partition),
            log.log_start_offset,
            log.log_end_offset,
            log.last_stable_offset(high_watermark),
            now_ms,
        )

    async def clean_dirtiest(self) -> bool:
        """Compacts the log with the largest share of dirt, if any has enough of it; whether there was one."""
        parts = [(log, part) for log, part in self.dirty_parts() if part.total_bytes > 0]
        self.totals.looked(self._clock.monotonic_ms(), [part for _, part in parts])
        due = [(log, part) for log, part in parts if part.is_due(log.config)]
        if not due:
            return False
        log, part = max(due, key=lambda each: each[1].ratio)
        await self.clean(log, part)
        return True

    # compacting

    async def clean(self, log: Log, part: DirtyPart) -> CleanJob | None:
        """Compacts one log; None if it could not be done."""
        log.is_cleaning = True
        generation = log.generation
        started_ms = self._clock.monotonic_ms()
        try:
            await self._make_durable(log, part)
            if log.generation != generation:
                raise CleaningAborted("it was cut")
            job = plan_job(log, part, self.settings.of_one(self._seed), self._clock.now_ms())
            await self._drive(job)
            if log.generation != generation:
                raise CleaningAborted("it was cut")  # and is dirty from there, whatever was compacted behind
            self._manager.directory_of(log).cleaned[log.partition] = job.end_offset
            await self._checkpoint(log)
        except CleaningAborted as reason:
            logger.info("compaction of %s ended early: %s", log.partition, reason)
            return None
        except Uncleanable as reason:
            self._give_up(log, str(reason))
            return None
        except OSError as error:
            if log.generation == generation:  # else files were cut away under the compaction
                await self._device_failed(log, error)
            return None
        except KafkaError:
            return None  # the log went offline
        finally:
            log.is_cleaning = False
        self.totals.cleaned(job.stats, self._clock.monotonic_ms() - started_ms)
        return job

    async def _make_durable(self, log: Log, part: DirtyPart) -> None:
        """What is compacted lies before the recovery point, so that recovery finds no gaps in what it reads."""
        if log.recovery_point < part.first_uncleanable:
            await self._manager.flush(log)
        directory = self._manager.directory_of(log)
        directory.collect()
        await self._blocking.run(directory.write, names.RECOVERY_POINTS, directory.recovery_points)

    async def _checkpoint(self, log: Log) -> None:
        directory = self._manager.directory_of(log)
        await self._blocking.run(directory.write, names.CLEANER_OFFSETS, directory.cleaned)

    async def _drive(self, job: CleanJob) -> None:
        work = job.run()
        try:
            while True:
                moved, cleaned = await self._blocking.run(_step, work, self._step_bytes())
                if moved is None:
                    return
                if cleaned is not None:
                    await self._put_in_place(job, cleaned)
                await self._pause(self._throttle.delay_ms(moved, self._rate(), self._clock.monotonic_ms()))
                self._check_wanted(job)
        finally:
            await self._blocking.run(work.close)  # type: ignore[attr-defined]

    def _rate(self) -> float:
        return self.settings.io_max_bytes_per_second

    def _step_bytes(self) -> int:
        return int(max(1, min(STEP_BYTES, self._rate() / 10)))

    def _check_wanted(self, job: CleanJob) -> None:
        log = job.log
        if self._is_stopping:
            raise CleaningAborted("the node stops")
        if log.offline is not None:
            raise CleaningAborted(log.offline)
        if not log.config.compact:
            raise CleaningAborted("its cleanup.policy is another now")

    async def _put_in_place(self, job: CleanJob, cleaned: Cleaned) -> None:
        log = job.log
        try:
            swap_in(log, cleaned, job.generation)
            await self._blocking.run(log.disk.fsync_dir, log.directory)
            name_finally(log, cleaned)
            await self._blocking.run(log.disk.fsync_dir, log.directory)
        except OSError as error:
            log.flush_failed(error)  # files may be under either name now; the next start sorts that out
            raise

    # trouble

    def _give_up(self, log: Log, reason: str) -> None:
        self.uncleanable[log.partition] = reason
        logger.error(
            "%s is not compacted any more: %s; restore it from a replica or a backup, then start the node again",
            log.partition,
            reason,
        )

    async def _device_failed(self, log: Log, error: OSError) -> None:
        if log.offline is not None:
            return  # deleted under the compaction, or reported already
        self._manager.directory_of(log).trouble(error)
        if error.errno in FULL:
            await self._pause(max(self.settings.backoff_ms, 1))


def _step(work: Iterator[int | Cleaned], bytes_max: int) -> tuple[int | None, Cleaned | None]:
    """Goes on until so many bytes have been moved, or a segment is ready; None as the bytes says that all is done."""
    moved = 0
    for done in work:
        if isinstance(done, Cleaned):
            return moved, done
        moved += done
        if moved >= bytes_max:
            return moved, None
    return None, None
