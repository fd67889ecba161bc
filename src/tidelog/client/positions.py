"""Which partitions a consumer reads, and where it stands in each."""

from __future__ import annotations

from collections.abc import Iterable

from tidelog.client.list_offsets import EARLIEST, LATEST

TopicPartition = tuple[str, int]
UNKNOWN = -1


class PartitionState:
    __slots__ = (
        "high_watermark",
        "last_stable_offset",
        "offset",
        "partition",
        "paused",
        "replica",
        "replica_until",
        "reset_to",
        "retry_at",
        "topic",
        "uses_committed",
    )

    def __init__(self, topic: str, partition: int, reset_to: int | None) -> None:
        self.topic = topic
        self.partition = partition
        self.offset = UNKNOWN
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

    def seek(self, key: TopicPartition, offset: int) -> None:
        state = self.states[key]
        state.offset = offset
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

    def unplaced(self) -> dict[TopicPartition, PartitionState]:
        return {key: state for key, state in self.states.items() if state.offset < 0}

    def consumed(self) -> dict[TopicPartition, int]:
        """What may be committed: the offset after the last record that was given out."""
        return {key: state.offset for key, state in self.states.items() if state.offset >= 0}
