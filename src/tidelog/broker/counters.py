"""What the broker has done, as plain integers that the metrics read."""

from __future__ import annotations


class BrokerCounters:
    __slots__ = ("fetched_bytes",)

    def __init__(self) -> None:
        self.fetched_bytes = 0
