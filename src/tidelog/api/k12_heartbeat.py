"""Heartbeat (12), versions 0 to 4: a member of a classic group shows that it is alive and learns of rebalances."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.messages.heartbeat import HeartbeatRequest, HeartbeatResponse


@api(HeartbeatRequest)
async def handle(broker: Broker, context: RequestContext, request: HeartbeatRequest) -> HeartbeatResponse:
    response: HeartbeatResponse = await ask_group(
        broker, request.group_id, lambda shard, token, now: shard.heartbeat(token, request, now)
    )
    return response
