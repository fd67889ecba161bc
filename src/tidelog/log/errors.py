"""What can be wrong with a log itself, beside a peer's mistake (KafkaError) and a failing device (OSError)."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.protocol.errors import ErrorCode, KafkaError


class RecordError(NamedTuple):
    """One bad record of a produced batch, as the produce response names it."""

    batch_index: int
    message: str


class InvalidRecords(KafkaError):
    """A produced batch that is whole but not allowed; `record_errors` says which records."""

    def __init__(
        self, message: str, code: ErrorCode = ErrorCode.INVALID_RECORD, record_errors: tuple[RecordError, ...] = ()
    ):
        super().__init__(code, message)
        self.record_errors = record_errors


class CorruptLogError(Exception):
    """Data that was written and flushed is damaged or gone. The log stays closed until a person decides."""


class WouldBlock(Exception):
    """The read needs the device; try again from a thread that may wait."""
