"""What the transaction coordinator is set up with, answers, and asks of the brokers."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.coordinator.txn.state import TopicPartition
from tidelog.protocol.errors import ErrorCode


class TxnConfig(NamedTuple):
    timeout_max_ms: int = 900_000
    abort_interval_ms: int = 10_000
    expiration_ms: int = 604_800_000
    expire_interval_ms: int = 3_600_000


class ProducerReply(NamedTuple):
    """Answers InitProducerId and EndTxn."""

    error: ErrorCode
    producer_id: int = -1
    producer_epoch: int = -1


class MarkersToWrite(NamedTuple):
    """The end of one transaction, for the partitions that do not have it yet."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    coordinator_epoch: int
    committed: bool
    partitions: tuple[TopicPartition, ...]
    transaction_version: int
