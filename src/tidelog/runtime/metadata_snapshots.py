"""When snapshots of the metadata log are taken, and when old ones and the log behind them go."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from tidelog.config.broker_config import BrokerConfig
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.snapshot import SnapshotId, snapshot_of
from tidelog.metadata.voters import VoterSet
from tidelog.ports import Blocking, Clock
from tidelog.runtime.metadata_files import MetadataFiles

logger = logging.getLogger("tidelog.metadata")


class Snapshots:
    def __init__(
        self,
        config: BrokerConfig,
        files: MetadataFiles,
        clock: Clock,
        blocking: Blocking,
        voters_at: Callable[[int], VoterSet],
    ) -> None:
        self._config = config
        self._files = files
        self._clock = clock
        self._blocking = blocking
        self._bytes = 0
        self._voters_at = voters_at
        self._last_ms = clock.now_ms()
        self._task: asyncio.Task[SnapshotId] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.on_due: Callable[[], None] = lambda: None

    def appended(self, size: int) -> None:
        self._bytes += size

    def maybe_take(self, image: MetadataImage) -> None:
        """After enough new records, or after some records and enough time."""
        if self._task is not None or not self._bytes:
            return
        interval_ms = self._config.metadata_log_max_snapshot_interval_ms
        due = interval_ms > 0 and self._clock.now_ms() - self._last_ms >= interval_ms
        if due or self._bytes >= self._config.metadata_log_max_record_bytes_between_snapshots:
            self.take(image)
        elif interval_ms > 0 and self._timer is None:
            # An idle quorum writes nothing, so no later record would bring us back here in time.
            wait_ms = min(interval_ms, max(1000, self._last_ms + interval_ms - self._clock.now_ms()))
            self._timer = asyncio.get_running_loop().call_later(wait_ms / 1000, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self.on_due()

    def take(self, image: MetadataImage) -> asyncio.Task[SnapshotId]:
        """Writes a snapshot beside the event loop: an image never changes, so nothing has to wait for it."""
        if self._task is None:
            self._bytes = 0
            self._last_ms = self._clock.now_ms()
            self._task = asyncio.get_running_loop().create_task(self._take(image))
        return self._task

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await self._task

    async def _take(self, image: MetadataImage) -> SnapshotId:
        at = image.provenance
        snapshot_id = SnapshotId(at.offset + 1, at.epoch)
        try:
            await self._blocking.run(
                self._files.write_snapshot,
                snapshot_id,
                snapshot_of(image, self._clock.now_ms(), self._voters_at(snapshot_id.offset).controls()),
            )
            self._remove_old()
        except OSError as error:
            # The log still has every record, so nothing is lost; the next one tries again.
            logger.error("snapshot %s of the metadata log was not written: %s", snapshot_id.file_name, error)
        finally:
            self._task = None
        return snapshot_id

    def _remove_old(self) -> None:
        """Oldest first, while there is more than `metadata.max.retention` allows; the newest always stays."""
        snapshots = self._files.snapshots()
        sizes = {each: self._files.snapshot_size(each) for each in snapshots}
        total = self._files.log.size + sum(sizes.values())
        now_ms = self._clock.now_ms()
        for oldest in snapshots[:-1]:
            too_much = 0 <= self._config.metadata_max_retention_bytes < total
            age_ms = self._files.snapshot_age_ms(oldest, now_ms)
            too_old = 0 <= self._config.metadata_max_retention_ms < age_ms
            if not too_much and not too_old:
                break
            self._files.remove_snapshot(oldest)
            total -= sizes[oldest]
        self._files.start_log_at(self._files.snapshots()[0].offset, now_ms)
