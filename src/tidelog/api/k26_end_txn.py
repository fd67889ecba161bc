"""EndTxn (26), versions 0 to 5: commits or aborts; from version 5 on each end gives a new epoch (KIP-890)."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.api.transactions import ask, known_to
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.txn.shard import TxnShard
from tidelog.coordinator.txn.values import ProducerReply
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.end_txn import EndTxnRequest, EndTxnResponse

BUMPING_FROM = 5
FENCED_FROM = 2


@api(EndTxnRequest, later=True)
def handle(broker: Broker, context: RequestContext, request: EndTxnRequest, answer: Later) -> None:
    if context.version < BUMPING_FROM or broker.producer_ids.is_ready:
        _end(broker, context.version, request, answer)
    else:
        broker.spawn(_end_when_ready(broker, context.version, request, answer))


async def _end_when_ready(broker: Broker, version: int, request: EndTxnRequest, answer: Later) -> None:
    """An end may need another producer id, and the ids at hand are used up."""
    try:
        await broker.producer_ids.ready()
        _end(broker, version, request, answer)
    except Exception as error:
        answer.failed(error)


def _end(broker: Broker, version: int, request: EndTxnRequest, answer: Later) -> None:
    producer = (request.producer_id, request.producer_epoch)
    client_version = 2 if version >= BUMPING_FROM else 0

    def end(shard: TxnShard, token: Token, now_ms: int) -> Effects:
        return shard.end(token, request.transactional_id, producer, request.committed, client_version, now_ms)

    def ended(reply: ProducerReply) -> None:
        answer(
            EndTxnResponse(
                error_code=known_to(reply.error, version, FENCED_FROM),
                producer_id=reply.producer_id,
                producer_epoch=reply.producer_epoch,
            )
        )

    def refused(error: KafkaError) -> None:
        answer(_refusal(error.code, version))

    ask(broker, request.transactional_id, end, ended, refused)


def _refusal(code: ErrorCode, version: int) -> EndTxnResponse:
    return EndTxnResponse(error_code=known_to(code, version, FENCED_FROM))
