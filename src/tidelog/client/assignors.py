"""How the leader of a classic group shares partitions out: range, round robin, cooperative sticky. Pure functions.

Each takes the members' subscriptions and the number of partitions of each topic, and gives every member its list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

TopicPartition = tuple[str, int]


class Subscriber(NamedTuple):
    member_id: str
    instance_id: str
    topics: frozenset[str]
    owned: tuple[TopicPartition, ...] = ()
    generation: int = -1

    @property
    def place(self) -> tuple[bool, str]:
        """The order of members: those with a fixed name first, so that a restart changes nothing."""
        return not self.instance_id, self.instance_id or self.member_id


Shares = dict[str, list[TopicPartition]]
Assignor = Callable[[Sequence[Subscriber], Mapping[str, int]], Shares]


def by_range(members: Sequence[Subscriber], partitions: Mapping[str, int]) -> Shares:
    """Of each topic a run of neighbours to each member; the first ones get one more where it does not divide."""
    shares: Shares = {member.member_id: [] for member in members}
    for topic in sorted(partitions):
        takers = sorted((each for each in members if topic in each.topics), key=lambda each: each.place)
        if not takers:
            continue
        least, more = divmod(partitions[topic], len(takers))
        start = 0
        for rank, member in enumerate(takers):
            end = start + least + (rank < more)
            shares[member.member_id] += [(topic, index) for index in range(start, end)]
            start = end
    return shares


def round_robin(members: Sequence[Subscriber], partitions: Mapping[str, int]) -> Shares:
    """One partition after the other to the next member that wants its topic."""
    shares: Shares = {member.member_id: [] for member in members}
    circle = sorted(members, key=lambda each: each.place)
    position = 0
    for topic in sorted(partitions):
        if not any(topic in member.topics for member in circle):
            continue
        for index in range(partitions[topic]):
            while topic not in circle[position % len(circle)].topics:
                position += 1
            shares[circle[position % len(circle)].member_id].append((topic, index))
            position += 1
    return shares


def cooperative_sticky(members: Sequence[Subscriber], partitions: Mapping[str, int]) -> Shares:
    """As balanced as can be with few moves. What moves is given to nobody until its owner has let go of it."""
    owners = _owners(members, partitions)
    shares = _balanced(members, partitions, owners)
    return {
        member_id: [key for key in keys if owners.get(key, member_id) == member_id]
        for member_id, keys in shares.items()
    }


def _owners(members: Sequence[Subscriber], partitions: Mapping[str, int]) -> dict[TopicPartition, str]:
    """Who owns what; of two that claim the same, the one of the later generation, and nobody when they are equal."""
    claims: dict[TopicPartition, list[tuple[int, str]]] = {}
    for member in members:
        for key in member.owned:
            if key[1] < partitions.get(key[0], 0):
                claims.setdefault(key, []).append((member.generation, member.member_id))
    found = {}
    for key, claimed in claims.items():
        newest = max(generation for generation, _ in claimed)
        best = [member_id for generation, member_id in claimed if generation == newest]
        if len(best) == 1:
            found[key] = best[0]
    return found


def _balanced(
    members: Sequence[Subscriber], partitions: Mapping[str, int], owners: dict[TopicPartition, str]
) -> Shares:
    shares: Shares = {member.member_id: [] for member in members}
    topics = {member.member_id: member.topics for member in members}
    order = {member.member_id: rank for rank, member in enumerate(sorted(members, key=lambda each: each.place))}

    def lightest(topic: str) -> str | None:
        takers = [member_id for member_id in shares if topic in topics[member_id]]
        return min(takers, key=lambda each: (len(shares[each]), order[each]), default=None)

    homeless = []
    for topic in sorted(partitions):
        for index in range(partitions[topic]):
            owner = owners.get((topic, index))
            if owner is not None and topic in topics[owner]:
                shares[owner].append((topic, index))
            else:
                homeless.append((topic, index))
    for key in homeless:
        taker = lightest(key[0])
        if taker is not None:
            shares[taker].append(key)
    while _moved_one(shares, lightest):
        pass
    return shares


def _moved_one(shares: Shares, lightest: Callable[[str], str | None]) -> bool:
    """Moves a partition from a member to one that has at least two fewer, the heaviest member first."""
    for giver in sorted(shares, key=lambda each: -len(shares[each])):
        for key in reversed(shares[giver]):
            taker = lightest(key[0])
            if taker is not None and len(shares[giver]) - len(shares[taker]) >= 2:
                shares[giver].remove(key)
                shares[taker].append(key)
                return True
    return False


ASSIGNORS: dict[str, Assignor] = {
    "range": by_range,
    "roundrobin": round_robin,
    "cooperative-sticky": cooperative_sticky,
}
COOPERATIVE = "cooperative-sticky"
_JAVA = "org.apache.kafka.clients.consumer."
_ALIASES = {
    f"{_JAVA}RangeAssignor": "range",
    f"{_JAVA}RoundRobinAssignor": "roundrobin",
    f"{_JAVA}CooperativeStickyAssignor": "cooperative-sticky",
}


def assignor_names(text: str) -> list[str]:
    """The names in `partition.assignment.strategy`, Java's class names understood; ValueError for one unknown here."""
    found = [_ALIASES.get(word.strip(), word.strip()) for word in text.split(",") if word.strip()]
    for name in found:
        if name not in ASSIGNORS:
            raise ValueError(name)
    return list(dict.fromkeys(found))
