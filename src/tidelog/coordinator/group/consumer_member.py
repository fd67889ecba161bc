"""One member of a consumer group: its subscription, what it holds, and how far it is with the target assignment."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import NamedTuple

# Partitions by topic id: what a member should get, and what it says that it has.
Assignment = Mapping[bytes, tuple[int, ...]]
# Partitions by topic id, each with the member epoch in which it was assigned.
Held = Mapping[bytes, Mapping[int, int]]

NOTHING: Held = {}
NO_ASSIGNMENT: Assignment = {}
LEAVING = -1
LEAVING_STATIC = -2


class MemberState(enum.IntEnum):
    """As the records number them."""

    STABLE = 0
    UNREVOKED_PARTITIONS = 1
    UNRELEASED_PARTITIONS = 2
    UNKNOWN = 127


class ClassicMetadata(NamedTuple):
    """A member that still speaks the classic protocol."""

    session_timeout_ms: int
    protocols: tuple[tuple[str, bytes], ...]


class ConsumerMember(NamedTuple):
    """A value: whatever changes about a member is written to the log and comes back as another value."""

    member_id: str
    epoch: int = 0
    previous_epoch: int = 0
    state: MemberState = MemberState.STABLE
    instance_id: str | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    client_id: str = ""
    client_host: str = ""
    topics: tuple[str, ...] = ()
    regex: str = ""
    server_assignor: str | None = None
    classic: ClassicMetadata | None = None
    assigned: Held = NOTHING
    revoking: Held = NOTHING

    @property
    def uses_classic(self) -> bool:
        return self.classic is not None

    def is_reconciled_to(self, target_epoch: int) -> bool:
        return self.state is MemberState.STABLE and self.epoch == target_epoch

    def moved(self, epoch: int, state: MemberState, assigned: Held, revoking: Held = NOTHING) -> ConsumerMember:
        return self._replace(previous_epoch=self.epoch, epoch=epoch, state=state, assigned=assigned, revoking=revoking)


def partitions(held: Held) -> dict[bytes, tuple[int, ...]]:
    return {topic_id: tuple(sorted(indexes)) for topic_id, indexes in held.items() if indexes}


def same_partitions(one: Held, other: Held) -> bool:
    return one is other or partitions(one) == partitions(other)


def owned(topics: Iterable[tuple[bytes, Iterable[int]]]) -> dict[bytes, set[int]]:
    found: dict[bytes, set[int]] = {}
    for topic_id, indexes in topics:
        found.setdefault(topic_id, set()).update(indexes)
    return found


def is_subset(claimed: Mapping[bytes, set[int]], held: Held) -> bool:
    return all(indexes <= held.get(topic_id, {}).keys() for topic_id, indexes in claimed.items())
