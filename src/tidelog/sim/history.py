"""What a story looked like to its clients: sends, polls, outcomes, in the order in which they learnt of them."""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

TopicPartition = tuple[str, int]


class Outcome(enum.Enum):
    OK = "ok"
    FAILED = "failed"
    # It may or may not have happened: the answer was lost, or the client died.
    UNKNOWN = "unknown"


class Send(NamedTuple):
    producer: str
    partition: TopicPartition
    value: str
    outcome: Outcome
    offset: int = -1
    transaction: str | None = None
    began_s: float = 0.0
    ended_s: float = 0.0


class EndOffset(NamedTuple):
    """Where a partition ended, as somebody was told who asked at this time, by the leader of this epoch."""

    partition: TopicPartition
    began_s: float
    offset: int
    leader_epoch: int = 1 << 31
    ended_s: float = 0.0


class TxnPoll(NamedTuple):
    """A record that a transaction read before it wrote."""

    transaction: str
    partition: TopicPartition
    offset: int
    value: str


class Read(NamedTuple):
    reader: str
    partition: TopicPartition
    offset: int
    value: str


class Anomaly(NamedTuple):
    kind: str
    detail: str


@dataclass(slots=True)
class History:
    sends: list[Send] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    # How each transaction ended, by its name.
    transactions: dict[str, Outcome] = field(default_factory=dict)
    # Every position a group was seen to have committed, in order.
    commits: list[tuple[str, TopicPartition, int]] = field(default_factory=list)
    # Readers that read everything from the beginning to the end after all faults were over.
    final_readers: set[str] = field(default_factory=set)
    # Readers that see what is not committed yet, and what never will be.
    uncommitted_readers: set[str] = field(default_factory=set)
    # Which offsets the members of a group were given, by group and partition.
    delivered: dict[tuple[str, TopicPartition], set[int]] = field(default_factory=dict)
    ends: list[EndOffset] = field(default_factory=list)
    # Of each partition, since when somebody led it in which epoch.
    reigns: dict[TopicPartition, dict[int, float]] = field(default_factory=dict)
    polls: list[TxnPoll] = field(default_factory=list)
    # When the transactional id of a producer was taken over by another.
    fenced: dict[str, float] = field(default_factory=dict)


def committed_offsets(history: History) -> dict[TopicPartition, list[int]]:
    """Of every partition, the offsets that hold a committed record, in order: what lies between is no record."""
    found: dict[TopicPartition, set[int]] = defaultdict(set)
    for each in history.reads:
        if each.reader in history.final_readers:
            found[each.partition].add(each.offset)
    return {partition: sorted(offsets) for partition, offsets in found.items()}


def skipped(offsets: list[int], after: int, before: int) -> int | None:
    """An offset with a committed record between two that were read one after the other."""
    place = bisect_right(offsets, after)
    return offsets[place] if place < len(offsets) and offsets[place] < before else None
