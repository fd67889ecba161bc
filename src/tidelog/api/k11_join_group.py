"""JoinGroup (11), versions 0 to 9: enters a group of the classic protocol and waits for its next generation."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group, caller
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupResponse

NULLABLE_NAME_FROM = 7


@api(JoinGroupRequest)
async def handle(broker: Broker, context: RequestContext, request: JoinGroupRequest) -> JoinGroupResponse:
    who = caller(context)
    try:
        response: JoinGroupResponse = await ask_group(
            broker, request.group_id, lambda shard, token, now: shard.join_group(token, who, request, now)
        )
    except KafkaError as error:
        response = JoinGroupResponse(error_code=int(error.code), member_id=request.member_id, protocol_name=None)
    if context.version < NULLABLE_NAME_FROM and response.protocol_name is None:
        response.protocol_name = ""
    return response
