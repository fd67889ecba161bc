"""uniform, when all members subscribe to the same topics: equal shares, each member keeping what fits into its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from tidelog.coordinator.group.assignors_spec import Assignments, MemberSpec, TopicPartition, in_rack, packed
from tidelog.coordinator.group.consumer_topics import TopicInfo


def assign_uniform(members: Mapping[str, MemberSpec], topics: Mapping[bytes, TopicInfo]) -> Assignments:
    """Shares differ by one at most. Linear in members and partitions."""
    wanted = next(iter(members.values())).topics
    total = sum(topics[topic_id].partitions for topic_id in wanted)
    share, extra = divmod(total, len(members))
    keeps, taken = _keep(members, topics, wanted, share, extra)
    free = deque(
        (topic_id, index)
        for topic_id in sorted(wanted)
        for index in range(topics[topic_id].partitions)
        if (topic_id, index) not in taken
    )
    room = _room(keeps, share, extra)
    if any(topics[topic_id].racks for topic_id in wanted):
        free = _near(members, topics, keeps, free, room)
    for member_id, count in room.items():
        for _ in range(count):
            keeps[member_id].append(free.popleft())
    assert not free, "every partition has found a member"
    return packed(keeps)


def _keep(
    members: Mapping[str, MemberSpec],
    topics: Mapping[bytes, TopicInfo],
    wanted: frozenset[bytes],
    share: int,
    extra: int,
) -> tuple[dict[str, list[TopicPartition]], set[TopicPartition]]:
    """What members had and may keep. Only so many may keep one more than the others as there are partitions for."""
    keeps: dict[str, list[TopicPartition]] = {}
    taken: set[TopicPartition] = set()
    for member_id in sorted(members):
        had = [
            (topic_id, index)
            for topic_id, indexes in sorted(members[member_id].current.items())
            if topic_id in wanted
            for index in indexes
            if index < topics[topic_id].partitions and (topic_id, index) not in taken
        ]
        limit = share
        if len(had) > share and extra:
            limit, extra = share + 1, extra - 1
        keeps[member_id] = had[:limit]
        taken.update(keeps[member_id])
    return keeps, taken


def _room(keeps: Mapping[str, list[TopicPartition]], share: int, extra: int) -> dict[str, int]:
    """How many each member still gets; the one more goes to those who have the most already."""
    left = extra - sum(1 for kept in keeps.values() if len(kept) > share)
    room = {}
    for member_id in sorted(keeps, key=lambda each: (-len(keeps[each]), each)):
        count = share - len(keeps[member_id])
        if count >= 0 and left > 0:
            count, left = count + 1, left - 1
        if count > 0:
            room[member_id] = count
    return room


def _near(
    members: Mapping[str, MemberSpec],
    topics: Mapping[bytes, TopicInfo],
    keeps: dict[str, list[TopicPartition]],
    free: deque[TopicPartition],
    room: dict[str, int],
) -> deque[TopicPartition]:
    """Gives partitions to members in a rack of one of their replicas, as far as there is room; gives back the rest.

    Partitions with the fewest members that could take them go first, so that they are not left over.
    """
    by_rack: dict[str, deque[str]] = {}
    for member_id in room:
        rack_id = members[member_id].rack_id
        if rack_id is not None:
            by_rack.setdefault(rack_id, deque()).append(member_id)
    if not by_rack:
        return free
    rest = []
    for topic_id, index in sorted(free, key=lambda each: _choices(topics[each[0]], each[1], by_rack)):
        racks = topics[topic_id].racks
        near = [rack_id for rack_id in by_rack if index < len(racks) and rack_id in racks[index]]
        if not near:
            rest.append((topic_id, index))
            continue
        rack_id = max(near, key=lambda each: (len(by_rack[each]), each))
        queue = by_rack[rack_id]
        member_id = queue[0]
        assert in_rack(topics[topic_id], index, rack_id)
        keeps[member_id].append((topic_id, index))
        room[member_id] -= 1
        queue.rotate(-1)
        if room[member_id] == 0:
            del room[member_id]
            queue.remove(member_id)
            if not queue:
                del by_rack[rack_id]
    return deque(sorted(rest))


def _choices(topic: TopicInfo, index: int, by_rack: Mapping[str, deque[str]]) -> int:
    if index >= len(topic.racks):
        return len(by_rack)
    return sum(len(queue) for rack_id, queue in by_rack.items() if rack_id in topic.racks[index])
