"""Tiered storage of one broker: what it follows of the metadata topic, and the rounds of the partitions it leads.

Also removes what is left of deleted topics: that is the business of whoever leads the partition of the metadata topic
which tells of them, because the topic's own leaders are gone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition
from tidelog.broker.remote_reads import RemoteReads, place_of
from tidelog.broker.remote_topic import BrokerMetadataTopic
from tidelog.log.log import Log
from tidelog.ports import Disk, ObjectStore
from tidelog.protocol.errors import KafkaError
from tidelog.tier.chunks import ChunkCache
from tidelog.tier.manifest import Manifest
from tidelog.tier.metadata import RemoteMetadata
from tidelog.tier.reader import ReaderLimits, RemoteReader
from tidelog.tier.records import TOPIC
from tidelog.tier.removal import remove_partition
from tidelog.tier.segments import TopicIdPartition
from tidelog.tier.worker import Settings, Tier, Worker, adopt

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker
    from tidelog.config.broker_config import BrokerConfig

LOG = logging.getLogger(__name__)
CACHE_DIRECTORY = "remote-log-index-cache"
# A topic that this broker has never seen may be so new that only its metadata has not arrived here yet.
UNKNOWN_AGE_MS = 600_000


class _Led:
    """A hosted partition as the rounds see it."""

    def __init__(self, broker: Broker, partition: Partition) -> None:
        self._broker = broker
        self._partition = partition
        self.log: Log = partition.log

    @property
    def leader_epoch(self) -> int:
        partition = self._partition
        is_here = self._broker.partitions.get_by_id(partition.topic_id, partition.index) is partition
        return partition.leader_epoch if is_here and partition.leader is not None else -1

    @property
    def high_watermark(self) -> int:
        return self._partition.high_watermark

    @property
    def last_stable_offset(self) -> int:
        return self._partition.last_stable_offset


class RemoteStorage:
    def __init__(self, broker: Broker, store: ObjectStore, disk: Disk, new_id: Callable[[], bytes]) -> None:
        config = broker.config
        self._broker = broker
        self.store = store
        self.topic = BrokerMetadataTopic(broker)
        self.metadata = RemoteMetadata(self.topic)
        self.cache = ChunkCache(
            disk, broker.blocking, f"{config.metadata_directory}/{CACHE_DIRECTORY}", config.tidelog_remote_cache_bytes
        )
        self.reader = RemoteReader(store, self.cache, broker.clock, broker.blocking, _limits(config))
        self.reads = RemoteReads(broker, self.metadata, self.reader)
        self.tier = Tier(
            store, self.metadata, broker.clock, broker.blocking, new_id, _settings(config), self.reader.forget
        )
        self._workers: dict[Partition, tuple[Worker, asyncio.Task[None] | None]] = {}
        self._seen: set[bytes] = set()  # ids of tiered topics that were in the cluster's metadata
        self._task: asyncio.Task[None] | None = None
        self._awake = asyncio.Event()

    async def start(self) -> None:
        await self._broker.blocking.run(self.cache.open)
        self._task = asyncio.get_running_loop().create_task(self._run())

    def wake(self) -> None:
        """Something changed: the next round comes at once."""
        self._awake.set()

    async def _run(self) -> None:
        interval_s = self._broker.config.remote_log_manager_task_interval_ms / 1000
        while True:
            try:
                await self.round()
            except (OSError, KafkaError) as error:
                LOG.warning("tiered storage tries again later: %s", error)
            try:
                async with asyncio.timeout(interval_s):
                    await self._awake.wait()
            except TimeoutError:
                pass
            self._awake.clear()

    async def round(self) -> None:
        """Begins what is due for every tiered partition; none waits for another."""
        tiered = [each for each in self._broker.partitions if _is_tiered(each)]
        if self.topic.partition_count() is None:
            if tiered:
                await self.topic.create()
            return
        self._follow(tiered)
        for partition in list(self._workers):
            if partition not in tiered:
                del self._workers[partition]
        for partition in tiered:
            if partition.leader is not None:
                self._begin(partition)
            else:
                self._adopt(partition)
        await self._remove_deleted()

    def _follow(self, tiered: list[Partition]) -> None:
        wanted = {self.metadata.number_of(place_of(each)) for each in tiered}
        led = self._broker.partitions.by_name.get(TOPIC, {})
        wanted |= {number for number, each in led.items() if each.leader is not None}
        self.metadata.follow(sorted(number for number in wanted if number is not None))

    def _begin(self, partition: Partition) -> None:
        worker, task = self._workers.get(partition) or (
            Worker(self.tier, place_of(partition), _Led(self._broker, partition)),
            None,
        )
        if task is None or task.done():
            self._workers[partition] = (worker, self._broker.spawn(self._work(worker, partition)))

    async def _work(self, worker: Worker, partition: Partition) -> None:
        try:
            await worker.round()
        except (OSError, KafkaError, TimeoutError) as error:
            LOG.warning(
                "remote work for %s-%d is tried again later: %s", partition.topic, partition.index, error or "timeout"
            )

    def _adopt(self, partition: Partition) -> None:
        """A follower lets go of local files by the same rule as its leader."""
        manifest = self.metadata.manifest(place_of(partition))
        if manifest is not None and partition.log.offline is None:
            adopt(partition.log, manifest)

    async def _remove_deleted(self) -> None:
        """Of topics that the cluster no longer has, where this broker leads the metadata that tells of them."""
        image = self._broker.metadata.image
        before_ms = self._broker.clock.now_ms() - UNKNOWN_AGE_MS
        for number, partition in sorted(self._broker.partitions.by_name.get(TOPIC, {}).items()):
            if partition.leader is None:
                continue
            for manifest in self.metadata.manifests(number):
                topic_id = manifest.place.topic_id
                if image.topics.by_id.get(topic_id) is not None:
                    self._seen.add(topic_id)
                elif not manifest.segments and manifest.deletion is None:
                    continue
                elif topic_id in self._seen or manifest.last_event_ms < before_ms:
                    await self._remove(manifest)

    async def _remove(self, manifest: Manifest) -> None:
        try:
            await remove_partition(self.tier, manifest)
        except (OSError, KafkaError, TimeoutError) as error:
            LOG.warning("what is left of %s is removed later: %s", manifest.place.topic, error)

    def manifest(self, place: TopicIdPartition) -> Manifest | None:
        return self.metadata.manifest(place)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.metadata.close()
        await self.reader.close()


def _is_tiered(partition: Partition) -> bool:
    config = partition.log.config
    return config.remote_storage or (config.remote_delete_on_disable and partition.topic != TOPIC)


def _limits(config: BrokerConfig) -> ReaderLimits:
    return ReaderLimits(
        concurrent=config.remote_log_reader_threads,
        pending=config.remote_log_reader_max_pending_tasks,
        read_ahead=config.tidelog_remote_read_ahead_chunks,
        timeout_s=config.tidelog_remote_request_timeout_ms / 1000,
        bytes_per_second=config.remote_log_manager_fetch_max_bytes_per_second,
    )


def _settings(config: BrokerConfig) -> Settings:
    return Settings(
        broker_id=config.node_id,
        chunk_bytes=config.tidelog_remote_chunk_bytes,
        verify=config.tidelog_remote_verify_uploads,
        request_timeout_s=config.tidelog_remote_request_timeout_ms / 1000,
        copy_bytes_per_second=config.remote_log_manager_copy_max_bytes_per_second,
        copies=config.remote_log_manager_copier_thread_pool_size,
        deletions=config.remote_log_manager_expiration_thread_pool_size,
    )
