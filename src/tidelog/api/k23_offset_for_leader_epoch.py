"""OffsetForLeaderEpoch (23), versions 2 to 4: where a leader's reign ended, for readers that check their position.

The answer is the largest epoch known that is not past the one asked for, and the offset behind its last record.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.offset_for_leader_epoch import (
    EpochEndOffset,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopicResult,
)


@api(OffsetForLeaderEpochRequest)
def handle(
    broker: Broker, context: RequestContext, request: OffsetForLeaderEpochRequest
) -> OffsetForLeaderEpochResponse:
    return OffsetForLeaderEpochResponse(
        topics=[
            OffsetForLeaderTopicResult(
                topic=topic.topic, partitions=[_answer(broker, topic.topic, each) for each in topic.partitions]
            )
            for topic in request.topics
        ]
    )


def _answer(broker: Broker, topic: str, wanted: OffsetForLeaderPartition) -> EpochEndOffset:
    answer = EpochEndOffset(partition=wanted.partition)
    try:
        partition = broker.leading(topic, wanted.partition)
        answer.error_code = int(partition.check_epoch(wanted.current_leader_epoch))
        if not answer.error_code:
            log = partition.log
            found = log.epochs.end_offset_for(wanted.leader_epoch, log.log_end_offset)
            answer.leader_epoch, answer.end_offset = found
    except KafkaError as error:
        answer.error_code = int(error.code)
    return answer
