"""DeleteRecords (21), versions 0 to 2: readers see nothing before an offset any more; -1 means the high watermark.

Only the start of the log moves; whole segments before it go with the next retention check. Refused for internal topics
and for topics that are only compacted. Left out: waiting for the followers' logs, which come with replication.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.delete_records import (
    DeleteRecordsPartitionResult,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)

HIGH_WATERMARK = -1


@api(DeleteRecordsRequest)
def handle(broker: Broker, context: RequestContext, request: DeleteRecordsRequest) -> DeleteRecordsResponse:
    return DeleteRecordsResponse(
        topics=[
            DeleteRecordsTopicResult(
                name=topic.name,
                partitions=[
                    _delete(broker, topic.name, each.partition_index, each.offset) for each in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def _delete(broker: Broker, topic: str, index: int, offset: int) -> DeleteRecordsPartitionResult:
    try:
        partition = broker.leading(topic, index)
        if partition.is_internal:
            raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION)
        low_watermark = partition.delete_records(None if offset == HIGH_WATERMARK else offset)
    except KafkaError as error:
        return DeleteRecordsPartitionResult(partition_index=index, low_watermark=-1, error_code=int(error.code))
    return DeleteRecordsPartitionResult(partition_index=index, low_watermark=low_watermark)
