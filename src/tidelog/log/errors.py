"""What can be wrong with a log itself, beside a peer's mistake (KafkaError) and a failing device (OSError)."""

from __future__ import annotations

import errno

from tidelog.protocol.records_validate import InvalidRecords, RecordError

__all__ = ["FULL", "CorruptLogError", "InvalidRecords", "RecordError", "WouldBlock", "is_of_device"]

FULL = (errno.ENOSPC, errno.EDQUOT)
# What a read may end with on a disk that is well: its file was deleted or closed meanwhile, or too much is open.
_NOT_THE_DEVICE = (None, errno.ENOENT, errno.EBADF, errno.EMFILE, errno.ENFILE, errno.ENOMEM, *FULL)


def is_of_device(error: OSError) -> bool:
    """Whether a read that ended so means that the device has failed."""
    return error.errno not in _NOT_THE_DEVICE


class CorruptLogError(Exception):
    """Data that was written and flushed is damaged or gone. The log stays closed until a person decides."""


class WouldBlock(Exception):
    """The read needs the device; try again from a thread that may wait."""
