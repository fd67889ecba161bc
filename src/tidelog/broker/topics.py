"""Topics that belong to the broker, and the creation of topics that a client merely asks about."""

from __future__ import annotations

from collections.abc import Sequence

from tidelog.controller.topics import create_topics
from tidelog.protocol.messages.create_topics import CreatableTopic, CreateTopicsRequest
from tidelog.runtime.metadata import MetadataRuntime

INTERNAL = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})


def is_internal(name: str) -> bool:
    return name in INTERNAL


async def auto_create(metadata: MetadataRuntime, names: Sequence[str]) -> None:
    """Creates topics with the default counts; one that cannot be created is simply still missing afterwards."""
    request = CreateTopicsRequest(
        topics=[CreatableTopic(name=name, num_partitions=-1, replication_factor=-1) for name in names]
    )
    await metadata.submit(lambda image, environment: create_topics(image, environment, request))
