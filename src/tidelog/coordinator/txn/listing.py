"""Looking at transactions without touching them: ListTransactions and DescribeTransactions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tidelog.coordinator.txn.state import Status, Transaction

TITLES = {status.title: status for status in Status}


def matching(
    transactions: Iterable[Transaction],
    states: Iterable[str],
    producer_ids: Iterable[int],
    longer_than_ms: int,
    pattern: str | None,
    now_ms: int,
) -> list[Transaction]:
    """Those that pass every filter; an empty filter lets all pass. A bad pattern raises `re.error`."""
    wanted_states = {TITLES[name] for name in states if name in TITLES}
    asked_for_states = bool(list(states))
    wanted_ids = set(producer_ids)
    compiled = re.compile(pattern) if pattern else None

    def passes(one: Transaction) -> bool:
        if one.status is Status.DEAD or (asked_for_states and one.status not in wanted_states):
            return False
        if wanted_ids and one.producer_id not in wanted_ids:
            return False
        if longer_than_ms >= 0 and now_ms - one.started_ms <= longer_than_ms:
            return False
        return compiled is None or compiled.fullmatch(one.transactional_id) is not None

    return [one for one in transactions if passes(one)]


def unknown_states(states: Iterable[str]) -> list[str]:
    return [name for name in states if name not in TITLES]
