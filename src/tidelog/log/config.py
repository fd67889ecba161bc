"""What one log needs to know of its topic's settings, as plain attributes for the hot path."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tidelog.protocol.compression import Codec

MAX_LONG = 2**63 - 1
CODECS = {
    "uncompressed": Codec.NONE,
    "gzip": Codec.GZIP,
    "snappy": Codec.SNAPPY,
    "lz4": Codec.LZ4,
    "zstd": Codec.ZSTD,
}


@dataclass(frozen=True, slots=True)
class LogConfig:
    segment_bytes: int = 1_073_741_824
    segment_ms: int = 604_800_000
    segment_jitter_ms: int = 0
    segment_index_bytes: int = 10_485_760
    index_interval_bytes: int = 4096
    preallocate: bool = False
    flush_messages: int = MAX_LONG
    flush_ms: int = MAX_LONG
    retention_ms: int = 604_800_000
    retention_bytes: int = -1
    delete: bool = True
    compact: bool = False
    file_delete_delay_ms: int = 60_000
    max_message_bytes: int = 1_048_588
    log_append_time: bool = False
    timestamp_before_max_ms: int = MAX_LONG
    timestamp_after_max_ms: int = 3_600_000
    compression: Codec | None = None  # None keeps what the producer chose
    compression_level: int | None = None
    check_records: bool = True  # False trusts the batch header and the CRC
    inflated_bytes_max: int = 134_217_728
    producer_ids_max: int = 100_000
    remote_storage: bool = False
    remote_copy_disable: bool = False
    remote_delete_on_disable: bool = False
    local_retention_ms: int = -2
    local_retention_bytes: int = -2
    delete_retention_ms: int = 86_400_000
    min_compaction_lag_ms: int = 0
    max_compaction_lag_ms: int = MAX_LONG
    min_cleanable_dirty_ratio: float = 0.5
    roll_ms: int = dataclasses.field(init=False, default=0)  # when a segment is closed, whether it is full or not

    def __post_init__(self) -> None:
        """A compacted log closes its segments in time for the longest that a record may stay uncompacted."""
        is_bound = self.compact and self.max_compaction_lag_ms > 0
        roll_ms = min(self.segment_ms, self.max_compaction_lag_ms) if is_bound else self.segment_ms
        object.__setattr__(self, "roll_ms", roll_ms)

    @property
    def kept_locally(self) -> tuple[int, int]:
        """For how many milliseconds and bytes the local copy of what is also remote stays; -1 sets no limit."""
        ms, size = self.local_retention_ms, self.local_retention_bytes
        if self.remote_copy_disable:
            return self.retention_ms, self.retention_bytes
        return self.retention_ms if ms == -2 else ms, self.retention_bytes if size == -2 else size

    @classmethod
    def from_settings(cls, values: Mapping[str, Any]) -> LogConfig:
        """From typed values by Kafka's topic setting names; a missing one keeps its default."""
        known = {field: values[name] for name, field in _FIELDS.items() if values.get(name) is not None}
        if values.get("internal.segment.bytes") is not None:
            known["segment_bytes"] = values["internal.segment.bytes"]
        policies = values.get("cleanup.policy")
        if policies is not None:
            known |= {"delete": "delete" in policies, "compact": "compact" in policies}
        codec = CODECS.get(values.get("compression.type") or "producer")
        level = values.get(f"compression.{codec.name.lower()}.level") if codec else None
        return cls(
            **known,
            log_append_time=values.get("message.timestamp.type") == "LogAppendTime",
            compression=codec,
            compression_level=level,
            check_records=values.get("tidelog.record.check") != "header",
        )


_FIELDS = {
    "segment.bytes": "segment_bytes",
    "segment.ms": "segment_ms",
    "segment.jitter.ms": "segment_jitter_ms",
    "segment.index.bytes": "segment_index_bytes",
    "index.interval.bytes": "index_interval_bytes",
    "preallocate": "preallocate",
    "flush.messages": "flush_messages",
    "flush.ms": "flush_ms",
    "retention.ms": "retention_ms",
    "retention.bytes": "retention_bytes",
    "file.delete.delay.ms": "file_delete_delay_ms",
    "max.message.bytes": "max_message_bytes",
    "message.timestamp.before.max.ms": "timestamp_before_max_ms",
    "message.timestamp.after.max.ms": "timestamp_after_max_ms",
    "remote.storage.enable": "remote_storage",
    "remote.log.copy.disable": "remote_copy_disable",
    "remote.log.delete.on.disable": "remote_delete_on_disable",
    "local.retention.ms": "local_retention_ms",
    "local.retention.bytes": "local_retention_bytes",
    "tidelog.max.decompressed.batch.bytes": "inflated_bytes_max",
    "tidelog.max.producer.ids.per.partition": "producer_ids_max",
    "delete.retention.ms": "delete_retention_ms",
    "min.compaction.lag.ms": "min_compaction_lag_ms",
    "max.compaction.lag.ms": "max_compaction_lag_ms",
    "min.cleanable.dirty.ratio": "min_cleanable_dirty_ratio",
}
