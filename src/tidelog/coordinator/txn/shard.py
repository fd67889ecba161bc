"""The transaction coordinator of one partition of `__transaction_state`: every transactional id that hashes to it.

A transaction ends in two steps. The decision (PREPARE_COMMIT or PREPARE_ABORT) is a record; once it is committed,
markers go to every partition of the transaction, and when the last of them is written the id is COMPLETE. A new leader
finds the decision in the log and sends the markers again, so a decided transaction always ends the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Token
from tidelog.coordinator.txn import ending, starting
from tidelog.coordinator.txn.state import (
    ENDED,
    PREPARED,
    Status,
    TopicPartition,
    Transaction,
    read_record,
    tombstone,
)
from tidelog.coordinator.txn.values import MarkersToWrite, TxnConfig
from tidelog.protocol.errors import ErrorCode

MARKER_DONE = (ErrorCode.NONE, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT)
MARKER_FENCED = (ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.TRANSACTION_COORDINATOR_FENCED)


class TxnShard:
    def __init__(
        self, coordinator_epoch: int, config: TxnConfig, allocate_producer_id: Callable[[], int | None]
    ) -> None:
        self.coordinator_epoch = coordinator_epoch
        self.config = config
        self.allocate_producer_id = allocate_producer_id
        self.transactions: dict[str, Transaction] = {}
        # Soft state: the epoch before a bump that a client asked for by naming its own, so that its retry is known.
        self.bumped_from: dict[str, int] = {}
        self._unwritten: dict[str, set[TopicPartition]] = {}
        self._next_abort_ms = 0
        self._next_expire_ms = 0

    # -- the contract

    def replay(self, offset: int, producer_id: int, producer_epoch: int, record: CoordinatorRecord) -> None:
        read = read_record(record)
        if read is None:
            return
        transactional_id, transaction = read
        if transaction is None:
            self.transactions.pop(transactional_id, None)
        else:
            self.transactions[transactional_id] = transaction

    def replay_end_transaction(self, producer_id: int, producer_epoch: int, committed: bool) -> None:
        raise AssertionError("no producer writes transactions to the transaction log itself")

    def loaded(self, now_ms: int) -> Effects:
        self._next_abort_ms = now_ms + self.config.abort_interval_ms
        self._next_expire_ms = now_ms + self.config.expire_interval_ms
        effects = Effects()
        for transaction in self.transactions.values():
            if transaction.status in PREPARED:
                effects.extend(self.send_markers(transaction, now_ms))
        return effects

    def unloaded(self) -> Effects:
        self._unwritten.clear()
        self.bumped_from.clear()
        return Effects()

    def next_deadline_ms(self) -> int | None:
        return min(self._next_abort_ms, self._next_expire_ms) if self.transactions else None

    def tick(self, now_ms: int) -> Effects:
        effects = Effects()
        if now_ms >= self._next_abort_ms:
            self._next_abort_ms = now_ms + self.config.abort_interval_ms
            for transaction in self._timed_out(now_ms):
                effects.extend(ending.fence_and_abort(self, transaction, now_ms))
        if now_ms >= self._next_expire_ms:
            self._next_expire_ms = now_ms + self.config.expire_interval_ms
            for transaction in self._expired(now_ms):
                effects.records.append(tombstone(transaction.transactional_id))
        return effects

    # -- requests

    def init_producer_id(
        self, token: Token, transactional_id: str, timeout_ms: int, expected: tuple[int, int] | None, now_ms: int
    ) -> Effects:
        return starting.init_producer_id(self, token, transactional_id, timeout_ms, expected, now_ms)

    def add_partitions(
        self,
        token: Token,
        transactional_id: str,
        producer: tuple[int, int],
        partitions: Iterable[TopicPartition],
        client_version: int,
        now_ms: int,
    ) -> Effects:
        return starting.add_partitions(self, token, transactional_id, producer, partitions, client_version, now_ms)

    def verify_partitions(
        self, token: Token, transactional_id: str, producer: tuple[int, int], partitions: Iterable[TopicPartition]
    ) -> Effects:
        return starting.verify_partitions(self, token, transactional_id, producer, partitions)

    def end(
        self,
        token: Token,
        transactional_id: str,
        producer: tuple[int, int],
        committed: bool,
        client_version: int,
        now_ms: int,
    ) -> Effects:
        return ending.end(self, token, transactional_id, producer, committed, client_version, now_ms)

    # -- markers

    def send_markers(self, transaction: Transaction, now_ms: int) -> Effects:
        """Asks for the markers of a decided transaction; one without partitions is complete at once."""
        if not transaction.partitions:
            return Effects([ending.completed(transaction, now_ms).record()])
        self._unwritten[transaction.transactional_id] = set(transaction.partitions)
        return Effects(sends=[self._markers(transaction, transaction.partitions)])

    def markers_written(
        self, markers: MarkersToWrite, results: dict[TopicPartition, ErrorCode], now_ms: int
    ) -> Effects:
        """What became of the markers; those that can be tried again are sent again."""
        transaction = self.transactions.get(markers.transactional_id)
        unwritten = self._unwritten.get(markers.transactional_id)
        if transaction is None or unwritten is None or not _is_of(markers, transaction):
            return Effects()
        if any(code in MARKER_FENCED for code in results.values()):
            del self._unwritten[markers.transactional_id]
            return Effects()
        unwritten.difference_update(partition for partition, code in results.items() if code in MARKER_DONE)
        if unwritten:
            again = [partition for partition in markers.partitions if partition in unwritten]
            return Effects(sends=[self._markers(transaction, again)]) if again else Effects()
        del self._unwritten[markers.transactional_id]
        return Effects([ending.completed(transaction, now_ms).record()])

    def _markers(self, transaction: Transaction, partitions: Iterable[TopicPartition]) -> MarkersToWrite:
        return MarkersToWrite(
            transaction.transactional_id,
            transaction.producer_id,
            transaction.producer_epoch,
            self.coordinator_epoch,
            transaction.status is Status.PREPARE_COMMIT,
            tuple(sorted(partitions)),
            transaction.client_version,
        )

    def _timed_out(self, now_ms: int) -> list[Transaction]:
        return [
            transaction
            for transaction in self.transactions.values()
            if transaction.status is Status.ONGOING and transaction.started_ms + transaction.timeout_ms < now_ms
        ]

    def _expired(self, now_ms: int) -> list[Transaction]:
        return [
            transaction
            for transaction in self.transactions.values()
            if transaction.status in ENDED and transaction.updated_ms + self.config.expiration_ms <= now_ms
        ]


def _is_of(markers: MarkersToWrite, transaction: Transaction) -> bool:
    return (
        transaction.status in PREPARED
        and transaction.producer_id == markers.producer_id
        and transaction.producer_epoch == markers.producer_epoch
    )
