"""Metadata (3), versions 0 to 13: brokers, topics and partitions as this broker knows them.

All topics for a null list (version 0: an empty one), topics by name or, from version 12, by id. A missing topic is
created when the request and auto.create.topics.enable allow it; the answer then says LEADER_NOT_AVAILABLE or, since a
single node creates at once, the topic itself. Only brokers with an endpoint on the listener of the request are named.
Without an authorizer every operation is allowed. When the process of a leader that is asked for has just ended, the
answer waits a moment for the next leader, and then names none: a client that is sent to a dead leader may ask again
only a second later. It may ask before this broker has heard of that end, so an answer that names other brokers as
leaders of given topics comes a few milliseconds late. A broker that was fenced is listed for three more seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Set

from tidelog.api.context import RequestContext
from tidelog.api.leaders import controller_for_clients
from tidelog.api.operations import CLUSTER_OPERATIONS, TOPIC_OPERATIONS
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.topics import auto_create, is_internal
from tidelog.controller.topic_names import check_topic_name
from tidelog.metadata.cluster import Broker as BrokerImage
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import NO_LEADER
from tidelog.metadata.partition import Partition as PartitionImage
from tidelog.metadata.topics import Topic
from tidelog.model.uuids import ZERO
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.metadata import (
    MetadataRequest,
    MetadataRequestTopic,
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

IDS_FROM = 12
NOT_ASKED = -(2**31)
# How long an answer waits for the next leader, and how often it looks. Fencing and election take a fifth of it.
NEXT_LEADER_MS = 300
LOOK_MS = 5
# A process that ends closes one connection after the other: so long after the first, the others are closed as well.
SETTLE_MS = 5


@api(MetadataRequest)
async def handle(broker: Broker, context: RequestContext, request: MetadataRequest) -> MetadataResponse:
    wanted = request.topics
    if context.version < IDS_FROM and any(each.name is None or each.topic_id != ZERO for each in wanted or ()):
        return _ids_too_early(wanted or [])
    if not broker.doubtful and _names_other_leaders(broker, wanted):
        await asyncio.sleep(SETTLE_MS / 1000)
    if broker.doubtful:
        await _wait_for_leaders(broker, wanted)
    if wanted is None or (context.version == 0 and not wanted):
        image = broker.metadata.image
        topics = [
            describe(image, image.topics.by_id[topic_id], request, broker.doubtful)
            for _, topic_id in sorted(image.topics.ids.items())
        ]
    else:
        if request.allow_auto_topic_creation and broker.config.auto_create_topics_enable:
            await _create_missing(broker, wanted)
        image = broker.metadata.image
        topics = [_topic(image, each, request, broker.doubtful) for each in _distinct(wanted)]
    listener = context.connection.listener_name
    endpoints = [(each, each.endpoint(listener)) for each in _listed(image, broker)]
    return MetadataResponse(
        brokers=[
            MetadataResponseBroker(node_id=each.id, host=endpoint[0], port=endpoint[1], rack=each.rack)
            for each, endpoint in endpoints
            if endpoint is not None
        ],
        cluster_id=broker.metadata.cluster_id,
        controller_id=controller_for_clients(broker),
        topics=topics,
        cluster_authorized_operations=(
            CLUSTER_OPERATIONS if request.include_cluster_authorized_operations else NOT_ASKED
        ),
    )


async def _wait_for_leaders(broker: Broker, wanted: list[MetadataRequestTopic] | None) -> None:
    deadline_ms = broker.clock.monotonic_ms() + NEXT_LEADER_MS
    while broker.clock.monotonic_ms() < deadline_ms and _is_leader_doubtful(broker, wanted):
        await asyncio.sleep(LOOK_MS / 1000)


def _is_leader_doubtful(broker: Broker, wanted: list[MetadataRequestTopic] | None) -> bool:
    """Whether the answer would have to leave a leader out; all topics are not looked through for that."""
    doubtful = broker.doubtful
    if not doubtful or wanted is None:
        return bool(doubtful)
    return any(partition.leader in doubtful for partition in _partitions(broker, wanted))


def _names_other_leaders(broker: Broker, wanted: list[MetadataRequestTopic] | None) -> bool:
    return any(partition.leader not in (broker.node_id, NO_LEADER) for partition in _partitions(broker, wanted or []))


def _partitions(broker: Broker, wanted: list[MetadataRequestTopic]) -> Iterator[PartitionImage]:
    topics = broker.metadata.image.topics
    for each in wanted:
        topic = topics.get(each.name) if each.name else topics.by_id.get(each.topic_id)
        if topic is not None:
            yield from topic.partitions


def _listed(image: MetadataImage, broker: Broker) -> list[BrokerImage]:
    """Brokers that live, or lived a moment ago."""
    departed, now_ms = broker.departed, broker.clock.monotonic_ms()
    if not departed:
        return list(image.cluster.live_brokers())
    known = sorted(image.cluster.brokers.items())
    return [each for broker_id, each in known if not each.fenced or now_ms < departed.get(broker_id, 0)]


def _ids_too_early(wanted: list[MetadataRequestTopic]) -> MetadataResponse:
    """Topics can be asked for by id from version 12 on only; before, the whole request is refused."""
    return MetadataResponse(
        topics=[
            MetadataResponseTopic(
                error_code=int(ErrorCode.INVALID_REQUEST), name=each.name or "", topic_id=each.topic_id
            )
            for each in wanted
        ]
    )


def _is_legal(name: str) -> bool:
    try:
        check_topic_name(name)
    except KafkaError:
        return False
    return True


def _distinct(wanted: list[MetadataRequestTopic]) -> list[MetadataRequestTopic]:
    return list({(each.name, each.topic_id): each for each in wanted}.values())


async def _create_missing(broker: Broker, wanted: list[MetadataRequestTopic]) -> None:
    known = broker.metadata.image.topics
    missing = [each.name for each in wanted if each.name and known.get(each.name) is None and _is_legal(each.name)]
    if missing:
        await auto_create(broker, missing)


def _topic(
    image: MetadataImage, wanted: MetadataRequestTopic, request: MetadataRequest, doubtful: Set[int]
) -> MetadataResponseTopic:
    if wanted.name is None or wanted.topic_id != ZERO:  # the Java client leaves the name empty beside an id
        topic = image.topics.by_id.get(wanted.topic_id)
        if topic is None:
            return MetadataResponseTopic(error_code=ErrorCode.UNKNOWN_TOPIC_ID, name=None, topic_id=wanted.topic_id)
        return describe(image, topic, request, doubtful)
    topic = image.topics.get(wanted.name)
    if topic is None:
        legal = _is_legal(wanted.name)
        code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if legal else ErrorCode.INVALID_TOPIC_EXCEPTION
        return MetadataResponseTopic(
            error_code=code, name=wanted.name, topic_id=ZERO, is_internal=is_internal(wanted.name)
        )
    return describe(image, topic, request, doubtful)


def describe(image: MetadataImage, topic: Topic, request: MetadataRequest, doubtful: Set[int]) -> MetadataResponseTopic:
    brokers = image.cluster.brokers
    return MetadataResponseTopic(
        name=topic.name,
        topic_id=topic.id,
        is_internal=is_internal(topic.name),
        partitions=[
            _partition(
                index, partition, [each for each in partition.replicas if not _is_alive(brokers, each)], doubtful
            )
            for index, partition in enumerate(topic.partitions)
        ],
        topic_authorized_operations=TOPIC_OPERATIONS if request.include_topic_authorized_operations else NOT_ASKED,
    )


def _is_alive(brokers: object, broker_id: int) -> bool:
    found = brokers.get(broker_id)  # type: ignore[attr-defined]
    return found is not None and not found.fenced


def _partition(
    index: int, partition: PartitionImage, offline: list[int], doubtful: Set[int]
) -> MetadataResponsePartition:
    leader = partition.leader
    if leader in offline or leader in doubtful:
        leader = NO_LEADER
    return MetadataResponsePartition(
        error_code=ErrorCode.LEADER_NOT_AVAILABLE if leader == NO_LEADER else ErrorCode.NONE,
        partition_index=index,
        leader_id=leader,
        leader_epoch=partition.leader_epoch,
        replica_nodes=list(partition.replicas),
        isr_nodes=list(partition.isr),
        offline_replicas=offline,
    )
