"""AlterPartitionReassignments (45), versions 0 and 1: moves replicas, or cancels a move; each partition for itself."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.reassignments import alter_reassignments
from tidelog.protocol.messages.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
)


@api(AlterPartitionReassignmentsRequest, controller=True)
async def handle(
    broker: Broker, context: RequestContext, request: AlterPartitionReassignmentsRequest
) -> AlterPartitionReassignmentsResponse:
    return await broker.metadata.submit(lambda image, environment: alter_reassignments(image, environment, request))
