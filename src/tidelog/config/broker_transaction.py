"""Broker settings of transactions and producer ids."""

from __future__ import annotations

from tidelog.config.checks import Range
from tidelog.config.rows import BOOLEAN, CLUSTER_WIDE, HIGH, INT, LOW, READ_ONLY, SHORT, row

ROWS = (
    row("add.partitions.to.txn.retry.backoff.max.ms", INT, 100, Range(0), READ_ONLY, HIGH, ""),
    row("add.partitions.to.txn.retry.backoff.ms", INT, 20, Range(1), READ_ONLY, HIGH, ""),
    row("producer.id.expiration.check.interval.ms", INT, 600_000, Range(1), READ_ONLY, LOW, "", hidden=True),
    row("producer.id.expiration.ms", INT, 86_400_000, Range(1), CLUSTER_WIDE, LOW, ""),
    row("transaction.abort.timed.out.transaction.cleanup.interval.ms", INT, 10_000, Range(1), READ_ONLY, LOW, ""),
    row("transaction.max.timeout.ms", INT, 900_000, Range(1), READ_ONLY, HIGH, ""),
    row("transaction.partition.verification.enable", BOOLEAN, True, None, CLUSTER_WIDE, LOW, ""),
    row("transaction.remove.expired.transaction.cleanup.interval.ms", INT, 3_600_000, Range(1), READ_ONLY, LOW, ""),
    row("transaction.state.log.load.buffer.size", INT, 5_242_880, Range(1), READ_ONLY, HIGH, ""),
    row("transaction.state.log.min.isr", INT, 2, Range(1), READ_ONLY, HIGH, ""),
    row("transaction.state.log.num.partitions", INT, 50, Range(1), READ_ONLY, HIGH, ""),
    row("transaction.state.log.replication.factor", SHORT, 3, Range(1), READ_ONLY, HIGH, ""),
    row("transaction.state.log.segment.bytes", INT, 104_857_600, Range(1), READ_ONLY, HIGH, ""),
    row("transaction.two.phase.commit.enable", BOOLEAN, False, None, READ_ONLY, LOW, ""),
    row("transactional.id.expiration.ms", INT, 604_800_000, Range(1), READ_ONLY, HIGH, ""),
)
