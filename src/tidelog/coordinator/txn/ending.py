"""The second half of a transaction: the decision, its fencing, and the state once all markers are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.txn.state import (
    EPOCH_MAX,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    PREPARED,
    Status,
    Transaction,
)
from tidelog.coordinator.txn.values import ProducerReply
from tidelog.protocol.errors import ErrorCode

if TYPE_CHECKING:
    from tidelog.coordinator.txn.shard import TxnShard


def end(
    shard: TxnShard,
    token: Token,
    transactional_id: str,
    producer: tuple[int, int],
    committed: bool,
    client_version: int,
    now_ms: int,
) -> Effects:
    if not transactional_id:
        return Effects().reply(token, ProducerReply(ErrorCode.INVALID_REQUEST))
    current = shard.transactions.get(transactional_id)
    if current is None:
        return Effects().reply(token, ProducerReply(ErrorCode.INVALID_PRODUCER_ID_MAPPING))
    bumping = client_version >= 2
    error = _who(current, producer, bumping)
    if error is not None:
        return Effects().reply(token, ProducerReply(error))
    verdict = _verdict(current, committed, bumping, retry=bumping and producer != _session(current))
    if verdict is not ErrorCode.NONE or current.status in PREPARED or _is_retry(current, committed, producer, bumping):
        session = _session_after(current) if verdict is ErrorCode.NONE else (-1, -1)
        return Effects().reply(token, ProducerReply(verdict, *session))
    return _decide(shard, token, current, committed, client_version, now_ms)


def _session(transaction: Transaction) -> tuple[int, int]:
    return transaction.producer_id, transaction.producer_epoch


def _session_after(transaction: Transaction) -> tuple[int, int]:
    """Who the producer is from now on: the next id once the epochs of this one ran out."""
    if transaction.next_producer_id != NO_PRODUCER_ID:
        return transaction.next_producer_id, 0
    return _session(transaction)


def _who(current: Transaction, producer: tuple[int, int], bumping: bool) -> ErrorCode | None:
    """Whether this producer may end the transaction, or has just done so and asks again."""
    producer_id, epoch = producer
    v2 = bumping and current.bumps_epochs
    overflowed = (
        v2 and current.previous_producer_id == producer_id and epoch == EPOCH_MAX - 1 and current.producer_epoch == 0
    )
    if current.producer_id != producer_id and not overflowed:
        return ErrorCode.INVALID_PRODUCER_ID_MAPPING
    if epoch == current.producer_epoch and not (v2 and current.status in PREPARED):
        return None
    bumped = v2 and current.producer_epoch == epoch + 1 and current.status not in (Status.ONGOING, Status.EMPTY)
    return None if bumped or overflowed else ErrorCode.PRODUCER_FENCED


def _is_retry(current: Transaction, committed: bool, producer: tuple[int, int], bumping: bool) -> bool:
    """The same end was already decided: version 1 tells it by the status, version 2 by the epoch before the bump."""
    complete = Status.COMPLETE_COMMIT if committed else Status.COMPLETE_ABORT
    if current.status is not complete:
        return False
    return producer != _session(current) if bumping and current.bumps_epochs else not bumping


def _verdict(current: Transaction, committed: bool, bumping: bool, retry: bool) -> ErrorCode:
    """NONE when the transaction may end this way now, or did; else the error that the status calls for."""
    status = current.status
    if status is Status.ONGOING:
        return ErrorCode.NONE
    if status in PREPARED:
        same = committed == (status is Status.PREPARE_COMMIT)
        return ErrorCode.CONCURRENT_TRANSACTIONS if same else ErrorCode.INVALID_TXN_STATE
    if status is Status.EMPTY:
        return ErrorCode.NONE if bumping and not committed else ErrorCode.INVALID_TXN_STATE
    if not bumping or retry:
        same = committed == (status is Status.COMPLETE_COMMIT)
        return ErrorCode.NONE if same else ErrorCode.INVALID_TXN_STATE
    # A version 2 producer at its new epoch may abort a transaction to which it never added a partition.
    return ErrorCode.INVALID_TXN_STATE if committed else ErrorCode.NONE


def _decide(
    shard: TxnShard, token: Token, current: Transaction, committed: bool, client_version: int, now_ms: int
) -> Effects:
    decided = current._replace(
        status=Status.PREPARE_COMMIT if committed else Status.PREPARE_ABORT,
        updated_ms=now_ms,
        started_ms=current.started_ms if current.status is Status.ONGOING else now_ms,
        partitions=current.partitions if current.status is Status.ONGOING else frozenset(),
        client_version=client_version,
    )
    if client_version >= 2:
        if current.epoch_exhausted:
            next_id = shard.allocate_producer_id()
            if next_id is None:
                return Effects().reply(token, ProducerReply(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS))
            decided = decided._replace(next_producer_id=next_id, next_producer_epoch=0)
        decided = decided._replace(producer_epoch=current.producer_epoch + 1)
    effects = Effects([decided.record()]).reply(token, ProducerReply(ErrorCode.NONE, *_session_after(decided)))
    return effects.extend(shard.send_markers(decided, now_ms))


def fence_and_abort(shard: TxnShard, current: Transaction, now_ms: int) -> Effects:
    """The coordinator itself ends an open transaction: its producer timed out, or a new session took the id."""
    epoch = min(current.producer_epoch + 1, EPOCH_MAX)
    decided = current._replace(status=Status.PREPARE_ABORT, producer_epoch=epoch, updated_ms=now_ms)
    shard.bumped_from.pop(current.transactional_id, None)
    return Effects([decided.record()]).extend(shard.send_markers(decided, now_ms))


def completed(decided: Transaction, now_ms: int) -> Transaction:
    """After the last marker. A producer whose epochs ran out goes on under its next id."""
    status = Status.COMPLETE_COMMIT if decided.status is Status.PREPARE_COMMIT else Status.COMPLETE_ABORT
    done = decided._replace(
        status=status,
        partitions=frozenset(),
        updated_ms=now_ms,
        next_producer_id=NO_PRODUCER_ID,
        next_producer_epoch=NO_PRODUCER_EPOCH,
    )
    if decided.next_producer_id == NO_PRODUCER_ID:
        return done
    return done._replace(
        producer_id=decided.next_producer_id, producer_epoch=0, previous_producer_id=decided.producer_id
    )
