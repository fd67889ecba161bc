"""What the protocols of a shard share: its groups, its deadlines and its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tidelog.coordinator.group.classic import ClassicGroup, ClassicState
from tidelog.coordinator.group.offset_store import OffsetStore
from tidelog.coordinator.group.timers import Timers
from tidelog.coordinator.group.values import GroupConfig, NewId


@dataclass(slots=True)
class Host:
    config: GroupConfig
    new_id: NewId
    # Classic groups here; groups of other protocols are of their own types.
    groups: dict[str, Any] = field(default_factory=dict)
    offsets: OffsetStore = field(default_factory=OffsetStore)
    timers: Timers = field(default_factory=Timers)
    # Groups in their very first rebalance, and until when it may be put off for members that still come.
    delays: dict[str, int] = field(default_factory=dict)

    def classic(self, group_id: str) -> ClassicGroup | None:
        group = self.groups.get(group_id)
        return group if isinstance(group, ClassicGroup) else None

    def kill(self, group: ClassicGroup, now_ms: int) -> None:
        """Forgets the group and everything that would have happened to it."""
        group.move(ClassicState.DEAD, now_ms)
        for member_id in [*group.members, *group.pending_members]:
            self.timers.cancel(("member", group.group_id, member_id))
        for name in ("join", "sync"):
            self.timers.cancel((name, group.group_id))
        self.delays.pop(group.group_id, None)
        self.groups.pop(group.group_id, None)
