"""OffsetCommit, OffsetFetch and OffsetDelete, with and without members."""

from typing import Any

import pytest

from conformance.brokers import Both, Broker
from conformance.groups import commit, coordinator_ready, fetch_offsets, stable_member
from tidelog.protocol.header import encode_request_header
from tidelog.protocol.messages.delete_groups import DeleteGroupsRequest
from tidelog.protocol.messages.describe_groups import DescribeGroupsRequest
from tidelog.protocol.messages.list_groups import ListGroupsRequest
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tidelog.protocol.messages.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
)
from tidelog.protocol.messages.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
)


@pytest.fixture
def group(both: Both, topic: str) -> str:
    """The group's name is its topic's, and the topic has two partitions."""
    for broker in (both.ours, both.apache):
        coordinator_ready(broker, topic)
        broker.create(topic, 2)
    return topic


@pytest.mark.parametrize("version", range(2, 10))
def test_commit_in_every_version(both: Both, group: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        answer = commit(broker, group, group, {0: 5, 1: 6, 9: 7}, version, metadata="note")
        return answer, fetch_offsets(broker, group, {group: [0, 1, 9]})

    both.same(step)


def test_commits_that_come_together_are_seen_by_the_fetch_behind_them(both: Both, group: str) -> None:
    def committing(number: int) -> tuple[OffsetCommitRequest, int]:
        parts = [
            OffsetCommitRequestPartition(partition_index=index, committed_offset=number, committed_metadata="m")
            for index in (number % 2, 9)
        ]
        topics = [OffsetCommitRequestTopic(name=group, partitions=parts)]
        return OffsetCommitRequest(group_id=group, topics=topics), 2 + number % 8

    def step(broker: Broker) -> Any:
        wanted = [OffsetFetchRequestTopics(name=group, partition_indexes=[0, 1, 9])]
        fetch = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=group, topics=wanted)]), 8
        asked = [*map(committing, range(30)), fetch, committing(30), fetch]
        with broker.connect() as wire:
            answers = wire.together(asked)
        for answer in answers:
            topic = answer.groups[0].topics[0] if hasattr(answer, "groups") else answer.topics[0]
            topic.partitions.sort(key=lambda part: part.partition_index)
        return answers

    both.same(step)


