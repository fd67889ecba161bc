"""Consumer groups: list, describe (classic and new protocol alike), offsets, deletion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tidelog.client.cluster import Cluster, raise_for
from tidelog.client.connection import Connection
from tidelog.client.metadata import BrokerView
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.protocol.messages.list_groups import ListedGroup

T = TypeVar("T")
TopicPartition = tuple[str, int]

GROUP = 0
"""The kind of coordinator, for FindCoordinator."""
_BY_NAME = 9
"""The last version of OffsetCommit and OffsetFetch that names topics instead of ids."""


class MemberView(NamedTuple):
    member_id: str
    instance_id: str
    client_id: str
    host: str
    assignment: tuple[TopicPartition, ...]
    epoch: int | None = None
    target: tuple[TopicPartition, ...] = ()
    is_classic: bool = False
    """In a group of the new protocol: this member still speaks the old one."""


class GroupView(NamedTuple):
    group_id: str
    kind: str
    """Classic or Consumer."""
    state: str
    assignor: str
    coordinator: BrokerView
    members: tuple[MemberView, ...]
    epoch: int | None = None
    target_epoch: int | None = None
    protocol_type: str = "consumer"
    """What its members are: consumers, or workers of something else; empty when it never had any."""


class Committed(NamedTuple):
    offset: int
    leader_epoch: int
    metadata: str


class GroupAdmin:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def list(self, states: Iterable[str] = (), types: Iterable[str] = ()) -> list[ListedGroup]:
        """The groups of every broker."""
        from tidelog.protocol.messages.list_groups import ListGroupsRequest

        found: list[ListedGroup] = []
        for node_id in sorted((await self._cluster.refresh([])).brokers):
            request = ListGroupsRequest(states_filter=list(states), types_filter=list(types))

            async def attempt(node_id: int = node_id, request: Any = request) -> Any:
                answer = await self._cluster.ask(node_id, request)
                raise_for(answer.error_code)
                return answer

            found += (await self._cluster.retrying(attempt)).groups
        return found

    async def describe(self, group_id: str) -> GroupView:
        """A group of either protocol; KafkaError GROUP_ID_NOT_FOUND when there is none."""
        from tidelog.protocol.messages.consumer_group_describe import ConsumerGroupDescribeRequest

        async def attempt(coordinator: Connection) -> GroupView:
            if coordinator.serves(ConsumerGroupDescribeRequest):
                answer = await coordinator.request(ConsumerGroupDescribeRequest(group_ids=[group_id]))
                group = answer.groups[0]
                if group.error_code not in (ErrorCode.GROUP_ID_NOT_FOUND, ErrorCode.UNSUPPORTED_VERSION):
                    raise_for(group.error_code, group.error_message)
                    return _modern(group, self._broker(coordinator))
            return await self._describe_classic(coordinator, group_id)

        return await self._at_coordinator(group_id, attempt)

    async def _describe_classic(self, coordinator: Connection, group_id: str) -> GroupView:
        from tidelog.protocol.messages.describe_groups import DescribeGroupsRequest

        group = (await coordinator.request(DescribeGroupsRequest(groups=[group_id]))).groups[0]
        raise_for(group.error_code, group.error_message)
        if group.group_state == "Dead":
            raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} not found.")
        members = tuple(
            MemberView(
                each.member_id,
                each.group_instance_id or "",
                each.client_id,
                each.client_host,
                _decoded_assignment(each.member_assignment),
            )
            for each in group.members
        )
        return GroupView(
            group_id,
            "Classic",
            group.group_state,
            group.protocol_data,
            self._broker(coordinator),
            members,
            protocol_type=group.protocol_type,
        )

    async def offsets(self, group_id: str, *, also_none: bool = False) -> dict[TopicPartition, Committed]:
        """What the group has committed; `also_none` gives partitions too whose committed offset is none (negative)."""
        from tidelog.protocol.messages.offset_fetch import OffsetFetchRequest, OffsetFetchRequestGroup

        async def attempt(coordinator: Connection) -> dict[TopicPartition, Committed]:
            version = min(_BY_NAME, coordinator.version_for(OffsetFetchRequest))
            if version >= 8:
                request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=group_id, topics=None)])
                found = (await coordinator.request(request, version=version)).groups[0]
            else:
                found = await coordinator.request(OffsetFetchRequest(group_id=group_id, topics=None), version=version)
            raise_for(found.error_code)
            return {
                (topic.name, row.partition_index): Committed(
                    row.committed_offset, row.committed_leader_epoch, row.metadata or ""
                )
                for topic in found.topics
                for row in topic.partitions
                if also_none or row.committed_offset >= 0
            }

        return await self._at_coordinator(group_id, attempt)

    async def alter_offsets(self, group_id: str, offsets: Mapping[TopicPartition, int]) -> None:
        """Commits offsets for a group that has no members; the first refusal is raised."""
        from tidelog.protocol.messages.offset_commit import (
            OffsetCommitRequest,
            OffsetCommitRequestPartition,
            OffsetCommitRequestTopic,
        )

        topics: dict[str, list[OffsetCommitRequestPartition]] = {}
        for (topic, partition), offset in offsets.items():
            row = OffsetCommitRequestPartition(partition_index=partition, committed_offset=offset)
            topics.setdefault(topic, []).append(row)
        request = OffsetCommitRequest(
            group_id=group_id,
            topics=[OffsetCommitRequestTopic(name=name, partitions=rows) for name, rows in topics.items()],
        )

        async def attempt(coordinator: Connection) -> None:
            version = min(_BY_NAME, coordinator.version_for(OffsetCommitRequest))
            for topic in (await coordinator.request(request, version=version)).topics:
                for row in topic.partitions:
                    raise_for(row.error_code)

        if topics:
            await self._at_coordinator(group_id, attempt)

    async def delete(self, group_id: str) -> None:
        from tidelog.protocol.messages.delete_groups import DeleteGroupsRequest

        async def attempt(coordinator: Connection) -> None:
            answer = await coordinator.request(DeleteGroupsRequest(groups_names=[group_id]))
            raise_for(answer.results[0].error_code)

        await self._at_coordinator(group_id, attempt)

    async def delete_offsets(
        self, group_id: str, partitions: Iterable[TopicPartition]
    ) -> dict[TopicPartition, KafkaError | None]:
        """Forgets offsets; gives for each partition why not, or None. An error of the whole group is raised."""
        from tidelog.protocol.messages.offset_delete import (
            OffsetDeleteRequest,
            OffsetDeleteRequestPartition,
            OffsetDeleteRequestTopic,
        )

        topics: dict[str, list[OffsetDeleteRequestPartition]] = {}
        for topic, partition in partitions:
            topics.setdefault(topic, []).append(OffsetDeleteRequestPartition(partition_index=partition))
        request = OffsetDeleteRequest(
            group_id=group_id,
            topics=[OffsetDeleteRequestTopic(name=name, partitions=rows) for name, rows in topics.items()],
        )

        async def attempt(coordinator: Connection) -> dict[TopicPartition, KafkaError | None]:
            answer = await coordinator.request(request)
            raise_for(answer.error_code)
            return {
                (topic.name, row.partition_index): KafkaError(ErrorCode.of(row.error_code)) if row.error_code else None
                for topic in answer.topics
                for row in topic.partitions
            }

        return await self._at_coordinator(group_id, attempt)

    async def _at_coordinator(self, group_id: str, work: Callable[[Connection], Awaitable[T]]) -> T:
        async def attempt() -> T:
            return await work(await self._cluster.coordinator(GROUP, group_id))

        return await self._cluster.retrying(attempt)

    def _broker(self, connection: Connection) -> BrokerView:
        return self._cluster.view.brokers[connection.node_id]


def _modern(group: Any, coordinator: BrokerView) -> GroupView:
    members = tuple(
        MemberView(
            each.member_id,
            each.instance_id or "",
            each.client_id,
            each.client_host,
            _partitions(each.assignment),
            each.member_epoch,
            _partitions(each.target_assignment),
            each.member_type == 0,
        )
        for each in group.members
    )
    return GroupView(
        group.group_id,
        "Consumer",
        group.group_state,
        group.assignor_name,
        coordinator,
        members,
        group.group_epoch,
        group.assignment_epoch,
    )


def _partitions(assignment: Any) -> tuple[TopicPartition, ...]:
    return tuple((topic.topic_name, index) for topic in assignment.topic_partitions for index in topic.partitions)


def _decoded_assignment(data: bytes) -> tuple[TopicPartition, ...]:
    """A classic member's assignment; nothing when it is not in the consumer protocol's form."""
    from tidelog.protocol.group_records.consumer_protocol_assignment import ConsumerProtocolAssignment
    from tidelog.protocol.primitives import DecodeError

    if len(data) < 2:
        return ()
    version = min(int.from_bytes(data[:2], "big", signed=True), ConsumerProtocolAssignment.VERSIONS[1])
    try:
        found = ConsumerProtocolAssignment.decode(data[2:], max(version, 0))
    except DecodeError:
        return ()
    return tuple((topic.topic, index) for topic in found.assigned_partitions for index in topic.partitions)
