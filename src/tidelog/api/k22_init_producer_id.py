"""InitProducerId (22), versions 0 to 5: a producer id and epoch.

Without a transactional id every call gets a fresh id with epoch 0, whatever id and epoch the producer had before. With
one, the transaction coordinator decides: the epoch grows, and what an older session left open is aborted.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.api.transactions import ask_transaction, known_to
from tidelog.broker.broker import Broker
from tidelog.coordinator.txn.values import ProducerReply
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest, InitProducerIdResponse

NO_ID = -1
FENCED_FROM = 4


@api(InitProducerIdRequest)
async def handle(broker: Broker, context: RequestContext, request: InitProducerIdRequest) -> InitProducerIdResponse:
    if (request.producer_id == NO_ID) != (request.producer_epoch == -1):
        return _refused(ErrorCode.INVALID_REQUEST)
    if request.transactional_id is None:
        return InitProducerIdResponse(producer_id=await broker.producer_ids.take(), producer_epoch=0)
    try:
        reply = await _next_session(broker, request, request.transactional_id)
    except KafkaError as error:
        return _refused(error.code)
    return InitProducerIdResponse(
        error_code=known_to(reply.error, context.version, FENCED_FROM),
        producer_id=reply.producer_id,
        producer_epoch=reply.producer_epoch,
    )


async def _next_session(broker: Broker, request: InitProducerIdRequest, transactional_id: str) -> ProducerReply:
    expected = None if request.producer_id == NO_ID else (request.producer_id, request.producer_epoch)
    await broker.producer_ids.ready()
    reply: ProducerReply = await ask_transaction(
        broker,
        transactional_id,
        lambda shard, token, now: shard.init_producer_id(
            token, transactional_id, request.transaction_timeout_ms, expected, now
        ),
    )
    return reply


def _refused(error: ErrorCode) -> InitProducerIdResponse:
    return InitProducerIdResponse(error_code=int(error), producer_id=NO_ID, producer_epoch=-1)
