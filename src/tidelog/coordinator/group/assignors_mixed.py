"""uniform, when members subscribe to different topics: as equal as the subscriptions allow, moving little.

Everyone keeps what it had and still wants. What is free goes to the least loaded subscriber, the topics with the fewest
subscribers first. Then partitions move from the most to the least loaded subscriber of a topic while that makes
the two more equal; a pass over all topics without a move ends it.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

from tidelog.coordinator.group.assignors_spec import Assignments, MemberSpec, in_rack
from tidelog.coordinator.group.consumer_topics import TopicInfo

Given = dict[str, dict[bytes, set[int]]]
PASSES_MAX = 32


def assign_mixed(members: Mapping[str, MemberSpec], topics: Mapping[bytes, TopicInfo]) -> Assignments:
    subscribers: dict[bytes, list[str]] = {}
    for member_id in sorted(members):
        for topic_id in members[member_id].topics:
            subscribers.setdefault(topic_id, []).append(member_id)
    order = sorted(subscribers, key=lambda each: (len(subscribers[each]), each))
    given, taken = _keep(members, topics)
    load = {member_id: sum(map(len, given[member_id].values())) for member_id in members}
    for topic_id in order:
        _hand_out(members, topics[topic_id], subscribers[topic_id], taken.get(topic_id, set()), given, load)
    for _ in range(PASSES_MAX):
        if not sum(_level(topic_id, subscribers[topic_id], given, load) for topic_id in order):
            break
    return {
        member_id: {topic_id: tuple(sorted(indexes)) for topic_id, indexes in sorted(held.items()) if indexes}
        for member_id, held in given.items()
    }


def _keep(members: Mapping[str, MemberSpec], topics: Mapping[bytes, TopicInfo]) -> tuple[Given, dict[bytes, set[int]]]:
    given: Given = {}
    taken: dict[bytes, set[int]] = {}
    for member_id in sorted(members):
        spec = members[member_id]
        held = given[member_id] = {}
        for topic_id, indexes in spec.current.items():
            if topic_id not in spec.topics:
                continue
            others = taken.setdefault(topic_id, set())
            kept = {index for index in indexes if index < topics[topic_id].partitions} - others
            others |= kept
            held[topic_id] = kept
    return given, taken


def _hand_out(
    members: Mapping[str, MemberSpec],
    topic: TopicInfo,
    ids: list[str],
    taken: set[int],
    given: Given,
    load: dict[str, int],
) -> None:
    """Free partitions, one by one, to whoever has least; in the rack of a replica when such a one has as little."""
    heap = [(load[member_id], member_id) for member_id in ids]
    heapq.heapify(heap)
    for index in range(topic.partitions):
        if index in taken:
            continue
        count, member_id = heapq.heappop(heap)
        passed = []
        while topic.racks and heap and heap[0][0] == count and not in_rack(topic, index, members[member_id].rack_id):
            passed.append((count, member_id))
            count, member_id = heapq.heappop(heap)
        given[member_id].setdefault(topic.id, set()).add(index)
        load[member_id] += 1
        for entry in (*passed, (count + 1, member_id)):
            heapq.heappush(heap, entry)


def _level(topic_id: bytes, ids: list[str], given: Given, load: dict[str, int]) -> int:
    """Moves partitions of one topic until its most loaded holder has at most one more than its least loaded reader."""
    low = [(load[member_id], member_id) for member_id in ids]
    high = [(-load[member_id], member_id) for member_id in ids if given[member_id].get(topic_id)]
    heapq.heapify(low)
    heapq.heapify(high)
    moves = 0
    while high:
        count, giver = heapq.heappop(high)
        if -count != load[giver] or not given[giver].get(topic_id):
            if given[giver].get(topic_id):
                heapq.heappush(high, (-load[giver], giver))
            continue
        while low[0][0] != load[low[0][1]]:
            _, stale = heapq.heappop(low)
            heapq.heappush(low, (load[stale], stale))
        least, taker = low[0]
        if load[giver] - least <= 1:
            break
        index = max(given[giver][topic_id])
        given[giver][topic_id].discard(index)
        given[taker].setdefault(topic_id, set()).add(index)
        load[giver] -= 1
        load[taker] += 1
        moves += 1
        heapq.heappush(high, (-load[giver], giver))
        heapq.heappush(high, (-load[taker], taker))
    return moves
