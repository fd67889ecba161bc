"""AssignReplicasToDirs (73), version 0: a broker says in which of its directories its replicas lie."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.directories import assign_replicas
from tidelog.protocol.messages.assign_replicas_to_dirs import AssignReplicasToDirsRequest, AssignReplicasToDirsResponse


@api(AssignReplicasToDirsRequest)
async def handle(
    broker: Broker, context: RequestContext, request: AssignReplicasToDirsRequest
) -> AssignReplicasToDirsResponse:
    return await broker.metadata.submit(lambda image, environment: assign_replicas(image, environment, request))
