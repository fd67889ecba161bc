"""Holds the object store against the metadata: every segment complete and unchanged, nothing that nobody knows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from crc32c import crc32c

from tidelog.ports import ObjectStore
from tidelog.tier.companion import Aux, DamagedObject
from tidelog.tier.manifest import Manifest
from tidelog.tier.segments import RemoteSegment, id_of_key, partition_prefix


class Finding(NamedTuple):
    topic: str
    partition: int
    start_offset: int
    end_offset: int
    problem: str  # empty for a segment that is as it should be


async def audit(store: ObjectStore, manifests: Sequence[Manifest], deep: bool = True) -> AsyncIterator[Finding]:
    """A finding for each live segment and for each object too many. `deep` reads every byte."""
    for manifest in manifests:
        place = manifest.place
        for segment in manifest.live:
            problem = await check_segment(store, segment, deep)
            yield Finding(place.topic, place.partition, segment.start_offset, segment.end_offset, problem)
        for stored in await store.list(partition_prefix(place)):
            identity = id_of_key(stored.key)
            known = manifest.segments.get(identity) if identity is not None else None
            if known is None:
                yield Finding(place.topic, place.partition, -1, -1, f"{stored.key} belongs to no known segment")


async def check_segment(store: ObjectStore, segment: RemoteSegment, deep: bool) -> str:
    """What is wrong with it, as a sentence; empty when nothing is."""
    checks = segment.checks
    if checks is None:
        return "it was copied by another kind of node, which left no checksums"
    try:
        size = (await store.head(segment.log_key)).size
        if size != segment.size_bytes:
            return f"{segment.log_key} has {size} bytes, and should have {segment.size_bytes}"
        data = await store.get_range(segment.aux_key, 0, checks.aux_bytes)
        if len(data) != checks.aux_bytes or crc32c(data) != checks.aux_crc:
            return f"the checksum of {segment.aux_key} does not fit"
        aux = Aux(data, segment.start_offset)
        for chunk in aux.chunks if deep else ():
            part = await store.get_range(segment.log_key, chunk.position, chunk.length)
            if len(part) != chunk.length or crc32c(part) != chunk.crc:
                return f"the checksum of {segment.log_key} at position {chunk.position} does not fit"
    except (FileNotFoundError, DamagedObject) as error:
        return str(error)
    return ""
