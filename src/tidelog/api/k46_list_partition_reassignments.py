"""ListPartitionReassignments (46), version 0: the moves of replicas that are under way."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.reassignments import list_reassignments
from tidelog.protocol.messages.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
)


@api(ListPartitionReassignmentsRequest, controller=True)
def handle(
    broker: Broker, context: RequestContext, request: ListPartitionReassignmentsRequest
) -> ListPartitionReassignmentsResponse:
    return list_reassignments(broker.metadata.image, request)
