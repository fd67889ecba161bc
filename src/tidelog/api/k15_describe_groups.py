"""DescribeGroups (15), versions 0 to 6: state, protocol and members of classic groups."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.operations import GROUP_OPERATIONS
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.describe_groups import DescribedGroup, DescribeGroupsRequest, DescribeGroupsResponse


@api(DescribeGroupsRequest)
async def handle(broker: Broker, context: RequestContext, request: DescribeGroupsRequest) -> DescribeGroupsResponse:
    found = [await _describe(broker, group_id, context.version) for group_id in request.groups]
    if request.include_authorized_operations:
        for group in found:
            if not group.error_code:
                group.authorized_operations = GROUP_OPERATIONS
    return DescribeGroupsResponse(groups=found)


async def _describe(broker: Broker, group_id: str, version: int) -> DescribedGroup:
    try:
        described: DescribedGroup = await ask_group(
            broker, group_id, lambda shard, token, _: shard.describe_group(token, group_id, version), unnamed=True
        )
    except KafkaError as error:
        return DescribedGroup(group_id=group_id, error_code=int(error.code))
    return described
