"""Topics that belong to the broker, and the creation of topics that a client merely asks about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tidelog.controller.topics import create_topics
from tidelog.protocol.messages.create_topics import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

INTERNAL = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})


def is_internal(name: str) -> bool:
    return name in INTERNAL


async def create_internal(broker: Broker, name: str) -> None:
    """Creates a coordinator's topic with the settings the broker was given for it."""
    config = broker.config
    if name == "__consumer_offsets":
        partitions, replicas = config.offsets_topic_num_partitions, config.offsets_topic_replication_factor
        settings = {
            "segment.bytes": config.offsets_topic_segment_bytes,
            "cleanup.policy": "compact",
            "compression.type": "producer",
        }
    else:
        partitions = config.transaction_state_log_num_partitions
        replicas = config.transaction_state_log_replication_factor
        settings = {
            "segment.bytes": config.transaction_state_log_segment_bytes,
            "min.insync.replicas": config.transaction_state_log_min_isr,
            "cleanup.policy": "compact",
            "compression.type": "uncompressed",
            "unclean.leader.election.enable": "false",
        }
    topic = CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        configs=[CreatableTopicConfig(name=key, value=str(value)) for key, value in settings.items()],
    )
    await _create(broker, CreateTopicsRequest(topics=[topic]))


async def auto_create(broker: Broker, names: Sequence[str]) -> None:
    """Creates topics with the default counts; one that cannot be created is simply still missing afterwards."""
    request = CreateTopicsRequest(
        topics=[CreatableTopic(name=name, num_partitions=-1, replication_factor=-1) for name in names]
    )
    await _create(broker, request)


async def _create(broker: Broker, request: CreateTopicsRequest) -> None:
    """By the active controller, wherever it is; this node hears of the topic through the metadata log."""
    if broker.metadata.is_active or broker.controller is None:
        await broker.metadata.submit(lambda image, environment: create_topics(image, environment, request))
    else:
        await broker.controller.request(request, request.timeout_ms)
