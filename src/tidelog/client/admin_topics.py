"""Topics: list, create, delete, grow, describe, cut from the front.

Each method imports the messages it sends, so that a command line pays for one API and not for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tidelog.client.cluster import Cluster, raise_for
from tidelog.client.errors import UnknownTopic
from tidelog.client.metadata import TopicView
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.client.list_offsets import TopicPartition
    from tidelog.protocol.messages.create_topics import CreatableTopicResult
    from tidelog.protocol.messages.describe_topic_partitions import (
        DescribeTopicPartitionsResponse,
        DescribeTopicPartitionsResponseTopic,
    )

_DELETE_BY_STATE = 6
"""From this version DeleteTopics can name a topic by its id, and lists names another way."""


class TopicAdmin:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @property
    def _timeout_ms(self) -> int:
        return int(self._cluster.settings["request.timeout.ms"])

    async def all(self) -> dict[str, TopicView]:
        """Every topic of the cluster by name."""
        return (await self._cluster.refresh(None)).topics

    async def create(
        self,
        name: str,
        *,
        partitions: int = -1,
        replication_factor: int = -1,
        assignments: Sequence[Sequence[int]] | None = None,
        configs: Mapping[str, str] | None = None,
        validate_only: bool = False,
    ) -> CreatableTopicResult:
        """Creates a topic; -1 means the cluster's default. `assignments` gives each partition's brokers instead."""
        from tidelog.protocol.messages.create_topics import (
            CreatableReplicaAssignment,
            CreatableTopic,
            CreatableTopicConfig,
            CreateTopicsRequest,
        )

        topic = CreatableTopic(
            name=name,
            num_partitions=-1 if assignments else partitions,
            replication_factor=-1 if assignments else replication_factor,
            assignments=[
                CreatableReplicaAssignment(partition_index=index, broker_ids=list(brokers))
                for index, brokers in enumerate(assignments or ())
            ],
            configs=[CreatableTopicConfig(name=key, value=value) for key, value in (configs or {}).items()],
        )
        request = CreateTopicsRequest(topics=[topic], timeout_ms=self._timeout_ms, validate_only=validate_only)
        answer = await self._cluster.ask_controller(request, lambda a: int(a.topics[0].error_code))
        result: CreatableTopicResult = answer.topics[0]
        raise_for(result.error_code, result.error_message)
        return result

    async def delete(self, names: Iterable[str]) -> None:
        """Deletes topics; the first refusal is raised after all were tried."""
        from tidelog.protocol.messages.delete_topics import DeleteTopicsRequest, DeleteTopicState

        wanted = list(names)
        connection = await self._cluster.any_broker()
        request = DeleteTopicsRequest(timeout_ms=self._timeout_ms)
        if connection.version_for(request) >= _DELETE_BY_STATE:
            request.topics = [DeleteTopicState(name=name) for name in wanted]
        else:
            request.topic_names = wanted
        answer = await self._cluster.ask_controller(request, lambda a: int(a.responses[0].error_code))
        for name in wanted:
            self._cluster.view = self._cluster.view.without(name)
        for row in answer.responses:
            raise_for(row.error_code, row.error_message)

    async def add_partitions(self, name: str, count: int, assignments: Sequence[Sequence[int]] | None = None) -> None:
        """Grows the topic to `count` partitions; `assignments` gives the brokers of the new ones."""
        from tidelog.protocol.messages.create_partitions import (
            CreatePartitionsAssignment,
            CreatePartitionsRequest,
            CreatePartitionsTopic,
        )

        rows = None
        if assignments is not None:
            rows = [CreatePartitionsAssignment(broker_ids=list(brokers)) for brokers in assignments]
        topic = CreatePartitionsTopic(name=name, count=count, assignments=rows)
        request = CreatePartitionsRequest(topics=[topic], timeout_ms=self._timeout_ms)
        answer = await self._cluster.ask_controller(request, lambda a: int(a.results[0].error_code))
        self._cluster.view = self._cluster.view.without(name)
        raise_for(answer.results[0].error_code, answer.results[0].error_message)

    async def describe(
        self, names: Iterable[str], partitions_per_response: int = 2000
    ) -> list[DescribeTopicPartitionsResponseTopic]:
        """The topics with all their partitions, replica sets and eligible leaders."""
        from tidelog.protocol.messages.describe_topic_partitions import (
            Cursor,
            DescribeTopicPartitionsRequest,
            TopicRequest,
        )

        wanted = sorted(names)
        found: dict[str, DescribeTopicPartitionsResponseTopic] = {}
        cursor: Cursor | None = None
        while wanted:
            request = DescribeTopicPartitionsRequest(
                topics=[TopicRequest(name=name) for name in wanted],
                response_partition_limit=partitions_per_response,
                cursor=cursor,
            )
            answer: DescribeTopicPartitionsResponse = await self._cluster.ask_any(request)
            for topic in answer.topics:
                self._add(found, topic)
            if answer.next_cursor is None:
                break
            # The broker goes on at the cursor, and refuses a list of topics that ends before it.
            cursor = Cursor(
                topic_name=answer.next_cursor.topic_name, partition_index=answer.next_cursor.partition_index
            )
            wanted = [name for name in wanted if name >= cursor.topic_name]
        return list(found.values())

    def _add(
        self, found: dict[str, DescribeTopicPartitionsResponseTopic], topic: DescribeTopicPartitionsResponseTopic
    ) -> None:
        name = topic.name or ""
        raise_for(topic.error_code, f"Topic '{name}': {ErrorCode.of(topic.error_code).message}")
        if name in found:
            found[name].partitions += topic.partitions
        else:
            found[name] = topic

    async def reassignments(self, names: Iterable[str]) -> dict[str, dict[int, tuple[list[int], list[int]]]]:
        """Adding and removing replicas of each partition that is on the move; a broker that knows of none says so."""
        from tidelog.protocol.messages.list_partition_reassignments import ListPartitionReassignmentsRequest

        wanted = set(names)
        if not (await self._cluster.any_broker()).serves(ListPartitionReassignmentsRequest):
            return {}
        timeout_ms = int(self._cluster.settings["request.timeout.ms"])
        answer = await self._cluster.ask_any(ListPartitionReassignmentsRequest(topics=None, timeout_ms=timeout_ms))
        raise_for(answer.error_code, answer.error_message)
        return {
            topic.name: {row.partition_index: (row.adding_replicas, row.removing_replicas) for row in topic.partitions}
            for topic in answer.topics
            if topic.name in wanted
        }

    async def delete_records(self, before: Mapping[TopicPartition, int]) -> dict[TopicPartition, int | KafkaError]:
        """Deletes the records before an offset (-1: all). Gives the new start of each partition, or why not."""
        from tidelog.client.list_offsets import by_leader
        from tidelog.protocol.messages.delete_records import (
            DeleteRecordsPartition,
            DeleteRecordsRequest,
            DeleteRecordsTopic,
        )

        found: dict[TopicPartition, int | KafkaError] = {}
        for key in before:
            try:
                await by_leader(self._cluster, {key: 0})
            except UnknownTopic as error:
                found[key] = KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, str(error))
            except KafkaError as error:
                found[key] = error
        reachable = {key: offset for key, offset in before.items() if key not in found}
        for node_id, part in (await by_leader(self._cluster, reachable)).items():
            topics: dict[str, list[DeleteRecordsPartition]] = {}
            for (topic, partition), offset in part.items():
                topics.setdefault(topic, []).append(DeleteRecordsPartition(partition_index=partition, offset=offset))
            request = DeleteRecordsRequest(
                topics=[DeleteRecordsTopic(name=name, partitions=rows) for name, rows in topics.items()],
                timeout_ms=self._timeout_ms,
            )
            for topic_row in (await self._cluster.ask(node_id, request)).topics:
                for row in topic_row.partitions:
                    key = (topic_row.name, row.partition_index)
                    failed = KafkaError(ErrorCode.of(row.error_code)) if row.error_code else None
                    found[key] = failed or row.low_watermark
        return found
