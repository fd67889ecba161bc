"""Which partitions a consumer reads, and where it stands in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tidelog.client.errors import LogTruncated
from tidelog.client.list_offsets import EARLIEST, LATEST

TopicPartition = tuple[str, int]
UNKNOWN = -1


class OffsetAndEpoch(NamedTuple):
    """A position: the next offset, and the leader epoch of the last record before it (KIP-320)."""

    offset: int
    leader_epoch: int = UNKNOWN


def with_epochs(offsets: Mapping[TopicPartition, int | OffsetAndEpoch]) -> dict[TopicPartition, OffsetAndEpoch]:
    return {key: OffsetAndEpoch(each) if isinstance(each, int) else each for key, each in offsets.items()}


class PartitionState:
    __slots__ = (
        "high_watermark",
        "last_stable_offset",
        "leader_epoch",
        "offset",
        "partition",
        "paused",
        "replica",
        "replica_until",
        "reset_to",
        "retry_at",
        "topic",
        "uses_committed",
        "valid_in",
    )

    def __init__(self, topic: str, partition: int, reset_to: int | None) -> None:
        self.topic = topic
        self.partition = partition
        self.offset = UNKNOWN
        self.leader_epoch = UNKNOWN
        """Of the last record before the offset, where that is known."""
        self.valid_in = UNKNOWN
        """The epoch of the leader whose history is known to hold the position."""
        self.paused = False
        self.reset_to = reset_to
        """The timestamp to look a position up by, when there is none; None means that somebody must seek."""
        self.uses_committed = True
        """Whether a group's committed offset comes before `reset_to`."""
        self.retry_at = 0.0
        """By the loop's time: not to be asked about before, because the last answer was a refusal."""
        self.high_watermark = UNKNOWN
        self.last_stable_offset = UNKNOWN
        self.replica = UNKNOWN
        """The broker that the leader told this client to read from (KIP-392), until a moment of the loop's time."""
        self.replica_until = 0.0


class Positions:
    def __init__(self, auto_offset_reset: str) -> None:
        self.default_reset = {"earliest": EARLIEST, "latest": LATEST}.get(auto_offset_reset)
        self.states: dict[TopicPartition, PartitionState] = {}

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Exactly these partitions; those that stay keep their position."""
        kept = self.states
        self.states = {
            key: kept.get(key) or PartitionState(key[0], key[1], self.default_reset)
            for key in dict.fromkeys(partitions)
        }

    def seek(self, key: TopicPartition, offset: int, leader_epoch: int = UNKNOWN, valid_in: int = UNKNOWN) -> None:
        state = self.states[key]
        state.offset = offset
        state.leader_epoch = leader_epoch
        state.valid_in = valid_in
        state.reset_to = self.default_reset

    def seek_to_time(self, key: TopicPartition, timestamp: int) -> None:
        state = self.states[key]
        state.offset = UNKNOWN
        state.reset_to = timestamp
        state.uses_committed = False

    def out_of_range(self, state: PartitionState) -> None:
        """The log no longer (or not yet) holds the position: start where `auto.offset.reset` says."""
        state.offset = UNKNOWN
        state.reset_to = self.default_reset
        state.uses_committed = False

    def compare(self, state: PartitionState, epoch: int, end_offset: int) -> None:
        """A leader says where, in its history, the position's epoch ended: before the position, records were cut off.

        Then reading goes on where the histories part, as Java's consumer does, unless nobody has allowed it.
        """
        if epoch >= 0 and end_offset >= state.offset:
            # Compaction may have left nothing of the epoch itself: the one before it is as good.
            state.leader_epoch = min(epoch, state.leader_epoch)
            return
        if self.default_reset is None:
            raise LogTruncated(_truncated(state, end_offset))
        if epoch < 0:
            self.out_of_range(state)
        else:
            state.offset, state.leader_epoch = end_offset, epoch

    def unplaced(self) -> dict[TopicPartition, PartitionState]:
        return {key: state for key, state in self.states.items() if state.offset < 0}

    def consumed(self) -> dict[TopicPartition, OffsetAndEpoch]:
        """What may be committed: the offset after the last record that was given out."""
        return {
            key: OffsetAndEpoch(state.offset, state.leader_epoch)
            for key, state in self.states.items()
            if state.offset >= 0
        }


def _truncated(state: PartitionState, end_offset: int) -> str:
    place = f"the partition differs from offset {end_offset} on" if end_offset >= 0 else "nothing is left of them"
    return (
        f"{state.topic}-{state.partition}: records before offset {state.offset} were lost with their leader and "
        f"{place}; seek to where reading shall go on, or set auto.offset.reset"
    )
