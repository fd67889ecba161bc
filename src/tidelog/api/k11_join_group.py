"""JoinGroup (11), versions 0 to 9: enters a group of the classic protocol and waits for its next generation."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask, caller
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupResponse

NULLABLE_NAME_FROM = 7


@api(JoinGroupRequest, later=True)
def handle(broker: Broker, context: RequestContext, request: JoinGroupRequest, answer: Later) -> None:
    who = caller(context)

    def join(shard: GroupShard, token: Token, now_ms: int) -> Effects:
        return shard.join_group(token, who, request, now_ms)

    def joined(response: JoinGroupResponse) -> None:
        if context.version < NULLABLE_NAME_FROM and response.protocol_name is None:
            response.protocol_name = ""
        answer(response)

    def refused(error: KafkaError) -> None:
        joined(JoinGroupResponse(error_code=int(error.code), member_id=request.member_id, protocol_name=None))

    ask(broker, request.group_id, join, joined, refused)
