"""ConsumerGroupDescribe: a group of the consumer protocol as it stands."""

from __future__ import annotations

from tidelog.coordinator.group.consumer import ConsumerGroup
from tidelog.coordinator.group.consumer_member import Assignment as Partitions
from tidelog.coordinator.group.consumer_member import ConsumerMember, Held, partitions
from tidelog.coordinator.group.host import Host
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.consumer_group_describe import Assignment, DescribedGroup, Member, TopicPartitions

CLASSIC_MEMBER, CONSUMER_MEMBER = 0, 1


def describe(host: Host, group_id: str) -> DescribedGroup:
    group = host.consumer(group_id)
    if group is None:
        there = group_id in host.groups
        what = f"{group_id} is not a consumer group." if there else f"There is no group {group_id}."
        return DescribedGroup(group_id=group_id, error_code=int(ErrorCode.GROUP_ID_NOT_FOUND), error_message=what)
    return DescribedGroup(
        group_id=group_id,
        group_state=group.state.value,
        group_epoch=group.epoch,
        assignment_epoch=group.assignment_epoch,
        assignor_name=group.assignor(host.config.consumer_assignors[0]),
        members=[_member(host, group, member) for member in group.members.values()],
    )


def _member(host: Host, group: ConsumerGroup, member: ConsumerMember) -> Member:
    return Member(
        member_id=member.member_id,
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        member_epoch=member.epoch,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=sorted(member.topics),
        subscribed_topic_regex=member.regex,
        assignment=_assignment(host, partitions(_all_of(member.assigned, member.revoking))),
        target_assignment=_assignment(host, group.target_of(member.member_id)),
        member_type=CLASSIC_MEMBER if member.uses_classic else CONSUMER_MEMBER,
    )


def _all_of(assigned: Held, revoking: Held) -> Held:
    """What is being given up is held until the member says that it has."""
    found = {topic_id: dict(indexes) for topic_id, indexes in assigned.items()}
    for topic_id, indexes in revoking.items():
        found.setdefault(topic_id, {}).update(indexes)
    return found


def _assignment(host: Host, given: Partitions) -> Assignment:
    topics = []
    for topic_id, indexes in sorted(given.items()):
        name = host.view.topic_name(topic_id)
        if name is not None:
            topics.append(TopicPartitions(topic_id=topic_id, topic_name=name, partitions=list(indexes)))
    return Assignment(topic_partitions=topics)
