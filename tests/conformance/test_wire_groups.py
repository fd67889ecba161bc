"""Classic groups: coordinators, joining, syncing, heartbeats, leaving, static members, listing and deleting."""

from typing import Any

import pytest

from conformance.brokers import Both, Broker
from conformance.groups import Member, commit, coordinator_ready, stable_member, subscription
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.delete_groups import DeleteGroupsRequest
from tidelog.protocol.messages.describe_groups import DescribeGroupsRequest
from tidelog.protocol.messages.find_coordinator import FindCoordinatorRequest
from tidelog.protocol.messages.leave_group import LeaveGroupRequest, MemberIdentity
from tidelog.protocol.messages.list_groups import ListGroupsRequest


@pytest.fixture
def group(both: Both, topic: str) -> str:
    for broker in (both.ours, both.apache):
        coordinator_ready(broker, topic)
    return topic


def described(broker: Broker, group: str, version: int = 6) -> Any:
    answer = broker.call(DescribeGroupsRequest(groups=[group]), version).groups[0]
    for member in answer.members:
        member.client_host = "somewhere"
    answer.members.sort(key=lambda member: member.member_assignment)
    return answer


class TestFindCoordinator:
    @pytest.mark.parametrize("version", range(4))
    def test_one_key(self, both: Both, group: str, version: int) -> None:
        both.same(lambda broker: broker.call(FindCoordinatorRequest(key=group, key_type=0), version))

    @pytest.mark.parametrize("version", range(4, 7))
    def test_several_keys(self, both: Both, group: str, version: int) -> None:
        request = FindCoordinatorRequest(coordinator_keys=[group, f"{group}-other"], key_type=0)
        both.same(lambda broker: broker.call(request, version))

    @pytest.mark.parametrize("kind", [3, 9, -1])
    def test_kinds_nobody_knows(self, both: Both, group: str, kind: int) -> None:
        request = FindCoordinatorRequest(coordinator_keys=[group], key_type=kind)
        both.same(lambda broker: broker.call(request, 4))


