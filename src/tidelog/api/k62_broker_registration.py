"""BrokerRegistration (62), versions 0 to 4: a broker makes itself known and gets its epoch. It begins fenced.

Refused: another cluster's broker, a broker without the features of this cluster, a second broker with the id of one
that lives, and a directory that belongs to another. Left out: brokers that come from ZooKeeper.
"""

from __future__ import annotations

from typing import Any

from tidelog.api.context import RequestContext
from tidelog.api.controllers import active
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.config.endpoints import SECURITY_PROTOCOLS, Endpoint
from tidelog.controller.brokers import Registration
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.broker_registration import (
    BrokerRegistrationRequest,
    BrokerRegistrationResponse,
)

_PROTOCOLS = {number: name for name, number in SECURITY_PROTOCOLS.items()}


@api(BrokerRegistrationRequest)
async def handle(
    broker: Broker, context: RequestContext, request: BrokerRegistrationRequest
) -> BrokerRegistrationResponse:
    controller = active(broker)
    if request.cluster_id != broker.metadata.cluster_id:
        raise KafkaError(ErrorCode.INCONSISTENT_CLUSTER_ID)
    if request.is_migrating_zk_broker:
        raise KafkaError(ErrorCode.BROKER_ID_NOT_REGISTERED)
    registration = Registration(
        request.broker_id,
        bytes(request.incarnation_id),
        [endpoint_of(each) for each in request.listeners],
        request.rack,
        [bytes(each) for each in request.log_dirs],
        request.previous_broker_epoch,
        {each.name: (each.min_supported_version, each.max_supported_version) for each in request.features},
    )
    return BrokerRegistrationResponse(broker_epoch=await controller.register(registration))


def endpoint_of(listener: Any) -> Endpoint:
    """Of a broker's or a controller's listener: the two messages have the same fields."""
    protocol = _PROTOCOLS.get(listener.security_protocol)
    if protocol is None:
        raise KafkaError(ErrorCode.INVALID_REGISTRATION)
    return Endpoint(listener.name, listener.host, listener.port, protocol)
