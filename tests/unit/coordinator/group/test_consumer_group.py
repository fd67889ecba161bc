"""The consumer protocol as stories: epochs, reconciliation, static members, timeouts, topics that change, commits."""

from __future__ import annotations

from typing import Any

import pytest

from support.consumer_story import Consumer, ConsumerStory
from tidelog.coordinator.group.consumer import ConsumerGroup, ConsumerState
from tidelog.coordinator.group.consumer_member import MemberState
from tidelog.coordinator.group.values import Committer
from tidelog.protocol.errors import ErrorCode, KafkaError


@pytest.fixture
def story() -> ConsumerStory:
    made = ConsumerStory()
    made.topic("t", 4)
    return made


def pair(story: ConsumerStory) -> tuple[Consumer, Consumer]:
    """Two members that share the topic."""
    one, two = Consumer(story, "one").join(), Consumer(story, "two").join()
    story.settle(one, two)
    return one, two


def test_the_first_member_gets_everything_at_once(story: ConsumerStory) -> None:
    one = Consumer(story, "one").join()
    assert (one.epoch, one.held) == (2, {"t": [0, 1, 2, 3]})
    assert story.group.state is ConsumerState.STABLE


def test_a_partition_moves_only_after_its_holder_has_given_it_up(story: ConsumerStory) -> None:
    one = Consumer(story, "one").join()
    two = Consumer(story, "two").join()
    assert (two.epoch, two.held) == (3, {})
    assert story.member("two").state is MemberState.UNRELEASED_PARTITIONS
    answer = story.heartbeat("one", 2)
    assert answer.member_epoch == 2, "the epoch waits for the revocation"
    assert [each.partitions for each in answer.assignment.topic_partitions] == [[0, 1]]
    assert two.beat().held == {}
    assert story.heartbeat("one", 2).assignment is None, "told once"
    assert story.heartbeat("one", 2, owned={"t": [0, 1]}).member_epoch == 3
    assert two.beat().held == {"t": [2, 3]}
    assert one.epoch == 2
    assert story.group.state is ConsumerState.STABLE


def test_a_member_that_leaves_makes_room_at_the_next_heartbeat(story: ConsumerStory) -> None:
    one, two = pair(story)
    two.leave()
    assert story.group.state is ConsumerState.ASSIGNING
    assert one.beat().held == {"t": [0, 1, 2, 3]}
    one.leave()
    assert story.group.state is ConsumerState.EMPTY
    assert story.refusal("one", 4) is ErrorCode.UNKNOWN_MEMBER_ID


def test_epochs_that_do_not_fit_fence_a_member_but_for_a_lost_answer(story: ConsumerStory) -> None:
    pair(story)
    assert story.member("one").epoch == 3
    assert story.refusal("one", 99) is ErrorCode.FENCED_MEMBER_EPOCH
    assert story.refusal("one", 2) is ErrorCode.FENCED_MEMBER_EPOCH
    assert story.refusal("one", 2, owned={"t": [0, 1, 2]}) is ErrorCode.FENCED_MEMBER_EPOCH
    assert story.refusal("one", 2, owned={"t": [0, 1]}) is ErrorCode.NONE
    assert story.refusal("stranger", 1) is ErrorCode.UNKNOWN_MEMBER_ID
    assert story.refusal("one", 1, group="none") is ErrorCode.GROUP_ID_NOT_FOUND
    assert story.refusal("one", -1, group="none") is ErrorCode.GROUP_ID_NOT_FOUND


def test_a_fenced_member_joins_again_and_keeps_its_place(story: ConsumerStory) -> None:
    one, two = pair(story)
    one.join()
    assert (one.epoch, one.held) == (3, {"t": [0, 1]})
    assert two.beat().held == {"t": [2, 3]}


def test_a_silent_member_is_out_after_its_session(story: ConsumerStory) -> None:
    one, two = pair(story)
    story.pass_ms(30_000)
    one.beat()
    story.pass_ms(20_000)
    assert list(story.group.members) == ["one"]
    assert one.beat().held == {"t": [0, 1, 2, 3]}
    with pytest.raises(KafkaError):
        two.beat()


def test_a_member_that_gives_nothing_up_is_out_after_its_rebalance_timeout(story: ConsumerStory) -> None:
    Consumer(story, "one", rebalance_timeout_ms=10_000).join()
    two = Consumer(story, "two").join()
    story.heartbeat("one", 2)
    story.pass_ms(9_999)
    story.heartbeat("one", 2)
    assert two.beat().held == {}
    story.pass_ms(1)
    assert list(story.group.members) == ["two"]
    assert two.beat().held == {"t": [0, 1, 2, 3]}


