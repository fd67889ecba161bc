"""ElectLeaders (43), versions 0 to 2: the preferred leader, or (from 1 on) any replica where nobody else can lead."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.elections import elect_leaders
from tidelog.protocol.messages.elect_leaders import ElectLeadersRequest, ElectLeadersResponse


@api(ElectLeadersRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: ElectLeadersRequest) -> ElectLeadersResponse:
    return await broker.metadata.submit(lambda image, environment: elect_leaders(image, environment, request))
