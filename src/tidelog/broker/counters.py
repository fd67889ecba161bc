"""What the broker has done, as plain integers that the metrics read."""

from __future__ import annotations


class BrokerCounters:
    __slots__ = ("appended_bytes", "appended_records", "failed_fetches", "failed_produces", "fetched_bytes")

    def __init__(self) -> None:
        self.appended_bytes = self.appended_records = self.fetched_bytes = 0
        self.failed_produces = self.failed_fetches = 0
