"""ConsumerGroupHeartbeat (68), versions 0 and 1: the one request of members of the consumer protocol (KIP-848).

Epoch 0 joins, -1 leaves, -2 leaves for a while (static members); everything else shows that the member is alive and
tells what changed. Version 1 adds regular expressions over topic names and ids that the client chooses.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask_group, caller
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)


@api(ConsumerGroupHeartbeatRequest)
async def handle(
    broker: Broker, context: RequestContext, request: ConsumerGroupHeartbeatRequest
) -> ConsumerGroupHeartbeatResponse:
    if "consumer" not in broker.config.group_coordinator_rebalance_protocols:
        return ConsumerGroupHeartbeatResponse(
            error_code=int(ErrorCode.UNSUPPORTED_VERSION),
            error_message="group.coordinator.rebalance.protocols does not have the consumer protocol.",
        )
    if not request.group_id:
        return ConsumerGroupHeartbeatResponse(
            error_code=int(ErrorCode.INVALID_REQUEST), error_message="The group id must not be empty."
        )
    who = caller(context)
    try:
        response: ConsumerGroupHeartbeatResponse = await ask_group(
            broker, request.group_id, lambda shard, token, now: shard.consumer_heartbeat(token, who, request, now)
        )
    except KafkaError as error:
        return ConsumerGroupHeartbeatResponse(error_code=int(error.code), error_message=error.message)
    return response
