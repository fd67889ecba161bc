"""BrokerHeartbeat (63), versions 0 to 2: a broker lives, has read so far, and wants to serve, to be fenced or to stop.

The answer tells whether it may. The end of the connection is remembered: another process may then register with this
id. Left out: cordoned directories.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.controllers import active
from tidelog.api.registry import api
from tidelog.api.running import INTERNAL
from tidelog.broker.broker import Broker
from tidelog.protocol.messages.broker_heartbeat import BrokerHeartbeatRequest, BrokerHeartbeatResponse


@api(BrokerHeartbeatRequest)
async def handle(broker: Broker, context: RequestContext, request: BrokerHeartbeatRequest) -> BrokerHeartbeatResponse:
    controller = active(broker)
    reply = await controller.heartbeat(request)
    lost = controller.connected(request.broker_id, request.broker_epoch)
    if context.connection.listener_name != INTERNAL:
        context.connection.on_lost = lost
    return BrokerHeartbeatResponse(
        is_caught_up=reply.is_caught_up, is_fenced=reply.is_fenced, should_shut_down=reply.should_shut_down
    )
