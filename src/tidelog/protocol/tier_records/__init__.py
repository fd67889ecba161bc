"""The records of `__remote_log_metadata`.

Generated from schemas/ by `./dev gen`: do not edit. Each class is imported when it is first asked for.
"""

# ruff: noqa
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidelog.protocol.primitives import Message

    from tidelog.protocol.tier_records.remote_log_segment_metadata_record import (
        RemoteLogSegmentMetadataRecord as RemoteLogSegmentMetadataRecord,
    )
    from tidelog.protocol.tier_records.remote_log_segment_metadata_snapshot_record import (
        RemoteLogSegmentMetadataSnapshotRecord as RemoteLogSegmentMetadataSnapshotRecord,
    )
    from tidelog.protocol.tier_records.remote_log_segment_metadata_update_record import (
        RemoteLogSegmentMetadataUpdateRecord as RemoteLogSegmentMetadataUpdateRecord,
    )
    from tidelog.protocol.tier_records.remote_partition_delete_metadata_record import (
        RemotePartitionDeleteMetadataRecord as RemotePartitionDeleteMetadataRecord,
    )

_MODULES = {
    "RemoteLogSegmentMetadataRecord": "remote_log_segment_metadata_record",
    "RemoteLogSegmentMetadataSnapshotRecord": "remote_log_segment_metadata_snapshot_record",
    "RemoteLogSegmentMetadataUpdateRecord": "remote_log_segment_metadata_update_record",
    "RemotePartitionDeleteMetadataRecord": "remote_partition_delete_metadata_record",
}

# The record type's number, and the class that reads it.
RECORDS = {
    0: "RemoteLogSegmentMetadataRecord",
    1: "RemoteLogSegmentMetadataUpdateRecord",
    2: "RemotePartitionDeleteMetadataRecord",
    3: "RemoteLogSegmentMetadataSnapshotRecord",
}


def __getattr__(name: str) -> type[Message]:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: type[Message] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
