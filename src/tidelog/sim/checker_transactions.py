"""What the judge knows of transactions that read and write, and of producers that were replaced.

- precommitted-read: a transaction read what it had written itself and not committed
- int-poll-skip, int-nonmonotonic-poll: within one transaction, a record was passed over, or offsets went back
- G1c: transactions that read from each other in a circle (only what was read counts, not the order of writes)
- zombie-write: a producer whose transactional id another had taken over was still told that its write is there
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tidelog.sim.history import Anomaly, History, Outcome, TopicPartition, committed_offsets, skipped


def check_transactions(history: History) -> Iterable[Anomaly]:
    yield from _own_reads(history)
    yield from _internal_polls(history)
    yield from _circles(history)
    yield from _zombies(history)


def _writers(history: History) -> dict[str, str]:
    return {each.value: each.transaction for each in history.sends if each.transaction is not None}


def _own_reads(history: History) -> Iterable[Anomaly]:
    writers = _writers(history)
    for poll in history.polls:
        if writers.get(poll.value) == poll.transaction:
            yield Anomaly("precommitted-read", f"{poll.transaction} read its own {poll.value}")


def _internal_polls(history: History) -> Iterable[Anomaly]:
    committed = committed_offsets(history)
    last: dict[tuple[str, TopicPartition], int] = {}
    for poll in history.polls:
        key = (poll.transaction, poll.partition)
        before = last.get(key)
        last[key] = poll.offset
        if before is None:
            continue
        where = f"{poll.transaction} read {poll.partition} {poll.offset} after {before}"
        if poll.offset <= before:
            yield Anomaly("int-nonmonotonic-poll", where)
        elif (missed := skipped(committed.get(poll.partition, []), before, poll.offset)) is not None:
            yield Anomaly("int-poll-skip", f"{where} and missed {missed}")


def _circles(history: History) -> Iterable[Anomaly]:
    """A circle of transactions of which each read something that the one before it wrote."""
    writers = _writers(history)
    readers: dict[str, dict[str, None]] = defaultdict(dict)
    for poll in history.polls:
        writer = writers.get(poll.value)
        if writer is not None and writer != poll.transaction:
            readers[writer][poll.transaction] = None
    done: set[str] = set()
    for start in list(readers):
        path: dict[str, None] = {}
        stack: list[tuple[str, bool]] = [(start, True)]
        while stack:
            node, entering = stack.pop()
            if not entering:
                del path[node]
                done.add(node)
            elif node in path:
                yield Anomaly("G1c", f"{node} read, over others, from itself: {list(path)}")
            elif node not in done:
                path[node] = None
                stack.append((node, False))
                stack += [(each, True) for each in readers.get(node, ())]


def _zombies(history: History) -> Iterable[Anomaly]:
    for send in history.sends:
        since_s = history.fenced.get(send.producer)
        if since_s is None or send.began_s <= since_s:
            continue
        if send.outcome is Outcome.OK or history.transactions.get(send.transaction or "") is Outcome.OK:
            yield Anomaly("zombie-write", f"{send.value} of {send.producer}, which was replaced at {since_s:.3f} s")
