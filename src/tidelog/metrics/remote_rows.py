"""The metrics of tiered storage: those of a node where it is not switched on are 0, or have no samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tidelog.metrics.row import Kind, Row, Sample

_PARTITION = ("topic", "partition")
_C, _G = Kind.COUNTER, Kind.GAUGE


def _remote(value: Callable[[Any], float]) -> Callable[[Any], float]:
    return lambda node: 0 if node.broker.remote is None else value(node.broker.remote)


def _latencies(node: Any) -> Iterable[Sample]:
    remote = node.broker.remote
    bands = {} if remote is None else remote.reader.counters.latencies_ms
    return [((str(band) if band < 1 << 40 else "more",), count) for band, count in bands.items()]


def _partitions(value: Callable[[Any, Any], float]) -> Callable[[Any], Iterable[Sample]]:
    def read(node: Any) -> Iterable[Sample]:
        remote = node.broker.remote
        tiered = [] if remote is None else [each for each in node.broker.partitions if each.log.config.remote_storage]
        known = [(each, remote.reads.known(each)) for each in tiered]
        return [((each.topic, str(each.index)), value(each, found)) for each, found in known if found is not None]

    return read


# fmt: off
ROWS: tuple[Row, ...] = (
    Row("tidelog_remote_copied_bytes", _C, "Bytes of segments copied to remote storage.",
        _remote(lambda it: it.tier.counters.copied_bytes)),
    Row("tidelog_remote_copied_segments", _C, "Segments copied to remote storage.",
        _remote(lambda it: it.tier.counters.copied_segments)),
    Row("tidelog_remote_copy_errors", _C, "Copies to remote storage that failed; they are tried again.",
        _remote(lambda it: it.tier.counters.copy_errors)),
    Row("tidelog_remote_deleted_segments", _C, "Segments deleted from remote storage.",
        _remote(lambda it: it.tier.counters.deleted_segments)),
    Row("tidelog_remote_delete_errors", _C, "Deletions from remote storage that failed; they are tried again.",
        _remote(lambda it: it.tier.counters.delete_errors)),
    Row("tidelog_remote_stray_objects", _C, "Objects removed that no segment refers to.",
        _remote(lambda it: it.tier.counters.strays)),
    Row("tidelog_remote_read_requests", _C, "Requests for data to remote storage.",
        _remote(lambda it: it.reader.counters.requests)),
    Row("tidelog_remote_read_bytes", _C, "Bytes read from remote storage.",
        _remote(lambda it: it.reader.counters.bytes)),
    Row("tidelog_remote_read_errors", _C, "Reads from remote storage that failed.",
        _remote(lambda it: it.reader.counters.errors)),
    Row("tidelog_remote_read_milliseconds", _C,
        "Requests to remote storage that took up to so many milliseconds, and longer than the band before.",
        _latencies, ("up_to",)),
    Row("tidelog_remote_reads_pending", _G, "Reads from remote storage under way or waiting.",
        _remote(lambda it: it.reader.pending)),
    Row("tidelog_remote_cache_bytes", _G, "Bytes of remote segments on local disk.",
        _remote(lambda it: it.cache.used_bytes)),
    Row("tidelog_partition_remote_bytes", _G, "Bytes of the partition in remote storage.",
        _partitions(lambda each, known: known.size_bytes), _PARTITION),
    Row("tidelog_partition_remote_lag_offsets", _G,
        "Committed offsets of the partition that are not in remote storage yet.",
        _partitions(lambda each, known: max(0, each.high_watermark - each.log.tiered_offset)), _PARTITION),
)
# fmt: on
