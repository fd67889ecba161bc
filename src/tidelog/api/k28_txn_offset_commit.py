"""TxnOffsetCommit (28), versions 0 to 5: a group's positions, visible only when the producer's transaction commits.

Up to version 4 the transaction must already hold the group's partition (AddOffsetsToTxn); from version 5 on it is added
here. From version 3 on the group's member and generation are checked, which fences a consumer that was replaced.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.coordinators import OFFSETS_TOPIC
from tidelog.coordinator.group.values import Committer, Position
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)

IMPLICIT_FROM = 5


@api(TxnOffsetCommitRequest)
async def handle(broker: Broker, context: RequestContext, request: TxnOffsetCommitRequest) -> TxnOffsetCommitResponse:
    topics = broker.metadata.image.topics
    positions = [
        Position(
            topic.name,
            each.partition_index,
            each.committed_offset,
            each.committed_leader_epoch,
            each.committed_metadata,
        )
        for topic in request.topics
        for each in topic.partitions
        if topics.has(topic.name, each.partition_index)
    ]
    codes: list[ErrorCode] = []
    if positions:
        try:
            codes = await _commit(broker, request, positions, add=context.version >= IMPLICIT_FROM)
        except KafkaError as error:
            codes = [error.code] * len(positions)
    found = iter(codes)
    missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return TxnOffsetCommitResponse(
        topics=[
            TxnOffsetCommitResponseTopic(
                name=topic.name,
                partitions=[
                    TxnOffsetCommitResponsePartition(
                        partition_index=each.partition_index,
                        error_code=int(next(found) if topics.has(topic.name, each.partition_index) else missing),
                    )
                    for each in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


async def _commit(
    broker: Broker, request: TxnOffsetCommitRequest, positions: list[Position], add: bool
) -> list[ErrorCode]:
    if not request.group_id:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID)
    index = await broker.coordinators.partition_of(OFFSETS_TOPIC, request.group_id)
    partition = broker.partitions.get(OFFSETS_TOPIC, index)
    producer = (request.producer_id, request.producer_epoch)
    if partition is None:
        raise KafkaError(ErrorCode.NOT_COORDINATOR)
    if not broker.transactions.is_verified(partition, producer):
        verified = await broker.transactions.verify(request.transactional_id, producer, [partition], add)
        code = verified[OFFSETS_TOPIC, index]
        if code is ErrorCode.PRODUCER_FENCED:
            code = ErrorCode.INVALID_PRODUCER_EPOCH  # what a client of this request may abort and go on after
        if code:
            raise KafkaError(code)
    committer = Committer(request.generation_id, request.member_id, request.group_instance_id, *producer)
    codes: list[ErrorCode] = await ask_group(
        broker,
        request.group_id,
        lambda shard, token, now: shard.commit_offsets(token, request.group_id, committer, positions, -1, now),
    )
    return codes
