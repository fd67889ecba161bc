"""The remote segments of one partition, as the metadata topic tells of them, and which of them hold which offsets.

Several leaders may have copied the same offsets, and after an unclean election a copy may hold records that the log
never had. So an offset is looked up together with the leader epochs of the log: a copy counts as far as its own epochs
say the same. Two copies that agree hold the same records, and either will do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from tidelog.replication.epochs import LeaderEpochs
from tidelog.tier.segments import (
    TRANSITIONS,
    Note,
    NoteKind,
    PartitionState,
    RemoteSegment,
    SegmentState,
    TopicIdPartition,
)
from tidelog.tier.updates import PartitionDeletion, SegmentUpdate


class Manifest:
    """Changes only by `replay`, in the order of the metadata topic, so every broker comes to the same one."""

    __slots__ = (
        "_live",
        "_starts",
        "deletion",
        "ignored",
        "last_event_ms",
        "leader_epoch",
        "place",
        "retired",
        "segments",
    )

    def __init__(self, place: TopicIdPartition) -> None:
        self.place = place
        self.segments: dict[bytes, RemoteSegment] = {}
        # Those that served readers once and are being deleted: where they were, nothing can be read any more.
        self.retired: dict[bytes, RemoteSegment] = {}
        self.deletion: PartitionState | None = None
        self.ignored = 0  # changes that came too late
        self.last_event_ms = 0
        self.leader_epoch = -1  # the latest leader that has told anything
        self._live: list[RemoteSegment] = []
        self._starts: list[int] = []

    # replay

    def replay(self, event: RemoteSegment | SegmentUpdate | PartitionDeletion) -> bool:
        """False for what changes nothing."""
        self.last_event_ms = max(self.last_event_ms, event.event_timestamp_ms)
        if isinstance(event, PartitionDeletion):
            self.deletion = event.state
            return True
        if isinstance(event, RemoteSegment):
            is_new = event.id not in self.segments and event.state is SegmentState.COPY_STARTED
            if not is_new or not self._may(event, event.custom):
                self.ignored += 1
                return False
            self.segments[event.id] = event
            return True
        return self._update(event)

    def _update(self, update: SegmentUpdate) -> bool:
        known = self.segments.get(update.id)
        if known is None or update.state not in TRANSITIONS[known.state] or not self._may(known, update.custom):
            self.ignored += 1
            return False
        is_finished = update.state is SegmentState.COPY_FINISHED
        changed = known._replace(
            state=update.state,
            event_timestamp_ms=update.event_timestamp_ms,
            broker_id=update.broker_id,
            custom=update.custom if is_finished else known.custom,
        )
        self.segments[update.id] = changed
        if is_finished:
            self._insert(changed)
        elif known.is_live:
            self.retired[known.id] = changed
            self._remove(known)
        elif update.state is SegmentState.DELETE_FINISHED:
            del self.segments[update.id]
        return True

    def _may(self, known: RemoteSegment, custom: bytes | None) -> bool:
        """Whether a leader that told this still led, and meant what it would do now."""
        note = Note.decode(custom)
        if note is None:
            return True
        if note.kind is NoteKind.ABANDONED and known.state is not SegmentState.COPY_STARTED:
            return False
        if note.leader_epoch < self.leader_epoch:
            return False
        self.leader_epoch = note.leader_epoch
        return True

    def _insert(self, segment: RemoteSegment) -> None:
        at = bisect_right(self._starts, segment.start_offset)
        self._live = [*self._live[:at], segment, *self._live[at:]]
        self._starts = [each.start_offset for each in self._live]

    def _remove(self, segment: RemoteSegment) -> None:
        self._live = [each for each in self._live if each.id != segment.id]
        self._starts = [each.start_offset for each in self._live]

    # looking up

    @property
    def live(self) -> list[RemoteSegment]:
        """Those that serve readers, by their first offset. A new list after every change."""
        return self._live

    @property
    def size_bytes(self) -> int:
        return sum(segment.size_bytes for segment in self._live)

    def in_state(self, state: SegmentState) -> list[RemoteSegment]:
        return [segment for segment in self.segments.values() if segment.state is state]

    def find(self, offset: int, epochs: LeaderEpochs) -> RemoteSegment | None:
        """The copy that holds `offset` of the log with these epochs; of several the one that reaches furthest."""
        return self._find(offset, epochs)[0]

    def _find(self, offset: int, epochs: LeaderEpochs) -> tuple[RemoteSegment | None, int]:
        """With the last offset that it can be used for."""
        best, best_end = None, offset - 1
        for segment in reversed(self._live[: bisect_right(self._starts, offset)]):
            if segment.end_offset > best_end:
                end = agreed_end(segment, epochs)
                if end > best_end:
                    best, best_end = segment, end
            if best is not None and segment.start_offset < best.start_offset:
                break  # what begins even earlier could reach further, but this one reaches far enough
        return best, best_end

    def covered_until(self, offset: int, epochs: LeaderEpochs, enough: int | None = None) -> int:
        """The first offset from `offset` on that no copy holds; it stops looking once it is past `enough`."""
        while enough is None or offset < enough:
            segment, end = self._find(offset, epochs)
            if segment is None:
                break
            offset = end + 1
        return offset

    def retired_until(self, offset: int, epochs: LeaderEpochs) -> int:
        """The first offset from `offset` on that was never in a copy which is now gone."""
        moved = True
        while moved:
            moved = False
            for segment in self.retired.values():
                if segment.start_offset <= offset <= agreed_end(segment, epochs):
                    offset, moved = agreed_end(segment, epochs) + 1, True
        return offset

    def forget_retired(self, before_offset: int) -> None:
        """Those that end before the log begins need not be remembered."""
        self.retired = {key: each for key, each in self.retired.items() if each.end_offset >= before_offset}

    def after(self, segment: RemoteSegment, epochs: LeaderEpochs) -> RemoteSegment | None:
        """The copy that goes on where this one ends."""
        return self.find(agreed_end(segment, epochs) + 1, epochs)

    def check_invariants(self) -> None:
        assert self._starts == sorted(self._starts)
        assert [each.id for each in self._live] == [each.id for each in self._live if self.segments[each.id].is_live]
        assert len(self._live) == len(self.in_state(SegmentState.COPY_FINISHED))


def agreed_end(segment: RemoteSegment, epochs: LeaderEpochs) -> int:
    """The last offset up to which the copy holds what the log holds; before its start when it holds nothing of it.

    Of what lies before the first epoch that both know nothing can be said, and it is deleted on one side already.
    """
    if not epochs.starts:
        return segment.start_offset - 1
    start = max(segment.start_offset, segment.epochs[0][1], epochs.starts[0])
    if start > segment.end_offset:
        return segment.start_offset - 1
    if len(segment.epochs) == 1:
        at = bisect_right(epochs.starts, start)
        if epochs.epochs[at - 1] == segment.epochs[0][0] and (
            at == len(epochs.starts) or epochs.starts[at] > segment.end_offset
        ):
            return segment.end_offset  # as almost always
    ours = clip(epochs.entries(), start, segment.end_offset)
    theirs = clip(segment.epochs, start, segment.end_offset)
    for number, (mine, its) in enumerate(zip(ours, theirs)):
        if mine != its:
            # Up to where the first of the two began something else they were the same.
            return min(mine[1], its[1]) - 1 if number else segment.start_offset - 1
    longer = ours if len(ours) > len(theirs) else theirs
    common = min(len(ours), len(theirs))
    if common == 0:
        return segment.start_offset - 1
    return longer[common][1] - 1 if len(longer) > common else segment.end_offset


def clip(entries: Iterable[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """The epochs of the offsets from `start` to `end`, each with its first offset there."""
    found: list[tuple[int, int]] = []
    for epoch, offset in entries:
        if offset > end:
            break
        if offset <= start:
            found = [(epoch, start)]
        else:
            found.append((epoch, offset))
    return found if found and found[0][1] == start else []
