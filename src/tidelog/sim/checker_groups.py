"""What the judge knows of groups: their committed positions, what members were given, and the exactly-once copy.

- offset-regressed: a group's committed position went backwards
- copied-twice, copy-lost: an exactly-once copy wrote a source record twice, or went past it without writing it
- group-skipped: a group committed a position behind a record that none of its members was given
"""

from __future__ import annotations

from collections.abc import Iterable

from tidelog.sim.history import Anomaly, History, TopicPartition


def check_groups(history: History) -> Iterable[Anomaly]:
    yield from _regressed(history)
    yield from _copies(history)
    yield from _group_skips(history)


def _regressed(history: History) -> Iterable[Anomaly]:
    last: dict[tuple[str, TopicPartition], int] = {}
    for group, partition, offset in history.commits:
        before = last.get((group, partition), -1)
        if offset < before:
            yield Anomaly("offset-regressed", f"{group} went back from {before} to {offset} in {partition}")
        last[group, partition] = max(before, offset)


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
