"""Produce requests of transactions whose partitions still have to be verified with the transaction coordinator.

Verifying may take a round trip, so the request leaves the straight path: its bytes are copied, and later requests of
the same connection that belong to transactions wait behind it, because their sequence numbers follow.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Sequence
from typing import Any

from tidelog.api.context import Connection, RequestContext
from tidelog.broker.broker import Broker
from tidelog.broker.partition import Partition
from tidelog.ports import Part
from tidelog.protocol.errors import ErrorCode
from tidelog.runtime.eager import begin

IMPLICIT_FROM = 12
ABORTABLE_FROM = 11
HEADER_BYTES = 61
_PRODUCER = struct.Struct(">qh")
_PRODUCER_AT = 43
Batches = Sequence[tuple[bytes, int, int, int]]
Refused = dict[tuple[bytes, int], ErrorCode]
Append = Callable[[memoryview, Refused], Sequence[Part] | None]

# The coordinator cannot tell now: the producer sends the batch again.
_TRY_AGAIN = (
    ErrorCode.CONCURRENT_TRANSACTIONS,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
)


class TxnProduces:
    """The transactional requests of one connection that are under way, in order."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last: asyncio.Task[None] | None = None


def must_wait(
    broker: Broker,
    connection: Connection,
    topics: dict[bytes, dict[int, Partition]],
    body: memoryview,
    batches: Batches,
) -> bool:
    queue: TxnProduces | None = connection.txn_produces
    if queue is not None and queue.last is not None and not queue.last.done():
        return True
    return bool(_unverified(broker, topics, body, batches))


def _unverified(
    broker: Broker, topics: dict[bytes, dict[int, Partition]], body: memoryview, batches: Batches
) -> dict[tuple[int, int], list[tuple[bytes, Partition]]]:
    """By producer, the partitions where its transaction is not known to be open."""
    found: dict[tuple[int, int], list[tuple[bytes, Partition]]] = {}
    for topic, index, start, end in batches:
        partition = topics.get(topic, {}).get(index)
        if partition is None or end - start < HEADER_BYTES:
            continue
        producer: tuple[int, int] = _PRODUCER.unpack_from(body, start + _PRODUCER_AT)
        if producer[0] >= 0 and not broker.transactions.is_verified(partition, producer):
            found.setdefault(producer, []).append((topic, partition))
    return found


def verify_then_append(
    broker: Broker,
    context: RequestContext,
    topics: dict[bytes, dict[int, Partition]],
    body: memoryview,
    transactional_id: str,
    batches: Batches,
    append: Append,
) -> None:
    copy = memoryview(bytearray(body))
    connection = context.connection
    if connection.txn_produces is None:
        connection.txn_produces = TxnProduces()
    queue: Any = connection.txn_produces
    before = queue.last

    async def run() -> None:
        if before is not None and not before.done():
            await asyncio.wait([before])
        refused: Refused = {}
        for producer, wanted in _unverified(broker, topics, copy, batches).items():
            partitions = [partition for _, partition in wanted]
            add = context.version >= IMPLICIT_FROM
            codes = await broker.transactions.verify(transactional_id, producer, partitions, add)
            for topic, partition in wanted:
                code = codes[partition.topic, partition.index]
                if code:
                    refused[topic, partition.index] = _as_produce_knows_it(code, context.version)
        parts = append(copy, refused)
        if parts is not None:
            context.respond(parts)

    rest = begin(run(), _nothing)
    queue.last = None if rest is None else broker.spawn(rest)


def _nothing(_: None) -> None:
    pass


def _as_produce_knows_it(code: ErrorCode, version: int) -> ErrorCode:
    if code in _TRY_AGAIN:
        return ErrorCode.NOT_ENOUGH_REPLICAS
    if code is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    if code is ErrorCode.TRANSACTION_ABORTABLE and version < ABORTABLE_FROM:
        return ErrorCode.INVALID_TXN_STATE
    return code
