"""Metadata transactions: records between a begin and its end count together, or, when aborted, not at all."""

from __future__ import annotations

from collections.abc import Iterable

from tidelog.metadata.records import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
    MetadataRecord,
)


class TransactionFilter:
    """Holds back what is inside an open transaction."""

    def __init__(self) -> None:
        self._held: list[MetadataRecord] | None = None

    @property
    def open(self) -> bool:
        return self._held is not None

    def feed(self, records: Iterable[MetadataRecord]) -> list[MetadataRecord]:
        """The records that count now, in order."""
        ready: list[MetadataRecord] = []
        for record in records:
            if isinstance(record, BeginTransactionRecord):
                assert self._held is None, "a metadata transaction begins inside another"
                self._held = []
            elif isinstance(record, EndTransactionRecord):
                ready += self._held or ()
                self._held = None
            elif isinstance(record, AbortTransactionRecord):
                self._held = None
            elif self._held is not None:
                self._held.append(record)
            else:
                ready.append(record)
        return ready
