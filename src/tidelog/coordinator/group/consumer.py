"""A group of the consumer protocol (KIP-848): members, target assignment and epochs. All of it is hard state.

Three epochs tell how far everyone is:

    group epoch        grows with each change of members, subscriptions or topics
    assignment epoch   the group epoch for which the target assignment was computed
    member epoch       the assignment epoch that a member has reached, having given up what it had to

The group is EMPTY without members, ASSIGNING while its epoch is ahead of the assignment, RECONCILING while a member is
behind the assignment, and STABLE when everyone has what it should have.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tidelog.coordinator.group.consumer_member import NO_ASSIGNMENT, Assignment, ConsumerMember, Held
from tidelog.coordinator.group.values import Committer, Position
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.list_groups import ListedGroup

FIRST_EPOCH = 1
PROTOCOL_TYPE = "consumer"
GROUP_TYPE = "consumer"
# OffsetCommit knows member epochs from this version on.
EPOCHS_FROM = 9


class ConsumerState(enum.Enum):
    EMPTY = "Empty"
    ASSIGNING = "Assigning"
    RECONCILING = "Reconciling"
    STABLE = "Stable"


class ResolvedRegex(NamedTuple):
    """The topics that a regular expression matched, and when that was found out."""

    topics: frozenset[str]
    version: int
    timestamp_ms: int


class ConsumerGroup:
    """Changed only by replay. `set_member` and `drop_member` keep the indexes that make heartbeats cheap."""

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.epoch = FIRST_EPOCH
        self.metadata_hash = 0
        self.assignment_epoch = FIRST_EPOCH
        self.assignment_timestamp_ms = -1
        self.members: dict[str, ConsumerMember] = {}
        self.static_members: dict[str, str] = {}
        self.targets: dict[str, Assignment] = {}
        self.regexes: dict[str, ResolvedRegex] = {}
        # Who holds a partition, by the epoch of its holder: a partition that is held is given to nobody else.
        self.holders: dict[bytes, dict[int, int]] = {}
        self.topic_subscribers: Counter[str] = Counter()
        self.regex_subscribers: Counter[str] = Counter()
        self.assignor_votes: Counter[str] = Counter()
        self.classic_protocols: Counter[str] = Counter()
        self.classic_count = 0
        # Soft: the topics may have changed since the group last looked, these or (None) any; the next heartbeat looks.
        self.is_stale = True
        self.changed_topics: set[str] | None = None

    # members

    def set_member(self, member: ConsumerMember) -> None:
        before = self.members.get(member.member_id)
        if before is not None:
            self._unindex(before)
        self.members[member.member_id] = member
        if member.instance_id is not None:
            self.static_members[member.instance_id] = member.member_id
        for name in member.topics:
            self.topic_subscribers[name] += 1
        if member.regex:
            self.regex_subscribers[member.regex] += 1
        if member.server_assignor is not None:
            self.assignor_votes[member.server_assignor] += 1
        if member.classic is not None:
            self.classic_count += 1
            self.classic_protocols.update({name for name, _ in member.classic.protocols})
        self._hold(member.assigned, member.epoch)
        self._hold(member.revoking, member.epoch)

    def drop_member(self, member_id: str) -> None:
        member = self.members.pop(member_id, None)
        if member is None:
            return
        self._unindex(member)
        if member.instance_id is not None and self.static_members.get(member.instance_id) == member_id:
            del self.static_members[member.instance_id]

    def _unindex(self, member: ConsumerMember) -> None:
        _take(self.topic_subscribers, member.topics)
        _take(self.regex_subscribers, (member.regex,) if member.regex else ())
        _take(self.assignor_votes, (member.server_assignor,) if member.server_assignor is not None else ())
        if member.classic is not None:
            self.classic_count -= 1
            _take(self.classic_protocols, {name for name, _ in member.classic.protocols})
        self._release(member.assigned)
        self._release(member.revoking)

    def _hold(self, held: Held, epoch: int) -> None:
        for topic_id, indexes in held.items():
            holders = self.holders.setdefault(topic_id, {})
            for index in indexes:
                holders[index] = epoch

    def _release(self, held: Held) -> None:
        for topic_id, indexes in held.items():
            holders = self.holders.get(topic_id)
            if holders is None:
                continue
            for index in indexes:
                holders.pop(index, None)
            if not holders:
                del self.holders[topic_id]

    # subscriptions

    def topics_changed(self, names: set[str]) -> None:
        if self.changed_topics is not None and self.regexes:
            self.changed_topics |= names
        self.is_stale = self.is_stale or bool(self.regexes) or not names.isdisjoint(self.topic_subscribers)

    def seen_topics(self) -> None:
        self.is_stale = False
        self.changed_topics = set()

    def topics_of(self, member: ConsumerMember) -> frozenset[str]:
        """Everything the member subscribes to, by name and by regular expression."""
        names = frozenset(member.topics)
        resolved = self.regexes.get(member.regex) if member.regex else None
        return names if resolved is None else names | resolved.topics

    def subscribed_topics(self) -> set[str]:
        found = set(self.topic_subscribers)
        for regex in self.regex_subscribers:
            resolved = self.regexes.get(regex)
            if resolved is not None:
                found |= resolved.topics
        return found

    def target_of(self, member_id: str) -> Assignment:
        return self.targets.get(member_id, NO_ASSIGNMENT)

    def holder_epoch(self, topic_id: bytes, index: int) -> int:
        return self.holders.get(topic_id, {}).get(index, -1)

    def assignor(self, default: str) -> str:
        """The one that most members ask for."""
        if not self.assignor_votes:
            return default
        return max(sorted(self.assignor_votes), key=self.assignor_votes.__getitem__)

    @property
    def state(self) -> ConsumerState:
        if not self.members:
            return ConsumerState.EMPTY
        if self.epoch > self.assignment_epoch:
            return ConsumerState.ASSIGNING
        if all(member.is_reconciled_to(self.assignment_epoch) for member in self.members.values()):
            return ConsumerState.STABLE
        return ConsumerState.RECONCILING

    # what the shard asks of every group

    def commit_refusal(self, committer: Committer, positions: Sequence[Position]) -> ErrorCode | None:
        """A member may still commit under an earlier epoch what it has held since then and holds now."""
        transactional = committer.producer_id >= 0
        if committer.generation_id < 0 and not committer.member_id and committer.group_instance_id is None:
            return None if transactional or not self.members else ErrorCode.UNKNOWN_MEMBER_ID
        member = self.members.get(committer.member_id)
        if member is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        if not member.uses_classic and committer.api_version < EPOCHS_FROM and not transactional:
            return ErrorCode.UNSUPPORTED_VERSION
        if committer.generation_id == member.epoch or self._held_since(member, committer.generation_id, positions):
            return None
        by_generation = member.uses_classic or transactional
        return ErrorCode.ILLEGAL_GENERATION if by_generation else ErrorCode.STALE_MEMBER_EPOCH

    @staticmethod
    def _held_since(member: ConsumerMember, epoch: int, positions: Sequence[Position]) -> bool:
        if not 0 <= epoch < member.epoch or member.uses_classic:
            return False
        return all(
            member.assigned.get(one.topic_id, {}).get(one.partition, member.epoch + 1) <= epoch for one in positions
        )

    def listed(self) -> ListedGroup:
        return ListedGroup(
            group_id=self.group_id,
            protocol_type=PROTOCOL_TYPE,
            group_state=self.state.value,
            group_type=GROUP_TYPE,
        )

    def check_member_epoch(self, member_id: str, member_epoch: int) -> None:
        """For reading offsets; -1 and an empty group is someone who only looks."""
        if not member_id and member_epoch < 0 and not self.members:
            return
        member = self.members.get(member_id)
        if member is None:
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} is not a member of {self.group_id}.")
        if member.epoch != member_epoch:
            code = ErrorCode.ILLEGAL_GENERATION if member.uses_classic else ErrorCode.STALE_MEMBER_EPOCH
            raise KafkaError(code, f"The member is at epoch {member.epoch}, not {member_epoch}; ask again with it.")

    def check_invariants(self) -> None:
        holders: dict[tuple[bytes, int], str] = {}
        for member in self.members.values():
            for held in (member.assigned, member.revoking):
                for topic_id, indexes in held.items():
                    for index in indexes:
                        other = holders.setdefault((topic_id, index), member.member_id)
                        assert other == member.member_id, f"{index} is held by {other} and {member.member_id}"
            assert member.epoch <= self.assignment_epoch, "no member is ahead of the target assignment"
        assert self.assignment_epoch <= self.epoch, "the assignment is not ahead of the group"
        assert len(holders) == sum(len(indexes) for indexes in self.holders.values()), "who holds what is indexed"
        assert all(self.members[one].instance_id == name for name, one in self.static_members.items())
        assert set(self.targets) <= set(self.members), "only members are in the target assignment"


def _take(counts: Counter[str], names: Iterable[str]) -> None:
    for name in names:
        counts[name] -= 1
        if counts[name] <= 0:
            del counts[name]
