"""Transactions by hand: each step is one request to the coordinator, and may be sent by another process than the last.

The client's own producer ends what it began. Here a task begins and writes, and the driver ends, so the identity
(producer id and epoch) travels between them. The requests are of versions that every broker since 2.5 understands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tidelog.client.blocking import GROUP, TRANSACTION, BlockingCluster, BlockingConnection
from tidelog.client.blocking_offsets import TopicPartition
from tidelog.client.cluster import raise_for
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.add_offsets_to_txn import AddOffsetsToTxnRequest
from tidelog.protocol.messages.add_partitions_to_txn import AddPartitionsToTxnRequest, AddPartitionsToTxnTopic
from tidelog.protocol.messages.end_txn import EndTxnRequest
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest
from tidelog.protocol.messages.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)

_ADD_PARTITIONS, _END, _OFFSETS = 3, 4, 4
"""The newest versions that leave adding partitions and numbering epochs to the client."""
GONE = {
    ErrorCode.PRODUCER_FENCED,
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    ErrorCode.INVALID_TXN_STATE,
}
"""What the coordinator says of a transaction that it has ended, or whose name somebody else has taken since."""


class Identity(NamedTuple):
    """Who writes: a transactional id as the coordinator knows it."""

    transactional_id: str
    producer_id: int
    epoch: int

    @property
    def who(self) -> dict[str, Any]:
        return {
            "transactional_id": self.transactional_id,
            "producer_id": self.producer_id,
            "producer_epoch": self.epoch,
        }


def take(cluster: BlockingCluster, transactional_id: str, timeout_ms: int) -> Identity:
    """Takes the transactional id over: who had it is fenced, and what they left open is aborted."""
    request = InitProducerIdRequest(
        transactional_id=transactional_id, transaction_timeout_ms=timeout_ms, producer_id=-1, producer_epoch=-1
    )

    def work(connection: BlockingConnection) -> Identity:
        answer = connection.request(request)
        if answer.error_code == ErrorCode.INVALID_TRANSACTION_TIMEOUT:
            raise KafkaError(
                ErrorCode.INVALID_TRANSACTION_TIMEOUT,
                f"kafka.transaction.timeout.ms={timeout_ms} is more than the broker's transaction.max.timeout.ms; "
                "lower the one or raise the other",
            )
        raise_for(answer.error_code)
        return Identity(transactional_id, answer.producer_id, answer.producer_epoch)

    return cluster.ask_coordinator(TRANSACTION, transactional_id, work)


def take_anonymous(cluster: BlockingCluster) -> Identity:
    """An identity for idempotent writing without transactions."""

    def attempt() -> Identity:
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000)
        answer = cluster.any_broker().request(request)
        raise_for(answer.error_code)
        return Identity("", answer.producer_id, answer.producer_epoch)

    return cluster.retrying(attempt)


def add_partitions(cluster: BlockingCluster, identity: Identity, partitions: Iterable[TopicPartition]) -> None:
    topics: dict[str, list[int]] = {}
    for topic, index in sorted(partitions):
        topics.setdefault(topic, []).append(index)
    request = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=identity.transactional_id,
        v3_and_below_producer_id=identity.producer_id,
        v3_and_below_producer_epoch=identity.epoch,
        v3_and_below_topics=[AddPartitionsToTxnTopic(name=name, partitions=each) for name, each in topics.items()],
    )

    def work(connection: BlockingConnection) -> None:
        answer = connection.request(request, version=connection.version_for(request, _ADD_PARTITIONS))
        for topic in answer.results_by_topic_v3_and_below:
            for row in topic.results_by_partition:
                raise_for(row.partition_error_code)

    cluster.ask_coordinator(TRANSACTION, identity.transactional_id, work)


def send_offsets(
    cluster: BlockingCluster, identity: Identity, group_id: str, offsets: Mapping[TopicPartition, int]
) -> None:
    """Makes a group's offsets part of the transaction."""
    adding = AddOffsetsToTxnRequest(**identity.who, group_id=group_id)

    def add(connection: BlockingConnection) -> None:
        raise_for(connection.request(adding, version=connection.version_for(adding, 3)).error_code)

    cluster.ask_coordinator(TRANSACTION, identity.transactional_id, add)
    topics: dict[str, list[TxnOffsetCommitRequestPartition]] = {}
    for (topic, index), offset in sorted(offsets.items()):
        row = TxnOffsetCommitRequestPartition(partition_index=index, committed_offset=offset)
        topics.setdefault(topic, []).append(row)
    request = TxnOffsetCommitRequest(
        **identity.who,
        group_id=group_id,
        topics=[TxnOffsetCommitRequestTopic(name=name, partitions=rows) for name, rows in topics.items()],
    )

    def commit(connection: BlockingConnection) -> None:
        answer = connection.request(request, version=connection.version_for(request, _OFFSETS))
        for topic in answer.topics:
            for row in topic.partitions:
                raise_for(row.error_code)

    cluster.ask_coordinator(GROUP, group_id, commit)


def end(cluster: BlockingCluster, identity: Identity, *, commit: bool) -> bool:
    """Ends the transaction, and may be repeated. False when it is not there to be ended: timed out, or taken over."""
    request = EndTxnRequest(**identity.who, committed=commit)

    def work(connection: BlockingConnection) -> bool:
        answer = connection.request(request, version=connection.version_for(request, _END))
        if ErrorCode.of(answer.error_code) in GONE:
            return False
        raise_for(answer.error_code)
        return True

    return cluster.ask_coordinator(TRANSACTION, identity.transactional_id, work)
