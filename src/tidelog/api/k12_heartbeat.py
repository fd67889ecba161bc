"""Heartbeat (12), versions 0 to 4: a member of a classic group shows that it is alive and learns of rebalances."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.protocol.messages.heartbeat import HeartbeatRequest


@api(HeartbeatRequest, later=True)
def handle(broker: Broker, context: RequestContext, request: HeartbeatRequest, answer: Later) -> None:
    def heartbeat(shard: GroupShard, token: Token, now_ms: int) -> Effects:
        return shard.heartbeat(token, request, now_ms)

    ask(broker, request.group_id, heartbeat, answer, answer.failed)
