"""ConsumerGroupHeartbeat (68), versions 0 and 1: the one request of members of the consumer protocol (KIP-848).

Epoch 0 joins, -1 leaves, -2 leaves for a while (static members); everything else shows that the member is alive and
tells what changed. Version 1 adds regular expressions over topic names and ids that the client chooses.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask, caller
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.api.repeated_heartbeat import repeated
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)


@api(ConsumerGroupHeartbeatRequest, later=True, repeated=repeated)
def handle(broker: Broker, context: RequestContext, request: ConsumerGroupHeartbeatRequest, answer: Later) -> None:
    if "consumer" not in broker.config.group_coordinator_rebalance_protocols:
        message = "group.coordinator.rebalance.protocols does not have the consumer protocol."
        answer(_refused(ErrorCode.UNSUPPORTED_VERSION, message))
        return
    if not request.group_id:
        answer(_refused(ErrorCode.INVALID_REQUEST, "The group id must not be empty."))
        return
    who = caller(context)

    def heartbeat(shard: GroupShard, token: Token, now_ms: int) -> Effects:
        effects = shard.consumer_heartbeat(token, who, request, now_ms)
        context.connection.heartbeat.changed_nothing = not effects.records
        return effects

    def refused(error: KafkaError) -> None:
        answer(_refused(error.code, error.message))

    ask(broker, request.group_id, heartbeat, answer, refused)


def _refused(code: ErrorCode, message: str | None) -> ConsumerGroupHeartbeatResponse:
    return ConsumerGroupHeartbeatResponse(error_code=int(code), error_message=message)
