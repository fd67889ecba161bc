"""What the protocols of a shard share: its groups, its deadlines and its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tidelog.coordinator.group.classic import ClassicGroup, ClassicState
from tidelog.coordinator.group.consumer import ConsumerGroup
from tidelog.coordinator.group.consumer_topics import NO_TOPICS, ClusterView, metadata_hash
from tidelog.coordinator.group.offset_store import OffsetStore
from tidelog.coordinator.group.timers import Timers
from tidelog.coordinator.group.values import ConsumerSettings, GroupConfig, NewId


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
    # Topics and group settings as the metadata has them now, and a number that grows with each change.
    view: ClusterView = NO_TOPICS
    view_version: int = 0
    _hashes: dict[frozenset[str], int] = field(default_factory=dict)

    def classic(self, group_id: str) -> ClassicGroup | None:
        group = self.groups.get(group_id)
        return group if isinstance(group, ClassicGroup) else None

    def consumer(self, group_id: str) -> ConsumerGroup | None:
        group = self.groups.get(group_id)
        return group if isinstance(group, ConsumerGroup) else None

    def see(self, view: ClusterView) -> None:
        """The metadata has changed."""
        self.view = view
        self.view_version += 1
        self._hashes.clear()

    def metadata_hash(self, names: set[str]) -> int:
        key = frozenset(names)
        found = self._hashes.get(key)
        if found is None:
            found = self._hashes[key] = metadata_hash(self.view, key)
        return found

    def settings(self, group_id: str) -> ConsumerSettings:
        """The settings of the consumer protocol, with what was set for this group alone, within the broker's bounds."""
        overrides = self.view.group_settings(group_id)
        return self.config.consumer if not overrides else self.config.consumer.overridden(overrides)

    def kill(self, group: ClassicGroup, now_ms: int) -> None:
        """Forgets the group and everything that would have happened to it."""
        group.move(ClassicState.DEAD, now_ms)
        for member_id in [*group.members, *group.pending_members]:
            self.timers.cancel(("member", group.group_id, member_id))
        for name in ("join", "sync"):
            self.timers.cancel((name, group.group_id))
        self.delays.pop(group.group_id, None)
        self.groups.pop(group.group_id, None)
