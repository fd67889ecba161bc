"""DescribeCluster (60), versions 0 to 2: the brokers and, on request, what the caller may do with the cluster.

Only brokers with an endpoint on the listener of the request are named; fenced ones when version 2 asks for them. On a
controller listener the same is told of controllers.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.leaders import controller_for_clients
from tidelog.api.operations import CLUSTER_OPERATIONS
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.describe_cluster import (
    DescribeClusterBroker,
    DescribeClusterRequest,
    DescribeClusterResponse,
)

TYPES_FROM = 1
BROKERS, CONTROLLERS = 1, 2
WORDS = {BROKERS: "BROKER", CONTROLLERS: "CONTROLLER"}


@api(DescribeClusterRequest)
def handle(broker: Broker, context: RequestContext, request: DescribeClusterRequest) -> DescribeClusterResponse:
    listener = context.connection.listener_name
    served = CONTROLLERS if listener in broker.config.controller_listener_names else BROKERS
    wanted = request.endpoint_type if context.version >= TYPES_FROM else served
    if wanted not in WORDS:
        return DescribeClusterResponse(
            error_code=int(ErrorCode.UNSUPPORTED_ENDPOINT_TYPE), error_message=f"Unsupported endpoint type {wanted}"
        )
    if wanted != served:
        return DescribeClusterResponse(
            error_code=int(ErrorCode.MISMATCHED_ENDPOINT_TYPE),
            error_message=f"The request was sent to an endpoint of type {WORDS[served]}, but we wanted an endpoint of "
            f"type {WORDS[wanted]}",
        )
    response = DescribeClusterResponse(
        endpoint_type=wanted if context.version >= TYPES_FROM else BROKERS,
        cluster_id=broker.metadata.cluster_id,
        controller_id=broker.metadata.quorum.leader_id if wanted == CONTROLLERS else controller_for_clients(broker),
        brokers=_controllers(broker) if wanted == CONTROLLERS else _brokers(broker, request, listener),
    )
    if request.include_cluster_authorized_operations:
        response.cluster_authorized_operations = CLUSTER_OPERATIONS
    return response


def _brokers(broker: Broker, request: DescribeClusterRequest, listener: str) -> list[DescribeClusterBroker]:
    found = []
    for node_id, each in sorted(broker.metadata.image.cluster.brokers.items()):
        endpoint = each.endpoint(listener)
        if endpoint is not None and (request.include_fenced_brokers or not each.fenced):
            host, port = endpoint
            found.append(
                DescribeClusterBroker(broker_id=node_id, host=host, port=port, rack=each.rack, is_fenced=each.fenced)
            )
    return found


def _controllers(broker: Broker) -> list[DescribeClusterBroker]:
    return [
        DescribeClusterBroker(broker_id=node_id, host=each.endpoints[0][1], port=each.endpoints[0][2])
        for node_id, each in sorted(broker.metadata.image.cluster.controllers.items())
        if each.endpoints
    ]
