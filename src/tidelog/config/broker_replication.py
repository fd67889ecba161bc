"""Broker settings of replication, elections and their quotas."""

from __future__ import annotations

from tidelog.config.checks import Range
from tidelog.config.rows import BOOLEAN, CLUSTER_WIDE, HIGH, INT, LONG, LOW, MEDIUM, READ_ONLY, STRING, row

ROWS = (
    row("alter.log.dirs.replication.quota.window.num", INT, 11, Range(1), READ_ONLY, LOW, ""),
    row("alter.log.dirs.replication.quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, LOW, ""),
    row("auto.leader.rebalance.enable", BOOLEAN, True, None, READ_ONLY, HIGH, ""),
    row("default.replication.factor", INT, 1, None, READ_ONLY, MEDIUM, ""),
    row("leader.imbalance.check.interval.seconds", LONG, 300, Range(1), READ_ONLY, HIGH, ""),
    row("min.insync.replicas", INT, 1, Range(1), CLUSTER_WIDE, HIGH, ""),
    row("num.replica.alter.log.dirs.threads", INT, None, None, READ_ONLY, HIGH, ""),
    row("num.replica.fetchers", INT, 1, Range(1), CLUSTER_WIDE, HIGH, ""),
    row("quota.window.num", INT, 11, Range(1), READ_ONLY, LOW, ""),
    row("quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, LOW, ""),
    row("replica.fetch.backoff.ms", INT, 1000, Range(0), READ_ONLY, MEDIUM, ""),
    row("replica.fetch.max.bytes", INT, 1_048_576, Range(0), READ_ONLY, MEDIUM, ""),
    row("replica.fetch.min.bytes", INT, 1, None, READ_ONLY, HIGH, ""),
    row("replica.fetch.response.max.bytes", INT, 10_485_760, Range(0), READ_ONLY, MEDIUM, ""),
    row("replica.fetch.wait.max.ms", INT, 500, None, READ_ONLY, HIGH, ""),
    row("replica.high.watermark.checkpoint.interval.ms", LONG, 5000, None, READ_ONLY, HIGH, ""),
    row("replica.lag.time.max.ms", LONG, 30_000, None, READ_ONLY, HIGH, ""),
    row("replica.selector.class", STRING, None, None, READ_ONLY, MEDIUM, ""),
    row("replica.socket.receive.buffer.bytes", INT, 65_536, None, READ_ONLY, HIGH, ""),
    row("replica.socket.timeout.ms", INT, 30_000, None, READ_ONLY, HIGH, ""),
    row("replication.quota.window.num", INT, 11, Range(1), READ_ONLY, LOW, ""),
    row("replication.quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, LOW, ""),
    row("unclean.leader.election.enable", BOOLEAN, False, None, CLUSTER_WIDE, HIGH, ""),
    row("unclean.leader.election.interval.ms", LONG, 300_000, Range(1), READ_ONLY, MEDIUM, "", hidden=True),
)