def test_a_static_member_that_comes_back_in_time_finds_what_it_had(story: ConsumerStory) -> None:
    one, two = Consumer(story, "one", instance_id="i").join(), Consumer(story, "two").join()
    story.settle(one, two)
    assert story.refusal("thief", 0, owned={}, instance_id="i", **_join()) is ErrorCode.UNRELEASED_INSTANCE_ID
    one.leave(-2)
    story.pass_ms(20_000)
    assert two.beat().held == {"t": [2, 3]}, "its partitions stay reserved"
    back = Consumer(story, "back", instance_id="i").join()
    assert (back.epoch, back.held) == (3, {"t": [0, 1]})
    assert story.group.epoch == 3, "no rebalance"
    assert story.refusal("one", 3, instance_id="i") is ErrorCode.FENCED_INSTANCE_ID
    assert story.refusal("back", 3, instance_id="other") is ErrorCode.UNKNOWN_MEMBER_ID
    back.leave(-2)
    story.pass_ms(40_000)
    two.beat()
    story.pass_ms(10_000)
    assert list(story.group.members) == ["two"], "after its session its place is free"


def _join() -> dict[str, Any]:
    return {"rebalance_timeout_ms": 1_000, "subscribed_topic_names": ["t"]}


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"group": " "}, ErrorCode.INVALID_REQUEST),
        ({"rebalance_timeout_ms": -1}, ErrorCode.INVALID_REQUEST),
        ({"owned": {"t": [0]}}, ErrorCode.INVALID_REQUEST),
        ({"owned": None}, ErrorCode.INVALID_REQUEST),
        ({"subscribed_topic_names": None}, ErrorCode.INVALID_REQUEST),
        ({"instance_id": ""}, ErrorCode.INVALID_REQUEST),
        ({"rack_id": ""}, ErrorCode.INVALID_REQUEST),
        ({"server_assignor": "unheard-of"}, ErrorCode.UNSUPPORTED_ASSIGNOR),
        ({"subscribed_topic_regex": "a("}, ErrorCode.INVALID_REGULAR_EXPRESSION),
    ],
)
def test_joins_that_are_refused(story: ConsumerStory, fields: dict[str, Any], error: ErrorCode) -> None:
    assert story.refusal("m", 0, **({"owned": {}} | _join() | fields)) is error
    assert story.log == []


def test_leaving_for_a_while_and_impossible_epochs_are_refused(story: ConsumerStory) -> None:
    Consumer(story, "one").join()
    assert story.refusal("one", -2) is ErrorCode.INVALID_REQUEST
    assert story.refusal("one", -3) is ErrorCode.INVALID_REQUEST
    assert story.refusal("", 0, owned={}, **_join()) is ErrorCode.INVALID_REQUEST


def test_the_group_has_no_room_past_its_maximum() -> None:
    story = ConsumerStory(consumer_max_size=1)
    story.topic("t", 1)
    Consumer(story, "one").join()
    assert story.refusal("two", 0, owned={}, **_join()) is ErrorCode.GROUP_MAX_SIZE_REACHED
    assert story.refusal("one", 0, owned={}, **_join()) is ErrorCode.NONE


def test_a_new_subscription_moves_what_it_must(story: ConsumerStory) -> None:
    story.topic("u", 2)
    one, two = pair(story)
    two.subscribe("t u")
    story.settle(one, two)
    assert story.holdings(one, two) == {"t": [0, 1, 2, 3], "u": [0, 1]}
    assert len(one.held["t"]) == len(two.held["t"]) + len(two.held["u"]) == 3
    two.subscribe("u")
    story.settle(one, two)
    assert (one.held, two.held) == ({"t": [0, 1, 2, 3]}, {"u": [0, 1]})


def test_topics_that_are_created_grow_or_go_change_the_assignment(story: ConsumerStory) -> None:
    one = Consumer(story, "one", "t later").join()
    assert one.beat().epoch == 2
    story.topic("later", 1)
    assert one.beat().held == {"t": [0, 1, 2, 3], "later": [0]}
    story.topic("t", 5)
    assert one.beat().held["t"] == [0, 1, 2, 3, 4]
    story.topic("unrelated", 5)
    epoch = one.beat().epoch
    story.commit(Committer(epoch, "one", api_version=9), "t")
    story.commit(Committer(epoch, "one", api_version=9), "later")
    story.delete_topic("later")
    story.settle(one)
    assert one.held == {"t": [0, 1, 2, 3, 4]}
    assert one.epoch == epoch + 1
    assert (story.offset("t"), story.offset("later")) == (5, None), "offsets of a topic go with it"


