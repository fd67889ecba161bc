"""What the judge knows of order: of what one reader was given, of what one producer was told, of the ends of logs.

- poll-skip, nonmonotonic-poll: a reader that was assigned a partition by hand missed or went back over offsets
- nonmonotonic-send: acknowledged offsets of one producer in one partition go backwards
- reordered: records that one producer sent to one partition stand there in another order
- stale-offsets: ListOffsets told of an end before a record that had been acknowledged
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tidelog.sim.history import Anomaly, History, Outcome, TopicPartition, committed_offsets, skipped


def check_order(history: History) -> Iterable[Anomaly]:
    yield from _poll_order(history)
    yield from _send_order(history)
    yield from _reordered(history)
    yield from _stale_ends(history)


def _poll_order(history: History) -> Iterable[Anomaly]:
    committed = committed_offsets(history)
    last: dict[tuple[str, TopicPartition], int] = {}
    for each in history.reads:
        key = (each.reader, each.partition)
        before = last.get(key)
        last[key] = each.offset
        if before is None:
            continue
        if each.offset <= before:
            yield Anomaly("nonmonotonic-poll", f"{each.reader} read {each.partition} {each.offset} after {before}")
            continue
        missed = skipped(committed.get(each.partition, []), before, each.offset)
        if missed is not None:
            where = f"{each.partition} {each.offset} right after {before}"
            yield Anomaly("poll-skip", f"{each.reader} read {where} and missed {missed}")


def _stale_ends(history: History) -> Iterable[Anomaly]:
    """Whoever asks for the end of a partition is told of everything that was acknowledged before.

    A leader that was replaced and does not know it yet cannot know of what its successor acknowledged.
    """
    known: dict[TopicPartition, list[tuple[float, int]]] = defaultdict(list)
    for send in history.sends:
        if send.outcome is Outcome.OK and send.offset >= 0:
            known[send.partition].append((send.ended_s, send.offset))
    for end in history.ends:
        reigns = history.reigns.get(end.partition, {})
        if any(epoch > end.leader_epoch and since_s <= end.ended_s for epoch, since_s in reigns.items()):
            continue
        newest = max((offset for when_s, offset in known[end.partition] if when_s < end.began_s), default=-1)
        if newest >= end.offset:
            where = f"{end.partition} ended at {end.offset}"
            yield Anomaly("stale-offsets", f"{where} for who asked at {end.began_s:.3f} s, and {newest} was there")


def _send_order(history: History) -> Iterable[Anomaly]:
    last: dict[tuple[str, TopicPartition], int] = {}
    for each in history.sends:
        if each.offset < 0:
            continue
        key = (each.producer, each.partition)
        if each.offset <= last.get(key, -1):
            yield Anomaly("nonmonotonic-send", f"{each.producer} was given {each.offset} after {last[key]}")
        last[key] = each.offset


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
