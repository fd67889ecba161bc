"""ListGroups (16), versions 0 to 5: the groups this broker coordinates, filtered by state and by type."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.list_groups import ListedGroup, ListGroupsRequest, ListGroupsResponse


@api(ListGroupsRequest)
async def handle(broker: Broker, context: RequestContext, request: ListGroupsRequest) -> ListGroupsResponse:
    states = {each.lower() for each in request.states_filter}
    types = {each.lower() for each in request.types_filter}
    found: list[ListedGroup] = []
    for partition in broker.coordinators.groups():
        try:
            found += await partition.submit(lambda shard, token, _: shard.list_groups(token, states, types))
        except KafkaError as error:
            if error.code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
                return ListGroupsResponse(error_code=int(error.code))
    return ListGroupsResponse(groups=found)
