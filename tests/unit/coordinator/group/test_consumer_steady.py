"""A heartbeat that changes nothing keeps its answer exactly as long as it would get the same one."""

from collections.abc import Callable

import pytest

from support.consumer_story import CONSUMER, Consumer, ConsumerStory
from tidelog.coordinator.group.consumer_steady import Steady
from tidelog.coordinator.group.values import Caller
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest

SESSION_MS = 45_000


@pytest.fixture
def story() -> ConsumerStory:
    found = ConsumerStory()
    found.topic("t", 4)
    return found


def request(member: Consumer, **fields: object) -> ConsumerGroupHeartbeatRequest:
    own = {"group_id": "g", "member_id": member.member_id, "member_epoch": member.epoch}
    return ConsumerGroupHeartbeatRequest(**{**own, **fields})  # type: ignore[arg-type]


def steady(story: ConsumerStory, member: Consumer, caller: Caller = CONSUMER, **fields: object) -> Steady | None:
    return story.shard.steady_heartbeat(caller, request(member, **fields), story.now)


def at_rest(story: ConsumerStory, name: str = "a", **fields: object) -> Consumer:
    member = Consumer(story, name, **fields).join()
    story.settle(member)
    return member


def test_it_answers_as_the_heartbeat_itself_would(story: ConsumerStory) -> None:
    member = at_rest(story)
    found = steady(story, member)
    assert found is not None
    assert found.response == story.heartbeat("a", member.epoch)
    assert found.again(story.shard.host, story.now)


def test_it_keeps_the_member_alive(story: ConsumerStory) -> None:
    member = at_rest(story)
    found = steady(story, member)
    assert found is not None
    for _ in range(4):
        story.pass_ms(SESSION_MS - 1)
        assert found.again(story.shard.host, story.now)
    story.pass_ms(SESSION_MS)
    assert "a" not in story.group.members
    assert not found.again(story.shard.host, story.now)


def test_a_static_member_names_itself_each_time(story: ConsumerStory) -> None:
    member = at_rest(story, instance_id="one")
    assert steady(story, member, instance_id="one") is not None
    assert steady(story, member, instance_id="two") is None


@pytest.mark.parametrize("fields", [{"rack_id": "r"}, {"rebalance_timeout_ms": 7}, {"member_epoch": 1}], ids=str)
def test_one_that_says_something_is_not(story: ConsumerStory, fields: dict[str, object]) -> None:
    member = at_rest(story)
    assert steady(story, member, **fields) is None


def test_nor_one_from_elsewhere(story: ConsumerStory) -> None:
    member = at_rest(story)
    assert steady(story, member, Caller("client", "/10.0.0.1", 1)) is None


def another_joins(story: ConsumerStory) -> None:
    Consumer(story, "b").join()


def topic_grows(story: ConsumerStory) -> None:
    story.topic("t", 5)


def member_leaves(story: ConsumerStory) -> None:
    story.heartbeat("a", -1)


def is_taken_over(story: ConsumerStory) -> None:
    story.start()


def group_has_settings(story: ConsumerStory) -> None:
    story.group_settings["g"] = {"consumer.heartbeat.interval.ms": "7000"}
    story.do(story.shard.metadata_changed(story.view(), set(), set()))


@pytest.mark.parametrize("change", [another_joins, topic_grows, member_leaves, is_taken_over, group_has_settings])
def test_any_change_ends_it(story: ConsumerStory, change: Callable[[ConsumerStory], None]) -> None:
    member = at_rest(story)
    found = steady(story, member)
    assert found is not None
    change(story)
    assert not found.again(story.shard.host, story.now)


def test_a_change_that_may_not_be_assigned_yet_does_not(story: ConsumerStory) -> None:
    story = ConsumerStory(assignment_interval_ms=1000)
    story.topic("t", 4)
    member = at_rest(story)
    found = steady(story, member)
    assert found is not None
    another_joins(story)
    assert found.again(story.shard.host, story.now)
    story.pass_ms(1000)
    assert not found.again(story.shard.host, story.now)
