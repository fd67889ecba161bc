"""What the group APIs share: who calls, and what becomes of a request whose coordinator is elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidelog.api.context import RequestContext
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.coordinator.group.values import Caller
from tidelog.protocol.errors import ErrorCode, KafkaError

# What an append can fail with, as a client of a group expects to hear it.
_TRANSLATED = {
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
}


def caller(context: RequestContext) -> Caller:
    return Caller(context.client_id or "", f"/{context.connection.peer_host}", context.version)


def translated(error: KafkaError) -> ErrorCode:
    return _TRANSLATED.get(error.code, error.code)


def ask(
    broker: Broker,
    group_id: str,
    handler: Callable[[GroupShard, Token, int], Effects],
    replied: Callable[[Any], None],
    refused: Callable[[KafkaError], None],
) -> None:
    """Calls one of the two with what the group's coordinator says, or why it does not."""
    try:
        if not group_id:
            raise KafkaError(ErrorCode.INVALID_GROUP_ID)
        coordinator = broker.coordinators.group(group_id)
    except KafkaError as error:
        refused(error)
        return
    coordinator.ask(handler, replied, refused)


async def ask_group(
    broker: Broker, group_id: str, handler: Callable[[GroupShard, Token, int], Effects], unnamed: bool = False
) -> Any:
    """The reply of the group's coordinator; KafkaError, in a client's terms, when it is not here or cannot write.

    `unnamed`: the empty id is allowed. Positions can be kept under it, and nothing can be a member of it.
    """
    if not group_id and not unnamed:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID)
    try:
        return await broker.coordinators.group(group_id).submit(handler)
    except KafkaError as error:
        code = translated(error)
        if code is error.code:
            raise
        raise KafkaError(code) from error
