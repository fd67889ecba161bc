"""Fetches and lookups below the local start of a tiered log.

A fetch that needs something from remote storage waits for it as a task of its own, up to `remote.fetch.max.wait.ms`;
what is not there by then comes with a later fetch, because bringing it here goes on. Nobody else waits.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tidelog.broker.fetching import Ask
from tidelog.broker.partition import Partition
from tidelog.log.errors import WouldBlock
from tidelog.log.lookup import TimestampOffset
from tidelog.log.txn_index import AbortedTxn
from tidelog.protocol.errors import ErrorCode
from tidelog.tier.manifest import Manifest, agreed_end
from tidelog.tier.metadata import RemoteMetadata
from tidelog.tier.reader import RemoteReader
from tidelog.tier.segments import RemoteSegment, TopicIdPartition

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
NO_OFFSET = -1


def place_of(partition: Partition) -> TopicIdPartition:
    return TopicIdPartition(partition.topic_id, partition.index, partition.topic)


class RemoteReads:
    def __init__(self, broker: Broker, metadata: RemoteMetadata, reader: RemoteReader) -> None:
        self._broker = broker
        self._metadata = metadata
        self.reader = reader
        self.fetches = 0

    # fetches

    def read_all(self, asks: Sequence[Ask], max_bytes: int, found: int, committed: bool, wait: bool) -> int:
        """Answers what it can of the asks that need remote storage from what is here; gives how much was found."""
        for ask in asks:
            if ask.far:
                ask.blocked = not self._read(ask, min(ask.max_bytes, max_bytes - found), found == 0, committed, wait)
                found += ask.records.length if ask.records is not None else 0
        return found

    def _read(self, ask: Ask, limit: int, min_one: bool, committed: bool, wait: bool) -> bool:
        """False when something has to be brought here first."""
        partition, offset = ask.partition, ask.fetch_offset
        assert partition is not None
        manifest = self._metadata.manifest(place_of(partition))
        epochs = partition.log.epochs
        segment = manifest.find(offset, epochs) if manifest is not None else None
        if manifest is None or segment is None:
            return False
        if limit <= 0 and not min_one:
            ask.aborted = [] if committed else None
            return True
        end = agreed_end(segment, epochs)
        upper = end + 1 if end < segment.end_offset else None
        aborted = self._aborted(partition, manifest, segment, offset) if committed else None
        if committed and aborted is None:
            return False
        try:
            ask.records = self.reader.cached(segment, offset, limit, min_one, not wait, upper)
        except WouldBlock:
            return False
        ask.aborted = aborted
        ask.far = ask.records is None
        return ask.records is not None

    def _aborted(
        self, partition: Partition, manifest: Manifest, segment: RemoteSegment, offset: int
    ) -> list[AbortedTxn] | None:
        upper = self.reader.behind(segment, offset)
        found: dict[tuple[int, int], AbortedTxn] = {}
        for each in _with_transactions(manifest, partition, offset):
            some = self.reader.aborted_cached(each, offset, upper)
            if some is None:
                return None
            found |= {(txn.producer_id, txn.first_offset): txn for txn in some[0]}
            if some[1]:
                return sorted(found.values(), key=_first_offset)
        for local in partition.log.segments:
            some = local.txn_index.overlapping(offset, upper)
            found |= {(txn.producer_id, txn.first_offset): txn for txn in some[0]}
            if some[1]:
                break
        return sorted(found.values(), key=_first_offset)

    async def load(self, asks: Sequence[Ask], committed: bool, is_enough: bool) -> dict[Ask, ErrorCode]:
        """Brings here what the asks need; gives those that failed. With enough for an answer it only begins to."""
        far = [ask for ask in asks if ask.far and ask.partition is not None]
        self.fetches += len(far)
        failed: dict[Ask, ErrorCode] = {}
        tasks = [self._broker.spawn(self._load(ask, committed, failed)) for ask in far]
        if not is_enough:
            await asyncio.wait(
                tasks,
                timeout=self._broker.config.remote_fetch_max_wait_ms / 1000,
                return_when=asyncio.FIRST_COMPLETED,
            )
        return failed

    async def _load(self, ask: Ask, committed: bool, failed: dict[Ask, ErrorCode]) -> None:
        partition, offset = ask.partition, ask.fetch_offset
        assert partition is not None
        epochs = partition.log.epochs
        try:
            manifest = self._metadata.manifest(place_of(partition)) or await self._metadata.refresh(place_of(partition))
            segment = manifest.find(offset, epochs) if manifest is not None else None
            if manifest is None or segment is None:
                failed[ask] = self._not_there(partition, offset, manifest)
                return
            await self.reader.load(segment, offset)
            if committed:
                upper = self.reader.behind(segment, offset)
                for each in _with_transactions(manifest, partition, offset):
                    if (await self.reader.aborted(each, offset, upper))[1]:
                        break
        except OSError as error:
            LOG.warning("%s-%d cannot be read at offset %d now: %s", partition.topic, partition.index, offset, error)
            failed[ask] = ErrorCode.KAFKA_STORAGE_ERROR

    def _not_there(self, partition: Partition, offset: int, manifest: Manifest | None) -> ErrorCode:
        """The log may have moved on meanwhile; else the metadata is not read yet, or something is lost."""
        if offset < partition.log.log_start_offset:
            return ErrorCode.OFFSET_OUT_OF_RANGE
        if manifest is not None:
            LOG.error("%s-%d: no remote segment holds offset %d", partition.topic, partition.index, offset)
        return ErrorCode.KAFKA_STORAGE_ERROR

    # lookups

    async def look_up(self, partition: Partition, timestamp: int) -> TimestampOffset | None:
        """The same with a limit of time: TimeoutError."""
        task = asyncio.get_running_loop().create_task(self.offset_for_timestamp(partition, timestamp))
        await asyncio.wait([task], timeout=self._broker.config.remote_list_offsets_request_timeout_ms / 1000)
        if not task.done():
            task.cancel()
            raise TimeoutError
        return task.result()

    async def offset_for_timestamp(self, partition: Partition, timestamp: int) -> TimestampOffset | None:
        """The first record not before `timestamp` among those that are not on local disk."""
        log = partition.log
        offset, local_start = log.log_start_offset, log.local_start_offset
        if offset >= local_start:
            return None
        manifest = self._metadata.manifest(place_of(partition)) or await self._metadata.refresh(place_of(partition))
        segment = manifest.find(offset, log.epochs) if manifest is not None else None
        if manifest is None or segment is None:
            raise OSError(f"the remote segments of {partition.topic}-{partition.index} are not known yet")
        while segment is not None and offset < local_start:
            if segment.max_timestamp_ms >= timestamp:
                found = await self.reader.offset_for_timestamp(
                    segment, timestamp, offset, log.config.inflated_bytes_max
                )
                if found is not None and found.offset < local_start:
                    return found
            offset = agreed_end(segment, log.epochs) + 1
            segment = manifest.find(offset, log.epochs)
        return None

    def known(self, partition: Partition) -> Manifest | None:
        return self._metadata.manifest(place_of(partition))

    def latest_tiered(self, partition: Partition) -> int:
        """The last offset that can be read remotely, or -1."""
        manifest = self._metadata.manifest(place_of(partition))
        if manifest is None:
            return NO_OFFSET
        epochs = partition.log.epochs
        ends = (agreed_end(each, epochs) for each in manifest.live if agreed_end(each, epochs) >= each.start_offset)
        return max(ends, default=NO_OFFSET)


def _with_transactions(manifest: Manifest, partition: Partition, offset: int) -> list[RemoteSegment]:
    """Segments from `offset` on that hold ends of aborted transactions."""
    epochs = partition.log.epochs
    return [
        each
        for each in manifest.live
        if not each.txn_index_empty and each.end_offset >= offset and agreed_end(each, epochs) >= each.start_offset
    ]


def _first_offset(txn: AbortedTxn) -> int:
    return txn.first_offset
