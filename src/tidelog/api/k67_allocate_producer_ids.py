"""AllocateProducerIds (67), version 0: a block of producer ids for a broker; each is handed out once."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.producer_ids import allocate_producer_ids
from tidelog.protocol.messages.allocate_producer_ids import AllocateProducerIdsRequest, AllocateProducerIdsResponse


@api(AllocateProducerIdsRequest)
async def handle(
    broker: Broker, context: RequestContext, request: AllocateProducerIdsRequest
) -> AllocateProducerIdsResponse:
    node_id, epoch = request.broker_id, request.broker_epoch
    block = await broker.metadata.submit(lambda image, _: allocate_producer_ids(image, node_id, epoch))
    return AllocateProducerIdsResponse(producer_id_start=block.first, producer_id_len=block.size)
