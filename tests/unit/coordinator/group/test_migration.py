"""A group changes its protocol while it runs, both ways, and no partition is ever read twice."""

from __future__ import annotations

import pytest

from support.consumer_story import ClassicConsumer, Consumer, ConsumerStory
from tidelog.coordinator.group.classic import ClassicGroup, ClassicState
from tidelog.coordinator.group.consumer import ConsumerState
from tidelog.coordinator.group.values import Committer
from tidelog.protocol.errors import ErrorCode, KafkaError


@pytest.fixture
def story() -> ConsumerStory:
    made = ConsumerStory()
    made.topic("t", 4)
    return made


def classic_pair(story: ConsumerStory) -> tuple[ClassicConsumer, ClassicConsumer]:
    """Two members of the classic protocol in a stable group, in generation 2."""
    one, two = ClassicConsumer(story), ClassicConsumer(story)
    assert one.join().generation_id == 1
    two.join()
    assert one.join().generation_id == 2
    assert two.joined() is not None
    one.sync({one.member_id: {"t": [0, 1]}, two.member_id: {"t": [2, 3]}})
    two.sync()
    assert (one.held, two.held) == ({"t": [0, 1]}, {"t": [2, 3]})
    return one, two


def classic_group(story: ConsumerStory) -> ClassicGroup:
    found = story.shard.host.classic("g")
    assert found is not None
    return found


def test_a_stable_classic_group_is_taken_over_member_by_member(story: ConsumerStory) -> None:
    one, two = classic_pair(story)
    new = Consumer(story, "new").join()
    assert (new.epoch, new.held) == (3, {}), "everything is still held by the classic members"
    assert story.group.epoch == 3
    story.holdings(new, one, two)
    assert one.beat() is two.beat() is ErrorCode.REBALANCE_IN_PROGRESS
    for _ in range(3):
        one.follow()
        two.follow()
        new.beat()
    assert story.holdings(new, one, two) == {"t": [0, 1, 2, 3]}
    assert story.group.state is ConsumerState.STABLE
    assert new.held
    assert two.leave() == [0]
    replacement = Consumer(story, "replacement").join()
    for _ in range(3):
        one.follow()
        story.settle(new, replacement)
    assert story.holdings(new, replacement, one) == {"t": [0, 1, 2, 3]}


def test_a_group_goes_back_when_the_last_member_of_the_new_protocol_leaves(story: ConsumerStory) -> None:
    one, two = classic_pair(story)
    new = Consumer(story, "new").join()
    for _ in range(3):
        one.follow()
        two.follow()
        new.beat()
    new.leave()
    story.pass_ms(0)
    group = classic_group(story)
    assert (group.state, set(group.members)) == (ClassicState.PREPARING_REBALANCE, {one.member_id, two.member_id})
    assert one.beat() is ErrorCode.REBALANCE_IN_PROGRESS
    one.join()
    answer = two.join()
    assert answer.generation_id == 4
    assert one.joined() is not None
    leader, other = (one, two) if answer.leader == one.member_id else (two, one)
    leader.sync({leader.member_id: {"t": [0, 1]}, other.member_id: {"t": [2, 3]}})
    assert other.sync() is ErrorCode.NONE
    story.start()
    assert classic_group(story).state is ClassicState.STABLE
    assert one.beat() is two.beat() is ErrorCode.NONE


def test_a_coordinator_that_starts_anew_finds_the_group_in_the_middle(story: ConsumerStory) -> None:
    one, two = classic_pair(story)
    new = Consumer(story, "new").join()
    story.start()
    assert story.group.classic_count == 2
    for _ in range(3):
        one.follow()
        two.follow()
        new.beat()
    assert story.holdings(new, one, two) == {"t": [0, 1, 2, 3]}
    new.leave()
    story.start()
    assert set(classic_group(story).members) == {one.member_id, two.member_id}
    assert one.beat() is ErrorCode.NONE


def test_a_join_of_the_new_protocol_ends_a_classic_rebalance(story: ConsumerStory) -> None:
    one, two = classic_pair(story)
    one.topics = ["t", "u"]
    one.join()
    new = Consumer(story, "new").join()
    answer = one.joined()
    assert answer is not None
    assert answer.error_code == ErrorCode.REBALANCE_IN_PROGRESS
    assert two.beat() is ErrorCode.REBALANCE_IN_PROGRESS
    for _ in range(3):
        one.join()
        one.sync()
        two.follow()
        new.beat()
    assert story.holdings(new, one, two) == {"t": [0, 1, 2, 3]}


