"""A producer's transactions: who we are to the coordinator, what belongs to the open one, and how it ends.

On brokers with transaction.version 2 a partition joins a transaction by being written to, and every end gives the
producer a new epoch. Before that a partition is added by a request of its own, which the sender waits for.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from tidelog.client.cluster import Cluster, raise_for
from tidelog.client.connection import Connection
from tidelog.client.coordinator import GROUP, TRANSACTION, Coordinator
from tidelog.client.errors import ClientError
from tidelog.client.positions import OffsetAndEpoch, TopicPartition, with_epochs
from tidelog.client.producer_ids import ProducerIdentity
from tidelog.client.settings import ClientSettings
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

GroupMetadata = tuple[str, int, str, str]
"""Group, generation, member and instance id: `Consumer.group_metadata`."""

FENCED = {
    ErrorCode.PRODUCER_FENCED,
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
}
_LAST_VERSION_1 = {"Produce": 11, "AddPartitionsToTxn": 3, "EndTxn": 4, "TxnOffsetCommit": 4}
"""The newest versions that do not ask for transaction.version 2."""


class State(Enum):
    NEW = "not initialized"
    READY = "ready"
    OPEN = "open"
    FAILED = "failed"
    FENCED = "fenced"


class WrongState(ClientError):
    """A call that does not fit where the transaction stands."""


class Transaction:
    def __init__(self, cluster: Cluster, settings: ClientSettings, identity: ProducerIdentity) -> None:
        self.name: str = settings["transactional.id"]
        self._timeout_ms: int = settings["transaction.timeout.ms"]
        self._cluster = cluster
        self._identity = identity
        self._coordinator = Coordinator(cluster, TRANSACTION, self.name)
        self._groups: dict[str, Coordinator] = {}
        self.state = State.NEW
        self.error: Exception | None = None
        self._is_version_2 = False
        self._partitions: set[TopicPartition] = set()
        self._to_add: set[TopicPartition] = set()
        self._has_offsets = False

    # The life of a transaction.

    async def init(self) -> None:
        """Takes the transactional id over: who had it is fenced, and what they left open is aborted."""
        self._expect(State.NEW, "init_transactions() is called once, before everything else")
        await self._take_identity()
        self.state = State.READY

    async def _take_identity(self, producer_id: int = -1, epoch: int = -1) -> None:
        request = InitProducerIdRequest(
            transactional_id=self.name,
            transaction_timeout_ms=self._timeout_ms,
            producer_id=producer_id,
            producer_epoch=epoch,
        )
        answer = await self._coordinator.ask(request, _code)
        self._is_version_2 = _transaction_version(await self._coordinator.connection()) >= 2
        self._identity.assume(answer.producer_id, answer.producer_epoch)

    def begin(self) -> None:
        self._expect(State.READY, "begin_transaction() follows init_transactions() or the end of a transaction")
        self._partitions.clear()
        self._to_add.clear()
        self._has_offsets = False
        self.error = None
        self.state = State.OPEN

    def check_open(self) -> None:
        if self.state in (State.FAILED, State.FENCED):
            raise self._unusable()
        self._expect(State.OPEN, "begin_transaction() comes first")

    async def send_offsets(self, offsets: Mapping[TopicPartition, int | OffsetAndEpoch], group: GroupMetadata) -> None:
        """Makes a group's offsets part of the transaction: they count when it is committed."""
        self.check_open()
        if not offsets:
            return
        try:
            if not self._is_version_2:
                await self._coordinator.ask(AddOffsetsToTxnRequest(**self._who, group_id=group[0]), _code)
            self._has_offsets = True
            await self._commit_offsets(with_epochs(offsets), group)
        except (ClientError, KafkaError) as error:
            self.fail(error)
            raise

    async def end(self, commit: bool) -> None:
        """Everything sent must be acknowledged, or dropped, by now."""
        failed = self.error is not None
        try:
            if self._partitions or self._has_offsets:
                await self._end(commit)
            if failed and not self._is_version_2:
                # Sequences are lost with the batches that failed; a new epoch begins them again.
                await self._take_identity(self._identity.producer_id, self._identity.epoch)
        except (ClientError, KafkaError) as error:
            self.fail(error)
            raise
        self.state = State.READY

    async def _end(self, commit: bool) -> None:
        request = EndTxnRequest(**self._who, committed=commit)

        async def attempt(connection: Connection) -> Any:
            answer = await connection.request(request, version=self.version(connection, request, "EndTxn"))
            raise_for(answer.error_code)
            return answer

        answer = await self._coordinator.retrying(attempt)
        if self._is_version_2 and answer.producer_id >= 0:
            self._identity.assume(answer.producer_id, answer.producer_epoch)

    def fail(self, error: Exception) -> None:
        """Nothing but an abort is possible now, and not even that when somebody else has our name."""
        if self.state is State.FENCED:
            return
        fenced = isinstance(error, KafkaError) and error.code in FENCED
        self.state = State.FENCED if fenced else State.FAILED
        self.error = error

    # What the sender asks.

    def may_send(self, key: TopicPartition) -> bool:
        """Whether the partition is part of the transaction; if not, `add_partitions` is due."""
        if key in self._partitions:
            return True
        if self._is_version_2:
            self._partitions.add(key)
            return True
        self._to_add.add(key)
        return False

    async def add_partitions(self) -> None:
        keys = set(self._to_add)
        topics: dict[str, list[int]] = {}
        for topic, index in sorted(keys):
            topics.setdefault(topic, []).append(index)
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self.name,
            v3_and_below_producer_id=self._identity.producer_id,
            v3_and_below_producer_epoch=self._identity.epoch,
            v3_and_below_topics=[AddPartitionsToTxnTopic(name=name, partitions=each) for name, each in topics.items()],
        )

        async def attempt(connection: Connection) -> None:
            version = min(_LAST_VERSION_1["AddPartitionsToTxn"], connection.version_for(request))
            answer = await connection.request(request, version=version)
            for topic in answer.results_by_topic_v3_and_below:
                for row in topic.results_by_partition:
                    raise_for(row.partition_error_code)

        try:
            await self._coordinator.retrying(attempt)
        except (ClientError, KafkaError) as error:
            self.fail(error)
            raise
        self._partitions |= keys
        self._to_add -= keys

    def version(self, connection: Connection, request: Any, name: str = "Produce") -> int:
        """Newer versions mean transaction.version 2, so they may be used only where the cluster has it."""
        newest = connection.version_for(request)
        return newest if self._is_version_2 else min(newest, _LAST_VERSION_1[name])

    # Details.

    async def _commit_offsets(self, offsets: Mapping[TopicPartition, OffsetAndEpoch], group: GroupMetadata) -> None:
        topics: dict[str, list[TxnOffsetCommitRequestPartition]] = {}
        for (topic, index), (offset, epoch) in offsets.items():
            row = TxnOffsetCommitRequestPartition(
                partition_index=index, committed_offset=offset, committed_leader_epoch=epoch
            )
            topics.setdefault(topic, []).append(row)
        group_id, generation, member_id, instance_id = group
        request = TxnOffsetCommitRequest(
            **self._who,
            group_id=group_id,
            generation_id=generation,
            member_id=member_id,
            group_instance_id=instance_id or None,
            topics=[TxnOffsetCommitRequestTopic(name=name, partitions=rows) for name, rows in topics.items()],
        )

        async def attempt(connection: Connection) -> None:
            answer = await connection.request(request, version=self.version(connection, request, "TxnOffsetCommit"))
            for topic in answer.topics:
                for row in topic.partitions:
                    raise_for(row.error_code)

        if group_id not in self._groups:
            self._groups[group_id] = Coordinator(self._cluster, GROUP, group_id)
        await self._groups[group_id].retrying(attempt)

    @property
    def _who(self) -> dict[str, Any]:
        return {
            "transactional_id": self.name,
            "producer_id": self._identity.producer_id,
            "producer_epoch": self._identity.epoch,
        }

    def _expect(self, state: State, advice: str) -> None:
        if self.state in (State.FAILED, State.FENCED) and state is not State.NEW:
            raise self._unusable()
        if self.state is not state:
            raise WrongState(f"The transaction of '{self.name}' is {self.state.value}; {advice}")

    def _unusable(self) -> Exception:
        if self.state is State.FENCED:
            assert self.error is not None
            return self.error
        return WrongState(f"The transaction of '{self.name}' failed and can only be aborted: {self.error}")


def _code(answer: Any) -> int:
    return int(answer.error_code)


def _transaction_version(connection: Connection) -> int:
    answer = connection.api_versions
    for feature in answer.finalized_features if answer is not None else ():
        if feature.name == "transaction.version":
            return int(feature.max_version_level)
    return 0
