"""One transactional id as its record in `__transaction_state` describes it, and the statuses it passes through."""

from __future__ import annotations

import enum
import struct
from functools import lru_cache
from typing import NamedTuple

from tidelog.coordinator.contract import CoordinatorRecord, KnownRecord, known_record
from tidelog.protocol import writing
from tidelog.protocol.txn_records.transaction_log import PartitionsSchema, TransactionLogKey, TransactionLogValue

NO_PRODUCER_ID = -1
NO_PRODUCER_EPOCH = -1
EPOCH_MAX = 32767
KEY_VERSION = 0
VALUE_VERSION = 1
_VERSION = struct.Struct(">h")
# Version of the value, producer id and epoch, timeout, status, and how many topics as a varint of one byte.
_HEAD = struct.Struct(">hqhibB").pack
_TIMES = struct.Struct(">qq").pack
_SHORT = 126
# No tagged field, or one: number 2, two bytes, the transaction version.
_USUAL_TAGS = {0: b"\0", 2: b"\1\2\2\0\2"}

TopicPartition = tuple[str, int]


class Status(enum.IntEnum):
    EMPTY = 0
    ONGOING = 1
    PREPARE_COMMIT = 2
    PREPARE_ABORT = 3
    COMPLETE_COMMIT = 4
    COMPLETE_ABORT = 5
    DEAD = 6
    PREPARE_EPOCH_FENCE = 7

    @property
    def title(self) -> str:
        """As it is named on the wire: PrepareCommit."""
        return "".join(word.capitalize() for word in self.name.split("_"))


ENDED = (Status.EMPTY, Status.COMPLETE_COMMIT, Status.COMPLETE_ABORT)
PREPARED = (Status.PREPARE_COMMIT, Status.PREPARE_ABORT)


class Transaction(NamedTuple):
    """Immutable: a change is a new value that `replay` puts in place of the old one."""

    transactional_id: str
    producer_id: int
    producer_epoch: int = NO_PRODUCER_EPOCH
    timeout_ms: int = 0
    status: Status = Status.EMPTY
    partitions: frozenset[TopicPartition] = frozenset()
    updated_ms: int = -1
    started_ms: int = -1
    previous_producer_id: int = NO_PRODUCER_ID
    next_producer_id: int = NO_PRODUCER_ID
    next_producer_epoch: int = NO_PRODUCER_EPOCH
    client_version: int = 0

    @property
    def epoch_exhausted(self) -> bool:
        """The last epoch of all is kept for fencing, so the id is changed one earlier."""
        return self.producer_epoch >= EPOCH_MAX - 1

    @property
    def bumps_epochs(self) -> bool:
        """Version 2 takes a new epoch at every end, so that a late request of the last transaction is told apart."""
        return self.client_version >= 2

    def record(self) -> CoordinatorRecord:
        return known_record(record_key(self.transactional_id), self.value(), self)

    def value(self) -> bytes:
        """In the usual case by hand, because each transaction has four of them; as the schema has it in any other."""
        tags = _USUAL_TAGS.get(self.client_version)
        changes_id = (self.previous_producer_id, self.next_producer_id, self.next_producer_epoch) != (-1, -1, -1)
        partitions = self.partitions
        count, topics = _encoded(partitions) if len(partitions) <= _SHORT else _encode(partitions)
        if tags is None or changes_id or self.status is Status.EMPTY or count > _SHORT:
            return _VERSION.pack(VALUE_VERSION) + self._value().encode(VALUE_VERSION)
        head = _HEAD(VALUE_VERSION, self.producer_id, self.producer_epoch, self.timeout_ms, self.status, count + 1)
        return b"".join((head, topics, _TIMES(self.updated_ms, self.started_ms), tags))

    def _value(self) -> TransactionLogValue:
        return TransactionLogValue(
            producer_id=self.producer_id,
            previous_producer_id=self.previous_producer_id,
            next_producer_id=self.next_producer_id,
            producer_epoch=self.producer_epoch,
            next_producer_epoch=self.next_producer_epoch,
            transaction_timeout_ms=self.timeout_ms,
            transaction_status=self.status,
            transaction_partitions=None
            if self.status is Status.EMPTY
            else [
                PartitionsSchema(topic=topic, partition_ids=ids) for topic, ids in _by_topic(self.partitions).items()
            ],
            transaction_last_update_timestamp_ms=self.updated_ms,
            transaction_start_timestamp_ms=self.started_ms,
            client_transaction_version=self.client_version,
        )


def _by_topic(partitions: frozenset[TopicPartition]) -> dict[str, list[int]]:
    topics: dict[str, list[int]] = {}
    for topic, partition in sorted(partitions):
        topics.setdefault(topic, []).append(partition)
    return topics


def _encode(partitions: frozenset[TopicPartition]) -> tuple[int, bytes]:
    """How many topics these are, and their bytes in a record."""
    topics = _by_topic(partitions)
    out = bytearray()
    for topic, indexes in topics.items():
        writing.string(out, topic, True)
        writing.int32s(out, indexes, True)
        out.append(0)
    return len(topics), bytes(out)


# A producer names the same partitions again and again, and each transaction writes them three times.
_encoded = lru_cache(maxsize=1024)(_encode)


@lru_cache(maxsize=4096)
def record_key(transactional_id: str) -> bytes:
    return _VERSION.pack(KEY_VERSION) + TransactionLogKey(transactional_id=transactional_id).encode(KEY_VERSION)


def tombstone(transactional_id: str) -> CoordinatorRecord:
    return CoordinatorRecord(record_key(transactional_id), None)


def read_record(record: CoordinatorRecord) -> tuple[str, Transaction | None] | None:
    """The id and its new state (None for a tombstone), or nothing for a kind of record not known here."""
    if type(record) is KnownRecord:
        known: Transaction = record.meaning
        return known.transactional_id, known
    (version,) = _VERSION.unpack_from(record.key)
    if version != KEY_VERSION:
        return None
    transactional_id = TransactionLogKey.decode(record.key[2:], version).transactional_id
    if record.value is None:
        return transactional_id, None
    (version,) = _VERSION.unpack_from(record.value)
    value = TransactionLogValue.decode(record.value[2:], version)
    partitions = frozenset(
        (item.topic, partition) for item in value.transaction_partitions or () for partition in item.partition_ids
    )
    return transactional_id, Transaction(
        transactional_id=transactional_id,
        producer_id=value.producer_id,
        producer_epoch=value.producer_epoch,
        timeout_ms=value.transaction_timeout_ms,
        status=Status(value.transaction_status),
        partitions=partitions,
        updated_ms=value.transaction_last_update_timestamp_ms,
        started_ms=value.transaction_start_timestamp_ms,
        previous_producer_id=value.previous_producer_id,
        next_producer_id=value.next_producer_id,
        next_producer_epoch=value.next_producer_epoch,
        client_version=value.client_transaction_version,
    )
