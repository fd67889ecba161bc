"""Which transactions a compaction is in the middle of, as it reads batches in the order of their offsets.

Data of an aborted transaction goes at once. A marker stays as long as any batch of its transaction is there, since
without it a reader would take the data for something else; after that it gets a delete horizon like a tombstone.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from tidelog.log.txn_index import AbortedTxn


class CleanedTransactions:
    def __init__(self) -> None:
        self._expected: list[tuple[int, AbortedTxn]] = []
        self._known: set[AbortedTxn] = set()
        self._committing: set[int] = set()
        self._aborting: dict[int, AbortedTxn] = {}
        self._has_data: set[int] = set()  # of the aborting ones
        self.kept_aborts: list[AbortedTxn] = []  # for the index of the segment being written

    def expect(self, aborted: Iterable[AbortedTxn]) -> None:
        """Aborted transactions with records in what is read next."""
        for txn in aborted:
            if txn not in self._known:
                self._known.add(txn)
                heappush(self._expected, (txn.first_offset, txn))

    def _begin_up_to(self, offset: int) -> None:
        while self._expected and self._expected[0][0] <= offset:
            txn = heappop(self._expected)[1]
            self._aborting.setdefault(txn.producer_id, txn)

    def is_aborted(self, producer_id: int, last_offset: int, transactional: bool) -> bool:
        """Whether a batch of data belongs to an aborted transaction."""
        self._begin_up_to(last_offset)
        if not transactional:
            return False
        if producer_id in self._aborting:
            self._has_data.add(producer_id)
            return True
        self._committing.add(producer_id)
        return False

    def is_marker_needless(self, producer_id: int, last_offset: int, commit: bool | None) -> bool:
        """Whether nothing is left of the transaction that a marker ends; None is a marker of another kind."""
        self._begin_up_to(last_offset)
        if commit is None:
            return False
        if commit:
            had_data = producer_id in self._committing
            self._committing.discard(producer_id)
            return not had_data
        txn = self._aborting.pop(producer_id, None)
        if txn is None or producer_id not in self._has_data:
            return True
        self._has_data.discard(producer_id)
        self.kept_aborts.append(txn)
        return False

    def take_kept_aborts(self) -> list[AbortedTxn]:
        kept, self.kept_aborts = self.kept_aborts, []
        return kept