def test_assignments_are_not_made_more_often_than_the_interval_allows() -> None:
    story = ConsumerStory(assignment_interval_ms=1_000)
    story.topic("t", 4)
    one = Consumer(story, "one").join()
    two, three = Consumer(story, "two").join(), Consumer(story, "three").join()
    assert (two.epoch, two.held, story.group.epoch) == (2, {}, 4)
    assert story.group.state is ConsumerState.ASSIGNING
    story.pass_ms(999)
    assert one.beat().held == {"t": [0, 1, 2, 3]}
    story.pass_ms(1)
    story.settle(one, two, three)
    assert story.group.assignment_epoch == 4, "one assignment for both"
    assert story.holdings(one, two, three) == {"t": [0, 1, 2, 3]}


def test_a_topic_that_is_no_longer_wanted_is_given_up_before_the_next_assignment() -> None:
    story = ConsumerStory(assignment_interval_ms=1_000)
    story.topic("t", 1)
    story.topic("u", 1)
    one = Consumer(story, "one", "t u").join()
    assert one.subscribe("t").held == {"t": [0]}
    one.beat()
    assert story.member("one").state is MemberState.STABLE


def test_a_group_can_have_settings_of_its_own(story: ConsumerStory) -> None:
    story.group_settings["g"] = {
        "consumer.heartbeat.interval.ms": "7000",
        "consumer.session.timeout.ms": "50000",
        "consumer.assignment.interval.ms": "99999999",
    }
    story.do(story.shard.metadata_changed(story.view(), set(), set()))
    assert story.heartbeat("one", 0, owned={}, **_join()).heartbeat_interval_ms == 7_000
    story.pass_ms(49_999)
    assert list(story.group.members) == ["one"]
    assert story.shard.host.settings("g").assignment_interval_ms == 15_000, "within the broker's bounds"
    story.pass_ms(1)
    assert not story.group.members


def test_expressions_follow_the_topics_that_exist(story: ConsumerStory) -> None:
    story.topic("log-a", 1)
    one = Consumer(story, "one", None, subscribed_topic_regex="log-.*").join()
    assert one.held == {"log-a": [0]}
    story.topic("log-b", 1)
    story.topic("blog", 1)
    assert one.beat().held == {"log-a": [0], "log-b": [0]}
    story.delete_topic("log-a")
    story.settle(one)
    assert one.held == {"log-b": [0]}
    story.start()
    assert one.beat().held == {"log-b": [0]}
    assert story.group.regexes["log-.*"].topics == {"log-b"}
    one.beat(subscribed_topic_regex="b.*")
    story.settle(one)
    assert one.held == {"blog": [0]}
    assert list(story.group.regexes) == ["b.*"], "an expression nobody has is forgotten"
    one.leave()
    assert story.group.regexes == {}


def test_an_expression_may_match_what_comes_while_the_coordinator_is_away(story: ConsumerStory) -> None:
    one = Consumer(story, "one", None, subscribed_topic_regex="log-.*").join()
    assert one.held == {}
    story.topics |= {"log-a": story.topics["t"]._replace(name="log-a", id=b"log-a".ljust(16, b"."))}
    story.start()
    assert one.beat().held == {"log-a": [0, 1, 2, 3]}


def test_commits_are_judged_by_member_and_epoch(story: ConsumerStory) -> None:
    def commit(epoch: int, member: str = "one", partition: int = 0, version: int = 9) -> ErrorCode:
        return story.commit(Committer(epoch, member, api_version=version), partition=partition)

    assert commit(1) is ErrorCode.GROUP_ID_NOT_FOUND
    assert commit(1, version=8) is ErrorCode.ILLEGAL_GENERATION
    pair(story)
    assert story.member("one").epoch == 3
    assert commit(3) is ErrorCode.NONE
    assert commit(2) is ErrorCode.NONE, "held since epoch 2, and still"
    assert commit(1) is ErrorCode.STALE_MEMBER_EPOCH
    assert commit(2, partition=2) is ErrorCode.STALE_MEMBER_EPOCH, "given up since"
    assert commit(2, "two", 2) is ErrorCode.STALE_MEMBER_EPOCH, "held only since epoch 3"
    assert commit(4) is ErrorCode.STALE_MEMBER_EPOCH
    assert commit(3, version=8) is ErrorCode.UNSUPPORTED_VERSION
    assert commit(3, "stranger") is ErrorCode.UNKNOWN_MEMBER_ID
    assert commit(-1, "") is ErrorCode.UNKNOWN_MEMBER_ID, "by hand only without members"
    assert story.commit(Committer(2, "two", None, 9, 0)) is ErrorCode.ILLEGAL_GENERATION
    assert story.commit(Committer(-1, "", None, 9, 0)) is ErrorCode.NONE


