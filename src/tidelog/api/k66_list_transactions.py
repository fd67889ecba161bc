"""ListTransactions (66), versions 0 to 2: transactional ids coordinated here, by state, producer, age and pattern."""

from __future__ import annotations

import re

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.txn.listing import matching, unknown_states
from tidelog.coordinator.txn.shard import TxnShard
from tidelog.coordinator.txn.state import Transaction
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.list_transactions import (
    ListTransactionsRequest,
    ListTransactionsResponse,
    TransactionState,
)


@api(ListTransactionsRequest)
async def handle(broker: Broker, context: RequestContext, request: ListTransactionsRequest) -> ListTransactionsResponse:
    def listed(shard: TxnShard, token: Token, now_ms: int) -> Effects:
        found = matching(
            shard.transactions.values(),
            request.state_filters,
            request.producer_id_filters,
            request.duration_filter,
            request.transactional_id_pattern,
            now_ms,
        )
        return Effects().reply(token, found)

    found: list[Transaction] = []
    try:
        for partition in broker.coordinators.transactions():
            found += await partition.submit(listed)
    except re.error:
        return ListTransactionsResponse(error_code=int(ErrorCode.INVALID_REGULAR_EXPRESSION))
    except KafkaError as error:
        return ListTransactionsResponse(error_code=int(error.code))
    return ListTransactionsResponse(
        unknown_state_filters=unknown_states(request.state_filters),
        transaction_states=[
            TransactionState(
                transactional_id=each.transactional_id,
                producer_id=each.producer_id,
                transaction_state=each.status.title,
            )
            for each in found
        ],
    )
