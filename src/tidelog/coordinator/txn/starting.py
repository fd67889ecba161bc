"""The first half of a transaction: a producer takes its id and epoch, and names the partitions it writes to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.txn import ending
from tidelog.coordinator.txn.state import (
    EPOCH_MAX,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    PREPARED,
    Status,
    TopicPartition,
    Transaction,
)
from tidelog.coordinator.txn.values import ProducerReply
from tidelog.protocol.errors import ErrorCode

if TYPE_CHECKING:
    from tidelog.coordinator.txn.shard import TxnShard

Expected = tuple[int, int] | None


def init_producer_id(
    shard: TxnShard, token: Token, transactional_id: str, timeout_ms: int, expected: Expected, now_ms: int
) -> Effects:
    """A new session of a transactional id: the epoch grows, so that every older session is fenced."""
    error = _refusal(shard, transactional_id, timeout_ms)
    if error is not None:
        return Effects().reply(token, ProducerReply(error))
    current = shard.transactions.get(transactional_id)
    if current is None:
        return _first_session(shard, token, transactional_id, timeout_ms, now_ms)
    if expected is not None and not _may_name(current, expected):
        return Effects().reply(token, ProducerReply(ErrorCode.PRODUCER_FENCED))
    if current.status in PREPARED:
        return Effects().reply(token, ProducerReply(ErrorCode.CONCURRENT_TRANSACTIONS))
    if current.status is Status.ONGOING:
        effects = ending.fence_and_abort(shard, current, now_ms)
        return effects.reply(token, ProducerReply(ErrorCode.CONCURRENT_TRANSACTIONS))
    return _next_session(shard, token, current, timeout_ms, expected, now_ms)


def _refusal(shard: TxnShard, transactional_id: str, timeout_ms: int) -> ErrorCode | None:
    if not transactional_id:
        return ErrorCode.INVALID_REQUEST
    if not 0 < timeout_ms <= shard.config.timeout_max_ms:
        return ErrorCode.INVALID_TRANSACTION_TIMEOUT
    return None


def _may_name(current: Transaction, expected: tuple[int, int]) -> bool:
    """A producer that names its id must be the one the id belongs to, or the one whose epochs ran out just before."""
    producer_id, epoch = expected
    if current.producer_epoch == NO_PRODUCER_EPOCH or producer_id == current.producer_id:
        return True
    return producer_id == current.previous_producer_id and epoch >= EPOCH_MAX - 1


def _first_session(shard: TxnShard, token: Token, transactional_id: str, timeout_ms: int, now_ms: int) -> Effects:
    producer_id = shard.allocate_producer_id()
    if producer_id is None:
        return _no_producer_id(token)
    transaction = Transaction(transactional_id, producer_id, 0, timeout_ms, updated_ms=now_ms)
    return _answered(token, transaction)


def _next_session(
    shard: TxnShard, token: Token, current: Transaction, timeout_ms: int, expected: Expected, now_ms: int
) -> Effects:
    fresh = current._replace(
        timeout_ms=timeout_ms,
        status=Status.EMPTY,
        partitions=frozenset(),
        updated_ms=now_ms,
        started_ms=-1,
        next_producer_id=NO_PRODUCER_ID,
        next_producer_epoch=NO_PRODUCER_EPOCH,
    )
    transactional_id = current.transactional_id
    if current.epoch_exhausted:
        producer_id = shard.allocate_producer_id()
        if producer_id is None:
            return _no_producer_id(token)
        shard.bumped_from.pop(transactional_id, None)
        return _answered(
            token,
            fresh._replace(producer_id=producer_id, producer_epoch=0, previous_producer_id=current.producer_id),
        )
    if expected is not None and expected[1] != current.producer_epoch:
        retried = expected == (current.producer_id, shard.bumped_from.get(transactional_id))
        if retried or expected[0] == current.previous_producer_id != current.producer_id:
            return Effects().reply(token, ProducerReply(ErrorCode.NONE, current.producer_id, current.producer_epoch))
        return Effects().reply(token, ProducerReply(ErrorCode.PRODUCER_FENCED))
    shard.bumped_from.pop(transactional_id, None)
    if expected is not None:
        shard.bumped_from[transactional_id] = current.producer_epoch
    return _answered(token, fresh._replace(producer_epoch=current.producer_epoch + 1))


def _answered(token: Token, transaction: Transaction) -> Effects:
    reply = ProducerReply(ErrorCode.NONE, transaction.producer_id, transaction.producer_epoch)
    return Effects([transaction.record()]).reply(token, reply)


def _no_producer_id(token: Token) -> Effects:
    """The block of ids is used up and the next one is on its way: the client tries again."""
    return Effects().reply(token, ProducerReply(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS))


def _judge(shard: TxnShard, transactional_id: str, producer: tuple[int, int]) -> Transaction | ErrorCode:
    if not transactional_id:
        return ErrorCode.INVALID_REQUEST
    current = shard.transactions.get(transactional_id)
    if current is None or current.producer_id != producer[0]:
        return ErrorCode.INVALID_PRODUCER_ID_MAPPING
    if current.producer_epoch != producer[1]:
        return ErrorCode.PRODUCER_FENCED
    if current.status in PREPARED:
        return ErrorCode.CONCURRENT_TRANSACTIONS
    return current


def add_partitions(
    shard: TxnShard,
    token: Token,
    transactional_id: str,
    producer: tuple[int, int],
    partitions: Iterable[TopicPartition],
    client_version: int,
    now_ms: int,
) -> Effects:
    """Replies one error code for all the partitions: the transaction has them all, or none was added."""
    current = _judge(shard, transactional_id, producer)
    if isinstance(current, ErrorCode):
        return Effects().reply(token, current)
    wanted = frozenset(partitions)
    if current.status is Status.ONGOING:
        if wanted <= current.partitions:
            return Effects().reply(token, ErrorCode.NONE)
        wanted, started_ms = current.partitions | wanted, current.started_ms
    else:
        started_ms = now_ms
    changed = current._replace(
        status=Status.ONGOING,
        partitions=wanted,
        updated_ms=now_ms,
        started_ms=started_ms,
        client_version=client_version,
    )
    return Effects([changed.record()]).reply(token, ErrorCode.NONE)


def verify_partitions(
    shard: TxnShard,
    token: Token,
    transactional_id: str,
    producer: tuple[int, int],
    partitions: Iterable[TopicPartition],
) -> Effects:
    """Replies a code per partition: a broker asks whether a batch it holds belongs to a transaction that is open."""
    current = _judge(shard, transactional_id, producer)
    if isinstance(current, ErrorCode):
        return Effects().reply(token, dict.fromkeys(partitions, current))
    open_ones = current.partitions if current.status is Status.ONGOING else frozenset()
    codes = {one: ErrorCode.NONE if one in open_ones else ErrorCode.TRANSACTION_ABORTABLE for one in partitions}
    return Effects().reply(token, codes)
