"""The classic protocol as stories: joins, generations, static members, timeouts, and what a new coordinator finds."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tidelog.coordinator.contract import CoordinatorRecord, Effects
from tidelog.coordinator.group.classic import ClassicGroup, ClassicState
from tidelog.coordinator.group.shard import GroupShard
from tidelog.coordinator.group.values import Caller, Committer, GroupConfig, Position
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupRequestProtocol, JoinGroupResponse
from tidelog.protocol.messages.leave_group import MemberIdentity
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupRequestAssignment, SyncGroupResponse

T0 = 1_700_000_000_000


class Story:
    """A shard, the log behind it, and the answers by the token of the request."""

    def __init__(self, **settings: int) -> None:
        self.config = GroupConfig(**({"group_initial_rebalance_delay_ms": 0} | settings))
        self.log: list[tuple[int, int, CoordinatorRecord]] = []
        self.answers: dict[int, Any] = {}
        self.tokens = itertools.count(1)
        self.now = T0
        self.start()

    def start(self) -> None:
        ids = itertools.count(1)
        self.shard = GroupShard(self.config, lambda: f"id{next(ids)}")
        for offset, (producer_id, epoch, record) in enumerate(self.log):
            self.shard.replay(offset, producer_id, epoch, record)
        self.do(self.shard.loaded(self.now))

    def do(self, effects: Effects) -> None:
        for record in effects.records:
            self.shard.replay(len(self.log), effects.producer_id, effects.producer_epoch, record)
            self.log.append((effects.producer_id, effects.producer_epoch, record))
        for token, answer in effects.replies:
            assert token not in self.answers, "one answer per request"
            self.answers[token] = answer
        for group in self.shard.host.groups.values():
            group.check_invariants()

    def pass_ms(self, ms: int) -> None:
        target = self.now + ms
        while (at := self.shard.next_deadline_ms()) is not None and at <= target:
            self.now = max(self.now, at)
            self.do(self.shard.tick(self.now))
        self.now = target

    def join(
        self, member_id: str = "", instance: str | None = None, version: int = 9, protocols: str = "range", **more: Any
    ) -> int:
        token = next(self.tokens)
        request = JoinGroupRequest(
            group_id=more.get("group", "g"),
            session_timeout_ms=more.get("session_timeout_ms", 10_000),
            rebalance_timeout_ms=more.get("rebalance_timeout_ms", 60_000),
            member_id=member_id,
            group_instance_id=instance,
            protocol_type=more.get("protocol_type", "consumer"),
            protocols=[JoinGroupRequestProtocol(name=name, metadata=b"") for name in protocols.split()],
        )
        self.do(self.shard.join_group(token, Caller("client", "/127.0.0.1", version), request, self.now))
        return token

    def new_member(self, **more: Any) -> str:
        """A member id, as clients since version 4 get it: by a first join that is refused with it."""
        answer = self.answers[self.join(**more)]
        assert answer.error_code == ErrorCode.MEMBER_ID_REQUIRED
        return str(answer.member_id)

    def sync(self, member_id: str, generation: int, assignments: dict[str, bytes] | None = None, **more: Any) -> int:
        token = next(self.tokens)
        given = [
            SyncGroupRequestAssignment(member_id=one, assignment=data) for one, data in (assignments or {}).items()
        ]
        request = SyncGroupRequest(
            group_id="g", generation_id=generation, member_id=member_id, assignments=given, **more
        )
        self.do(self.shard.sync_group(token, request, self.now))
        return token

    def heartbeat(self, member_id: str, generation: int, instance: str | None = None) -> ErrorCode:
        token = next(self.tokens)
        request = HeartbeatRequest(
            group_id="g", generation_id=generation, member_id=member_id, group_instance_id=instance
        )
        self.do(self.shard.heartbeat(token, request, self.now))
        return ErrorCode(self.answers[token].error_code)

    def leave(self, *members: MemberIdentity, version: int = 5) -> Any:
        token = next(self.tokens)
        self.do(self.shard.leave_group(token, "g", list(members), version, self.now))
        return self.answers[token]

    def commit(
        self, committer: Committer, offset: int = 5, metadata: str | None = None, retention_ms: int = -1
    ) -> ErrorCode:
        token = next(self.tokens)
        positions = [Position("t", 0, offset, metadata=metadata)]
        self.do(self.shard.commit_offsets(token, "g", committer, positions, retention_ms, self.now))
        return ErrorCode(self.answers[token][0])

    def offset(self) -> int | None:
        found = self.shard.host.offsets.of("g").get(("t", 0))
        return None if found is None else found.offset

    @property
    def group(self) -> ClassicGroup:
        found = self.shard.host.classic("g")
        assert found is not None
        return found

    def stable_pair(self) -> tuple[str, str]:
        """Two members in generation 2, the first of them leading, both with an assignment."""
        one = self.new_member()
        self.join(one)
        two = self.new_member()
        second = self.join(two)
        assert self.heartbeat(one, 1) is ErrorCode.REBALANCE_IN_PROGRESS
        self.join(one)
        assert self.answers[second].generation_id == 2
        waiting = self.sync(two, 2)
        assert waiting not in self.answers
        self.sync(one, 2, {one: b"A", two: b"B"})
        assert self.answers[waiting].assignment == b"B"
        assert self.group.state is ClassicState.STABLE
        return one, two


def test_members_join_and_the_leader_assigns() -> None:
    story = Story()
    one, two = story.stable_pair()
    assert story.group.leader_id == one
    assert story.heartbeat(one, 2) is story.heartbeat(two, 2) is ErrorCode.NONE
    assert story.heartbeat(one, 1) is ErrorCode.ILLEGAL_GENERATION
    assert story.heartbeat("stranger", 2) is ErrorCode.UNKNOWN_MEMBER_ID


def test_only_the_leader_learns_who_the_members_are() -> None:
    story = Story()
    one = story.new_member()
    first: JoinGroupResponse = story.answers[story.join(one)]
    assert [member.member_id for member in first.members] == [one]
    two = story.new_member()
    waiting = story.join(two)
    leader: JoinGroupResponse = story.answers[story.join(one)]
    follower: JoinGroupResponse = story.answers[waiting]
    assert {member.member_id for member in leader.members} == {one, two}
    assert (follower.members, follower.leader, follower.generation_id) == ([], one, 2)


def test_the_first_rebalance_waits_for_late_comers() -> None:
    story = Story(group_initial_rebalance_delay_ms=3_000)
    first = story.join(version=3)
    story.pass_ms(2_000)
    second = story.join(version=3)
    story.pass_ms(1_500)
    assert first not in story.answers, "a member that came during the delay prolongs it"
    story.pass_ms(3_000)
    assert story.answers[first].generation_id == story.answers[second].generation_id == 1
    assert len(story.answers[first].members) + len(story.answers[second].members) == 2


def test_a_group_that_lost_all_its_members_waits_for_late_comers_again() -> None:
    story = Story(group_initial_rebalance_delay_ms=3_000)
    gone = story.join(version=3)
    story.pass_ms(3_000)
    assert story.answers[gone].generation_id == 1
    story.pass_ms(60_000)
    assert not story.group.members
    first = story.join(version=3)
    story.pass_ms(2_000)
    second = story.join(version=3)
    story.pass_ms(2_000)
    assert first not in story.answers, "a member that came during the delay prolongs it"
    story.pass_ms(2_000)
    assert story.answers[first].generation_id == story.answers[second].generation_id == 3


def test_a_member_that_does_not_rejoin_in_time_is_out() -> None:
    story = Story()
    one, two = story.stable_pair()
    waiting = story.join(two, protocols="range other", session_timeout_ms=300_000)
    story.heartbeat(one, 2)
    story.pass_ms(60_000)
    assert story.answers[waiting].generation_id == 3
    assert list(story.group.members) == [two]
    assert story.heartbeat(one, 3) is ErrorCode.UNKNOWN_MEMBER_ID


def test_a_silent_member_is_out_after_its_session_timeout_and_the_rest_rebalances() -> None:
    story = Story()
    one, two = story.stable_pair()
    story.pass_ms(8_000)
    story.heartbeat(one, 2)
    story.pass_ms(3_000)
    assert list(story.group.members) == [one]
    assert story.heartbeat(one, 2) is ErrorCode.REBALANCE_IN_PROGRESS
    assert story.answers[story.join(one)].generation_id == 3
    assert story.heartbeat(two, 2) is ErrorCode.UNKNOWN_MEMBER_ID


def test_a_member_that_joins_but_never_syncs_is_out() -> None:
    story = Story()
    one = story.new_member(session_timeout_ms=300_000)
    story.join(one, session_timeout_ms=300_000)
    story.pass_ms(60_000)
    assert story.group.members == {}
    assert story.group.state is ClassicState.EMPTY


def test_leaving_starts_a_rebalance_and_the_last_one_empties_the_group() -> None:
    story = Story()
    one, two = story.stable_pair()
    answer = story.leave(MemberIdentity(member_id=two), MemberIdentity(member_id="stranger"))
    assert [member.error_code for member in answer.members] == [0, ErrorCode.UNKNOWN_MEMBER_ID]
    assert story.group.state is ClassicState.PREPARING_REBALANCE
    assert story.leave(MemberIdentity(member_id=one), version=2).error_code == 0
    assert story.group.state is ClassicState.EMPTY


def test_a_static_member_that_restarts_keeps_its_place_without_a_rebalance() -> None:
    story = Story()
    first = story.answers[story.join(instance="pod-1")].member_id
    story.sync(first, 1, {first: b"A"})
    back = story.answers[story.join(instance="pod-1")]
    assert (back.generation_id, back.skip_assignment, back.leader) == (1, True, back.member_id)
    assert back.member_id != first
    assert story.group.state is ClassicState.STABLE
    assert story.answers[story.sync(back.member_id, 1)].assignment == b"A"
    assert story.heartbeat(first, 1, "pod-1") is ErrorCode.FENCED_INSTANCE_ID
    story.start()
    assert story.heartbeat(back.member_id, 1, "pod-1") is ErrorCode.NONE, "the log knows the new id"


def test_a_static_member_of_an_old_client_is_told_that_its_former_self_leads() -> None:
    story = Story()
    first = story.answers[story.join(instance="pod-1", version=5)].member_id
    story.sync(first, 1, {first: b"A"})
    back = story.answers[story.join(instance="pod-1", version=5)]
    assert (back.leader, back.members, back.skip_assignment) == (first, [], False)


def test_two_holders_of_one_instance_id_fence_each_other() -> None:
    story = Story()
    story.join(instance="pod-0")
    waiting = story.join(instance="pod-1")
    assert waiting not in story.answers
    story.join(instance="pod-1")
    assert story.answers[waiting].error_code == ErrorCode.FENCED_INSTANCE_ID


def test_the_protocol_is_the_one_that_most_prefer_of_those_all_support() -> None:
    story = Story()
    one = story.new_member()
    story.join(one, protocols="sticky range")
    two = story.new_member(protocols="range roundrobin")
    waiting = story.join(two, protocols="range roundrobin")
    story.join(one, protocols="sticky range")
    assert story.answers[waiting].protocol_name == "range"
    assert story.answers[story.join(protocols="unheard-of")].error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL


@pytest.mark.parametrize(
    ("request_of", "error"),
    [
        ({"group": ""}, ErrorCode.INVALID_GROUP_ID),
        ({"session_timeout_ms": 5_999}, ErrorCode.INVALID_SESSION_TIMEOUT),
        ({"session_timeout_ms": 1_800_001}, ErrorCode.INVALID_SESSION_TIMEOUT),
        ({"protocols": ""}, ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
        ({"protocol_type": ""}, ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
        ({"member_id": "stranger"}, ErrorCode.UNKNOWN_MEMBER_ID),
    ],
)
def test_joins_that_are_refused(request_of: dict[str, Any], error: ErrorCode) -> None:
    story = Story()
    assert story.answers[story.join(**request_of)].error_code == error


def test_the_group_has_no_room_past_its_maximum() -> None:
    story = Story(group_max_size=1)
    one = story.new_member()
    assert story.answers[story.join()].error_code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert story.answers[story.join(one)].error_code == 0


def test_commits_are_judged_by_generation_member_and_state() -> None:
    story = Story()
    assert story.commit(Committer(3, "x")) is ErrorCode.ILLEGAL_GENERATION
    assert story.commit(Committer()) is ErrorCode.NONE, "whoever assigns by hand needs no membership"
    one, two = story.stable_pair()
    assert story.commit(Committer(2, one), 7) is ErrorCode.NONE
    assert story.commit(Committer(1, one)) is ErrorCode.ILLEGAL_GENERATION
    assert story.commit(Committer()) is ErrorCode.UNKNOWN_MEMBER_ID
    assert story.commit(Committer(2, "stranger")) is ErrorCode.UNKNOWN_MEMBER_ID
    assert story.commit(Committer(2, one), metadata="x" * 4097) is ErrorCode.OFFSET_METADATA_TOO_LARGE
    story.join(two, protocols="range more")
    assert story.commit(Committer(2, one), 8) is ErrorCode.NONE, "until the join ends, the old generation may commit"
    story.join(one)
    assert story.commit(Committer(3, one)) is ErrorCode.REBALANCE_IN_PROGRESS
    assert story.offset() == 8


def test_a_transactions_offsets_appear_with_its_commit() -> None:
    story = Story()
    story.commit(Committer(), 1)
    assert story.commit(Committer(producer_id=9, producer_epoch=0), 5) is ErrorCode.NONE
    assert story.offset() == 1
    fetched = story.shard.fetch_offsets(0, "g", [("t", 0)], True).replies[0][1]
    assert fetched[0].error is ErrorCode.UNSTABLE_OFFSET_COMMIT
    story.shard.replay_end_transaction(9, 0, True)
    assert story.offset() == 5
    story.commit(Committer(producer_id=9, producer_epoch=0), 6)
    story.shard.replay_end_transaction(9, 0, False)
    assert story.offset() == 5


def test_a_later_plain_commit_outlives_an_earlier_transactional_one() -> None:
    story = Story()
    story.commit(Committer(producer_id=9, producer_epoch=0), 5)
    story.commit(Committer(), 8)
    story.shard.replay_end_transaction(9, 0, True)
    assert story.offset() == 8


def test_a_new_coordinator_goes_on_where_the_old_one_stopped() -> None:
    story = Story()
    one, two = story.stable_pair()
    story.commit(Committer(2, one), 42)
    story.start()
    assert story.group.state is ClassicState.STABLE
    assert story.heartbeat(one, 2) is ErrorCode.NONE
    answer: SyncGroupResponse = story.answers[story.sync(two, 2)]
    assert answer.assignment == b"B"
    assert story.offset() == 42


def test_offsets_of_an_empty_group_are_forgotten_after_the_retention_time() -> None:
    story = Story(offsets_retention_ms=3_600_000)
    story.commit(Committer(), 1)
    story.pass_ms(3_000_000)
    assert story.offset() == 1
    story.pass_ms(1_200_000)
    assert story.offset() is None
    assert story.shard.host.groups == {}
    story.start()
    assert story.shard.host.groups == {}


def test_a_commit_may_bring_its_own_retention_time_which_outlives_a_restart() -> None:
    story = Story(offsets_retention_ms=3_600_000)
    story.commit(Committer(), 1, retention_ms=600_000)
    story.start()
    story.pass_ms(500_000)
    assert story.offset() == 1
    story.pass_ms(700_000)
    assert story.offset() is None


def test_a_group_with_members_cannot_be_deleted() -> None:
    story = Story()
    one, two = story.stable_pair()
    story.commit(Committer(2, one), 3)
    assert story.shard.delete_group(0, "g", story.now).replies[0][1] is ErrorCode.NON_EMPTY_GROUP
    story.leave(MemberIdentity(member_id=one), MemberIdentity(member_id=two))
    effects = story.shard.delete_group(99, "g", story.now)
    story.do(effects)
    assert story.answers[99] is ErrorCode.NONE
    assert story.offset() is None
    assert story.shard.delete_group(0, "g", story.now).replies[0][1] is ErrorCode.GROUP_ID_NOT_FOUND


def test_whoever_waits_is_told_when_the_coordinator_moves() -> None:
    story = Story()
    _, two = story.stable_pair()
    waiting = story.join(two, protocols="range more")
    story.do(story.shard.unloaded())
    assert story.answers[waiting].error_code == ErrorCode.NOT_COORDINATOR
