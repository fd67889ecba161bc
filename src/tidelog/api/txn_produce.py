"""Produce requests of transactions whose partitions still have to be verified with the transaction coordinator.

Verifying may take a round trip, so the request leaves the straight path: its bytes are copied, and later requests of
the same connection that belong to transactions wait behind it, because their sequence numbers follow.
"""

from __future__ import annotations

import logging
import struct
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from tidelog.api.context import CLOSE, Answer, Connection, RequestContext
from tidelog.broker.broker import Broker
from tidelog.broker.partition import Partition
from tidelog.coordinator.txn.state import TopicPartition
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.record_batch import TRANSACTIONAL_FLAG

LOG = logging.getLogger(__name__)
IMPLICIT_FROM = 12
ABORTABLE_FROM = 11
HEADER_BYTES = 61
_PRODUCER = struct.Struct(">qh")
_PRODUCER_AT = 43
_ATTRIBUTES_AT = 22  # the lower byte of them
Topics = dict[bytes, dict[int, Partition]]
Batches = Sequence[tuple[bytes, int, int, int]]
Refused = dict[tuple[bytes, int], ErrorCode]
Append = Callable[[memoryview, Refused], Answer | None]

# The coordinator cannot tell now: the producer sends the batch again.
_TRY_AGAIN = (
    ErrorCode.CONCURRENT_TRANSACTIONS,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
)


class TxnProduce:
    """One request that is verified, then appended."""

    __slots__ = (
        "_append",
        "_batches",
        "_body",
        "_broker",
        "_context",
        "_failed",
        "_id",
        "_left",
        "_refused",
        "_topics",
    )

    def __init__(
        self,
        broker: Broker,
        context: RequestContext,
        topics: Topics,
        body: memoryview,
        transactional_id: str,
        batches: Batches,
        append: Append,
    ) -> None:
        self._broker = broker
        self._context = context
        self._topics = topics
        self._body = body
        self._id = transactional_id
        self._batches = batches
        self._append = append
        self._refused: Refused = {}
        self._left = 0
        self._failed = False

    def begin(self) -> None:
        unverified = _unverified(self._broker, self._topics, self._body, self._batches, self._context.version)
        self._left = len(unverified)
        if not unverified:
            self._finish()
        add = self._context.version >= IMPLICIT_FROM
        for producer, wanted in unverified.items():
            partitions = [partition for _, partition in wanted]
            self._broker.transactions.verify(self._id, producer, partitions, add, partial(self._verified, wanted))

    def _verified(self, wanted: list[tuple[bytes, Partition]], codes: dict[TopicPartition, ErrorCode]) -> None:
        if self._failed:
            return  # while others were still asked: the request has its end, and its place in the line is another's
        for topic, each in wanted:
            code = codes[each.topic, each.index]
            if code:
                self._refused[topic, each.index] = _as_produce_knows_it(code, self._context.version)
        self._left -= 1
        if not self._left:
            self._finish()

    def _finish(self) -> None:
        try:
            parts = self._append(self._body, self._refused)
            if parts is not None:
                self._context.respond(parts)
        except Exception:
            self.fail()
        self._context.connection.txn_produces.next()

    def fail(self) -> None:
        """A defect of ours: this connection cannot go on, all others can."""
        LOG.exception("a produce request of a transaction failed")
        self._failed = True
        self._context.respond(CLOSE)


class TxnProduces:
    """The transactional requests of one connection that are under way, in order: one is verified at a time."""

    __slots__ = ("_is_running", "_queue")

    def __init__(self) -> None:
        self._queue: deque[TxnProduce] = deque()
        self._is_running = False

    @property
    def is_busy(self) -> bool:
        return bool(self._queue)

    def add(self, request: TxnProduce) -> None:
        self._queue.append(request)
        if len(self._queue) == 1:
            self._run()

    def next(self) -> None:
        self._queue.popleft()
        if not self._is_running:
            self._run()

    def _run(self) -> None:
        """Begins one after the other, as long as each is done at once."""
        self._is_running = True
        try:
            while self._queue:
                first = self._queue[0]
                try:
                    first.begin()
                except Exception:
                    first.fail()
                    self._queue.popleft()
                if self._queue and self._queue[0] is first:
                    break
        finally:
            self._is_running = False


def must_wait(
    broker: Broker,
    connection: Connection,
    topics: Topics,
    body: memoryview,
    batches: Batches,
    version: int,
) -> bool:
    queue: TxnProduces | None = connection.txn_produces
    if queue is not None and queue.is_busy:
        return True
    return bool(_unverified(broker, topics, body, batches, version))


def has_several_producers(body: memoryview, batches: Batches) -> bool:
    """A request is of one transactional id, so of one producer: batches of another one are forged, and so is it all."""
    found = set()
    for _, _, start, end in batches:
        if end - start >= HEADER_BYTES and body[start + _ATTRIBUTES_AT] & TRANSACTIONAL_FLAG:
            found.add(_PRODUCER.unpack_from(body, start + _PRODUCER_AT))
    return len(found) > 1


def _unverified(
    broker: Broker, topics: Topics, body: memoryview, batches: Batches, version: int
) -> dict[tuple[int, int], list[tuple[bytes, Partition]]]:
    """By producer, the partitions where its transaction is not known to be open."""
    found: dict[tuple[int, int], list[tuple[bytes, Partition]]] = {}
    adds = version >= IMPLICIT_FROM
    for topic, index, start, end in batches:
        partition = topics.get(topic, {}).get(index)
        if partition is None or end - start < HEADER_BYTES:
            continue
        producer: tuple[int, int] = _PRODUCER.unpack_from(body, start + _PRODUCER_AT)
        if producer[0] >= 0 and not broker.transactions.is_verified(partition, producer, adds):
            found.setdefault(producer, []).append((topic, partition))
    return found


def verify_then_append(
    broker: Broker,
    context: RequestContext,
    topics: Topics,
    body: memoryview,
    transactional_id: str,
    batches: Batches,
    append: Append,
) -> None:
    copy = memoryview(bytearray(body))
    connection = context.connection
    if connection.txn_produces is None:
        connection.txn_produces = TxnProduces()
    queue: TxnProduces = connection.txn_produces
    queue.add(TxnProduce(broker, context, topics, copy, transactional_id, batches, append))


def _as_produce_knows_it(code: ErrorCode, version: int) -> ErrorCode:
    if code in _TRY_AGAIN:
        return ErrorCode.NOT_ENOUGH_REPLICAS
    if code is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    if code is ErrorCode.TRANSACTION_ABORTABLE and version < ABORTABLE_FROM:
        return ErrorCode.INVALID_TXN_STATE
    return code
