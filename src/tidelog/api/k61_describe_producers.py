"""DescribeProducers (61), version 0: the producers that partitions led by this broker remember."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.topic_names import check_topic_name
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.describe_producers import (
    DescribeProducersRequest,
    DescribeProducersResponse,
    PartitionResponse,
    ProducerState,
    TopicResponse,
)


@api(DescribeProducersRequest)
def handle(broker: Broker, context: RequestContext, request: DescribeProducersRequest) -> DescribeProducersResponse:
    return DescribeProducersResponse(
        topics=[
            TopicResponse(
                name=topic.name, partitions=[_describe(broker, topic.name, each) for each in topic.partition_indexes]
            )
            for topic in request.topics
        ]
    )


def _describe(broker: Broker, topic: str, index: int) -> PartitionResponse:
    try:
        check_topic_name(topic)
        partition = broker.leading(topic, index)
    except KafkaError as error:
        known = broker.metadata.image.topics.get(topic) is not None
        message = None if known and error.code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION else error.code.message
        return PartitionResponse(partition_index=index, error_code=int(error.code), error_message=message)
    producers = partition.log.producers.entries
    return PartitionResponse(
        partition_index=index,
        active_producers=[
            ProducerState(
                producer_id=each.producer_id,
                producer_epoch=each.epoch,
                last_sequence=each.last_sequence,
                last_timestamp=each.last_timestamp,
                coordinator_epoch=each.coordinator_epoch,
                current_txn_start_offset=each.txn_first_offset,
            )
            for each in producers.values()
        ],
    )
