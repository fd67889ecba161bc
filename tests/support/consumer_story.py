"""A group shard with its log, topics that come and go, and members that speak the consumer protocol as clients do."""

from __future__ import annotations

import itertools
import struct
from typing import Any

from tidelog.coordinator.contract import CoordinatorRecord, Effects
from tidelog.coordinator.group.consumer import ConsumerGroup
from tidelog.coordinator.group.consumer_member import ConsumerMember
from tidelog.coordinator.group.consumer_topics import TopicInfo, TopicTable
from tidelog.coordinator.group.shard import GroupShard
from tidelog.coordinator.group.values import Caller, Committer, ConsumerSettings, GroupConfig, Position
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.group_records.consumer_protocol_assignment import ConsumerProtocolAssignment
from tidelog.protocol.group_records.consumer_protocol_assignment import TopicPartition as AssignedTopic
from tidelog.protocol.group_records.consumer_protocol_subscription import (
    ConsumerProtocolSubscription,
    TopicPartition,
)
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest, TopicPartitions
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupRequestProtocol, JoinGroupResponse
from tidelog.protocol.messages.leave_group import MemberIdentity
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupRequestAssignment

T0 = 1_700_000_000_000
CONSUMER = Caller("client", "/127.0.0.1", 1)
CLASSIC = Caller("client", "/127.0.0.1", 9)
Held = dict[str, list[int]]


def topic_id(name: str) -> bytes:
    return name.encode().ljust(16, b".")


class ConsumerStory:
    def __init__(self, assignment_interval_ms: int = 0, checks: bool = True, **settings: Any) -> None:
        consumer = ConsumerSettings(assignment_interval_ms=assignment_interval_ms)
        self.config = GroupConfig(**({"group_initial_rebalance_delay_ms": 0, "consumer": consumer} | settings))
        self.checks = checks
        self.log: list[CoordinatorRecord] = []
        self.answers: dict[int, Any] = {}
        self.tokens = itertools.count(1)
        self.ids = itertools.count(1)
        self.topics: dict[str, TopicInfo] = {}
        self.group_settings: dict[str, dict[str, str]] = {}
        self.now = T0
        self.start()

    def view(self) -> TopicTable:
        return TopicTable(self.topics.values(), self.group_settings)

    def start(self) -> None:
        """A new coordinator, from what the log holds."""
        self.shard = GroupShard(self.config, lambda: f"id{next(self.ids)}", self.view())
        for offset, record in enumerate(self.log):
            self.shard.replay(offset, -1, -1, record)
        self.do(self.shard.loaded(self.now))

    def do(self, effects: Effects) -> None:
        for record in effects.records:
            self.shard.replay(len(self.log), -1, -1, record)
            self.log.append(record)
        for token, answer in effects.replies:
            assert token not in self.answers, "one answer per request"
            self.answers[token] = answer
        if self.checks:
            for group in self.shard.host.groups.values():
                group.check_invariants()

    def ask(self, handler: Any) -> Any:
        """The answer of a request that is answered at once; KafkaError when it is refused."""
        token = next(self.tokens)
        self.do(handler(token))
        return self.answers.pop(token)

    def pass_ms(self, ms: int) -> None:
        target = self.now + ms
        while (at := self.shard.next_deadline_ms()) is not None and at <= target:
            self.now = max(self.now, at)
            self.do(self.shard.tick(self.now))
        self.now = target

    # the cluster

    def topic(self, name: str, partitions: int, racks: tuple[frozenset[str], ...] = ()) -> None:
        """Creates the topic, or gives it this many partitions."""
        self.topics[name] = TopicInfo(name, topic_id(name), partitions, racks)
        self.do(self.shard.metadata_changed(self.view(), {name}, set()))

    def delete_topic(self, name: str) -> None:
        del self.topics[name]
        self.do(self.shard.metadata_changed(self.view(), {name}, {name}))

    # the group

    @property
    def group(self) -> ConsumerGroup:
        found = self.shard.host.consumer("g")
        assert found is not None
        return found

    def member(self, member_id: str) -> ConsumerMember:
        return self.group.members[member_id]

    def heartbeat(self, member_id: str, epoch: int, **fields: Any) -> Any:
        owned = fields.pop("owned", None)
        if owned is not None:
            fields["topic_partitions"] = [
                TopicPartitions(topic_id=topic_id(name), partitions=indexes) for name, indexes in owned.items()
            ]
        request = ConsumerGroupHeartbeatRequest(
            group_id=fields.pop("group", "g"), member_id=member_id, member_epoch=epoch, **fields
        )
        return self.ask(lambda token: self.shard.consumer_heartbeat(token, CONSUMER, request, self.now))

    def refusal(self, member_id: str, epoch: int, **fields: Any) -> ErrorCode:
        try:
            self.heartbeat(member_id, epoch, **fields)
        except KafkaError as error:
            return error.code
        return ErrorCode.NONE

    def commit(self, committer: Committer, topic: str = "t", partition: int = 0, offset: int = 5) -> ErrorCode:
        positions = [Position(topic, partition, offset, topic_id=topic_id(topic))]
        codes = self.ask(lambda token: self.shard.commit_offsets(token, "g", committer, positions, -1, self.now))
        return ErrorCode(codes[0])

    def offset(self, topic: str = "t", partition: int = 0) -> int | None:
        found = self.shard.host.offsets.of("g").get((topic, partition))
        return None if found is None else found.offset

    def settle(self, *members: Consumer, rounds: int = 20) -> None:
        """Heartbeats of everyone until nobody has anything to change."""
        for _ in range(rounds):
            before = [(member.epoch, dict(member.held)) for member in members]
            for member in members:
                member.beat()
            if before == [(member.epoch, dict(member.held)) for member in members]:
                return
        raise AssertionError("the group does not come to rest")

    def holdings(self, *members: Consumer | ClassicConsumer) -> dict[str, list[int]]:
        """All partitions that members hold; a partition that two of them hold fails the test."""
        found: dict[str, list[int]] = {}
        for member in members:
            for name, indexes in member.held.items():
                known = found.setdefault(name, [])
                assert not set(known) & set(indexes), f"{name} {indexes} of {member.member_id} are held by another too"
                known += indexes
        return {name: sorted(indexes) for name, indexes in found.items() if indexes}


