"""Control records that end a transaction."""

from __future__ import annotations

import struct
from typing import NamedTuple

from tidelog.ports import Buffer
from tidelog.protocol.record_batch import CONTROL_KEY, decode_records, usual_marker

_VALUE = struct.Struct(">hi")
ABORT = 0
COMMIT = 1


class Marker(NamedTuple):
    commit: bool
    coordinator_epoch: int


def read_marker(batch: Buffer) -> Marker | None:
    """The marker in a control batch, or None when it holds another kind of control record."""
    usual = usual_marker(batch)
    if usual is not None:
        return Marker(usual[0] == COMMIT, usual[1]) if usual[0] in (ABORT, COMMIT) else None
    records = decode_records(batch)
    if not records or records[0].key is None or records[0].value is None or len(records[0].key) < CONTROL_KEY.size:
        return None
    _, kind = CONTROL_KEY.unpack_from(records[0].key)
    if kind not in (ABORT, COMMIT) or len(records[0].value) < _VALUE.size:
        return None
    return Marker(kind == COMMIT, _VALUE.unpack_from(records[0].value)[1])


def marker_records(commit: bool, coordinator_epoch: int) -> tuple[bytes, bytes]:
    """Key and value of a marker."""
    return CONTROL_KEY.pack(0, COMMIT if commit else ABORT), _VALUE.pack(0, coordinator_epoch)
