"""What the transaction APIs share: asking the coordinator, and the names that errors had for older clients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidelog.api.groups import translated
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.txn.shard import TxnShard
from tidelog.protocol.errors import ErrorCode, KafkaError


def ask(
    broker: Broker,
    transactional_id: str,
    handler: Callable[[TxnShard, Token, int], Effects],
    replied: Callable[[Any], None],
    refused: Callable[[KafkaError], None],
) -> None:
    """Calls one of the two with what the coordinator of a transactional id says, or why it does not."""
    try:
        if not transactional_id:
            raise KafkaError(ErrorCode.INVALID_REQUEST)
        coordinator = broker.coordinators.transaction(transactional_id)
    except KafkaError as error:
        refused(error)
        return
    coordinator.ask(handler, replied, refused)


async def ask_transaction(
    broker: Broker, transactional_id: str, handler: Callable[[TxnShard, Token, int], Effects]
) -> Any:
    """The reply of the coordinator of a transactional id; KafkaError when it is not here or cannot write."""
    if not transactional_id:
        raise KafkaError(ErrorCode.INVALID_REQUEST)
    try:
        return await broker.coordinators.transaction(transactional_id).submit(handler)
    except KafkaError as error:
        raise KafkaError(translated(error)) from error


def known_to(code: ErrorCode, version: int, fenced_from: int) -> int:
    """Clients before `fenced_from` know a fenced producer only as one with a bad epoch."""
    if code is ErrorCode.PRODUCER_FENCED and version < fenced_from:
        return int(ErrorCode.INVALID_PRODUCER_EPOCH)
    return int(code)
