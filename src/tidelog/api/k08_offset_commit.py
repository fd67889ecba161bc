"""OffsetCommit (8), versions 2 to 10: stores the positions of a group, of a member or of one that assigns by hand.

Topics by name, from version 10 on by id. A topic that does not exist is refused by itself; a mistake of the member
(generation, id, a rebalance under way) refuses every partition alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.coordinator.group.values import Committer, Position
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)

IDS_FROM = 10


Places = dict[tuple[int, int], ErrorCode]


@api(OffsetCommitRequest)
async def handle(broker: Broker, context: RequestContext, request: OffsetCommitRequest) -> OffsetCommitResponse:
    positions, unknown = _positions(broker, request, context.version)
    committer = Committer(
        request.generation_id_or_member_epoch,
        request.member_id,
        request.group_instance_id,
        api_version=context.version,
    )
    codes: list[ErrorCode] = []
    if positions or not unknown:
        try:
            codes = await ask_group(
                broker,
                request.group_id,
                lambda shard, token, now: shard.commit_offsets(
                    token, request.group_id, committer, positions, request.retention_time_ms, now
                ),
            )
        except KafkaError as error:
            codes = [error.code] * len(positions)
    return _response(request, iter(codes), unknown)


def _positions(broker: Broker, request: OffsetCommitRequest, version: int) -> tuple[list[Position], Places]:
    """The positions in partitions that exist, and for every other place in the request what is wrong with it."""
    topics = broker.metadata.image.topics
    by_id = version >= IDS_FROM
    positions: list[Position] = []
    unknown: Places = {}
    for number, topic in enumerate(request.topics):
        known = topics.by_id.get(topic.topic_id) if by_id else topics.get(topic.name)
        for place, each in enumerate(topic.partitions):
            if known is None:
                unknown[number, place] = ErrorCode.UNKNOWN_TOPIC_ID if by_id else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            elif not 0 <= each.partition_index < len(known.partitions):
                unknown[number, place] = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            else:
                positions.append(
                    Position(
                        known.name,
                        each.partition_index,
                        each.committed_offset,
                        each.committed_leader_epoch,
                        each.committed_metadata,
                        known.id,
                    )
                )
    return positions, unknown


def _response(request: OffsetCommitRequest, codes: Iterator[ErrorCode], unknown: Places) -> OffsetCommitResponse:
    return OffsetCommitResponse(
        topics=[
            OffsetCommitResponseTopic(
                name=topic.name,
                topic_id=topic.topic_id,
                partitions=[
                    OffsetCommitResponsePartition(
                        partition_index=each.partition_index,
                        error_code=int(unknown[number, place] if (number, place) in unknown else next(codes)),
                    )
                    for place, each in enumerate(topic.partitions)
                ],
            )
            for number, topic in enumerate(request.topics)
        ]
    )
