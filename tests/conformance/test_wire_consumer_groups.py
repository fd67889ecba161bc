"""Groups of the new protocol: heartbeats that join, assign, change and leave, and their description."""

import os
import time
from collections.abc import Callable
from typing import Any

import pytest

from conformance.brokers import Both, Broker
from conformance.compare import plain
from conformance.groups import Member, commit, coordinator_ready, subscription
from tidelog.model.uuids import to_text
from tidelog.protocol.messages.consumer_group_describe import ConsumerGroupDescribeRequest
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest, TopicPartitions
from tidelog.protocol.messages.describe_groups import DescribeGroupsRequest
from tidelog.protocol.messages.list_groups import ListGroupsRequest


@pytest.fixture
def group(both: Both, topic: str) -> str:
    """The group's name is its topic's, and the topic has four partitions."""
    for broker in (both.ours, both.apache):
        coordinator_ready(broker, topic)
        broker.create(topic, 4)
    return topic


class Consumer:
    """A member that names itself, as clients of version 1 do."""

    def __init__(self, broker: Broker, group: str, **fields: Any) -> None:
        self.broker = broker
        self.group = group
        self.id = to_text(os.urandom(16))
        self.epoch = 0
        self.owned: list[int] = []
        self.topic_id = broker.metadata(group).topic_id
        self.fields = {"subscribed_topic_names": [group], "rebalance_timeout_ms": 30_000, **fields}

    def beat(self, **fields: Any) -> Any:
        """One heartbeat; the answer moves the member's epoch and what it owns."""
        own = {"group_id": self.group, "member_id": self.id, "member_epoch": self.epoch}
        answer = self.broker.call(ConsumerGroupHeartbeatRequest(**{**own, **fields}), 1)
        if answer.error_code == 0:
            self.epoch = answer.member_epoch
            if answer.assignment is not None:
                parts = [part for each in answer.assignment.topic_partitions for part in each.partitions]
                self.owned = sorted(parts)
        return answer

    def join(self, **fields: Any) -> Any:
        return self.beat(topic_partitions=[], **{**self.fields, **fields})

    def tell(self) -> Any:
        """A heartbeat that says what is owned, as one must after each change."""
        own = [TopicPartitions(topic_id=self.topic_id, partitions=self.owned)] if self.owned else []
        return self.beat(topic_partitions=own)

    def settle(self, count: int) -> list[int]:
        """Beat, telling what is owned, until it is `count` partitions."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not self.tell().error_code and len(self.owned) != count:
            time.sleep(0.02)
        return self.owned


def described(broker: Broker, group: str) -> Any:
    answer = broker.call(ConsumerGroupDescribeRequest(group_ids=[group]), 1).groups[0]
    for member in answer.members:
        member.client_host = "somewhere"
        for side in (member.assignment, member.target_assignment):
            for each in side.topic_partitions:
                each.partitions.sort()
    answer.members.sort(key=lambda member: str(member.assignment.topic_partitions))
    return answer


def test_alone(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        member = Consumer(broker, group)
        first = member.join()
        for each in first.assignment.topic_partitions if first.assignment else []:
            each.partitions.sort()
        story: list[Any] = [first, member.settle(4), member.beat(), described(broker, group)]
        story.append(member.beat(member_epoch=-1))
        return story, described(broker, group)

    both.same(step)


@pytest.mark.parametrize("assignor", ["uniform", "range", None])
def test_two_members_share(both: Both, group: str, assignor: str | None) -> None:
    def step(broker: Broker) -> Any:
        members = [Consumer(broker, group, server_assignor=assignor) for _ in range(2)]
        members[0].join()
        members[0].settle(4)
        members[1].join()
        deadline = time.monotonic() + 60
        while sorted(members[0].owned + members[1].owned) != [0, 1, 2, 3] or len(members[1].owned) != 2:
            for member in members:
                member.tell()
            time.sleep(0.02)
            assert time.monotonic() < deadline, [member.owned for member in members]
        state = described(broker, group)
        # How many epochs it took depends on when each broker heard of the topic and of the members.
        settled = state.group_epoch == state.assignment_epoch
        answer = [len(member.owned) for member in members], state.group_state, state.assignor_name, settled
        members[1].beat(member_epoch=-1)
        back = members[0].settle(4)
        return answer, back

    both.same(step)


def test_the_same_heartbeat_again_and_again(both: Both, group: str) -> None:
    """Word for word on one connection, through everything that gives it another answer."""

    def step(broker: Broker) -> Any:
        first, second = Consumer(broker, group), Consumer(broker, group)
        first.join()
        first.settle(4)
        epoch = first.epoch
        with broker.connect() as wire:

            def again() -> Any:
                same = ConsumerGroupHeartbeatRequest(group_id=group, member_id=first.id, member_epoch=epoch)
                return wire.call(same, 1)

            def until(is_there: Callable[[Any], bool]) -> Any:
                deadline = time.monotonic() + 60
                while not is_there(answer := again()):
                    assert time.monotonic() < deadline, answer
                    time.sleep(0.02)
                return answer

            quiet = [again() for _ in range(4)]
            first.epoch = quiet[0].member_epoch
            second.join()
            told = until(lambda answer: answer.assignment is not None or answer.error_code != 0)
            kept = sum(len(each.partitions) for each in told.assignment.topic_partitions)
            waiting = [again() for _ in range(3)]
            first.owned = sorted(part for each in told.assignment.topic_partitions for part in each.partitions)
            first.settle(2)
            fenced = [again() for _ in range(2)]
            first.beat(member_epoch=-1)
            gone = [again() for _ in range(2)]
            second.beat(member_epoch=-1)
        codes = [[answer.error_code for answer in answers] for answers in (quiet, waiting, fenced, gone)]
        silent = [answer.assignment is None for answer in quiet + waiting]
        same = len({str(plain(answer)) for answer in quiet}) == 1
        return codes, silent, same, kept

    both.same(step)


@pytest.mark.parametrize(
    "fields",
    [
        {"group_id": ""},
        {"member_id": ""},
        {"member_epoch": -3},
        {"member_epoch": 5},
        {"rebalance_timeout_ms": -1},
        {"rebalance_timeout_ms": 0},
        {"subscribed_topic_names": None},
        {"subscribed_topic_names": []},
        {"subscribed_topic_names": ["nowhere-at-all"]},
        {"subscribed_topic_regex": "bad[", "subscribed_topic_names": None},
        {"subscribed_topic_regex": ""},
        {"server_assignor": "nonsense"},
        {"server_assignor": ""},
        {"instance_id": ""},
        {"rack_id": ""},
        {"topic_partitions": None},
    ],
    ids=str,
)
def test_odd_joins(both: Both, group: str, fields: dict[str, Any]) -> None:
    def step(broker: Broker) -> Any:
        member = Consumer(broker, group)
        answer = member.beat(**{"topic_partitions": [], **member.fields, **fields})
        answer.assignment = answer.assignment and "some"
        member.beat(member_epoch=-1)
        return answer

    both.same(step)


def test_a_regular_expression(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        member = Consumer(broker, group)
        member.join(subscribed_topic_regex=f"{group}.*", subscribed_topic_names=None)
        owned = member.settle(4)
        state = described(broker, group)
        member.beat(member_epoch=-1)
        return owned, [(each.subscribed_topic_names, each.subscribed_topic_regex) for each in state.members]

    both.same(step)


def test_heartbeats_out_of_step(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        member = Consumer(broker, group)
        member.join()
        member.settle(4)
        epoch = member.epoch
        owned = [TopicPartitions(topic_id=member.topic_id, partitions=member.owned)]
        odd = [
            {"member_epoch": epoch + 1},
            {"member_epoch": epoch - 1},
            {"member_epoch": epoch - 1, "topic_partitions": owned},
            {"member_id": "nobody"},
            {"member_id": "nobody", "member_epoch": -1},
            {"group_id": f"{group}-unknown"},
            {"subscribed_topic_names": [group]},
            {"topic_partitions": owned},
            {"instance_id": "other"},
        ]
        story = [member.beat(**fields) for fields in odd]
        for answer in story:
            answer.assignment = answer.assignment and "some"
        who = {"member_id": member.id}
        commits = [
            commit(broker, group, group, {0: 1}, generation_id_or_member_epoch=each, **who)
            for each in (epoch, epoch + 1, epoch - 1, -1)
        ]
        commits.append(commit(broker, group, group, {0: 1}))
        member.epoch = epoch
        member.beat(member_epoch=-1)
        return story, commits

    both.same(step)


def test_static_members(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        old = Consumer(broker, group, instance_id="one")
        old.join()
        old.settle(4)
        taken = Consumer(broker, group, instance_id="one")
        story: list[Any] = [taken.join().error_code]
        story.append(old.beat(member_epoch=-2, instance_id="one"))
        new = Consumer(broker, group, instance_id="one")
        story.append(new.join().error_code)
        story.append(new.settle(4))
        story.append(old.beat(instance_id="one").error_code)
        new.beat(member_epoch=-1, instance_id="one")
        return story, described(broker, group).group_state

    both.same(step)


def test_both_protocols_see_the_group(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        member = Consumer(broker, group)
        member.join()
        member.settle(4)
        listed = [each for each in broker.call(ListGroupsRequest(), 5).groups if each.group_id == group]
        classic = broker.call(DescribeGroupsRequest(groups=[group]), 6).groups
        unknown = described(broker, f"{group}-unknown")
        member.beat(member_epoch=-1)
        return listed, classic, unknown

    both.same(step)


def test_a_classic_member_joins_a_new_group(both: Both, group: str) -> None:
    """The group stays of the new kind while a member of the old kind is in it."""

    def step(broker: Broker) -> Any:
        member = Consumer(broker, group)
        member.join()
        member.settle(4)
        classic = Member(broker, group)
        classic.protocols = {"range": subscription(group)}
        joined = classic.join()
        story: list[Any] = [joined.error_code, joined.protocol_name, len(joined.members)]
        story.append(classic.sync().error_code)
        state = described(broker, group)
        story += [state.group_state, sorted(each.member_type for each in state.members)]
        classic.leave()
        classic.close()
        member.beat(member_epoch=-1)
        return story

    both.same(step)


def test_a_new_member_upgrades_a_classic_group(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        classic = Member(broker, group)
        classic.protocols = {"range": subscription(group)}
        classic.join()
        classic.sync({classic.id: b""})
        member = Consumer(broker, group)
        joined = member.join()
        kinds = [each.group_type for each in broker.call(ListGroupsRequest(), 5).groups if each.group_id == group]
        beat = classic.await_rebalance()
        classic.leave()
        classic.close()
        member.beat(member_epoch=-1)
        return joined.error_code, kinds, beat

    both.same(step)
