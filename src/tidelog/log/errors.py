"""What can be wrong with a log itself, beside a peer's mistake (KafkaError) and a failing device (OSError)."""

from __future__ import annotations

from tidelog.protocol.records_validate import InvalidRecords, RecordError

__all__ = ["CorruptLogError", "InvalidRecords", "RecordError", "WouldBlock"]


class CorruptLogError(Exception):
    """Data that was written and flushed is damaged or gone. The log stays closed until a person decides."""


class WouldBlock(Exception):
    """The read needs the device; try again from a thread that may wait."""
