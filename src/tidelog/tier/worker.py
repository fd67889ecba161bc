"""What a leader does for one tiered partition from time to time: clean up, copy, and let expired segments go.

One round runs at a time. Whatever waits for the store or for the metadata topic asks afterwards whether this broker
still leads in the same epoch, and stops if not. What an interrupted round leaves behind is a segment whose copy never
ended, or objects that nothing refers to; the next leader's rounds find and remove both.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import NamedTuple, Protocol

from tidelog.log.log import Log
from tidelog.log.segment import Segment
from tidelog.ports import Blocking, Clock, ObjectStore
from tidelog.protocol.errors import KafkaError
from tidelog.tier import expiry, upload
from tidelog.tier.manifest import Manifest
from tidelog.tier.metadata import RemoteMetadata
from tidelog.tier.quota import Quota
from tidelog.tier.segments import (
    Note,
    NoteKind,
    RemoteSegment,
    SegmentState,
    TopicIdPartition,
    id_of_key,
    partition_prefix,
)
from tidelog.tier.updates import SegmentUpdate

logger = logging.getLogger(__name__)


class TieredPartition(Protocol):
    """A partition as its leader sees it."""

    log: Log

    @property
    def leader_epoch(self) -> int:
        """Negative when this broker does not lead."""
        ...

    @property
    def high_watermark(self) -> int: ...

    @property
    def last_stable_offset(self) -> int: ...


class Settings(NamedTuple):
    broker_id: int = 0
    chunk_bytes: int = 4 << 20
    verify: bool = True
    copy_timeout_s: float = 3600.0
    request_timeout_s: float = 30.0
    copy_bytes_per_second: int = 2**63 - 1
    copies: int = 10
    deletions: int = 10
    sweep_every_ms: int = 3_600_000
    # An object that nothing refers to may belong to a copy that an old leader has just ended.
    stray_age_ms: int = 7_200_000


class Counters:
    __slots__ = ("copied_bytes", "copied_segments", "copy_errors", "delete_errors", "deleted_segments", "strays")

    def __init__(self) -> None:
        self.copied_bytes = self.copied_segments = self.copy_errors = 0
        self.deleted_segments = self.delete_errors = self.strays = 0


class Tier:
    """What the workers of one broker share."""

    def __init__(
        self,
        store: ObjectStore,
        metadata: RemoteMetadata,
        clock: Clock,
        blocking: Blocking,
        new_id: Callable[[], bytes],
        settings: Settings,
        on_deleted: Callable[[RemoteSegment], None] = lambda segment: None,
    ) -> None:
        self.store = store
        self.metadata = metadata
        self.clock = clock
        self.blocking = blocking
        self.new_id = new_id
        self.settings = settings
        self.on_deleted = on_deleted
        self.counters = Counters()
        self.copy_quota = Quota(clock, settings.copy_bytes_per_second)
        self.uploader = upload.Uploader(store, blocking, settings.verify)
        self.copy_slots = asyncio.Semaphore(settings.copies)
        self.delete_slots = asyncio.Semaphore(settings.deletions)

    async def delete_objects(self, segment: RemoteSegment) -> None:
        async with self.delete_slots, asyncio.timeout(self.settings.request_timeout_s):
            await self.store.delete([segment.log_key, segment.aux_key])
        self.on_deleted(segment)

    def update(self, segment: RemoteSegment, state: SegmentState, custom: bytes | None = None) -> SegmentUpdate:
        return SegmentUpdate(segment.id, segment.place, self.settings.broker_id, self.clock.now_ms(), state, custom)


class NoLongerLeader(Exception):
    """The round ends here; another broker, or a later epoch of this one, goes on."""


class Worker:
    def __init__(self, tier: Tier, place: TopicIdPartition, partition: TieredPartition) -> None:
        self._tier = tier
        self._place = place
        self._partition = partition
        self._log = partition.log
        self._epoch = -1
        self._swept_ms: int | None = None

    async def round(self) -> None:
        """Failures of the store or of the metadata topic end the round and are counted; the next one tries again."""
        self._epoch = self._partition.leader_epoch
        if self._epoch < 0 or self._log.offline is not None:
            return
        try:
            manifest = await self._tier.metadata.refresh(self._place)
            if manifest is None:
                return
            self._still_leading()
            adopt(self._log, manifest)
            await self._clean_up(manifest)
            config = self._log.config
            if config.remote_storage and not config.remote_copy_disable:
                await self._copy_all(manifest)
            adopt(self._log, manifest)
            await self._expire(manifest)
            await self._sweep(manifest)
        except NoLongerLeader:
            logger.info("%s-%d is led by another now; its remote work ends", self._place.topic, self._place.partition)

    def _still_leading(self) -> None:
        if self._partition.leader_epoch != self._epoch or self._log.offline is not None:
            raise NoLongerLeader

    # copying

    async def _copy_all(self, manifest: Manifest) -> None:
        for segment, next_base in closed_segments(self._log, self._partition.last_stable_offset):
            if next_base <= self._log.log_start_offset:
                continue
            if manifest.covered_until(segment.base_offset, self._log.epochs, next_base) >= next_base:
                continue
            async with self._tier.copy_slots:
                self._still_leading()
                await self._copy(manifest, segment, next_base)
            adopt(self._log, manifest)

    async def _copy(self, manifest: Manifest, segment: Segment, next_base: int) -> None:
        tier = self._tier
        taken = upload.snapshot(self._log, segment, next_base)
        try:
            source = await tier.blocking.run(upload.prepare, taken, tier.settings.chunk_bytes)
        except OSError as error:
            self._log.read_failed(error)
            raise
        remote = upload.describe(
            taken, source, self._place, tier.new_id(), tier.settings.broker_id, tier.clock.now_ms()
        )
        if not remote.epochs:
            logger.warning("%s has no leader epochs and stays on local disk alone", remote)
            return
        self._still_leading()
        await tier.metadata.publish(remote._replace(custom=Note(NoteKind.STARTED, self._epoch).encode()))
        try:
            self._still_leading()
            await tier.copy_quota.take(remote.size_bytes)
            async with asyncio.timeout(tier.settings.copy_timeout_s):
                await tier.uploader.copy(remote, source)
            self._still_leading()
        except (OSError, TimeoutError, NoLongerLeader):
            tier.counters.copy_errors += 1
            await self._abandon(remote)
            raise
        await tier.metadata.publish(tier.update(remote, SegmentState.COPY_FINISHED, source.checks.encode(self._epoch)))
        told = manifest.segments.get(remote.id)
        if told is not None and told.is_live:
            tier.counters.copied_segments += 1
            tier.counters.copied_bytes += remote.size_bytes

    async def _abandon(self, segment: RemoteSegment) -> None:
        """As much as can be done now; a later round does what fails here."""
        try:
            note = Note(NoteKind.ABANDONED, self._epoch).encode()
            await self._tier.metadata.publish(self._tier.update(segment, SegmentState.DELETE_STARTED, note))
            await self._remove(segment)
        except (OSError, KafkaError) as error:
            logger.info("what is left of the copy of %s is removed later: %s", segment, error)

    # deleting

    async def _clean_up(self, manifest: Manifest) -> None:
        """Copies that were begun and never ended, and deletions that were begun: by whomever, nobody else ends them."""
        note = Note(NoteKind.ABANDONED, self._epoch).encode()
        for segment in manifest.in_state(SegmentState.COPY_STARTED):
            await self._tier.metadata.publish(self._tier.update(segment, SegmentState.DELETE_STARTED, note))
            self._still_leading()
        for segment in manifest.in_state(SegmentState.DELETE_STARTED):
            await self._remove(segment)
            self._still_leading()

    async def _remove(self, segment: RemoteSegment) -> None:
        """Objects first: as long as the metadata tells of the segment, somebody will try again."""
        try:
            await self._tier.delete_objects(segment)
        except (OSError, TimeoutError):
            self._tier.counters.delete_errors += 1
            raise
        await self._tier.metadata.publish(self._tier.update(segment, SegmentState.DELETE_FINISHED))
        self._tier.counters.deleted_segments += 1

    async def _expire(self, manifest: Manifest) -> None:
        log, config = self._log, self._log.config
        if not config.remote_storage and config.remote_delete_on_disable:
            start = max(log.log_start_offset, log.local_start_offset)
        else:
            covered = manifest.covered_until(log.log_start_offset, log.epochs)
            local_only = sum(each.size for each in log.segments if each.base_offset >= covered)
            start = expiry.expired_until(
                manifest,
                log.epochs,
                log.log_start_offset,
                log.local_start_offset,
                local_only,
                expiry.Retention(config.retention_ms if config.delete else -1, config.retention_bytes),
                self._tier.clock.now_ms(),
            )
        # Readers are kept away before anything is taken from them.
        start = min(start, self._partition.high_watermark)
        if start > log.log_start_offset:
            log.increment_log_start_offset(start, self._partition.high_watermark)
        note = Note(NoteKind.RETIRED, self._epoch).encode()
        for segment in expiry.useless(manifest, log.epochs, log.log_start_offset, self._epoch):
            self._still_leading()
            await self._tier.metadata.publish(self._tier.update(segment, SegmentState.DELETE_STARTED, note))
            told = manifest.segments.get(segment.id)
            if told is not None and told.state is SegmentState.DELETE_STARTED:
                await self._remove(told)
        manifest.forget_retired(log.log_start_offset)

    async def _sweep(self, manifest: Manifest) -> None:
        """Objects of segments that the metadata no longer tells of: an old leader stored them after the cleaning up."""
        settings, now_ms = self._tier.settings, self._tier.clock.monotonic_ms()
        if self._swept_ms is not None and now_ms - self._swept_ms < settings.sweep_every_ms:
            return
        async with asyncio.timeout(settings.request_timeout_s):
            stored = await self._tier.store.list(partition_prefix(self._place))
        self._still_leading()
        oldest_ms = self._tier.clock.now_ms() - settings.stray_age_ms
        strays = [
            each.key
            for each in stored
            if each.modified_ms < oldest_ms and (identity := id_of_key(each.key)) and identity not in manifest.segments
        ]
        if strays:
            async with asyncio.timeout(settings.request_timeout_s):
                await self._tier.store.delete(strays)
            self._tier.counters.strays += len(strays)
        self._swept_ms = now_ms


def closed_segments(log: Log, below: int) -> list[tuple[Segment, int]]:
    """Segments that are complete and decided, each with the offset where the next one begins."""
    bases = log.segments.bases
    return [
        (segment, next_base)
        for segment, next_base in zip(log.segments.items, bases[1:])
        if next_base <= below and segment.size and segment is not log.active
    ]


def adopt(log: Log, manifest: Manifest) -> None:
    """Brings the log in line with what the metadata tells: what may go from local disk, and where the log begins.

    A leader that expired the head of the log and died may not have told its followers where the log begins now.
    """
    local_start = log.local_start_offset
    start = log.log_start_offset
    while start < local_start and manifest.find(start, log.epochs) is None:
        moved = manifest.retired_until(start, log.epochs)
        if moved == start:
            break
        start = min(moved, local_start)
    if start > log.log_start_offset:
        log.increment_log_start_offset(start, max(start, log.log_start_offset))
    log.tiered_offset = manifest.covered_until(log.log_start_offset, log.epochs)
