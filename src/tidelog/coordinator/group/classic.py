"""A group of the classic protocol: members that agree on a protocol, elect a leader and take what the leader assigns.

States and what moves between them:

    EMPTY -> PREPARING_REBALANCE      a member joins
    PREPARING_REBALANCE -> COMPLETING_REBALANCE   all known members joined, or the rebalance timeout passed
    PREPARING_REBALANCE -> EMPTY      nobody came
    COMPLETING_REBALANCE -> STABLE    the leader's assignment is in the log
    COMPLETING_REBALANCE, STABLE -> PREPARING_REBALANCE   a member joins, leaves, changes or times out
    any -> DEAD                       deleted, expired, or the coordinator moved away
"""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field

from tidelog.coordinator.contract import Token
from tidelog.kernels import encode_group
from tidelog.protocol.group_records.group_metadata import GroupMetadataValue
from tidelog.protocol.messages.join_group import JoinGroupResponseMember


class ClassicState(enum.Enum):
    EMPTY = "Empty"
    PREPARING_REBALANCE = "PreparingRebalance"
    COMPLETING_REBALANCE = "CompletingRebalance"
    STABLE = "Stable"
    DEAD = "Dead"


Protocols = list[tuple[str, bytes]]


@dataclass(slots=True)
class ClassicMember:
    member_id: str
    group_instance_id: str | None
    client_id: str
    client_host: str
    rebalance_timeout_ms: int
    session_timeout_ms: int
    protocols: Protocols
    assignment: bytes = b""
    joining: Token | None = None
    syncing: Token | None = None

    def metadata(self, protocol: str) -> bytes:
        for name, data in self.protocols:
            if name == protocol:
                return data
        return b""

    def vote(self, candidates: set[str]) -> str:
        """The first of its own protocols that everyone supports."""
        return next(name for name, _ in self.protocols if name in candidates)


