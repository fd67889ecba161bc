"""AlterPartition (56), versions 2 and 3: the leader of a partition says who is in sync; each partition for itself.

From version 3 on a replica is named with its broker's epoch, so that one that restarted meanwhile is not taken for its
former self.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.isr import alter_partition
from tidelog.protocol.messages.alter_partition import AlterPartitionRequest, AlterPartitionResponse


@api(AlterPartitionRequest)
async def handle(broker: Broker, context: RequestContext, request: AlterPartitionRequest) -> AlterPartitionResponse:
    return await broker.metadata.submit(lambda image, environment: alter_partition(image, environment, request))
