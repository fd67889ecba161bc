"""AddOffsetsToTxn (25), versions 0 to 4: the transaction will commit offsets of a group."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.api.transactions import ask, known_to
from tidelog.broker.broker import Broker
from tidelog.broker.coordinators import OFFSETS_TOPIC
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.txn.shard import TxnShard
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.add_offsets_to_txn import AddOffsetsToTxnRequest, AddOffsetsToTxnResponse

FENCED_FROM = 2


@api(AddOffsetsToTxnRequest, later=True)
def handle(broker: Broker, context: RequestContext, request: AddOffsetsToTxnRequest, answer: Later) -> None:
    index = broker.coordinators.known_partition_of(OFFSETS_TOPIC, request.group_id)
    if index is None:
        broker.spawn(_add_when_there(broker, context.version, request, answer))
    else:
        _add(broker, context.version, request, index, answer)


async def _add_when_there(broker: Broker, version: int, request: AddOffsetsToTxnRequest, answer: Later) -> None:
    """Nobody has committed offsets before: the topic has to be made."""
    try:
        index = await broker.coordinators.partition_of(OFFSETS_TOPIC, request.group_id)
        _add(broker, version, request, index, answer)
    except Exception as error:
        answer.failed(error)


def _add(broker: Broker, version: int, request: AddOffsetsToTxnRequest, index: int, answer: Later) -> None:
    producer = (request.producer_id, request.producer_epoch)
    wanted = [(OFFSETS_TOPIC, index)]

    def add(shard: TxnShard, token: Token, now_ms: int) -> Effects:
        return shard.add_partitions(token, request.transactional_id, producer, wanted, 0, now_ms)

    ask(
        broker,
        request.transactional_id,
        add,
        lambda code: answer(_response(code, version)),
        lambda error: answer(_response(error.code, version)),
    )


def _response(code: ErrorCode, version: int) -> AddOffsetsToTxnResponse:
    return AddOffsetsToTxnResponse(error_code=known_to(code, version, FENCED_FROM))
