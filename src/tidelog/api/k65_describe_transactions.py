"""DescribeTransactions (65), version 0: what the coordinator knows of transactional ids."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.api.transactions import ask_transaction
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects
from tidelog.coordinator.txn.state import Transaction
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.describe_transactions import (
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
    TopicData,
    TransactionState,
)


@api(DescribeTransactionsRequest)
async def handle(
    broker: Broker, context: RequestContext, request: DescribeTransactionsRequest
) -> DescribeTransactionsResponse:
    states = [await _describe(broker, each) for each in request.transactional_ids]
    return DescribeTransactionsResponse(transaction_states=states)


async def _describe(broker: Broker, transactional_id: str) -> TransactionState:
    try:
        found: Transaction | None = await ask_transaction(
            broker,
            transactional_id,
            lambda shard, token, _: Effects().reply(token, shard.transactions.get(transactional_id)),
        )
    except KafkaError as error:
        return TransactionState(error_code=int(error.code), transactional_id=transactional_id)
    if found is None:
        missing = ErrorCode.TRANSACTIONAL_ID_NOT_FOUND
        return TransactionState(error_code=int(missing), transactional_id=transactional_id)
    topics: dict[str, list[int]] = {}
    for topic, index in sorted(found.partitions):
        topics.setdefault(topic, []).append(index)
    return TransactionState(
        transactional_id=transactional_id,
        transaction_state=found.status.title,
        transaction_timeout_ms=found.timeout_ms,
        transaction_start_time_ms=found.started_ms,
        producer_id=found.producer_id,
        producer_epoch=found.producer_epoch,
        topics=[TopicData(topic=topic, partitions=indexes) for topic, indexes in topics.items()],
    )
