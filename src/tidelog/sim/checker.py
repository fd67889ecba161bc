"""An independent judge of histories: what clients were told and what readers saw, and nothing of how the broker works.

A history is a list of sends, transaction outcomes and polls. Every anomaly found is named by its class:

- inconsistent-offsets: one offset of a partition holds two values
- duplicate: one value stands at two offsets
- lost-write: a send that was acknowledged, at or below the highest offset read, was never read
- unseen: an acknowledged send was not read by the final drain
- aborted-read: a read_committed reader saw a value of a transaction that was aborted
- failed-read: a reader saw a value whose send definitely failed
- torn-transaction: a reader saw one part of a transaction and never the rest
- poll-skip, nonmonotonic-poll: a reader that was assigned a partition by hand missed or went back over offsets
- nonmonotonic-send: acknowledged offsets of one producer in one partition go backwards
- offset-regressed: a group's committed position went backwards
- reordered: records that one producer sent to one partition stand there in another order
- copied-twice, copy-lost: an exactly-once copy wrote a source record twice, or went past it without writing it
- group-skipped: a group committed a position behind a record that none of its members was given
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable
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
    # Offsets between two reads that hold no record: markers, and what was aborted.
    allow_gaps: bool = True
    # Readers that see what is not committed yet, and what never will be.
    uncommitted_readers: set[str] = field(default_factory=set)
    # Which offsets the members of a group were given, by group and partition.
    delivered: dict[tuple[str, TopicPartition], set[int]] = field(default_factory=dict)


def check(history: History) -> list[Anomaly]:
    """All anomalies, worst first; an empty list is the proof."""
    found: list[Anomaly] = []
    found += _inconsistent_offsets(history)
    found += _duplicates(history)
    found += _forbidden_reads(history)
    found += _missing(history)
    found += _torn(history)
    found += _poll_order(history)
    found += _send_order(history)
    found += _regressed(history)
    found += _reordered(history)
    found += _copies(history)
    found += _group_skips(history)
    return found


def _inconsistent_offsets(history: History) -> Iterable[Anomaly]:
    values: dict[tuple[TopicPartition, int], str] = {}
    known = [(each.partition, each.offset, each.value) for each in history.sends if each.offset >= 0]
    known += [(each.partition, each.offset, each.value) for each in history.reads]
    for partition, offset, value in known:
        first = values.setdefault((partition, offset), value)
        if first != value:
            yield Anomaly("inconsistent-offsets", f"{partition} offset {offset} holds both {first} and {value}")


def _duplicates(history: History) -> Iterable[Anomaly]:
    places: dict[str, set[tuple[TopicPartition, int]]] = defaultdict(set)
    for each in history.reads:
        places[each.value].add((each.partition, each.offset))
    for value, found in places.items():
        if len(found) > 1:
            yield Anomaly("duplicate", f"{value} stands at {sorted(found)}")


def _forbidden_reads(history: History) -> Iterable[Anomaly]:
    seen = {each.value for each in history.reads}
    committed = {each.value for each in history.reads if each.reader not in history.uncommitted_readers}
    for each in history.sends:
        if each.value not in seen:
            continue
        if each.transaction is not None and history.transactions.get(each.transaction) is Outcome.FAILED:
            if each.value not in committed:
                continue
            yield Anomaly("aborted-read", f"{each.value} of the aborted transaction {each.transaction} was read")
        elif each.outcome is Outcome.FAILED:
            yield Anomaly("failed-read", f"{each.value} was read although its send failed")


def _must_be_there(history: History, send: Send) -> bool:
    if send.transaction is not None:
        return history.transactions.get(send.transaction) is Outcome.OK
    return send.outcome is Outcome.OK


def _missing(history: History) -> Iterable[Anomaly]:
    seen = {each.value for each in history.reads}
    highest: dict[TopicPartition, int] = defaultdict(lambda: -1)
    for read in history.reads:
        highest[read.partition] = max(highest[read.partition], read.offset)
    for send in history.sends:
        if send.value in seen or not _must_be_there(history, send):
            continue
        if 0 <= send.offset <= highest[send.partition]:
            yield Anomaly("lost-write", f"{send.value} was acknowledged at {send.partition} offset {send.offset}")
        elif history.final_readers:
            yield Anomaly("unseen", f"{send.value} was acknowledged and is nowhere in {send.partition}")


def _torn(history: History) -> Iterable[Anomaly]:
    values: dict[str, set[str]] = defaultdict(set)
    for send in history.sends:
        if send.transaction is not None:
            values[send.transaction].add(send.value)
    for reader in sorted(history.final_readers):
        seen = {each.value for each in history.reads if each.reader == reader}
        for transaction, members in values.items():
            part = members & seen
            if part and part != members:
                detail = f"{reader} saw {len(part)} of the {len(members)} records of {transaction}"
                yield Anomaly("torn-transaction", detail)


def _poll_order(history: History) -> Iterable[Anomaly]:
    last: dict[tuple[str, TopicPartition], int] = {}
    for each in history.reads:
        key = (each.reader, each.partition)
        before = last.get(key)
        last[key] = each.offset
        if before is None:
            continue
        if each.offset <= before:
            yield Anomaly("nonmonotonic-poll", f"{each.reader} read {each.partition} {each.offset} after {before}")
        elif each.offset != before + 1 and not history.allow_gaps:
            yield Anomaly("poll-skip", f"{each.reader} read {each.partition} {each.offset} right after {before}")


def _send_order(history: History) -> Iterable[Anomaly]:
    last: dict[tuple[str, TopicPartition], int] = {}
    for each in history.sends:
        if each.offset < 0:
            continue
        key = (each.producer, each.partition)
        if each.offset <= last.get(key, -1):
            yield Anomaly("nonmonotonic-send", f"{each.producer} was given {each.offset} after {last[key]}")
        last[key] = each.offset


def _regressed(history: History) -> Iterable[Anomaly]:
    last: dict[tuple[str, TopicPartition], int] = {}
    for group, partition, offset in history.commits:
        before = last.get((group, partition), -1)
        if offset < before:
            yield Anomaly("offset-regressed", f"{group} went back from {before} to {offset} in {partition}")
        last[group, partition] = max(before, offset)


def _reordered(history: History) -> Iterable[Anomaly]:
    """Idempotent producers keep their order, also that of sends whose fate they never learnt."""
    position = {each.value: (index, each.producer) for index, each in enumerate(history.sends)}
    for reader in sorted(history.final_readers):
        last: dict[tuple[str, TopicPartition], int] = {}
        for read in history.reads:
            if read.reader != reader or read.value not in position:
                continue
            index, producer = position[read.value]
            key = (producer, read.partition)
            if index < last.get(key, -1):
                yield Anomaly("reordered", f"{read.value} of {producer} stands behind later ones at {read.offset}")
            last[key] = max(index, last.get(key, -1))


COPY_TOPIC, COPY_SOURCE, COPY_GROUP = "copy", "log", "copiers"


def _copies(history: History) -> Iterable[Anomaly]:
    """A copy is written as value@partition/offset@transaction; what stands before the last @ is its source."""
    if not history.final_readers:
        return
    sources: set[str] = set()
    for read in history.reads:
        if read.reader in history.final_readers and read.partition[0] == COPY_TOPIC and "@" in read.value:
            source = read.value.rpartition("@")[0]
            if source in sources:
                yield Anomaly("copied-twice", f"{source} was copied twice, the second time as {read.value}")
            sources.add(source)
    ends = {partition: offset for group, partition, offset in history.commits if group == COPY_GROUP}
    for read in history.reads:
        if read.reader in history.final_readers and read.offset < ends.get(read.partition, 0):
            source = f"{read.value}@{read.partition[1]}/{read.offset}"
            if read.partition[0] == COPY_SOURCE and source not in sources:
                yield Anomaly("copy-lost", f"{source} is before the committed position and was not copied")


def _group_skips(history: History) -> Iterable[Anomaly]:
    ends = {(group, partition): offset for group, partition, offset in history.commits}
    for (group, partition), given in history.delivered.items():
        for read in history.reads:
            if read.reader not in history.final_readers or read.partition != partition or read.offset in given:
                continue
            if read.offset < ends.get((group, partition), 0):
                yield Anomaly(
                    "group-skipped", f"{group} committed past {partition} {read.offset}, which none was given"
                )