class TestJoin:
    @pytest.mark.parametrize("version", range(10))
    def test_alone_in_every_version(self, both: Both, group: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            member = Member(broker, group)
            member.send_join(version)
            first = member.receive_join(version)
            second = member.join(version) if first.error_code else None
            synced = member.sync({member.id: b"mine"}, min(version, 5))
            beat = member.heartbeat(min(version, 4))
            shape = (first.leader == first.member_id, second and second.leader == second.member_id, bool(member.id))
            member.close()
            for answer in (first, second):
                if answer:
                    answer.leader = ""
            return first, second, shape, synced, beat

        both.same(step)

    @pytest.mark.parametrize(
        "fields",
        [
            {"group_id": ""},
            {"session_timeout_ms": 5},
            {"session_timeout_ms": 5999},
            {"session_timeout_ms": 1_800_001},
            {"session_timeout_ms": -1},
            {"rebalance_timeout_ms": -5},
            {"member_id": "nobody"},
            {"protocol_type": ""},
            {"protocols": []},
            {"group_instance_id": ""},
            {"group_instance_id": "bad id!"},
            {"group_instance_id": "x" * 250},
        ],
        ids=str,
    )
    def test_odd_requests(self, both: Both, group: str, fields: dict[str, Any]) -> None:
        def step(broker: Broker) -> Any:
            member = Member(broker, group)
            answer = member.join(**fields)
            answer.leader = answer.leader and "someone"
            member.close()
            return answer

        both.same(step)

    def test_protocols_must_be_shared(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            first = stable_member(broker, group)
            story = []
            for kind, protocols in (("consumer", {"sticky": b""}), ("connect", {"range": b""}), ("consumer", {})):
                other = Member(broker, group, protocol_type=kind)
                other.protocols = protocols
                story.append(other.join().error_code)
                other.close()
            story.append(first.heartbeat())
            first.close()
            return story

        both.same(step)

    def test_the_same_member_joins_again(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            member = stable_member(broker, group)
            again = member.join()
            again.leader = ""
            early = member.heartbeat()
            member.protocols = {"range": subscription("other")}
            changed = member.join()
            changed.leader = ""
            member.close()
            return again, early, changed

        both.same(step)


class TestTwoMembers:
    def rebalanced(self, broker: Broker, group: str) -> tuple[Member, Member, list[Any]]:
        """A stable member and a second one that joins it; the answers to both joins."""
        first = stable_member(broker, group)
        second = Member(broker, group)
        second.protocols = {"sticky": subscription("t"), "range": subscription("t", "u")}
        second.send_join()
        assert second.receive_join().error_code == ErrorCode.MEMBER_ID_REQUIRED
        second.send_join()
        story: list[Any] = [first.await_rebalance()]
        first.send_join()
        answers = [first.receive_join(), second.receive_join()]
        for answer in answers:
            story.append((answer.error_code, answer.generation_id, answer.protocol_name, len(answer.members)))
            story.append((answer.leader == first.id, sorted(each.metadata for each in answer.members)))
        return first, second, story

    def test_a_second_member_rebalances(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            first, second, story = self.rebalanced(broker, group)
            second.send_sync()
            story.append(first.sync({first.id: b"one", second.id: b"two"}))
            story.append(second.wire.receive(14, 5))
            story += [first.heartbeat(), second.heartbeat(), described(broker, group)]
            left = second.leave()
            story += [left, first.await_rebalance()]
            first.close()
            second.close()
            return story

        both.same(step)

    def test_requests_between_join_and_sync(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(f"{group}-topic")
            first, second, story = self.rebalanced(broker, group)
            who = {"member_id": first.id, "generation_id_or_member_epoch": first.generation}
            story.append(commit(broker, group, f"{group}-topic", {0: 5}, **who))
            old = {"member_id": first.id, "generation_id_or_member_epoch": first.generation - 1}
            story.append(commit(broker, group, f"{group}-topic", {0: 5}, **old))
            story += [first.heartbeat(), first.heartbeat(generation_id=first.generation - 1)]
            state = described(broker, group)
            story.append((state.group_state, state.protocol_data, len(state.members)))
            first.close()
            second.close()
            return story

        both.same(step)

    def test_syncs_that_are_refused(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            member = Member(broker, group)
            member.join()
            story = [
                member.sync(generation_id=member.generation + 1),
                member.sync(member_id="nobody"),
                member.sync(protocol_name="sticky"),
                member.sync(protocol_type="connect"),
                member.sync({member.id: b"mine"}),
                member.sync({member.id: b"another"}),
                member.sync(generation_id=0),
                member.sync(group_id=""),
                member.sync(group_id=f"{group}-unknown"),
            ]
            member.close()
            return story

        both.same(step)


class TestHeartbeatAndLeave:
    def test_heartbeats(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            member = stable_member(broker, group)
            story = [member.heartbeat(version) for version in range(5)]
            odd = ({"generation_id": 9}, {"member_id": "nobody"}, {"group_instance_id": "someone"})
            story += [member.heartbeat(**fields) for fields in odd]
            member.close()
            return story

        both.same(step)

    @pytest.mark.parametrize("version", range(6))
    def test_leaving(self, both: Both, group: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            member = stable_member(broker, group)
            if version < 3:
                request = LeaveGroupRequest(group_id=group, member_id=member.id)
                unknown = LeaveGroupRequest(group_id=group, member_id="nobody")
            else:
                who = [MemberIdentity(member_id=each) for each in (member.id, "nobody")]
                request = LeaveGroupRequest(group_id=group, members=who)
                unknown = LeaveGroupRequest(group_id=group, members=[MemberIdentity(member_id="nobody")])
            story = [broker.call(unknown, version), broker.call(request, version), member.heartbeat()]
            state = described(broker, group)
            member.close()
            return story, state

        both.same(step)

    def test_leaving_a_group_nobody_knows(self, both: Both, group: str) -> None:
        who = [MemberIdentity(member_id="nobody"), MemberIdentity(member_id="", group_instance_id="none")]
        both.same(lambda broker: broker.call(LeaveGroupRequest(group_id=f"{group}-unknown", members=who), 5))


class TestStaticMembers:
    def test_a_restarted_member_takes_its_place_without_a_rebalance(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            old = stable_member(broker, group, instance="one")
            new = Member(broker, group, instance="one")
            joined = new.join()
            story: list[Any] = [(joined.error_code, joined.generation_id, len(joined.members), joined.skip_assignment)]
            story.append(new.sync())
            story += [old.heartbeat(), new.heartbeat(), old.id != new.id]
            old.send_join()
            story.append(old.receive_join().error_code)
            state = described(broker, group)
            story.append([(each.group_instance_id, each.member_assignment) for each in state.members])
            removed = [MemberIdentity(member_id="", group_instance_id="one")]
            story.append(broker.call(LeaveGroupRequest(group_id=group, members=removed), 5))
            story.append(described(broker, group).group_state)
            old.close()
            new.close()
            return story

        both.same(step)

    def test_commits_and_leaves_of_a_fenced_member(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(f"{group}-topic")
            old = stable_member(broker, group, instance="one")
            new = Member(broker, group, instance="one")
            new.join()
            who = {"member_id": old.id, "group_instance_id": "one", "generation_id_or_member_epoch": old.generation}
            story = [commit(broker, group, f"{group}-topic", {0: 1}, **who), old.leave(), old.sync().error_code]
            old.close()
            new.close()
            return story

        both.same(step)


class TestListDescribeDelete:
    @pytest.mark.parametrize("version", range(7))
    def test_describe(self, both: Both, group: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            member = stable_member(broker, group)
            found = described(broker, group, version), described(broker, f"{group}-unknown", version)
            member.close()
            return found

        both.same(step)

    @pytest.mark.parametrize("version", range(6))
    def test_list(self, both: Both, group: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            member = stable_member(broker, group)
            answer = broker.call(ListGroupsRequest(), version)
            member.close()
            return answer.error_code, [each for each in answer.groups if each.group_id == group]

        both.same(step)

    @pytest.mark.parametrize("states", [["Stable"], ["Empty"], ["stable"], ["Nonsense"], ["Stable", "Empty"]], ids=str)
    @pytest.mark.parametrize("types", [[], ["classic"], ["Classic"], ["consumer"], ["nonsense"]], ids=str)
    def test_list_filters(self, both: Both, group: str, states: list[str], types: list[str]) -> None:
        def step(broker: Broker) -> Any:
            member = stable_member(broker, group)
            answer = broker.call(ListGroupsRequest(states_filter=states, types_filter=types), 5)
            member.close()
            return answer.error_code, [each for each in answer.groups if each.group_id == group]

        both.same(step)

    @pytest.mark.parametrize("version", range(3))
    def test_delete(self, both: Both, group: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            member = stable_member(broker, group)

            def delete(*names: str) -> Any:
                return broker.call(DeleteGroupsRequest(groups_names=list(names)), version).results

            story = [delete(group), delete(f"{group}-unknown")]
            member.leave()
            story += [delete(group), described(broker, group)]
            member.close()
            return story

        both.same(step)