@dataclass(slots=True)
class ClassicGroup:
    group_id: str
    state: ClassicState = ClassicState.EMPTY
    state_timestamp_ms: int = -1
    generation_id: int = 0
    protocol_type: str | None = None
    protocol_name: str | None = None
    leader_id: str | None = None
    members: dict[str, ClassicMember] = field(default_factory=dict)
    static_members: dict[str, str] = field(default_factory=dict)
    pending_members: set[str] = field(default_factory=set)
    pending_sync: set[str] = field(default_factory=set)
    new_member_added: bool = False
    # Indexes, so that one join costs the same in a group of any size: who waits in the join, who supports what.
    joined: set[str] = field(default_factory=set)
    supporters: Counter[str] = field(default_factory=Counter)

    @property
    def rebalance_timeout_ms(self) -> int:
        return max((member.rebalance_timeout_ms for member in self.members.values()), default=0)

    @property
    def is_simple(self) -> bool:
        """Only offsets: whoever commits assigns partitions by hand."""
        return self.protocol_type is None and self.state is ClassicState.EMPTY

    def move(self, state: ClassicState, now_ms: int) -> None:
        self.state = state
        self.state_timestamp_ms = now_ms

    def add(self, member: ClassicMember) -> None:
        self.members[member.member_id] = member
        self.supporters.update({name for name, _ in member.protocols})
        if member.joining is not None:
            self.joined.add(member.member_id)
        self.pending_members.discard(member.member_id)
        if member.group_instance_id is not None:
            self.static_members[member.group_instance_id] = member.member_id
        if self.leader_id is None:
            self.leader_id = member.member_id

    def remove(self, member_id: str) -> ClassicMember | None:
        member = self.members.pop(member_id, None)
        self.pending_members.discard(member_id)
        self.pending_sync.discard(member_id)
        if member is None:
            return None
        self.joined.discard(member_id)
        self.supporters.subtract({name for name, _ in member.protocols})
        if member.group_instance_id is not None and self.static_members.get(member.group_instance_id) == member_id:
            del self.static_members[member.group_instance_id]
        if self.leader_id == member_id:
            self.leader_id = next(iter(self.members), None)
        return member

    def replace_static(self, old_id: str, new_id: str) -> ClassicMember:
        """A static member came back under a new id; its place, assignment and leadership go with it."""
        member = self.members.pop(old_id)
        self.joined.discard(old_id)
        member.member_id = new_id
        self.members[new_id] = member
        assert member.group_instance_id is not None
        self.static_members[member.group_instance_id] = new_id
        if self.leader_id == old_id:
            self.leader_id = new_id
        self.pending_sync.discard(old_id)
        return member

    def wait_in_join(self, member: ClassicMember, token: Token) -> None:
        member.joining = token
        self.joined.add(member.member_id)

    def end_join(self, member: ClassicMember) -> None:
        member.joining = None
        self.joined.discard(member.member_id)

    def change_protocols(self, member: ClassicMember, protocols: Protocols) -> None:
        before, after = {name for name, _ in member.protocols}, {name for name, _ in protocols}
        if before != after:
            self.supporters.subtract(before)
            self.supporters.update(after)
        member.protocols = protocols

    def all_joined(self) -> bool:
        return not self.pending_members and len(self.joined) == len(self.members)

    def elect_joined_leader(self) -> bool:
        """Keeps the leader if it joined, else takes any who did; False when nobody joined."""
        leader = self.members.get(self.leader_id or "")
        if leader is not None and leader.joining is not None:
            return True
        joined = next((member.member_id for member in self.members.values() if member.joining is not None), None)
        if joined is not None:
            self.leader_id = joined
        return joined is not None

    def candidates(self) -> set[str]:
        """Protocols that every member supports."""
        everyone = len(self.members)
        return {name for name, count in self.supporters.items() if everyone and count == everyone}

    def supports(self, protocol_type: str, protocols: Protocols) -> bool:
        """Whether someone who offers these can be a member beside those who are."""
        if self.state is ClassicState.EMPTY:
            return bool(protocol_type) and bool(protocols)
        if self.protocol_type != protocol_type:
            return False
        everyone = len(self.members)
        if not everyone:
            return True
        supporters = self.supporters
        for name, _ in protocols:  # noqa: SIM110 - a third of the time that a generator takes
            if supporters[name] == everyone:
                return True
        return False

    def select_protocol(self) -> str:
        """The protocol with the most votes; among equals the one whose first voter joined first."""
        candidates = self.candidates()
        votes: dict[str, int] = {}
        for member in self.members.values():
            choice = member.vote(candidates)
            votes[choice] = votes.get(choice, 0) + 1
        return max(votes, key=votes.__getitem__)

    def roster(self) -> list[JoinGroupResponseMember]:
        """The members with their metadata, for the leader."""
        protocol = self.protocol_name or ""
        return [
            JoinGroupResponseMember(
                member_id=member.member_id,
                group_instance_id=member.group_instance_id,
                metadata=member.metadata(protocol),
            )
            for member in self.members.values()
        ]

    def value(self, assignments: dict[str, bytes]) -> bytes:
        """What the group's record says, with these assignments."""
        protocol = self.protocol_name or ""
        members = [
            (
                member.member_id,
                member.group_instance_id,
                member.client_id,
                member.client_host,
                member.rebalance_timeout_ms,
                member.session_timeout_ms,
                member.metadata(protocol),
                assignments.get(member.member_id, b""),
            )
            for member in self.members.values()
        ]
        return encode_group(
            self.protocol_type or "",
            self.generation_id,
            self.protocol_name,
            self.leader_id,
            self.state_timestamp_ms,
            members,
        )

    def check_invariants(self) -> None:
        assert (self.state is ClassicState.EMPTY) <= (not self.members), "an empty group has no members"
        assert self.joined == {one.member_id for one in self.members.values() if one.joining is not None}
        assert self.leader_id is None or self.leader_id in self.members, "the leader is a member"
        assert all(self.members[one].group_instance_id == name for name, one in self.static_members.items())


def from_value(group_id: str, value: GroupMetadataValue) -> ClassicGroup:
    """The group as its record left it."""
    group = ClassicGroup(
        group_id,
        ClassicState.STABLE if value.members else ClassicState.EMPTY,
        value.current_state_timestamp,
        value.generation,
        value.protocol_type or None,
        value.protocol,
    )
    for member in value.members:
        timeout_ms = member.rebalance_timeout if member.rebalance_timeout >= 0 else member.session_timeout
        group.add(
            ClassicMember(
                member.member_id,
                member.group_instance_id,
                member.client_id,
                member.client_host,
                timeout_ms,
                member.session_timeout,
                [(value.protocol or "", member.subscription)],
                member.assignment,
            )
        )
    group.leader_id = value.leader if value.leader in group.members else group.leader_id
    return group
