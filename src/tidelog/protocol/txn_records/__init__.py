"""The records of `__transaction_state`, transaction markers, and the producer snapshot.

Generated from schemas/ by `./dev gen`: do not edit. Each class is imported when it is first asked for.
"""

# ruff: noqa
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidelog.protocol.primitives import Message

    from tidelog.protocol.txn_records.control_record_type_schema import (
        ControlRecordTypeSchema as ControlRecordTypeSchema,
    )
    from tidelog.protocol.txn_records.end_txn_marker import EndTxnMarker as EndTxnMarker
    from tidelog.protocol.txn_records.producer_snapshot import ProducerSnapshot as ProducerSnapshot
    from tidelog.protocol.txn_records.transaction_log import TransactionLogKey as TransactionLogKey
    from tidelog.protocol.txn_records.transaction_log import TransactionLogValue as TransactionLogValue

_MODULES = {
    "ControlRecordTypeSchema": "control_record_type_schema",
    "EndTxnMarker": "end_txn_marker",
    "ProducerSnapshot": "producer_snapshot",
    "TransactionLogKey": "transaction_log",
    "TransactionLogValue": "transaction_log",
}

# The key type's number, and the class that reads it.
KEYS = {
    0: "TransactionLogKey",
}

# The value type's number, and the class that reads it.
VALUES = {
    0: "TransactionLogValue",
}


def __getattr__(name: str) -> type[Message]:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: type[Message] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
