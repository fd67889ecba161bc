"""Consumer groups under any order of joins, heartbeats, departures, silences, restarts and changes of topics.

Whatever happens, no partition is with two clients at once, a new coordinator knows what the old one knew, and a group
that is left alone comes to rest with every partition assigned.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from support.consumer_story import ClassicConsumer, Consumer, ConsumerStory
from tidelog.coordinator.group.consumer import ConsumerGroup, ConsumerState
from tidelog.protocol.errors import ErrorCode, KafkaError

SLOTS = st.integers(0, 4)


class Groups(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.story = ConsumerStory(assignment_interval_ms=1_000, consumer_migration_policy="upgrade")
        self.story.topic("t", 5)
        self.members: dict[int, Consumer] = {}
        self.classic: dict[int, ClassicConsumer] = {}
        self.born = 0

    @rule(slot=SLOTS, topics=st.sampled_from(["t", "t u", "u", None]), static=st.booleans())
    def join(self, slot: int, topics: str | None, static: bool) -> None:
        if slot in self.members:
            return
        self.born += 1
        fields: dict[str, Any] = {"subscribed_topic_regex": "[tu]"} if topics is None else {}
        if static:
            fields["instance_id"] = f"i{slot}"
        member = Consumer(self.story, f"m{self.born}", topics, **fields)
        try:
            self.members[slot] = member.join()
        except KafkaError as error:
            _expect(error, ErrorCode.UNRELEASED_INSTANCE_ID)

    @precondition(lambda self: self.members)
    @rule(slot=SLOTS)
    def join_classic(self, slot: int) -> None:
        if slot not in self.classic:
            member = ClassicConsumer(self.story)
            if member.join().error_code == 0 and member.sync() is ErrorCode.NONE:
                self.classic[slot] = member

    @rule(slot=SLOTS)
    def beat(self, slot: int) -> None:
        if slot in self.members:
            self._beat(slot)

    def _beat(self, slot: int) -> None:
        try:
            self.members[slot].beat()
        except KafkaError as error:
            _expect(error, ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_MEMBER_EPOCH, ErrorCode.GROUP_ID_NOT_FOUND)
            del self.members[slot]

    @rule(slot=SLOTS)
    def beat_classic(self, slot: int) -> None:
        if slot in self.classic:
            self._beat_classic(slot)

    def _beat_classic(self, slot: int) -> None:
        member = self.classic[slot]
        code = member.beat()
        if code is ErrorCode.REBALANCE_IN_PROGRESS:
            member.join()
            member.sync()
        elif code is not ErrorCode.NONE:
            del self.classic[slot]

    @rule(slot=SLOTS, for_a_while=st.booleans())
    def leave(self, slot: int, for_a_while: bool) -> None:
        member = self.members.pop(slot, None)
        if member is None:
            return
        epoch = -2 if for_a_while and "instance_id" in member.fields else -1
        try:
            member.leave(epoch)
        except KafkaError as error:
            _expect(error, ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_INSTANCE_ID, ErrorCode.GROUP_ID_NOT_FOUND)

    @rule(slot=SLOTS)
    def leave_classic(self, slot: int) -> None:
        member = self.classic.pop(slot, None)
        if member is not None:
            member.leave()

    @rule(slot=SLOTS)
    def subscribe(self, slot: int) -> None:
        member = self.members.get(slot)
        if member is not None and "subscribed_topic_names" in member.fields and member.epoch == self._epoch(member):
            member.subscribe("u")

    def _epoch(self, member: Consumer) -> int:
        group = self.story.shard.host.consumer("g")
        known = group.members.get(member.member_id) if group is not None else None
        return -9 if known is None else known.epoch

    @rule(partitions=st.integers(1, 8))
    def grow(self, partitions: int) -> None:
        there = self.story.topics.get("u")
        if there is None or there.partitions < partitions:
            self.story.topic("u", partitions)

    @rule(ms=st.sampled_from([10, 1_000, 9_000, 30_000]))
    def wait(self, ms: int) -> None:
        """A client that is cut off gives up its partitions by itself before its session ends."""
        self.story.pass_ms(ms)
        group = self.story.shard.host.consumer("g")
        there = group.members if group is not None else {}
        for table in (self.members, self.classic):
            for slot in [one for one, member in table.items() if member.member_id not in there]:  # type: ignore[attr-defined]
                del table[slot]  # type: ignore[attr-defined]

    @rule()
    def restart(self) -> None:
        before = self.story.shard.host.consumer("g")
        self.story.start()
        after = self.story.shard.host.consumer("g")
        assert _state(before) == _state(after)

    @invariant()
    def no_partition_is_with_two(self) -> None:
        self.story.holdings(*self.members.values(), *self.classic.values())

    def teardown(self) -> None:
        """Left alone, with static members that are away given up, the group comes to rest."""
        for _ in range(30):
            for slot in list(self.members):
                self._beat(slot)
            for slot in list(self.classic):
                self._beat_classic(slot)
            self.wait(5_000)
        group = self.story.shard.host.consumer("g")
        if group is None or not group.members:
            return
        assert group.state is ConsumerState.STABLE
        held = self.story.holdings(*self.members.values(), *self.classic.values())
        wanted = {
            name: list(range(topic.partitions))
            for name, topic in self.story.topics.items()
            if name in group.subscribed_topics()
        }
        assert held == wanted


def _expect(error: KafkaError, *codes: ErrorCode) -> None:
    assert error.code in codes, error


def _state(group: ConsumerGroup | None) -> dict[str, Any]:
    skipped = ("is_stale", "changed_topics")
    return {} if group is None else {name: value for name, value in vars(group).items() if name not in skipped}


TestGroups = Groups.TestCase
TestGroups.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
