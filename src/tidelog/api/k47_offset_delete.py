"""OffsetDelete (47), version 0: forgets the positions of a group in topics that none of its members subscribes to."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)


@api(OffsetDeleteRequest)
async def handle(broker: Broker, context: RequestContext, request: OffsetDeleteRequest) -> OffsetDeleteResponse:
    topics = broker.metadata.image.topics
    named = [
        (topic.name, each.partition_index)
        for topic in request.topics
        for each in topic.partitions
        if topics.has(topic.name, each.partition_index)
    ]
    error, codes = await ask_group(
        broker, request.group_id, lambda shard, token, _: shard.delete_offsets(token, request.group_id, named)
    )
    if error:
        return OffsetDeleteResponse(error_code=int(error))
    missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return OffsetDeleteResponse(
        topics=[
            OffsetDeleteResponseTopic(
                name=topic.name,
                partitions=[
                    OffsetDeleteResponsePartition(
                        partition_index=each.partition_index,
                        error_code=int(codes.get((topic.name, each.partition_index), missing)),
                    )
                    for each in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )
