"""Broker settings of tiered storage."""

from __future__ import annotations

from tidelog.config.checks import NonEmpty, Range
from tidelog.config.rows import BOOLEAN, CLUSTER_WIDE, DOUBLE, INT, LONG, LOW, MAX_LONG, MEDIUM, READ_ONLY, STRING, row

ROWS = (
    row("follower.fetch.last.tiered.offset.enable", BOOLEAN, False, None, CLUSTER_WIDE, MEDIUM, ""),
    row("remote.fetch.max.wait.ms", INT, 500, Range(1), CLUSTER_WIDE, MEDIUM, ""),
    row("remote.list.offsets.request.timeout.ms", LONG, 30_000, Range(1), CLUSTER_WIDE, MEDIUM, ""),
    row("remote.log.index.file.cache.total.size.bytes", LONG, 1_073_741_824, Range(1), CLUSTER_WIDE, LOW, ""),
    row("remote.log.index.file.cache.ttl.ms", LONG, 900_000, Range(-1), READ_ONLY, LOW, "", hidden=True),
    row("remote.log.manager.copier.thread.pool.size", INT, 10, Range(1), CLUSTER_WIDE, MEDIUM, ""),
    row("remote.log.manager.copy.max.bytes.per.second", LONG, MAX_LONG, Range(1), CLUSTER_WIDE, MEDIUM, ""),
    row("remote.log.manager.copy.quota.window.num", INT, 11, Range(1), READ_ONLY, MEDIUM, ""),
    row("remote.log.manager.copy.quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, MEDIUM, ""),
    row("remote.log.manager.expiration.thread.pool.size", INT, 10, Range(1), CLUSTER_WIDE, MEDIUM, ""),
    row("remote.log.manager.fetch.max.bytes.per.second", LONG, MAX_LONG, Range(1), CLUSTER_WIDE, MEDIUM, ""),
    row("remote.log.manager.fetch.quota.window.num", INT, 11, Range(1), READ_ONLY, MEDIUM, ""),
    row("remote.log.manager.fetch.quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, MEDIUM, ""),
    row("remote.log.manager.follower.thread.pool.size", INT, 2, Range(1), CLUSTER_WIDE, MEDIUM, ""),
    row("remote.log.manager.task.interval.ms", LONG, 30_000, Range(1), READ_ONLY, LOW, ""),
    row("remote.log.manager.task.retry.backoff.max.ms", LONG, 30_000, Range(1), READ_ONLY, LOW, "", hidden=True),
    row("remote.log.manager.task.retry.backoff.ms", LONG, 500, Range(1), READ_ONLY, LOW, "", hidden=True),
    row("remote.log.manager.task.retry.jitter", DOUBLE, 0.2, Range(0, 0.5), READ_ONLY, LOW, "", hidden=True),
    row("remote.log.manager.thread.pool.size", INT, 2, Range(1), READ_ONLY, MEDIUM, ""),
    row("remote.log.metadata.custom.metadata.max.bytes", INT, 128, Range(0), READ_ONLY, LOW, ""),
    row(
        "remote.log.metadata.manager.class.name",
        STRING,
        "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
        NonEmpty(),
        READ_ONLY,
        MEDIUM,
        "",
    ),
    row("remote.log.metadata.manager.class.path", STRING, None, None, READ_ONLY, MEDIUM, ""),
    row("remote.log.metadata.manager.impl.prefix", STRING, "rlmm.config.", NonEmpty(), READ_ONLY, MEDIUM, ""),
    row("remote.log.metadata.manager.listener.name", STRING, None, NonEmpty(), READ_ONLY, MEDIUM, ""),
    row("remote.log.reader.max.pending.tasks", INT, 100, Range(1), READ_ONLY, MEDIUM, ""),
    row("remote.log.reader.threads", INT, 10, Range(1), CLUSTER_WIDE, MEDIUM, ""),
    row("remote.log.storage.manager.class.name", STRING, None, NonEmpty(), READ_ONLY, MEDIUM, ""),
    row("remote.log.storage.manager.class.path", STRING, None, None, READ_ONLY, MEDIUM, ""),
    row("remote.log.storage.manager.impl.prefix", STRING, "rsm.config.", NonEmpty(), READ_ONLY, MEDIUM, ""),
    row("remote.log.storage.system.enable", BOOLEAN, False, None, READ_ONLY, MEDIUM, ""),
)
