"""LeaveGroup (13), versions 0 to 5: one member leaves, or from version 3 on any number, also by instance id."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.messages.leave_group import LeaveGroupRequest, LeaveGroupResponse, MemberIdentity


@api(LeaveGroupRequest)
async def handle(broker: Broker, context: RequestContext, request: LeaveGroupRequest) -> LeaveGroupResponse:
    version = context.version
    leaving = request.members if version >= 3 else [MemberIdentity(member_id=request.member_id)]
    response: LeaveGroupResponse = await ask_group(
        broker,
        request.group_id,
        lambda shard, token, now: shard.leave_group(token, request.group_id, leaving, version, now),
    )
    return response
