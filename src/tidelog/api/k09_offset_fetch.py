"""OffsetFetch (9), versions 1 to 10: the committed positions of one group, from version 8 on of several.

No topics named means all. With `require_stable`, a position that an open transaction may still replace is answered with
UNSTABLE_OFFSET_COMMIT. From version 10 on topics go by id.
"""

from __future__ import annotations

from collections.abc import Iterable

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.coordinator.group.offset_requests import Fetched
from tidelog.coordinator.group.values import TopicPartition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)

GROUPS_FROM = 8
IDS_FROM = 10


@api(OffsetFetchRequest)
async def handle(broker: Broker, context: RequestContext, request: OffsetFetchRequest) -> OffsetFetchResponse:
    if context.version >= GROUPS_FROM:
        groups = [
            await _group(broker, each, request.require_stable, context.version >= IDS_FROM) for each in request.groups
        ]
        return OffsetFetchResponse(groups=groups)
    topics = None
    if request.topics is not None:
        topics = [
            OffsetFetchRequestTopics(name=each.name, partition_indexes=each.partition_indexes)
            for each in request.topics
        ]
    only = OffsetFetchRequestGroup(group_id=request.group_id, topics=topics)
    return _of_one_group(await _group(broker, only, request.require_stable, False), context.version)


def _of_one_group(group: OffsetFetchResponseGroup, version: int) -> OffsetFetchResponse:
    return OffsetFetchResponse(
        error_code=group.error_code,
        topics=[
            OffsetFetchResponseTopic(
                name=topic.name,
                partitions=[
                    OffsetFetchResponsePartition(
                        partition_index=each.partition_index,
                        committed_offset=each.committed_offset,
                        committed_leader_epoch=each.committed_leader_epoch,
                        metadata=each.metadata,
                        error_code=each.error_code if version >= 2 else each.error_code or group.error_code,
                    )
                    for each in topic.partitions
                ],
            )
            for topic in group.topics
        ],
    )


async def _group(
    broker: Broker, wanted: OffsetFetchRequestGroup, require_stable: bool, by_id: bool
) -> OffsetFetchResponseGroup:
    named, unknown = _named(broker, wanted, by_id)
    try:
        found: list[Fetched] = await ask_group(
            broker,
            wanted.group_id,
            lambda shard, token, _: shard.fetch_offsets(
                token, wanted.group_id, named, require_stable, wanted.member_id, wanted.member_epoch
            ),
            unnamed=True,
        )
    except KafkaError as error:
        return OffsetFetchResponseGroup(group_id=wanted.group_id, error_code=int(error.code))
    return OffsetFetchResponseGroup(group_id=wanted.group_id, topics=_topics(broker, found, by_id) + unknown)


def _named(
    broker: Broker, wanted: OffsetFetchRequestGroup, by_id: bool
) -> tuple[list[TopicPartition] | None, list[OffsetFetchResponseTopics]]:
    """What to look up, and the answers for ids that belong to no topic."""
    if wanted.topics is None:
        return None, []
    named: list[TopicPartition] = []
    unknown = []
    for topic in wanted.topics:
        known = broker.metadata.image.topics.by_id.get(topic.topic_id) if by_id else None
        if by_id and known is None:
            missing = [Fetched("", each, None, ErrorCode.UNKNOWN_TOPIC_ID) for each in topic.partition_indexes]
            partitions = [_partition(each) for each in missing]
            unknown.append(OffsetFetchResponseTopics(topic_id=topic.topic_id, partitions=partitions))
            continue
        name = known.name if known is not None else topic.name
        named += [(name, each) for each in topic.partition_indexes]
    return named, unknown


def _topics(broker: Broker, found: Iterable[Fetched], by_id: bool) -> list[OffsetFetchResponseTopics]:
    topics: dict[str, list[OffsetFetchResponsePartitions]] = {}
    for each in found:
        topics.setdefault(each.topic, []).append(_partition(each))
    if not by_id:
        return [OffsetFetchResponseTopics(name=name, partitions=each) for name, each in topics.items()]
    ids = broker.metadata.image.topics.ids
    return [
        OffsetFetchResponseTopics(topic_id=ids[name], partitions=each) for name, each in topics.items() if name in ids
    ]


def _partition(found: Fetched) -> OffsetFetchResponsePartitions:
    offset = found.offset
    if offset is None:
        return OffsetFetchResponsePartitions(
            partition_index=found.partition, committed_offset=-1, metadata="", error_code=int(found.error)
        )
    return OffsetFetchResponsePartitions(
        partition_index=found.partition,
        committed_offset=offset.offset,
        committed_leader_epoch=offset.leader_epoch,
        metadata=offset.metadata,
    )