class Consumer:
    """A client of the consumer protocol: it has what it was told to have, and says so when that changed."""

    def __init__(self, story: ConsumerStory, member_id: str, topics: str | None = "t", **fields: Any) -> None:
        self.story = story
        self.member_id = member_id
        self.fields = {"rebalance_timeout_ms": 60_000} | fields
        if topics is not None:
            self.fields["subscribed_topic_names"] = topics.split()
        self.epoch = 0
        self.held: Held = {}
        self._told: Held | None = {}

    def join(self) -> Consumer:
        self.epoch, self.held = 0, {}
        return self._take(self.story.heartbeat(self.member_id, 0, owned={}, **self.fields))

    def beat(self, **more: Any) -> Consumer:
        if "instance_id" in self.fields:
            more["instance_id"] = self.fields["instance_id"]
        owned = None if self._told == self.held else self.held
        self._told = self.held
        return self._take(self.story.heartbeat(self.member_id, self.epoch, owned=owned, **more))

    def subscribe(self, topics: str) -> Consumer:
        self.fields["subscribed_topic_names"] = topics.split()
        return self.beat(subscribed_topic_names=topics.split())

    def leave(self, epoch: int = -1) -> None:
        self.story.heartbeat(self.member_id, epoch, instance_id=self.fields.get("instance_id"))
        if epoch == -1:
            self.held = {}

    def _take(self, answer: Any) -> Consumer:
        self.epoch = answer.member_epoch
        if answer.assignment is not None:
            names = {topic_id(name): name for name in self.story.topics}
            self.held = {
                names[each.topic_id]: list(each.partitions)
                for each in answer.assignment.topic_partitions
                if each.topic_id in names
            }
        return self


