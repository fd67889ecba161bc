"""The broker that coordinates one group, and what any member asks of it: offsets.

It has connections of its own: a broker answers a connection in order, and a join waits for others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tidelog.client.cluster import Cluster, raise_for
from tidelog.client.connection import Connection
from tidelog.client.coordinator import GROUP, Coordinator
from tidelog.client.positions import OffsetAndEpoch, TopicPartition
from tidelog.client.settings import ClientSettings
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tidelog.protocol.messages.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
)

_BY_NAME = 9
"""The last version of OffsetCommit and OffsetFetch that names topics instead of ids."""


class GroupCoordinator(Coordinator):
    def __init__(self, settings: ClientSettings) -> None:
        self.group_id: str = settings["group.id"]
        super().__init__(Cluster(settings), GROUP, self.group_id)

    async def commit(
        self, offsets: Mapping[TopicPartition, OffsetAndEpoch], member_id: str, generation: int, instance: str
    ) -> None:
        topics: dict[str, list[OffsetCommitRequestPartition]] = {}
        for (topic, partition), (offset, epoch) in offsets.items():
            row = OffsetCommitRequestPartition(
                partition_index=partition, committed_offset=offset, committed_leader_epoch=epoch
            )
            topics.setdefault(topic, []).append(row)
        request = OffsetCommitRequest(
            group_id=self.group_id,
            generation_id_or_member_epoch=generation,
            member_id=member_id,
            group_instance_id=instance or None,
            topics=[OffsetCommitRequestTopic(name=name, partitions=rows) for name, rows in topics.items()],
        )

        async def attempt(connection: Connection) -> None:
            version = min(_BY_NAME, connection.version_for(OffsetCommitRequest))
            for topic in (await connection.request(request, version=version)).topics:
                for row in topic.partitions:
                    raise_for(row.error_code)

        if topics:
            await self.retrying(attempt)

    async def committed(
        self, partitions: Iterable[TopicPartition], member_id: str = "", generation: int = -1
    ) -> dict[TopicPartition, OffsetAndEpoch]:
        """Committed offsets, without partitions that have none. An offset in an open transaction is waited for."""
        indexes: dict[str, list[int]] = {}
        for topic, partition in partitions:
            indexes.setdefault(topic, []).append(partition)

        async def attempt(connection: Connection) -> dict[TopicPartition, OffsetAndEpoch]:
            version = min(_BY_NAME, connection.version_for(OffsetFetchRequest))
            request = OffsetFetchRequest(require_stable=version >= 7)
            if version >= 8:
                rows = [OffsetFetchRequestTopics(name=name, partition_indexes=each) for name, each in indexes.items()]
                group = OffsetFetchRequestGroup(group_id=self.group_id, topics=rows)
                if version >= _BY_NAME and member_id:
                    group.member_id, group.member_epoch = member_id, generation
                request.groups = [group]
            else:
                request.group_id = self.group_id
                request.topics = [
                    OffsetFetchRequestTopic(name=name, partition_indexes=each) for name, each in indexes.items()
                ]
            answer = await connection.request(request, version=version)
            found = answer.groups[0] if version >= 8 else answer
            raise_for(found.error_code)
            return _offsets(found)

        return await self.retrying(attempt) if indexes else {}


def _offsets(answer: Any) -> dict[TopicPartition, OffsetAndEpoch]:
    found = {}
    for topic in answer.topics:
        for row in topic.partitions:
            if row.error_code:
                raise KafkaError(
                    ErrorCode.of(row.error_code), f"{topic.name}-{row.partition_index} has no offset to give"
                )
            if row.committed_offset >= 0:
                place = OffsetAndEpoch(row.committed_offset, row.committed_leader_epoch)
                found[topic.name, row.partition_index] = place
    return found
