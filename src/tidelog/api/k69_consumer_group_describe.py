"""ConsumerGroupDescribe (69), versions 0 and 1: epochs, members and assignments of groups of the consumer protocol."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.operations import GROUP_OPERATIONS
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.consumer_group_describe import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribedGroup,
)


@api(ConsumerGroupDescribeRequest)
async def handle(
    broker: Broker, context: RequestContext, request: ConsumerGroupDescribeRequest
) -> ConsumerGroupDescribeResponse:
    found = [await _describe(broker, group_id) for group_id in request.group_ids]
    if request.include_authorized_operations:
        for group in found:
            if not group.error_code:
                group.authorized_operations = GROUP_OPERATIONS
    return ConsumerGroupDescribeResponse(groups=found)


async def _describe(broker: Broker, group_id: str) -> DescribedGroup:
    try:
        described: DescribedGroup = await ask_group(
            broker, group_id, lambda shard, token, _: shard.describe_consumer_group(token, group_id)
        )
    except KafkaError as error:
        return DescribedGroup(group_id=group_id, error_code=int(error.code))
    return described
