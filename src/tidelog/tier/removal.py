"""Removes everything remote of a partition whose topic was deleted.

The metadata topic keeps the state, so whoever comes after a crash goes on. Last of all goes what no record tells of:
objects that an interrupted copy left.
"""

from __future__ import annotations

import asyncio

from tidelog.tier.manifest import Manifest
from tidelog.tier.segments import PartitionState, SegmentState, partition_prefix
from tidelog.tier.updates import PartitionDeletion
from tidelog.tier.worker import Tier


async def remove_partition(tier: Tier, manifest: Manifest) -> None:
    """OSError or KafkaError when it has to be tried again."""
    if manifest.deletion is None:
        await _tell(tier, manifest, PartitionState.DELETE_MARKED)
    if manifest.deletion is PartitionState.DELETE_MARKED:
        await _tell(tier, manifest, PartitionState.DELETE_STARTED)
    for segment in list(manifest.segments.values()):
        if segment.state in (SegmentState.COPY_STARTED, SegmentState.COPY_FINISHED):
            await tier.metadata.publish(tier.update(segment, SegmentState.DELETE_STARTED))
        await tier.delete_objects(segment)
        await tier.metadata.publish(tier.update(segment, SegmentState.DELETE_FINISHED))
        tier.counters.deleted_segments += 1
    async with asyncio.timeout(tier.settings.request_timeout_s):
        left = await tier.store.list(partition_prefix(manifest.place))
        if left:
            await tier.store.delete([each.key for each in left])
    await _tell(tier, manifest, PartitionState.DELETE_FINISHED)


async def _tell(tier: Tier, manifest: Manifest, state: PartitionState) -> None:
    await tier.metadata.publish(PartitionDeletion(manifest.place, tier.settings.broker_id, tier.clock.now_ms(), state))
