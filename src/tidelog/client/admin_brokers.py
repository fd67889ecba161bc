"""Brokers: who they are, what they serve, what their disks hold."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tidelog.client.cluster import Cluster, raise_for
from tidelog.client.errors import ClientError
from tidelog.client.metadata import BrokerView
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.alter_replica_log_dirs import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)
from tidelog.protocol.messages.api_versions import ApiVersionsResponse
from tidelog.protocol.messages.describe_cluster import DescribeClusterRequest, DescribeClusterResponse
from tidelog.protocol.messages.describe_log_dirs import DescribeLogDirsRequest, DescribeLogDirsResult

if TYPE_CHECKING:
    from tidelog.protocol.messages.describe_quorum import ResponsePartitionData

FENCED_FROM = 2


class BrokerAdmin:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def all(self) -> dict[int, BrokerView]:
        return (await self._cluster.refresh([])).brokers

    async def describe_cluster(self, *, fenced: bool = False) -> DescribeClusterResponse:
        """The brokers; the fenced ones too when they are wanted and the cluster is new enough to tell."""
        connection = await self._cluster.any_broker()
        can_tell = connection.version_for(DescribeClusterRequest) >= FENCED_FROM
        request = DescribeClusterRequest(include_fenced_brokers=fenced and can_tell)
        answer: DescribeClusterResponse = await self._cluster.ask_any(request)
        raise_for(answer.error_code, answer.error_message)
        return answer

    async def quorum(self) -> ResponsePartitionData:
        """The voters and observers of the metadata log; without a leader its id is -1."""
        from tidelog.protocol.messages.describe_quorum import (
            DescribeQuorumRequest,
            RequestPartitionData,
            RequestTopicData,
        )

        wanted = RequestTopicData(topic_name="__cluster_metadata", partitions=[RequestPartitionData(partition_index=0)])
        answer = await self._cluster.ask_any(DescribeQuorumRequest(topics=[wanted]))
        raise_for(answer.error_code, answer.error_message)
        found: ResponsePartitionData = answer.topics[0].partitions[0]
        if found.error_code != ErrorCode.NOT_LEADER_OR_FOLLOWER:
            raise_for(found.error_code, found.error_message)
        return found

    async def log_dirs(self, broker_ids: Iterable[int]) -> dict[int, list[DescribeLogDirsResult]]:
        """The log directories of each broker with every partition in them."""
        ids = list(broker_ids)
        answers = await asyncio.gather(*(self._cluster.ask(i, DescribeLogDirsRequest(topics=None)) for i in ids))
        found = {}
        for broker_id, answer in zip(ids, answers):
            raise_for(answer.error_code)
            found[broker_id] = answer.results
        return found

    async def alter_log_dirs(self, broker_id: int, wanted: Mapping[tuple[str, int], str]) -> dict[tuple[str, int], int]:
        """Moves replicas of a broker to directories of it; gives an error code for each."""
        dirs: dict[str, dict[str, list[int]]] = {}
        for (topic, partition), path in wanted.items():
            dirs.setdefault(path, {}).setdefault(topic, []).append(partition)
        request = AlterReplicaLogDirsRequest(
            dirs=[
                AlterReplicaLogDir(
                    path=path,
                    topics=[AlterReplicaLogDirTopic(name=name, partitions=found) for name, found in topics.items()],
                )
                for path, topics in dirs.items()
            ]
        )
        answer = await self._cluster.ask(broker_id, request)
        return {
            (topic.topic_name, each.partition_index): each.error_code
            for topic in answer.results
            for each in topic.partitions
        }

    async def api_versions(self) -> dict[BrokerView, ApiVersionsResponse | ClientError]:
        """What every broker serves, as it says itself, or why it could not be asked."""
        found: dict[BrokerView, ApiVersionsResponse | ClientError] = {}
        for broker in sorted((await self.all()).values()):
            try:
                connection = await self._cluster.broker(broker.node_id)
            except ClientError as error:
                found[broker] = error
                continue
            assert connection.api_versions is not None
            found[broker] = connection.api_versions
        return found
