"""AddOffsetsToTxn (25), versions 0 to 4: the transaction will commit offsets of a group."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.api.transactions import ask_transaction, known_to
from tidelog.broker.broker import Broker
from tidelog.broker.coordinators import OFFSETS_TOPIC
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.add_offsets_to_txn import AddOffsetsToTxnRequest, AddOffsetsToTxnResponse

FENCED_FROM = 2


@api(AddOffsetsToTxnRequest)
async def handle(broker: Broker, context: RequestContext, request: AddOffsetsToTxnRequest) -> AddOffsetsToTxnResponse:
    producer = (request.producer_id, request.producer_epoch)
    try:
        wanted = [(OFFSETS_TOPIC, await broker.coordinators.partition_of(OFFSETS_TOPIC, request.group_id))]
        code = await ask_transaction(
            broker,
            request.transactional_id,
            lambda shard, token, now: shard.add_partitions(token, request.transactional_id, producer, wanted, 0, now),
        )
    except KafkaError as error:
        code = error.code
    return AddOffsetsToTxnResponse(error_code=known_to(code, context.version, FENCED_FROM))
