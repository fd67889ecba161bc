"""ListOffsets (2), versions 1 to 11: the offset for a timestamp, or for one of the special ones.

-1 the end a reader may see, -2 the start, -3 the record with the largest timestamp, -4 the local start, -5 the last
offset in tiered storage, -6 the first that is still to be tiered. Without tiered storage -4 is the start and -5 and -6
answer offset -1. A timestamp lookup reads batches, so it runs in a thread;
what lies before the local start is looked up in remote storage first. A leader that was just elected does not know
yet how far its predecessor had committed: until its high watermark reaches the start of its reign, a consumer that asks
for the end is told to ask again, so that it never sees the end go back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.fetching import READ_COMMITTED
from tidelog.broker.partition import Partition
from tidelog.log.lookup import TimestampOffset
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsPartitionResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)

LATEST, EARLIEST, MAX_TIMESTAMP, EARLIEST_LOCAL, LATEST_TIERED, EARLIEST_PENDING_UPLOAD = -1, -2, -3, -4, -5, -6
# The first version in which a special timestamp may be asked for.
SINCE = {MAX_TIMESTAMP: 7, EARLIEST_LOCAL: 8, LATEST_TIERED: 9, EARLIEST_PENDING_UPLOAD: 11}
NOTHING = (-1, -1)
EPOCHS_FROM = 4
NOT_AVAILABLE_FROM = 5
CONSUMERS = (-1, -2)


@api(ListOffsetsRequest)
async def handle(broker: Broker, context: RequestContext, request: ListOffsetsRequest) -> ListOffsetsResponse:
    response = ListOffsetsResponse()
    for topic in request.topics:
        counts = Counter(each.partition_index for each in topic.partitions)
        answers = {}
        for wanted in topic.partitions:
            if counts[wanted.partition_index] > 1:
                answers[wanted.partition_index] = _failed(wanted, ErrorCode.INVALID_REQUEST)
            else:
                answers[wanted.partition_index] = await _answer(broker, context, request, topic.name, wanted)
        response.topics.append(ListOffsetsTopicResponse(name=topic.name, partitions=list(answers.values())))
    return response


def _failed(wanted: ListOffsetsPartition, error: ErrorCode) -> ListOffsetsPartitionResponse:
    return ListOffsetsPartitionResponse(partition_index=wanted.partition_index, error_code=int(error))


async def _answer(
    broker: Broker, context: RequestContext, request: ListOffsetsRequest, topic: str, wanted: ListOffsetsPartition
) -> ListOffsetsPartitionResponse:
    timestamp = wanted.timestamp
    if timestamp < EARLIEST_PENDING_UPLOAD or context.version < SINCE.get(timestamp, 0):
        return _failed(wanted, ErrorCode.UNSUPPORTED_VERSION)
    try:
        partition = broker.leading(topic, wanted.partition_index)
        error = partition.check_epoch(wanted.current_leader_epoch)
        if error:
            return _failed(wanted, error)
        found, offset = await _find(broker, request, partition, timestamp)
    except KafkaError as error:
        code = error.code
        if code is ErrorCode.OFFSET_NOT_AVAILABLE and context.version < NOT_AVAILABLE_FROM:
            code = ErrorCode.LEADER_NOT_AVAILABLE
        return _failed(wanted, code)
    except TimeoutError:
        return _failed(wanted, ErrorCode.REQUEST_TIMED_OUT)
    except OSError as error:
        broker.storage_failed(partition, error)
        return _failed(wanted, ErrorCode.KAFKA_STORAGE_ERROR)
    return ListOffsetsPartitionResponse(
        partition_index=wanted.partition_index,
        timestamp=found,
        offset=offset,
        leader_epoch=_epoch(partition, timestamp, offset) if context.version >= EPOCHS_FROM else -1,
    )


async def _find(broker: Broker, request: ListOffsetsRequest, partition: Partition, timestamp: int) -> tuple[int, int]:
    """Timestamp and offset; the timestamp is -1 where none was asked for."""
    log = partition.log
    if request.replica_id not in CONSUMERS:
        end = log.log_end_offset
    elif request.isolation_level == READ_COMMITTED:
        end = partition.last_stable_offset
    else:
        end = partition.high_watermark
    if timestamp == LATEST:
        if request.replica_id in CONSUMERS:
            _check_known(partition)
        return -1, end
    if timestamp in (EARLIEST, EARLIEST_LOCAL):
        return -1, log.log_start_offset if timestamp == EARLIEST else log.local_start_offset
    if timestamp in (LATEST_TIERED, EARLIEST_PENDING_UPLOAD):
        return _tiered(broker, partition, timestamp)
    if timestamp == MAX_TIMESTAMP:
        found = await _look(broker, partition, log.max_timestamp_offset)
    else:
        found = None
        if broker.remote is not None and log.log_start_offset < log.local_start_offset:
            found = await broker.remote.reads.look_up(partition, timestamp)
        if found is None:
            found = await _look(broker, partition, log.offset_for_timestamp, timestamp)
    if found is not None and found.offset < end:
        return found.timestamp, found.offset
    if found is not None and request.replica_id in CONSUMERS:
        _check_known(partition)
    return NOTHING


async def _look(
    broker: Broker, partition: Partition, look: Callable[..., TimestampOffset | None], *args: int
) -> TimestampOffset | None:
    log = partition.log
    try:
        return await broker.blocking.run(look, *args)
    except OSError as error:
        broker.read_failed(partition, log, error)
        raise KafkaError(ErrorCode.KAFKA_STORAGE_ERROR) from error


def _check_known(partition: Partition) -> None:
    leader = partition.leader
    if leader is not None and leader.high_watermark < leader.start_offset:
        raise KafkaError(ErrorCode.OFFSET_NOT_AVAILABLE)


def _tiered(broker: Broker, partition: Partition, timestamp: int) -> tuple[int, int]:
    if broker.remote is None or not partition.log.config.remote_storage:
        return NOTHING
    latest = broker.remote.reads.latest_tiered(partition)
    if timestamp == LATEST_TIERED:
        return -1, latest
    return -1, max(latest + 1, partition.log.log_start_offset)


def _epoch(partition: Partition, timestamp: int, offset: int) -> int:
    if offset < 0:
        return -1
    return partition.leader_epoch if timestamp == LATEST else partition.log.epochs.epoch_at(offset)
