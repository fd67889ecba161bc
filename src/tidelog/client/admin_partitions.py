"""Leaders and places of partitions: elections, reassignments; and the features and brokers of the whole cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tidelog.client.cluster import Cluster, raise_for
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.protocol.messages.api_versions import ApiVersionsResponse
    from tidelog.protocol.messages.list_partition_reassignments import OngoingPartitionReassignment

TopicPartition = tuple[str, int]
PREFERRED, UNCLEAN = 0, 1
UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3


class PartitionAdmin:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @property
    def _timeout_ms(self) -> int:
        return int(self._cluster.settings["request.timeout.ms"])

    async def elect_leaders(
        self, election_type: int, partitions: Sequence[TopicPartition] | None
    ) -> dict[TopicPartition, KafkaError | None]:
        """What became of each election; of all partitions with None, where those that need none are not told of."""
        from tidelog.protocol.messages.elect_leaders import ElectLeadersRequest, TopicPartitions

        wanted = None
        if partitions is not None:
            by_topic: dict[str, list[int]] = {}
            for topic, partition in partitions:
                by_topic.setdefault(topic, []).append(partition)
            wanted = [TopicPartitions(topic=name, partitions=each) for name, each in by_topic.items()]
        request = ElectLeadersRequest(election_type=election_type, topic_partitions=wanted, timeout_ms=self._timeout_ms)
        answer = await self._cluster.ask_any(request)
        raise_for(answer.error_code)
        return {
            (topic.topic, each.partition_id): _error(each.error_code, each.error_message)
            for topic in answer.replica_election_results
            for each in topic.partition_result
        }

    async def reassign(
        self, wanted: Mapping[TopicPartition, Sequence[int] | None]
    ) -> dict[TopicPartition, KafkaError | None]:
        """Moves partitions to these brokers; None cancels a move."""
        from tidelog.protocol.messages.alter_partition_reassignments import (
            AlterPartitionReassignmentsRequest,
            ReassignablePartition,
            ReassignableTopic,
        )

        by_topic: dict[str, list[ReassignablePartition]] = {}
        for (topic, partition), replicas in wanted.items():
            target = None if replicas is None else list(replicas)
            by_topic.setdefault(topic, []).append(ReassignablePartition(partition_index=partition, replicas=target))
        request = AlterPartitionReassignmentsRequest(
            topics=[ReassignableTopic(name=name, partitions=each) for name, each in by_topic.items()],
            timeout_ms=self._timeout_ms,
        )
        answer = await self._cluster.ask_any(request)
        raise_for(answer.error_code, answer.error_message)
        return {
            (topic.name, each.partition_index): _error(each.error_code, each.error_message)
            for topic in answer.responses
            for each in topic.partitions
        }

    async def reassignments(self) -> dict[TopicPartition, OngoingPartitionReassignment]:
        """The moves that are under way."""
        from tidelog.protocol.messages.list_partition_reassignments import ListPartitionReassignmentsRequest

        request = ListPartitionReassignmentsRequest(topics=None, timeout_ms=self._timeout_ms)
        answer = await self._cluster.ask_any(request)
        raise_for(answer.error_code, answer.error_message)
        return {(topic.name, each.partition_index): each for topic in answer.topics for each in topic.partitions}

    async def features(self) -> ApiVersionsResponse:
        """The answer that also tells which features the cluster has, at which levels."""
        connection = await self._cluster.any_broker()
        assert connection.api_versions is not None
        return connection.api_versions

    async def update_features(self, levels: Mapping[str, tuple[int, int]], validate_only: bool) -> None:
        """Each feature's new level and the kind of change; all are made, or none."""
        from tidelog.protocol.messages.update_features import FeatureUpdateKey, UpdateFeaturesRequest

        updates = [
            FeatureUpdateKey(feature=name, max_version_level=level, upgrade_type=kind)
            for name, (level, kind) in levels.items()
        ]
        request = UpdateFeaturesRequest(
            timeout_ms=self._timeout_ms, feature_updates=updates, validate_only=validate_only
        )
        answer = await self._cluster.ask_any(request)
        raise_for(answer.error_code, answer.error_message)

    async def unregister_broker(self, broker_id: int) -> None:
        from tidelog.protocol.messages.unregister_broker import UnregisterBrokerRequest

        answer = await self._cluster.ask_any(UnregisterBrokerRequest(broker_id=broker_id))
        raise_for(answer.error_code, answer.error_message)


def _error(code: int, message: str | None) -> KafkaError | None:
    if not code:
        return None
    found = ErrorCode.of(code)
    return KafkaError(found, message or found.message)
