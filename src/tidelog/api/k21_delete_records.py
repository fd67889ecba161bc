"""DeleteRecords (21), versions 0 to 2: readers see nothing before an offset any more; -1 means the high watermark.

Only the start of the log moves; whole segments before it go with the next retention check. The answer waits until the
logs of all live replicas begin there, and says REQUEST_TIMED_OUT if they do not in time. Refused for internal topics
and for topics that are only compacted.
"""

from __future__ import annotations

import asyncio
from functools import partial

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.partition import Partition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.delete_records import (
    DeleteRecordsPartitionResult,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)
from tidelog.runtime.futures import settle

HIGH_WATERMARK = -1


@api(DeleteRecordsRequest)
async def handle(broker: Broker, context: RequestContext, request: DeleteRecordsRequest) -> DeleteRecordsResponse:
    timeout_ms = request.timeout_ms
    topics = [
        DeleteRecordsTopicResult(
            name=topic.name,
            partitions=await asyncio.gather(
                *(
                    _delete(broker, topic.name, each.partition_index, each.offset, timeout_ms)
                    for each in topic.partitions
                )
            ),
        )
        for topic in request.topics
    ]
    return DeleteRecordsResponse(topics=topics)


async def _delete(broker: Broker, topic: str, index: int, offset: int, timeout_ms: int) -> DeleteRecordsPartitionResult:
    try:
        partition = broker.leading(topic, index)
        if partition.is_internal:
            raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION)
        low_watermark = partition.delete_records(None if offset == HIGH_WATERMARK else offset)
        await _everywhere(broker, partition, low_watermark, timeout_ms)
    except KafkaError as error:
        return DeleteRecordsPartitionResult(partition_index=index, low_watermark=-1, error_code=int(error.code))
    return DeleteRecordsPartitionResult(partition_index=index, low_watermark=low_watermark)


async def _everywhere(broker: Broker, partition: Partition, low_watermark: int, timeout_ms: int) -> None:
    """Returns when the log of every live replica begins at `low_watermark` or behind it."""
    leader = partition.leader
    if leader is None or leader.low_watermark(partition.log_start_offset) >= low_watermark:
        return
    done: asyncio.Future[ErrorCode] = asyncio.get_running_loop().create_future()

    partition.low_watermark_waiters.append((low_watermark, partial(settle, done)))
    timer = broker.timers.after(timeout_ms / 1000, partial(settle, done, ErrorCode.REQUEST_TIMED_OUT))
    code = await done
    timer.cancel()
    if code:
        raise KafkaError(code)