def test_a_group_id_that_is_too_long_for_a_string(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            head = encode_request_header(OffsetCommitRequest.API_KEY, 9, 1, "conformance")
            return wire.exchange(head + b"\x81\x80\x02" + b"g" * 32_768 + b"\xff" * 4 + b"\x01\x00\x01\x00")

    assert both.same(step) == "closed"


def test_the_group_without_a_name_keeps_positions(both: Both, group: str) -> None:
    """Clients older than consumer groups have no other; it has positions and never a member."""

    def step(broker: Broker) -> Any:
        before = fetch_offsets(broker, "", {group: [0, 1]})
        committed = [commit(broker, "", group, {0: version, 9: 7}, version) for version in (2, 5, 9)]
        old = [OffsetFetchRequestTopic(name=group, partition_indexes=[0, 1])]
        fetched = [broker.call(OffsetFetchRequest(group_id="", topics=old), version) for version in (1, 2, 7)]
        parts = [OffsetDeleteRequestPartition(partition_index=0)]
        deleting = OffsetDeleteRequest(group_id="", topics=[OffsetDeleteRequestTopic(name=group, partitions=parts)])
        described = broker.call(DescribeGroupsRequest(groups=[""]), 5)
        listed = [each for each in broker.call(ListGroupsRequest(), 5).groups if not each.group_id]
        ends = [broker.call(DeleteGroupsRequest(groups_names=[""]), 2) for _ in range(2)]
        return before, committed, fetched, described, listed, broker.call(deleting, 0), ends, fetch_offsets(broker, "")

    both.same(step)


def test_commit_and_fetch_by_topic_id(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        topic_id = broker.metadata(group).topic_id
        parts = [OffsetCommitRequestPartition(partition_index=0, committed_offset=3, committed_metadata="m")]
        ids = (topic_id, b"\x05" * 16)
        topics = [OffsetCommitRequestTopic(topic_id=each, partitions=parts) for each in ids]
        committed = broker.call(OffsetCommitRequest(group_id=group, topics=topics), 10)
        committed.topics.sort(key=lambda each: each.topic_id == topic_id)
        wanted = [OffsetFetchRequestTopics(topic_id=each, partition_indexes=[0, 1]) for each in ids]
        asked = OffsetFetchRequestGroup(group_id=group, topics=wanted)
        every = OffsetFetchRequestGroup(group_id=group, topics=None)
        return committed, [broker.call(OffsetFetchRequest(groups=[each]), 10) for each in (asked, every)]

    both.same(step)


@pytest.mark.parametrize("version", range(1, 8))
def test_fetch_in_every_old_version(both: Both, group: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        commit(broker, group, group, {0: 5}, metadata="note", epoch=0)
        topics = [OffsetFetchRequestTopic(name=name, partition_indexes=[0, 1]) for name in (group, f"{group}-nowhere")]
        answer = [broker.call(OffsetFetchRequest(group_id=group, topics=topics), version)]
        if version >= 2:
            answer.append(broker.call(OffsetFetchRequest(group_id=group, topics=None), version))
        return answer

    both.same(step)


@pytest.mark.parametrize("version", [8, 9])
def test_fetch_of_several_groups(both: Both, group: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        commit(broker, group, group, {0: 5}, epoch=0)
        groups = [OffsetFetchRequestGroup(group_id=name, topics=None) for name in (group, f"{group}-unknown", "")]
        return broker.call(OffsetFetchRequest(groups=groups, require_stable=True), version)

    both.same(step)


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": None},
        {"metadata": "x" * 4096},
        {"metadata": "x" * 4097},
        {"metadata": "ü" * 2048},
        {"epoch": 7},
        {"epoch": -5},
    ],
    ids=lambda fields: str(fields)[:30],
)
def test_what_a_commit_keeps(both: Both, group: str, fields: dict[str, Any]) -> None:
    def step(broker: Broker) -> Any:
        return commit(broker, group, group, {0: 5}, **fields), fetch_offsets(broker, group, {group: [0]})

    both.same(step)


@pytest.mark.parametrize("offset", [0, -1, -2, 2**62])
def test_odd_offsets(both: Both, group: str, offset: int) -> None:
    def step(broker: Broker) -> Any:
        return commit(broker, group, group, {0: offset}), fetch_offsets(broker, group, {group: [0]})

    both.same(step)


def test_commits_of_strangers(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        story = [
            commit(broker, group, group, {0: 1}, member_id="nobody"),
            commit(broker, group, group, {0: 1}, member_id="nobody", generation_id_or_member_epoch=3),
            commit(broker, group, f"{group}-nowhere", {0: 1}),
            commit(broker, group, "bad name", {0: 1}),
        ]
        return story, fetch_offsets(broker, group)

    both.same(step)


def test_commits_of_members(both: Both, group: str) -> None:
    def step(broker: Broker) -> Any:
        member = stable_member(broker, group)

        def as_member(generation: int, member_id: str = member.id, **fields: Any) -> Any:
            who = {"member_id": member_id, "generation_id_or_member_epoch": generation, **fields}
            return commit(broker, group, group, {0: 7}, **who)

        story = [
            as_member(member.generation),
            as_member(member.generation + 1),
            as_member(member.generation - 1),
            as_member(-1),
            as_member(member.generation, "nobody"),
            as_member(-1, ""),
            as_member(member.generation, group_instance_id="none"),
        ]
        member.leave()
        story += [as_member(-1, ""), as_member(member.generation)]
        member.close()
        return story

    both.same(step)


def test_offsets_of_a_deleted_partition_are_gone_with_offset_delete(both: Both, group: str) -> None:
    def delete(broker: Broker, name: str, topics: dict[str, list[int]]) -> Any:
        wanted = [
            OffsetDeleteRequestTopic(
                name=each, partitions=[OffsetDeleteRequestPartition(partition_index=index) for index in indexes]
            )
            for each, indexes in topics.items()
        ]
        answer = broker.call(OffsetDeleteRequest(group_id=name, topics=wanted), 0)
        for each in answer.topics:
            each.partitions.sort(key=lambda part: part.partition_index)
        return answer

    def step(broker: Broker) -> Any:
        commit(broker, group, group, {0: 5, 1: 6})
        story = [
            delete(broker, f"{group}-unknown", {group: [0]}),
            delete(broker, "", {group: [0]}),
            delete(broker, group, {group: [0, 7]}),
            delete(broker, group, {f"{group}-nowhere": [0]}),
        ]
        return story, fetch_offsets(broker, group, {group: [0, 1]})

    both.same(step)
