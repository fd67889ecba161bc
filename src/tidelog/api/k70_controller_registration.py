"""ControllerRegistration (70), version 0: a controller makes its endpoints and features known to the cluster."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.k62_broker_registration import endpoint_of
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.brokers import Registration, register_controller
from tidelog.protocol.messages.controller_registration import (
    ControllerRegistrationRequest,
    ControllerRegistrationResponse,
)


@api(ControllerRegistrationRequest)
async def handle(
    broker: Broker, context: RequestContext, request: ControllerRegistrationRequest
) -> ControllerRegistrationResponse:
    registration = Registration(
        request.controller_id,
        bytes(request.incarnation_id),
        [endpoint_of(each) for each in request.listeners],
        None,
        (),
        features={each.name: (each.min_supported_version, each.max_supported_version) for each in request.features},
    )
    await broker.metadata.submit(lambda image, _: register_controller(image, registration))
    return ControllerRegistrationResponse(error_message=None)
