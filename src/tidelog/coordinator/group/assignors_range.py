"""range: each topic is cut into runs of neighbouring partitions, in the same order of members for every topic.

Members that subscribe to the same topics get the same indexes of each, so that records with one key meet in one place.
"""

from __future__ import annotations

from collections.abc import Mapping

from tidelog.coordinator.group.assignors_spec import Assignments, MemberSpec
from tidelog.coordinator.group.consumer_topics import TopicInfo


def assign_range(members: Mapping[str, MemberSpec], topics: Mapping[bytes, TopicInfo]) -> Assignments:
    found: Assignments = {member_id: {} for member_id in members}
    subscribers: dict[bytes, list[str]] = {}
    for member_id in sorted(members, key=lambda each: _order(each, members[each])):
        for topic_id in members[member_id].topics:
            subscribers.setdefault(topic_id, []).append(member_id)
    for topic_id in sorted(subscribers):
        ids = subscribers[topic_id]
        each, extra = divmod(topics[topic_id].partitions, len(ids))
        start = 0
        for position, member_id in enumerate(ids):
            count = each + (position < extra)
            if count:
                found[member_id][topic_id] = tuple(range(start, start + count))
            start += count
    return found


def _order(member_id: str, spec: MemberSpec) -> tuple[bool, str]:
    """Static members first and by their name, which outlives a restart."""
    return spec.instance_id is None, spec.instance_id or member_id
