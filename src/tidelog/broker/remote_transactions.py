"""Transactions across brokers: markers for partitions that others lead, and questions to a coordinator elsewhere.

Nothing is retried here. A marker that did not arrive is told as such to the coordinator, which asks for it again; a
producer whose partition could not be verified sends its batch again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tidelog.coordinator.txn.state import TopicPartition
from tidelog.coordinator.txn.values import MarkersToWrite
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)
from tidelog.protocol.messages.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

PURPOSE = "transactions"
TIMEOUT_MS = 10_000
VERIFY_VERSION, ADD_VERSION = 4, 5
Codes = dict[TopicPartition, ErrorCode]


def leaders_of(
    broker: Broker, partitions: Iterable[TopicPartition]
) -> tuple[list[TopicPartition], dict[int, list[TopicPartition]]]:
    """Those that are handled here, and the others by their leader; one whose topic is gone counts as here."""
    here: list[TopicPartition] = []
    elsewhere: dict[int, list[TopicPartition]] = {}
    for topic, index in partitions:
        hosted = broker.partitions.get(topic, index)
        if hosted is not None and hosted.leader is not None:
            here.append((topic, index))
            continue
        known = broker.metadata.image.topics.get(topic)
        leader = broker.node_id
        if known is not None and index < len(known.partitions):
            leader = known.partitions[index].leader
        if leader == broker.node_id:
            here.append((topic, index))
        else:
            elsewhere.setdefault(leader, []).append((topic, index))
    return here, elsewhere


async def send_markers(
    broker: Broker,
    leader_id: int,
    markers: MarkersToWrite,
    partitions: list[TopicPartition],
    written: Callable[[TopicPartition, ErrorCode], None],
) -> None:
    """Tells of each partition what became of its marker."""
    codes = dict.fromkeys(partitions, ErrorCode.LEADER_NOT_AVAILABLE)
    peer = broker.peer(leader_id, PURPOSE)
    if peer is not None:
        marker = WritableTxnMarker(
            producer_id=markers.producer_id,
            producer_epoch=markers.producer_epoch,
            transaction_result=markers.committed,
            coordinator_epoch=markers.coordinator_epoch,
            transaction_version=markers.transaction_version,
            topics=[
                WritableTxnMarkerTopic(name=topic, partition_indexes=indexes)
                for topic, indexes in by_topic(partitions).items()
            ],
        )
        try:
            answer = await peer.request(WriteTxnMarkersRequest(markers=[marker]), timeout_ms=TIMEOUT_MS)
        except OSError:
            pass  # as if nobody led the partitions; the coordinator asks again
        else:
            for topic in answer.markers[0].topics:
                for each in topic.partitions:
                    codes[topic.name, each.partition_index] = ErrorCode.of(each.error_code)
    for topic_name, index in partitions:
        if codes[topic_name, index] is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION and _exists(broker, topic_name, index):
            # Its leader has yet to hear of it; taken for a deleted one, its transaction would stay open for ever.
            codes[topic_name, index] = ErrorCode.LEADER_NOT_AVAILABLE
    for partition in partitions:
        written(partition, codes[partition])


def _exists(broker: Broker, topic: str, index: int) -> bool:
    known = broker.metadata.image.topics.get(topic)
    return known is not None and index < len(known.partitions)


async def ask_coordinator(
    broker: Broker,
    coordinator_id: int,
    transactional_id: str,
    producer: tuple[int, int],
    wanted: list[TopicPartition],
    add: bool,
) -> Codes:
    """Verifies the partitions with the coordinator, or adds them; raises KafkaError or OSError if nobody can tell."""
    peer = broker.peer(coordinator_id, PURPOSE)
    if peer is None:
        raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    transaction = AddPartitionsToTxnTransaction(
        transactional_id=transactional_id,
        producer_id=producer[0],
        producer_epoch=producer[1],
        verify_only=not add,
        topics=[AddPartitionsToTxnTopic(name=topic, partitions=indexes) for topic, indexes in by_topic(wanted).items()],
    )
    request = AddPartitionsToTxnRequest(transactions=[transaction])
    answer = await peer.request(request, ADD_VERSION if add else VERIFY_VERSION, TIMEOUT_MS)
    if answer.error_code:
        raise KafkaError(ErrorCode.of(answer.error_code))
    codes = dict.fromkeys(wanted, ErrorCode.COORDINATOR_NOT_AVAILABLE)
    for topic in answer.results_by_transaction[0].topic_results:
        for each in topic.results_by_partition:
            codes[topic.name, each.partition_index] = ErrorCode.of(each.partition_error_code)
    return codes


def by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for topic, index in partitions:
        found.setdefault(topic, []).append(index)
    return found
