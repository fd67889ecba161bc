"""Committed offsets of every group of a shard, and those that wait for their producer's transaction to end."""

from __future__ import annotations

from collections.abc import Callable

from tidelog.coordinator.group.records import Offset
from tidelog.coordinator.group.values import TopicPartition

GroupOffsets = dict[TopicPartition, Offset]
NONE: GroupOffsets = {}


class OffsetStore:
    """Changed only by replay. A transaction's offsets become visible with its commit marker, or vanish."""

    def __init__(self) -> None:
        self._committed: dict[str, GroupOffsets] = {}
        self._pending: dict[int, dict[str, GroupOffsets]] = {}

    def of(self, group_id: str) -> GroupOffsets:
        """To be read, never changed, by the caller."""
        return self._committed.get(group_id, NONE)

    def groups(self) -> list[str]:
        return list(self._committed)

    def has_pending(self, group_id: str, partition: TopicPartition | None = None) -> bool:
        """Whether an open transaction holds an offset of this group (and partition)."""
        for groups in self._pending.values():
            waiting = groups.get(group_id)
            if waiting and (partition is None or partition in waiting):
                return True
        return False

    def replay(self, group_id: str, partition: TopicPartition, offset: Offset | None, producer_id: int) -> None:
        if producer_id >= 0:
            if offset is not None:
                self._pending.setdefault(producer_id, {}).setdefault(group_id, {})[partition] = offset
        elif offset is None:
            self._delete(group_id, partition)
        elif (known := self._committed.get(group_id)) is not None:
            known[partition] = offset
        else:
            self._committed[group_id] = {partition: offset}

    def end_transaction(self, producer_id: int, committed: bool) -> None:
        for group_id, offsets in self._pending.pop(producer_id, {}).items():
            if not committed:
                continue
            store = self._committed.setdefault(group_id, {})
            for partition, offset in offsets.items():
                # A plain commit written after the transactional one, but before the marker, is the newer of the two.
                if partition not in store or store[partition].log_offset < offset.log_offset:
                    store[partition] = offset

    def expired(self, group_id: str, is_expired: Callable[[TopicPartition, Offset], bool]) -> list[TopicPartition]:
        return [
            partition
            for partition, offset in self.of(group_id).items()
            if is_expired(partition, offset) and not self.has_pending(group_id, partition)
        ]

    def _delete(self, group_id: str, partition: TopicPartition) -> None:
        offsets = self._committed.get(group_id)
        if offsets is not None:
            offsets.pop(partition, None)
            if not offsets:
                del self._committed[group_id]
