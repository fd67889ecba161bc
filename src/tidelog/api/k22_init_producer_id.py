"""InitProducerId (22), versions 0 to 5: a producer id and epoch.

Without a transactional id every call gets a fresh id with epoch 0, whatever id and epoch the producer had before. With
one, the transaction coordinator decides; a broker without it answers COORDINATOR_NOT_AVAILABLE.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest, InitProducerIdResponse

NO_ID = -1


@api(InitProducerIdRequest)
async def handle(broker: Broker, context: RequestContext, request: InitProducerIdRequest) -> InitProducerIdResponse:
    if request.transactional_id is not None:
        if broker.transactions is None:
            return InitProducerIdResponse(error_code=int(ErrorCode.COORDINATOR_NOT_AVAILABLE))
        response: InitProducerIdResponse = await broker.transactions.init_producer_id(context, request)
        return response
    if (request.producer_id == NO_ID) != (request.producer_epoch == -1):
        return InitProducerIdResponse(error_code=int(ErrorCode.INVALID_REQUEST), producer_id=NO_ID, producer_epoch=-1)
    return InitProducerIdResponse(producer_id=await broker.producer_ids.take(), producer_epoch=0)
