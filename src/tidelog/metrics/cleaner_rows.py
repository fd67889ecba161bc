"""Metrics of compaction. What Apache's nodes measure too has the name that their JMX name becomes in Prometheus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tidelog.metrics.row import Kind, Row, Sample

_C, _G = Kind.COUNTER, Kind.GAUGE
_MANAGER = "kafka_log_logcleanermanager_"
_CLEANER = "kafka_log_logcleaner_"


def _ratios(node: Any) -> Iterable[Sample]:
    return [
        ((log.partition.topic, str(log.partition.partition)), part.ratio) for log, part in node.cleaner.dirty_parts()
    ]


def _dirty_bytes(node: Any) -> Iterable[Sample]:
    return [
        ((log.partition.topic, str(log.partition.partition)), part.dirty_bytes)
        for log, part in node.cleaner.dirty_parts()
    ]


def _uncleanable(node: Any) -> Iterable[Sample]:
    given_up = node.cleaner.uncleanable
    return [((each.path,), sum(tp in given_up for tp in each.logs)) for each in node.logs.disks]


def _uncleanable_bytes(node: Any) -> Iterable[Sample]:
    given_up = node.cleaner.uncleanable
    return [
        ((each.path,), sum(log.size for tp, log in each.logs.items() if tp in given_up)) for each in node.logs.disks
    ]


ROWS: tuple[Row, ...] = (
    Row(
        _MANAGER + "max_dirty_percent",
        _G,
        "The largest share of dirt in a compacted log, in percent.",
        lambda it: 100 * it.cleaner.totals.max_dirty_ratio,
    ),
    Row(
        _MANAGER + "time_since_last_run_ms",
        _G,
        "Since the cleaner last looked for a log to compact.",
        lambda it: it.clock.monotonic_ms() - it.cleaner.totals.last_run_ms,
    ),
    Row(
        _MANAGER + "uncleanable_partitions_count",
        _G,
        "Partitions that are not compacted because something in them is damaged.",
        _uncleanable,
        ("logDirectory",),
    ),
    Row(
        _MANAGER + "uncleanable_bytes",
        _G,
        "Bytes of partitions that are not compacted because something in them is damaged.",
        _uncleanable_bytes,
        ("logDirectory",),
    ),
    Row(
        _CLEANER + "max_buffer_utilization_percent",
        _G,
        "How full the key map of the last compaction was, in percent.",
        lambda it: 100 * it.cleaner.totals.last_map_utilization,
    ),
    Row(
        _CLEANER + "cleaner_recopy_percent",
        _G,
        "How much of what the last compaction read it wrote again, in percent.",
        lambda it: 100 * it.cleaner.totals.last_recopy_ratio,
    ),
    Row(
        _CLEANER + "max_clean_time_secs",
        _G,
        "How long the last compaction took.",
        lambda it: it.cleaner.totals.last_time_ms / 1000,
    ),
    Row(
        _CLEANER + "max_compaction_delay_secs",
        _G,
        "How long a record has waited for its compaction beyond max.compaction.lag.ms.",
        lambda it: it.cleaner.totals.max_compaction_delay_ms / 1000,
    ),
    Row("tidelog_compactions", _C, "Compactions of one log that were completed.", lambda it: it.cleaner.totals.runs),
    Row(
        "tidelog_compaction_read_bytes", _C, "Bytes that compaction has read.", lambda it: it.cleaner.totals.read_bytes
    ),
    Row(
        "tidelog_compaction_written_bytes",
        _C,
        "Bytes that compaction has written.",
        lambda it: it.cleaner.totals.written_bytes,
    ),
    Row(
        "tidelog_compaction_seconds",
        _C,
        "Time that compactions have taken.",
        lambda it: it.cleaner.totals.time_ms / 1000,
    ),
    Row(
        "tidelog_partition_dirty_ratio",
        _G,
        "The share of a compacted log that has not been compacted yet.",
        _ratios,
        ("topic", "partition"),
    ),
    Row(
        "tidelog_partition_dirty_bytes",
        _G,
        "Bytes of a compacted log that could be compacted now.",
        _dirty_bytes,
        ("topic", "partition"),
    ),
)
