"""UnregisterBroker (64), version 0: forgets a broker that will not come back; its replicas stay where they were."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.brokers import unregister_broker
from tidelog.protocol.messages.unregister_broker import UnregisterBrokerRequest, UnregisterBrokerResponse


@api(UnregisterBrokerRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: UnregisterBrokerRequest) -> UnregisterBrokerResponse:
    broker_id = request.broker_id
    await broker.metadata.submit(lambda image, environment: unregister_broker(image, environment, broker_id))
    return UnregisterBrokerResponse(error_message=None)
