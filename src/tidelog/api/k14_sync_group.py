"""SyncGroup (14), versions 0 to 5: the leader hands in the assignments of a generation, every member takes its own."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupResponse


@api(SyncGroupRequest)
async def handle(broker: Broker, context: RequestContext, request: SyncGroupRequest) -> SyncGroupResponse:
    response: SyncGroupResponse = await ask_group(
        broker, request.group_id, lambda shard, token, now: shard.sync_group(token, request, now)
    )
    return response