def test_offsets_are_read_under_the_right_epoch(story: ConsumerStory) -> None:
    def read(member: str | None, epoch: int) -> ErrorCode:
        try:
            story.ask(lambda token: story.shard.fetch_offsets(token, "g", [("t", 0)], False, member, epoch))
        except KafkaError as error:
            return error.code
        return ErrorCode.NONE

    pair(story)
    assert read("one", 3) is read(None, -1) is ErrorCode.NONE
    assert read("one", 2) is read("one", 4) is ErrorCode.STALE_MEMBER_EPOCH
    assert read("stranger", 3) is read("", -1) is ErrorCode.UNKNOWN_MEMBER_ID


def test_groups_are_listed_described_and_deleted(story: ConsumerStory) -> None:
    one, two = pair(story)
    listed = story.ask(lambda token: story.shard.list_groups(token, {"stable"}, {"consumer"}))
    assert [(each.group_id, each.group_state, each.group_type) for each in listed] == [("g", "Stable", "consumer")]
    assert story.ask(lambda token: story.shard.list_groups(token, set(), {"classic"})) == []
    described = story.ask(lambda token: story.shard.describe_consumer_group(token, "g"))
    assert (described.group_epoch, described.assignment_epoch, described.assignor_name) == (3, 3, "uniform")
    assert [[each.partitions for each in one.assignment.topic_partitions] for one in described.members] == [
        [[0, 1]],
        [[2, 3]],
    ]
    missing = story.ask(lambda token: story.shard.describe_consumer_group(token, "none"))
    assert missing.error_code == ErrorCode.GROUP_ID_NOT_FOUND
    assert story.ask(lambda token: story.shard.describe_group(token, "g", 6)).group_state == "Dead"
    assert story.ask(lambda token: story.shard.delete_group(token, "g", story.now)) is ErrorCode.NON_EMPTY_GROUP
    one.leave()
    two.leave()
    story.commit(Committer())
    assert story.offset() == 5
    assert story.ask(lambda token: story.shard.delete_group(token, "g", story.now)) is ErrorCode.NONE
    assert (story.shard.host.groups, story.offset()) == ({}, None)
    story.start()
    assert story.shard.host.groups == {}


def test_an_empty_group_goes_when_its_offsets_are_forgotten() -> None:
    story = ConsumerStory(offsets_retention_ms=3_600_000)
    story.topic("t", 1)
    one = Consumer(story, "one").join()
    story.commit(Committer(one.epoch, "one", api_version=9))
    for _ in range(200):
        story.pass_ms(30_000)
        one.beat()
    assert story.offset() == 5, "a subscribed topic keeps its offsets"
    one.leave()
    story.pass_ms(4_000_000)
    assert (story.offset(), story.shard.host.groups) == (None, {})
    story.start()
    assert story.shard.host.groups == {}


def test_a_new_coordinator_knows_everything_the_old_one_knew(story: ConsumerStory) -> None:
    one, two = pair(story)
    Consumer(story, "three", instance_id="i").join()
    one.beat()
    before = story.group
    story.start()
    assert story.group is not before
    assert _state(story.group) == _state(before)
    story.pass_ms(44_999)
    assert len(story.group.members) == 3, "a full session from now on"
    two.beat()
    assert story.member("two").epoch in (3, 4)


def _state(group: ConsumerGroup) -> dict[str, Any]:
    return {name: value for name, value in vars(group).items() if name not in ("is_stale", "changed_topics")}


def test_the_assignor_is_the_one_that_most_ask_for(story: ConsumerStory) -> None:
    story.topic("u", 4)
    one = Consumer(story, "one", "t u", server_assignor="range").join()
    two = Consumer(story, "two", "t u", server_assignor="range").join()
    story.settle(one, two)
    assert (one.held, two.held) == ({"t": [0, 1], "u": [0, 1]}, {"t": [2, 3], "u": [2, 3]})
    described = story.ask(lambda token: story.shard.describe_consumer_group(token, "g"))
    assert described.assignor_name == "range"


def test_heartbeats_in_a_group_at_rest_write_nothing(story: ConsumerStory) -> None:
    one, two = pair(story)
    one.beat()
    two.beat()
    before = len(story.log)
    for _ in range(100):
        one.beat()
        two.beat()
    assert len(story.log) == before
