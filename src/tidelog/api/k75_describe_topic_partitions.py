"""DescribeTopicPartitions (75), version 0: topics with their partitions, a page at a time.

Topics come in the order of their names; a page holds as many partitions as the request and
`max.request.partition.size.limit` allow, and its cursor says where the next one begins. An empty list asks for all.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.operations import TOPIC_OPERATIONS
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.topics import is_internal
from tidelog.controller.topic_names import check_topic_name
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import NO_LEADER
from tidelog.metadata.topics import Topic
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.describe_topic_partitions import (
    Cursor,
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
)


@api(DescribeTopicPartitionsRequest)
def handle(
    broker: Broker, context: RequestContext, request: DescribeTopicPartitionsRequest
) -> DescribeTopicPartitionsResponse:
    image = broker.metadata.image
    try:
        names = _names(image, request)
    except KafkaError as error:
        return _refused(request, error)
    left = max(min(request.response_partition_limit, broker.config.max_request_partition_size_limit), 1)
    first = request.cursor.partition_index if request.cursor else 0
    start_name = request.cursor.topic_name if request.cursor else None
    response = DescribeTopicPartitionsResponse()
    for name in names:
        topic = image.topics.get(name)
        if topic is None:
            response.topics.append(_unknown(name))
            continue
        if left == 0:
            response.next_cursor = Cursor(topic_name=name, partition_index=0)
            break
        start = first if name == start_name else 0
        end = min(len(topic.partitions), start + left)
        response.topics.append(_described(image, topic, start, end))
        left -= max(end - start, 0)
        if end < len(topic.partitions):
            response.next_cursor = Cursor(topic_name=name, partition_index=end)
            break
    return response


def _names(image: MetadataImage, request: DescribeTopicPartitionsRequest) -> list[str]:
    """In order, from the cursor's topic on."""
    wanted = sorted({each.name for each in request.topics}) if request.topics else image.topics.names()
    cursor = request.cursor
    if cursor is None:
        return wanted
    if cursor.partition_index < 0:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, f"DescribeTopicPartitionsRequest cursor partition must be valid: {cursor}"
        )
    if request.topics and cursor.topic_name not in wanted:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"DescribeTopicPartitionsRequest topic list should contain the cursor topic: {cursor.topic_name}",
        )
    return [each for each in wanted if each >= cursor.topic_name]


def _refused(request: DescribeTopicPartitionsRequest, error: KafkaError) -> DescribeTopicPartitionsResponse:
    return DescribeTopicPartitionsResponse(
        topics=[
            DescribeTopicPartitionsResponseTopic(name=each.name, error_code=int(error.code)) for each in request.topics
        ]
    )


def _unknown(name: str) -> DescribeTopicPartitionsResponseTopic:
    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    try:
        check_topic_name(name)
    except KafkaError as error:
        code = error.code
    return DescribeTopicPartitionsResponseTopic(
        name=name, error_code=int(code), is_internal=is_internal(name), topic_authorized_operations=TOPIC_OPERATIONS
    )


def _described(image: MetadataImage, topic: Topic, start: int, end: int) -> DescribeTopicPartitionsResponseTopic:
    brokers = image.cluster.brokers
    partitions = []
    for index in range(start, end):
        state = topic.partitions[index]
        offline = [each for each in state.replicas if each not in brokers or brokers[each].fenced]
        code = ErrorCode.NONE
        if state.leader == NO_LEADER or state.leader in offline:
            code = ErrorCode.LEADER_NOT_AVAILABLE
        partitions.append(
            DescribeTopicPartitionsResponsePartition(
                error_code=int(code),
                partition_index=index,
                leader_id=state.leader,
                leader_epoch=state.leader_epoch,
                replica_nodes=list(state.replicas),
                isr_nodes=list(state.isr),
                eligible_leader_replicas=list(state.elr),
                last_known_elr=list(state.last_known_elr),
                offline_replicas=offline,
            )
        )
    return DescribeTopicPartitionsResponseTopic(
        name=topic.name,
        topic_id=topic.id,
        is_internal=is_internal(topic.name),
        partitions=partitions,
        topic_authorized_operations=TOPIC_OPERATIONS,
    )
