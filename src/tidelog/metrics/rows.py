"""Every metric of a node, one row each: name, kind, meaning, labels, and where its value is read.

Nothing is counted here. The hot paths keep plain integers; a scrape reads them through these rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tidelog.metrics.remote_rows import ROWS as REMOTE_ROWS
from tidelog.metrics.replication_rows import ROWS as REPLICATION_ROWS
from tidelog.metrics.row import Kind, Row, Sample


def _per_partition(value: Callable[[Any], float]) -> Callable[[Any], Iterable[Sample]]:
    def read(node: Any) -> Iterable[Sample]:
        return [((each.topic, str(each.index)), value(each)) for each in node.broker.partitions]

    return read


def _requests(node: Any) -> Iterable[Sample]:
    return [((api.name,), node.server.requests[key]) for key, api in node.server.apis.items()]


def _directories(node: Any) -> Iterable[Sample]:
    return [((each.path,), each.offline is not None) for each in node.logs.disks]


def _appended(node: Any) -> Iterable[Sample]:
    topics = node.broker.partitions.by_name.items()
    return [((topic,), sum(each.appended_bytes for each in found.values())) for topic, found in topics]


def _without_leader(node: Any) -> int:
    if not node.metadata.is_active:
        return 0
    topics = node.metadata.image.topics.by_id.values()
    return sum(partition.leader < 0 for topic in topics for partition in topic.partitions)


_PARTITION = ("topic", "partition")
_C, _G = Kind.COUNTER, Kind.GAUGE

ROWS: tuple[Row, ...] = (
    Row("tidelog_received_bytes", _C, "Bytes received from clients.", lambda it: it.network.counters.received_bytes),
    Row("tidelog_sent_bytes", _C, "Bytes sent to clients.", lambda it: it.network.counters.sent_bytes),
    Row(
        "tidelog_sendfile_bytes",
        _C,
        "Bytes that went from a log file to a socket without passing through this process.",
        lambda it: it.network.counters.sendfile_bytes,
    ),
    Row(
        "tidelog_cold_reads",
        _C,
        "Ranges of log files that were not in memory and were read by a thread first.",
        lambda it: it.network.counters.cold_reads,
    ),
    Row("tidelog_requests", _C, "Requests taken, by API.", _requests, ("api",)),
    Row("tidelog_connections", _G, "Open connections.", lambda it: it.server.admission.open),
    Row(
        "tidelog_connections_refused",
        _C,
        "Connections refused because a limit was reached.",
        lambda it: it.server.admission.refused,
    ),
    Row(
        "tidelog_peers_cut_off",
        _C,
        "Connections closed because the peer did not speak the protocol, or was refused.",
        lambda it: it.server.refusals,
    ),
    Row(
        "tidelog_request_memory_bytes",
        _G,
        "Memory set aside for requests that have not arrived whole.",
        lambda it: it.server.buffers.used_bytes,
    ),
    Row(
        "tidelog_loop_lag_seconds",
        _G,
        "How late the event loop was at its last tick; work that blocks it shows here.",
        lambda it: it.server.lag_ms / 1000,
    ),
    Row("tidelog_appended_bytes", _C, "Bytes appended to the partitions of a topic.", _appended, ("topic",)),
    Row("tidelog_fetched_bytes", _C, "Bytes of records given to readers.", lambda it: it.broker.counters.fetched_bytes),
    Row("tidelog_partitions", _G, "Partitions hosted here.", lambda it: len(it.broker.partitions)),
    Row(
        "tidelog_partitions_led",
        _G,
        "Partitions led by this node.",
        lambda it: sum(each.leader is not None for each in it.broker.partitions),
    ),
    Row(
        "tidelog_partition_log_start_offset",
        _G,
        "The first offset a reader can get.",
        _per_partition(lambda each: each.log.log_start_offset),
        _PARTITION,
    ),
    Row(
        "tidelog_partition_log_end_offset",
        _G,
        "The offset the next record gets.",
        _per_partition(lambda each: each.log.log_end_offset),
        _PARTITION,
    ),
    Row(
        "tidelog_partition_high_watermark",
        _G,
        "The offset up to which readers see records.",
        _per_partition(lambda each: each.high_watermark),
        _PARTITION,
    ),
    Row(
        "tidelog_partition_size_bytes",
        _G,
        "Bytes of the partition's segments.",
        _per_partition(lambda each: each.log.size),
        _PARTITION,
    ),
    Row(
        "tidelog_partition_producers",
        _G,
        "Producer ids that the partition remembers.",
        _per_partition(lambda each: len(each.log.producers.entries)),
        _PARTITION,
    ),
    Row(
        "tidelog_waiting_fetches",
        _G,
        "Fetches that wait for records, counted once for each partition they wait on.",
        lambda it: sum(len(each.watchers) + len(each.replica_watchers) for each in it.broker.partitions),
    ),
    Row(
        "tidelog_waiting_acknowledgements",
        _G,
        "Appended batches that wait to be replicated before they are acknowledged.",
        lambda it: sum(len(each.commit_waiters) for each in it.broker.partitions),
    ),
    Row("tidelog_fetch_sessions", _G, "Fetch sessions kept.", lambda it: len(it.broker.fetch_sessions)),
    Row(
        "tidelog_fetch_session_partitions",
        _G,
        "Partitions in the fetch sessions kept.",
        lambda it: it.broker.fetch_sessions.partitions,
    ),
    Row(
        "tidelog_fetch_session_evictions",
        _C,
        "Fetch sessions dropped to make room for others.",
        lambda it: it.broker.fetch_sessions.evictions,
    ),
    Row("tidelog_log_directory_offline", _G, "1 for a log directory that has failed.", _directories, ("directory",)),
    Row(
        "tidelog_metadata_offset",
        _G,
        "The last record of the metadata log that is applied here.",
        lambda it: it.metadata.image.provenance.offset,
    ),
    Row(
        "tidelog_brokers",
        _G,
        "Brokers registered and not fenced.",
        lambda it: len(it.metadata.image.cluster.live_brokers()),
    ),
    Row(
        "tidelog_active_controller",
        _G,
        "1 while the controller of this node leads the quorum.",
        lambda it: int(it.metadata.is_active),
    ),
    Row(
        "tidelog_fenced_brokers",
        _G,
        "Brokers registered and fenced.",
        lambda it: sum(each.fenced for each in it.metadata.image.cluster.brokers.values()),
    ),
    Row(
        "tidelog_partitions_without_leader",
        _G,
        "Partitions of the cluster that nobody leads; told by the active controller.",
        _without_leader,
    ),
    Row("tidelog_topics", _G, "Topics of the cluster.", lambda it: len(it.metadata.image.topics.by_id)),
    *REPLICATION_ROWS,
    *REMOTE_ROWS,
)
