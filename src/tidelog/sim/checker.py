"""An independent judge of histories: what clients were told and what readers saw, and nothing of how the broker works.

Every anomaly found is named by its class. Here:

- inconsistent-offsets: one offset of a partition holds two values
- duplicate: one value stands at two offsets
- lost-write: a send that was acknowledged, at or below the highest offset read, was never read
- unseen: an acknowledged send was not read by the final drain
- dirty-read: a record that a reader was given is not there any more
- aborted-read: a read_committed reader saw a value of a transaction that was aborted
- failed-read: a reader saw a value whose send definitely failed
- torn-transaction: a reader saw one part of a transaction and never the rest

Of order, groups and transactions that read: `checker_order.py`, `checker_groups.py`, `checker_transactions.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tidelog.sim.checker_groups import check_groups
from tidelog.sim.checker_order import check_order
from tidelog.sim.checker_transactions import check_transactions
from tidelog.sim.history import Anomaly, History, Outcome, Send, TopicPartition


def check(history: History) -> list[Anomaly]:
    """All anomalies, worst first; an empty list is the proof."""
    found: list[Anomaly] = []
    found += _inconsistent_offsets(history)
    found += _duplicates(history)
    found += _forbidden_reads(history)
    found += _missing(history)
    found += _dirty_reads(history)
    found += _torn(history)
    found += check_transactions(history)
    found += check_order(history)
    found += check_groups(history)
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


def _dirty_reads(history: History) -> Iterable[Anomaly]:
    """What a reader was given counts as committed, so a final reader of the partition finds it.

    Of what transactions wrote, other rules speak.
    """
    if not history.final_readers:
        return
    final = {each.value for each in history.reads if each.reader in history.final_readers}
    covered = {each.partition for each in history.reads if each.reader in history.final_readers}
    single = {each.value for each in history.sends if each.transaction is None}
    told: set[str] = set()
    for read in history.reads:
        is_gone = read.value in single and read.value not in final and read.partition in covered
        if is_gone and read.value not in told:
            told.add(read.value)
            yield Anomaly("dirty-read", f"{read.reader} read {read.value} at {read.partition} {read.offset}, now gone")


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
