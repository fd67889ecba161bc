"""Changes of the in-sync replicas on their way to the controller: one AlterPartition at a time, for all that wait.

The answer, or the metadata log if that is quicker, tells the partition what was decided. A refusal that will not change
ends the proposal; after one that says that this leader's view is old, the partition waits for the newer metadata.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.alter_partition import (
    AlterPartitionRequest,
    AlterPartitionResponse,
    BrokerState,
    RequestPartitionData,
    RequestTopicData,
)
from tidelog.replication.leader import Proposal

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
RETRY_S = 0.05
TIMEOUT_MS = 10_000
# The proposal is void, and what was in force before still is.
REFUSED = (ErrorCode.OPERATION_NOT_ATTEMPTED, ErrorCode.INELIGIBLE_REPLICA)
# This leader does not know the newest state: the metadata log will bring it.
OUTDATED = (
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.UNKNOWN_TOPIC_ID,
    ErrorCode.FENCED_LEADER_EPOCH,
    ErrorCode.INVALID_UPDATE_VERSION,
    ErrorCode.INVALID_REQUEST,
    ErrorCode.NEW_LEADER_ELECTED,
)


class IsrChanges:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._waiting: dict[Partition, Proposal] = {}
        self._is_busy = False

    def propose(self, partition: Partition, proposal: Proposal) -> None:
        self._waiting[partition] = proposal
        if not self._is_busy:
            self._is_busy = True
            self._broker.spawn(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch = {each: wanted for each, wanted in self._waiting.items() if _is_current(each, wanted)}
                self._waiting.clear()
                if batch:
                    await self._ask(batch)
        finally:
            self._is_busy = False

    async def _ask(self, batch: dict[Partition, Proposal]) -> None:
        broker = self._broker
        assert broker.controller is not None, "a broker whose partitions have followers can reach a controller"
        try:
            response = await broker.controller.request(self._request(batch), TIMEOUT_MS)
        except (KafkaError, OSError) as error:
            LOG.info("the controller cannot be asked about replicas in sync: %s", error)
            await self._again(batch)
            return
        if response.error_code:
            LOG.info("the controller refuses to hear about replicas in sync: %s", ErrorCode(response.error_code).name)
            await self._again(batch)
            return
        await self._answered(batch, response)

    async def _again(self, batch: dict[Partition, Proposal]) -> None:
        await asyncio.sleep(RETRY_S)
        self._waiting = {**batch, **self._waiting}

    def _request(self, batch: dict[Partition, Proposal]) -> AlterPartitionRequest:
        own_epoch = self._broker.broker_epoch
        topics: dict[bytes, RequestTopicData] = {}
        for partition, proposal in batch.items():
            assert partition.leader is not None
            states = partition.leader.broker_epochs(proposal.isr, own_epoch)
            data = RequestPartitionData(
                partition_index=partition.index,
                leader_epoch=proposal.leader_epoch,
                new_isr_with_epochs=[BrokerState(broker_id=each, broker_epoch=epoch) for each, epoch in states],
                leader_recovery_state=0,
                partition_epoch=proposal.partition_epoch,
            )
            topic = topics.setdefault(partition.topic_id, RequestTopicData(topic_id=partition.topic_id))
            topic.partitions.append(data)
        return AlterPartitionRequest(
            broker_id=self._broker.node_id, broker_epoch=own_epoch, topics=list(topics.values())
        )

    async def _answered(self, batch: dict[Partition, Proposal], response: AlterPartitionResponse) -> None:
        answers = {
            (bytes(topic.topic_id), each.partition_index): each
            for topic in response.topics
            for each in topic.partitions
        }
        again: dict[Partition, Proposal] = {}
        for partition, proposal in batch.items():
            answer = answers.get((partition.topic_id, partition.index))
            if not _is_current(partition, proposal) or partition.leader is None:
                continue
            code = ErrorCode.UNKNOWN_SERVER_ERROR if answer is None else ErrorCode(answer.error_code)
            if answer is not None and code is ErrorCode.NONE:
                if answer.leader_epoch == partition.leader_epoch:
                    partition.isr_decided(tuple(answer.isr), answer.partition_epoch)
            elif code in REFUSED:
                partition.leader.proposal_refused()
            elif code not in OUTDATED:
                again[partition] = proposal
        if again:
            await self._again(again)


def _is_current(partition: Partition, proposal: Proposal) -> bool:
    return partition.leader is not None and partition.leader.proposal is proposal
