"""A member by the classic protocol: join, sync, heartbeat, leave. One member, the leader, shares the partitions out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tidelog.client.assignors import ASSIGNORS, COOPERATIVE, Subscriber, assignor_names
from tidelog.client.cluster import Cluster
from tidelog.client.errors import SettingError
from tidelog.client.group_member import Member
from tidelog.client.positions import Positions, TopicPartition
from tidelog.client.settings import ClientSettings
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.group_records.consumer_protocol_assignment import ConsumerProtocolAssignment
from tidelog.protocol.group_records.consumer_protocol_assignment import TopicPartition as AssignedTopic
from tidelog.protocol.group_records.consumer_protocol_subscription import ConsumerProtocolSubscription
from tidelog.protocol.group_records.consumer_protocol_subscription import TopicPartition as OwnedTopic
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupRequestProtocol
from tidelog.protocol.messages.leave_group import LeaveGroupRequest, MemberIdentity
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupRequestAssignment

_GRACE_S = 5.0
_UNKNOWN = {ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION}
_NAMED_MEMBERS = 3
"""From this version on LeaveGroup names members, fixed ones too."""


class ClassicMember(Member):
    def __init__(
        self, settings: ClientSettings, cluster: Cluster, positions: Positions, wake: Callable[[], None]
    ) -> None:
        super().__init__(settings, cluster, positions, wake)
        self.names = _assignors(settings)
        self._cooperative = self.names == [COOPERATIVE]
        self._is_leader = False
        self._lost = False

    async def _reconcile(self) -> None:
        topics = await self.wanted_topics()
        if self._lost:
            self._lost = False
            await self._revoke(list(self.positions.states), lost=True)
        elif not self._cooperative:
            await self._revoke(list(self.positions.states))
        else:
            await self._revoke([key for key in self.positions.states if key[0] not in topics])
        self._stop_beating()
        assigned = await self._join_until_it_works(topics)
        self._start_beating(self.settings.seconds("heartbeat.interval.ms"))
        given_up = [key for key in self.positions.states if key not in assigned]
        if given_up:
            await self._revoke(given_up)
            self._changes = True  # what was given up can be given to others in a second round
        await self._take(assigned)

    async def _join_until_it_works(self, topics: list[str]) -> list[TopicPartition]:
        while True:
            try:
                return await self._sync(await self._join(topics))
            except KafkaError as error:
                if error.code in _UNKNOWN:
                    self.member_id, self.generation = "", -1
                    await self._revoke(list(self.positions.states), lost=True)
                elif error.code != ErrorCode.REBALANCE_IN_PROGRESS:
                    raise

    async def _join(self, topics: list[str]) -> Any:
        subscription = _subscription(topics, self.positions.states, self.generation, self.settings["client.rack"])
        request = JoinGroupRequest(
            group_id=self.group_id,
            session_timeout_ms=self.settings["session.timeout.ms"],
            rebalance_timeout_ms=self.settings["max.poll.interval.ms"],
            member_id=self.member_id,
            group_instance_id=self.instance_id or None,
            protocol_type="consumer",
            protocols=[JoinGroupRequestProtocol(name=name, metadata=subscription) for name in self.names],
        )

        def code(answer: Any) -> int:
            if answer.error_code == ErrorCode.MEMBER_ID_REQUIRED:
                return 0
            return int(answer.error_code)

        limit_s = self.settings.seconds("max.poll.interval.ms") + _GRACE_S
        answer = await self.coordinator.ask(request, code, limit_s)
        if answer.error_code:
            request.member_id = self.member_id = answer.member_id
            answer = await self.coordinator.ask(request, lambda found: int(found.error_code), limit_s)
        self.member_id = answer.member_id
        self.generation = answer.generation_id
        return answer

    async def _sync(self, joined: Any) -> list[TopicPartition]:
        self._is_leader = joined.leader == self.member_id
        shares = await self._share_out(joined) if self._is_leader and not joined.skip_assignment else []
        request = SyncGroupRequest(
            group_id=self.group_id,
            generation_id=self.generation,
            member_id=self.member_id,
            group_instance_id=self.instance_id or None,
            protocol_type="consumer",
            protocol_name=joined.protocol_name,
            assignments=shares,
        )
        limit_s = self.settings.seconds("max.poll.interval.ms") + _GRACE_S
        answer = await self.coordinator.ask(request, lambda found: int(found.error_code), limit_s)
        return decoded_assignment(answer.assignment)

    async def _share_out(self, joined: Any) -> list[SyncGroupRequestAssignment]:
        members = [
            decoded_subscriber(each.member_id, each.group_instance_id or "", each.metadata) for each in joined.members
        ]
        wanted = sorted(frozenset().union(*(member.topics for member in members)))
        view = await self.cluster.refresh(wanted, create=self.settings["allow.auto.create.topics"])
        counts = {name: len(view.topics[name].partitions) for name in wanted if name in view.topics}
        self._known = counts
        shares = ASSIGNORS[joined.protocol_name](members, counts)
        return [
            SyncGroupRequestAssignment(member_id=member_id, assignment=encoded_assignment(keys))
            for member_id, keys in shares.items()
        ]

    async def wanted_topics(self) -> list[str]:
        """A leader watches what all members want, not only what it wants itself."""
        names = await super().wanted_topics()
        others = sorted(self._known_to_leader - set(names))
        if others:
            view = await self.cluster.refresh(others)
            self._known |= {name: len(view.topics[name].partitions) for name in others if name in view.topics}
        return names

    @property
    def _known_to_leader(self) -> set[str]:
        return set(self._known) if self._is_leader else set()

    def _topics_changed(self) -> None:
        if self._is_leader or self.subscription.pattern is not None:
            self.ask_for_change()

    async def _beat(self) -> float:
        request = HeartbeatRequest(
            group_id=self.group_id,
            generation_id=self.generation,
            member_id=self.member_id,
            group_instance_id=self.instance_id or None,
        )
        try:
            await self.coordinator.ask(request, lambda answer: int(answer.error_code))
        except KafkaError as error:
            if error.code == ErrorCode.REBALANCE_IN_PROGRESS:
                self.ask_for_change()
            elif error.code in _UNKNOWN:
                self._lose_membership()
            else:
                raise
        return self.settings.seconds("heartbeat.interval.ms")

    def _lose_membership(self) -> None:
        self.member_id, self.generation = "", -1
        self._lost = True
        self.ask_for_change()

    async def _leave(self) -> None:
        """A member with a fixed name only goes silent, so that it finds its partitions again after a restart."""
        if not self.member_id or self.instance_id:
            return
        request = LeaveGroupRequest(
            group_id=self.group_id,
            member_id=self.member_id,
            members=[MemberIdentity(member_id=self.member_id, reason="the consumer is closed")],
        )

        async def attempt(connection: Any) -> None:
            if connection.version_for(LeaveGroupRequest) >= _NAMED_MEMBERS:
                request.member_id = ""
            else:
                request.members = []
            await connection.request(request)

        await self.coordinator.retrying(attempt)


def _assignors(settings: ClientSettings) -> list[str]:
    text = settings["partition.assignment.strategy"]
    try:
        names = assignor_names(text)
    except ValueError as error:
        known = ", ".join(ASSIGNORS)
        raise SettingError(f"partition.assignment.strategy cannot be '{error}'; this client knows {known}") from None
    if not names:
        raise SettingError("partition.assignment.strategy is empty; leave it out, or name range")
    return names


def _by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for topic, index in partitions:
        found.setdefault(topic, []).append(index)
    return found


def _versioned(message: Any) -> bytes:
    version: int = message.VERSIONS[1]
    return version.to_bytes(2, "big") + bytes(message.encode(version))


def _subscription(topics: list[str], owned: Iterable[TopicPartition], generation: int, rack: str) -> bytes:
    rows = [OwnedTopic(topic=name, partitions=indexes) for name, indexes in _by_topic(owned).items()]
    return _versioned(
        ConsumerProtocolSubscription(
            topics=topics, owned_partitions=rows, generation_id=generation, rack_id=rack or None
        )
    )


def encoded_assignment(partitions: Iterable[TopicPartition]) -> bytes:
    rows = [AssignedTopic(topic=name, partitions=indexes) for name, indexes in _by_topic(partitions).items()]
    return _versioned(ConsumerProtocolAssignment(assigned_partitions=rows))


def _version(data: bytes, newest: int) -> int:
    return max(0, min(int.from_bytes(data[:2], "big", signed=True), newest))


def decoded_assignment(data: bytes) -> list[TopicPartition]:
    if not data:
        return []
    found = ConsumerProtocolAssignment.decode(data[2:], _version(data, ConsumerProtocolAssignment.VERSIONS[1]))
    return [(topic.topic, index) for topic in found.assigned_partitions for index in topic.partitions]


def decoded_subscriber(member_id: str, instance_id: str, data: bytes) -> Subscriber:
    found = ConsumerProtocolSubscription.decode(data[2:], _version(data, ConsumerProtocolSubscription.VERSIONS[1]))
    owned = tuple((topic.topic, index) for topic in found.owned_partitions for index in topic.partitions)
    return Subscriber(member_id, instance_id, frozenset(found.topics), owned, found.generation_id)
