"""Transactions: list, describe, the producers of a partition, abort, and finding those that nobody will end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tidelog.client.cluster import Cluster, raise_for
from tidelog.client.connection import Connection
from tidelog.client.list_offsets import TopicPartition, by_leader
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.protocol.messages.describe_producers import ProducerState
    from tidelog.protocol.messages.describe_transactions import TransactionState

T = TypeVar("T")
TRANSACTION = 1
"""The kind of coordinator, for FindCoordinator."""


class ListedTransaction(NamedTuple):
    transactional_id: str
    coordinator: int
    producer_id: int
    state: str


class OpenTransaction(NamedTuple):
    partition: TopicPartition
    producer: ProducerState


class DescribedTransaction(NamedTuple):
    coordinator: int
    state: TransactionState
    partitions: tuple[TopicPartition, ...]


class TransactionAdmin:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def all(
        self,
        *,
        states: Iterable[str] = (),
        producer_ids: Iterable[int] = (),
        longer_than_ms: int = -1,
        pattern: str | None = None,
    ) -> list[ListedTransaction]:
        """The transactional ids that every broker coordinates."""
        from tidelog.protocol.messages.list_transactions import ListTransactionsRequest

        found = []
        for node_id in sorted((await self._cluster.refresh([])).brokers):
            request = ListTransactionsRequest(state_filters=list(states), producer_id_filters=list(producer_ids))
            version = (await self._cluster.broker(node_id)).version_for(ListTransactionsRequest)
            if version >= 1:
                request.duration_filter = longer_than_ms
            if version >= 2:
                request.transactional_id_pattern = pattern
            answer = await self._cluster.ask(node_id, request)
            raise_for(answer.error_code)
            found += [
                ListedTransaction(row.transactional_id, node_id, row.producer_id, row.transaction_state)
                for row in answer.transaction_states
            ]
        return found

    async def describe(self, transactional_id: str) -> DescribedTransaction:
        from tidelog.protocol.messages.describe_transactions import DescribeTransactionsRequest

        async def attempt(coordinator: Connection) -> DescribedTransaction:
            answer = await coordinator.request(DescribeTransactionsRequest(transactional_ids=[transactional_id]))
            state = answer.transaction_states[0]
            raise_for(state.error_code)
            partitions = tuple((topic.topic, index) for topic in state.topics for index in topic.partitions)
            return DescribedTransaction(coordinator.node_id, state, partitions)

        return await self._at_coordinator(transactional_id, attempt)

    async def producers(self, key: TopicPartition, broker_id: int | None = None) -> list[ProducerState]:
        """The producers that a partition remembers, as its leader (or another replica) sees them."""
        from tidelog.protocol.messages.describe_producers import DescribeProducersRequest, TopicRequest

        if broker_id is None:
            (broker_id,) = await by_leader(self._cluster, {key: 0})
        request = DescribeProducersRequest(topics=[TopicRequest(name=key[0], partition_indexes=[key[1]])])
        row = (await self._cluster.ask(broker_id, request)).topics[0].partitions[0]
        raise_for(row.error_code, row.error_message)
        producers: list[ProducerState] = row.active_producers
        return producers

    async def abort(self, key: TopicPartition, producer_id: int, epoch: int, coordinator_epoch: int) -> None:
        """Writes an abort marker straight into a partition, whatever a coordinator may think."""
        from tidelog.protocol.messages.write_txn_markers import (
            WritableTxnMarker,
            WritableTxnMarkerTopic,
            WriteTxnMarkersRequest,
        )

        (leader,) = await by_leader(self._cluster, {key: 0})
        marker = WritableTxnMarker(
            producer_id=producer_id,
            producer_epoch=epoch,
            transaction_result=False,
            topics=[WritableTxnMarkerTopic(name=key[0], partition_indexes=[key[1]])],
            coordinator_epoch=max(coordinator_epoch, 0),
        )
        answer = await self._cluster.ask(leader, WriteTxnMarkersRequest(markers=[marker]))
        raise_for(answer.markers[0].topics[0].partitions[0].error_code)

    async def open_in(self, partitions: Iterable[TopicPartition]) -> list[OpenTransaction]:
        """Every transaction that is open in the partitions."""
        return [
            OpenTransaction(key, producer)
            for key in partitions
            for producer in await self.producers(key)
            if producer.current_txn_start_offset >= 0
        ]

    async def hanging(
        self, partitions: Iterable[TopicPartition], older_than_ms: int, now_ms: int
    ) -> list[OpenTransaction]:
        """Transactions open in partitions for long, of which no coordinator knows (any more)."""
        found = await self.open_in(partitions)
        candidates = [each for each in found if now_ms - each.producer.last_timestamp > older_than_ms]
        if not candidates:
            return []
        ids = sorted({each.producer.producer_id for each in candidates})
        owners = {row.producer_id: row.transactional_id for row in await self.all(producer_ids=ids)}
        return [each for each in candidates if await self._is_hanging(each, owners.get(each.producer.producer_id))]

    async def _is_hanging(self, found: OpenTransaction, transactional_id: str | None) -> bool:
        if transactional_id is None:
            return True
        try:
            described = await self.describe(transactional_id)
        except KafkaError as error:
            return error.code == ErrorCode.TRANSACTIONAL_ID_NOT_FOUND
        state = described.state
        if state.producer_id != found.producer.producer_id or state.producer_epoch > found.producer.producer_epoch:
            return True
        return found.partition not in described.partitions

    async def _at_coordinator(self, transactional_id: str, work: Callable[[Connection], Awaitable[T]]) -> T:
        async def attempt() -> T:
            return await work(await self._cluster.coordinator(TRANSACTION, transactional_id))

        return await self._cluster.retrying(attempt)


async def fence(cluster: Cluster, transactional_id: str) -> tuple[int, int]:
    """Takes the transactional id over, which aborts what it has open; gives the new producer id and epoch."""
    from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest

    async def attempt() -> tuple[int, int]:
        coordinator = await cluster.coordinator(TRANSACTION, transactional_id)
        request = InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=60_000)
        answer = await coordinator.request(request)
        raise_for(answer.error_code)
        return answer.producer_id, answer.producer_epoch

    return await cluster.retrying(attempt)