class ClassicConsumer:
    """A cooperative client of the classic protocol."""

    def __init__(self, story: ConsumerStory, topics: str = "t", instance: str | None = None) -> None:
        self.story = story
        self.topics = topics.split()
        self.instance = instance
        self.member_id = ""
        self.generation = -1
        self.protocol = "cooperative-sticky"
        self.held: Held = {}
        self.waiting = 0

    def join(self) -> JoinGroupResponse:
        """Joins, with the id it is given, and stays in the join if that is not answered at once."""
        answer = self._join()
        if answer is not None and answer.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            self.member_id = answer.member_id
            answer = self._join()
        return answer if answer is not None else JoinGroupResponse(error_code=-1)

    def _join(self) -> JoinGroupResponse | None:
        owned = [TopicPartition(topic=name, partitions=indexes) for name, indexes in self.held.items()]
        body = ConsumerProtocolSubscription(
            topics=self.topics, user_data=None, owned_partitions=owned, generation_id=self.generation
        )
        request = JoinGroupRequest(
            group_id="g",
            session_timeout_ms=10_000,
            rebalance_timeout_ms=60_000,
            member_id=self.member_id,
            group_instance_id=self.instance,
            protocol_type="consumer",
            protocols=[JoinGroupRequestProtocol(name=self.protocol, metadata=struct.pack(">h", 3) + body.encode(3))],
        )
        self.waiting = next(self.story.tokens)
        story = self.story
        story.do(story.shard.join_group(self.waiting, CLASSIC, request, story.now))
        return self.joined()

    def joined(self) -> JoinGroupResponse | None:
        answer: JoinGroupResponse | None = self.story.answers.get(self.waiting)
        if answer is not None and not answer.error_code:
            self.member_id, self.generation = answer.member_id, answer.generation_id
        return answer

    def sync(self, given: dict[str, Held] | None = None) -> ErrorCode:
        assignments = [
            SyncGroupRequestAssignment(member_id=one, assignment=_encoded(held)) for one, held in (given or {}).items()
        ]
        request = SyncGroupRequest(
            group_id="g", generation_id=self.generation, member_id=self.member_id, assignments=assignments
        )
        try:
            answer = self.story.ask(lambda token: self.story.shard.sync_group(token, request, self.story.now))
        except KafkaError as error:
            return error.code
        if answer.assignment:
            decoded = ConsumerProtocolAssignment.decode(answer.assignment[2:], 3)
            self.held = {each.topic: list(each.partitions) for each in decoded.assigned_partitions}
        return ErrorCode(answer.error_code)

    def beat(self) -> ErrorCode:
        request = HeartbeatRequest(
            group_id="g", generation_id=self.generation, member_id=self.member_id, group_instance_id=self.instance
        )
        try:
            answer = self.story.ask(lambda token: self.story.shard.heartbeat(token, request, self.story.now))
        except KafkaError as error:
            return error.code
        return ErrorCode(answer.error_code)

    def follow(self) -> None:
        """What a client does on a heartbeat: join and sync when it is told to."""
        while self.beat() is ErrorCode.REBALANCE_IN_PROGRESS:
            assert self.join().error_code == 0
            assert self.sync() is ErrorCode.NONE

    def leave(self) -> list[int]:
        identity = MemberIdentity(member_id=self.member_id, group_instance_id=self.instance)
        answer = self.story.ask(lambda token: self.story.shard.leave_group(token, "g", [identity], 5, self.story.now))
        return [member.error_code for member in answer.members]


def _encoded(held: Held) -> bytes:
    topics = [AssignedTopic(topic=name, partitions=indexes) for name, indexes in held.items()]
    return struct.pack(">h", 3) + ConsumerProtocolAssignment(assigned_partitions=topics, user_data=None).encode(3)
