"""LeaveGroup (13), versions 0 to 5: one member leaves, or from version 3 on any number, also by instance id."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.protocol.messages.leave_group import LeaveGroupRequest, MemberIdentity


@api(LeaveGroupRequest, later=True)
def handle(broker: Broker, context: RequestContext, request: LeaveGroupRequest, answer: Later) -> None:
    version = context.version
    leaving = request.members if version >= 3 else [MemberIdentity(member_id=request.member_id)]

    def leave(shard: GroupShard, token: Token, now_ms: int) -> Effects:
        return shard.leave_group(token, request.group_id, leaving, version, now_ms)

    ask(broker, request.group_id, leave, answer, answer.failed)
