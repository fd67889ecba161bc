"""EndTxn (26), versions 0 to 5: commits or aborts; from version 5 on each end gives a new epoch (KIP-890)."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.api.transactions import ask_transaction, known_to
from tidelog.broker.broker import Broker
from tidelog.coordinator.txn.values import ProducerReply
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.end_txn import EndTxnRequest, EndTxnResponse

BUMPING_FROM = 5
FENCED_FROM = 2


@api(EndTxnRequest)
async def handle(broker: Broker, context: RequestContext, request: EndTxnRequest) -> EndTxnResponse:
    producer = (request.producer_id, request.producer_epoch)
    client_version = 2 if context.version >= BUMPING_FROM else 0
    try:
        if client_version:
            await broker.producer_ids.ready()
        reply: ProducerReply = await ask_transaction(
            broker,
            request.transactional_id,
            lambda shard, token, now: shard.end(
                token, request.transactional_id, producer, request.committed, client_version, now
            ),
        )
    except KafkaError as error:
        return EndTxnResponse(error_code=known_to(error.code, context.version, FENCED_FROM))
    return EndTxnResponse(
        error_code=known_to(reply.error, context.version, FENCED_FROM),
        producer_id=reply.producer_id,
        producer_epoch=reply.producer_epoch,
    )
