"""DeleteGroups (42), versions 0 to 2: forgets groups without members, and their offsets."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.delete_groups import DeletableGroupResult, DeleteGroupsRequest, DeleteGroupsResponse


@api(DeleteGroupsRequest)
async def handle(broker: Broker, context: RequestContext, request: DeleteGroupsRequest) -> DeleteGroupsResponse:
    return DeleteGroupsResponse(results=[await _delete(broker, each) for each in request.groups_names])


async def _delete(broker: Broker, group_id: str) -> DeletableGroupResult:
    def delete(shard: GroupShard, token: Token, now_ms: int) -> Effects:
        return shard.delete_group(token, group_id, now_ms)

    try:
        code = await ask_group(broker, group_id, delete, unnamed=True)
    except KafkaError as error:
        code = error.code
    return DeletableGroupResult(group_id=group_id, error_code=int(code))
