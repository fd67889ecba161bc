"""Broker settings of transactions and producer ids."""

from __future__ import annotations

from tidelog.config.checks import Range
from tidelog.config.rows import BOOLEAN, CLUSTER_WIDE, HIGH, INT, LOW, READ_ONLY, SHORT, row

# fmt: off
ROWS = (
    row("add.partitions.to.txn.retry.backoff.max.ms", INT, 100, Range(0), READ_ONLY, HIGH,
        "The longest wait before a broker asks the transaction coordinator again to add partitions."),
    row("add.partitions.to.txn.retry.backoff.ms", INT, 20, Range(1), READ_ONLY, HIGH,
        "The first wait before a broker asks the transaction coordinator again to add partitions."),
    row("producer.id.expiration.check.interval.ms", INT, 600_000, Range(1), READ_ONLY, LOW,
        "How often expired producer ids are looked for.", hidden=True),
    row("producer.id.expiration.ms", INT, 86_400_000, Range(1), CLUSTER_WIDE, LOW,
        "A producer that writes nothing for this long is forgotten."),
    row("transaction.abort.timed.out.transaction.cleanup.interval.ms", INT, 10_000, Range(1), READ_ONLY, LOW,
        "How often transactions past their timeout are looked for."),
    row("transaction.max.timeout.ms", INT, 900_000, Range(1), READ_ONLY, HIGH,
        "The longest transaction timeout that a producer can ask for."),
    row("transaction.partition.verification.enable", BOOLEAN, True, None, CLUSTER_WIDE, LOW,
        "Whether a partition asks the coordinator if a transaction is really under way before it takes its "
        "records."),
    row("transaction.remove.expired.transaction.cleanup.interval.ms", INT, 3_600_000, Range(1), READ_ONLY, LOW,
        "How often transactional ids that expired are looked for."),
    row("transaction.state.log.load.buffer.size", INT, 5_242_880, Range(1), READ_ONLY, HIGH,
        "Bytes read at a time when a coordinator loads its transactions."),
    row("transaction.state.log.min.isr", INT, 2, Range(1), READ_ONLY, HIGH,
        "`min.insync.replicas` of the transaction state topic."),
    row("transaction.state.log.num.partitions", INT, 50, Range(1), READ_ONLY, HIGH,
        "Partitions of the transaction state topic; fixed once it exists."),
    row("transaction.state.log.replication.factor", SHORT, 3, Range(1), READ_ONLY, HIGH,
        "Replicas of the transaction state topic."),
    row("transaction.state.log.segment.bytes", INT, 104_857_600, Range(1), READ_ONLY, HIGH,
        "The segment size of the transaction state topic."),
    row("transaction.two.phase.commit.enable", BOOLEAN, False, None, READ_ONLY, LOW,
        "Whether producers may take part in transactions that another system decides."),
    row("transactional.id.expiration.ms", INT, 604_800_000, Range(1), READ_ONLY, HIGH,
        "A transactional id without a transaction for this long is forgotten."),
)