def test_a_classic_member_that_does_not_join_again_in_time_is_out(story: ConsumerStory) -> None:
    one, two = classic_pair(story)
    new = Consumer(story, "new").join()
    one.follow()
    for _ in range(7):
        assert two.beat() is ErrorCode.REBALANCE_IN_PROGRESS
        one.follow()
        new.beat()
        story.pass_ms(9_000)
    assert two.member_id not in story.group.members
    new.beat()
    assert two.beat() is ErrorCode.UNKNOWN_MEMBER_ID


def test_a_classic_member_that_joins_but_never_syncs_is_out(story: ConsumerStory) -> None:
    new = Consumer(story, "new").join()
    one = ClassicConsumer(story)
    one.join()
    for _ in range(7):
        new.beat()
        story.pass_ms(9_000)
        one.beat()
    assert list(story.group.members) == ["new"]


def test_a_classic_member_joins_a_consumer_group(story: ConsumerStory) -> None:
    new = Consumer(story, "new").join()
    one = ClassicConsumer(story)
    answer = one.join()
    assert (answer.error_code, answer.members, answer.leader) == (0, [], "")
    assert one.sync() is ErrorCode.NONE
    for _ in range(3):
        new.beat()
        one.follow()
    assert story.holdings(new, one) == {"t": [0, 1, 2, 3]}
    assert len(one.held["t"]) == 2
    assert story.commit(Committer(one.generation, one.member_id)) is ErrorCode.NONE
    assert story.commit(Committer(one.generation - 1, one.member_id)) is ErrorCode.ILLEGAL_GENERATION


def test_an_empty_group_takes_the_protocol_of_whoever_joins(story: ConsumerStory) -> None:
    new = Consumer(story, "new").join()
    new.leave()
    one = ClassicConsumer(story)
    assert one.join().generation_id == 1
    assert classic_group(story).leader_id == one.member_id
    one.leave()
    again = Consumer(story, "again").join()
    assert again.held == {"t": [0, 1, 2, 3]}
    story.start()
    assert list(story.group.members) == ["again"]


def test_offsets_survive_every_change(story: ConsumerStory) -> None:
    story.commit(Committer(), offset=7)
    new = Consumer(story, "new").join()
    one = ClassicConsumer(story)
    one.join()
    new.leave()
    story.pass_ms(0)
    assert classic_group(story).members
    assert story.offset() == 7
    story.start()
    assert story.offset() == 7


def test_a_static_member_changes_its_protocol_and_back_without_losing_its_place(story: ConsumerStory) -> None:
    keeper = Consumer(story, "keeper").join()
    old = ClassicConsumer(story, instance="i")
    old.join()
    old.sync()
    for _ in range(3):
        keeper.beat()
        old.follow()
    had = old.held
    upgraded = Consumer(story, "upgraded", instance_id="i").join()
    assert (upgraded.held, story.group.epoch) == (had, 3)
    assert old.beat() is ErrorCode.FENCED_INSTANCE_ID
    keeper.leave()
    story.settle(upgraded)
    back = ClassicConsumer(story, instance="i")
    assert back.join().error_code == 0, "the last member of the new protocol was replaced: a classic group again"
    story.pass_ms(0)
    assert list(classic_group(story).static_members) == ["i"]


@pytest.mark.parametrize("policy", ["downgrade", "disabled"])
def test_the_policy_can_forbid_the_way_up(policy: str) -> None:
    story = ConsumerStory(consumer_migration_policy=policy)
    story.topic("t", 4)
    one, _ = classic_pair(story)
    join = {"rebalance_timeout_ms": 1_000, "subscribed_topic_names": ["t"], "owned": {}}
    assert story.refusal("new", 0, **join) is ErrorCode.GROUP_ID_NOT_FOUND
    assert one.beat() is ErrorCode.NONE, "nothing happened to the classic group"


@pytest.mark.parametrize("policy", ["upgrade", "disabled"])
def test_the_policy_can_forbid_the_way_down(policy: str) -> None:
    story = ConsumerStory(consumer_migration_policy=policy)
    story.topic("t", 4)
    new = Consumer(story, "new").join()
    one = ClassicConsumer(story)
    one.join()
    new.leave()
    story.pass_ms(0)
    assert list(story.group.members) == [one.member_id]


def test_classic_members_need_a_protocol_in_common(story: ConsumerStory) -> None:
    Consumer(story, "new").join()
    one, two = ClassicConsumer(story), ClassicConsumer(story)
    assert one.join().error_code == 0
    two.protocol = "range"
    with pytest.raises(KafkaError) as refused:
        two.join()
    assert refused.value.code is ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert one.leave() == [0]
    assert one.leave() == [ErrorCode.UNKNOWN_MEMBER_ID]
    assert two.join().error_code == 0
