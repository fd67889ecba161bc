"""Broker settings of replication, elections and their quotas."""

from __future__ import annotations

from tidelog.config.checks import Range
from tidelog.config.rows import BOOLEAN, CLUSTER_WIDE, HIGH, INT, LONG, LOW, MEDIUM, READ_ONLY, STRING, row

# fmt: off
ROWS = (
    row("alter.log.dirs.replication.quota.window.num", INT, 11, Range(1), READ_ONLY, LOW,
        "How many time windows the quota for moves between log directories looks at."),
    row("alter.log.dirs.replication.quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, LOW,
        "The length of one such window."),
    row("auto.leader.rebalance.enable", BOOLEAN, True, None, READ_ONLY, HIGH,
        "Whether leadership goes back to the first replica of a partition once that is in sync again."),
    row("default.replication.factor", INT, 1, None, READ_ONLY, MEDIUM,
        "Replicas of a new topic when its creator does not say."),
    row("leader.imbalance.check.interval.seconds", LONG, 300, Range(1), READ_ONLY, HIGH,
        "How often the controller looks for partitions that are not led by their first replica."),
    row("min.insync.replicas", INT, 1, Range(1), CLUSTER_WIDE, HIGH,
        "With acks=all a write needs this many replicas in sync, or it is refused."),
    row("num.replica.alter.log.dirs.threads", INT, None, None, READ_ONLY, HIGH,
        "Threads that move replicas between log directories. Accepted; they share the pool for blocking work."),
    row("num.replica.fetchers", INT, 1, Range(1), CLUSTER_WIDE, HIGH,
        "Connections that a follower keeps to each leader."),
    row("quota.window.num", INT, 11, Range(1), READ_ONLY, LOW,
        "How many time windows client quotas look at."),
    row("quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, LOW,
        "The length of one such window."),
    row("replica.fetch.backoff.ms", INT, 1000, Range(0), READ_ONLY, MEDIUM,
        "The wait before a follower tries a failed fetch again."),
    row("replica.fetch.max.bytes", INT, 1_048_576, Range(0), READ_ONLY, MEDIUM,
        "Bytes that a follower asks for from one partition; a larger first batch is sent all the same."),
    row("replica.fetch.min.bytes", INT, 1, None, READ_ONLY, HIGH,
        "A leader answers a follower once it has this many bytes, or the wait is over."),
    row("replica.fetch.response.max.bytes", INT, 10_485_760, Range(0), READ_ONLY, MEDIUM,
        "Bytes that a follower asks for in one answer."),
    row("replica.fetch.wait.max.ms", INT, 500, None, READ_ONLY, HIGH,
        "How long a leader lets a follower wait for new data."),
    row("replica.high.watermark.checkpoint.interval.ms", LONG, 5000, None, READ_ONLY, HIGH,
        "How often high watermarks are written down."),
    row("replica.lag.time.max.ms", LONG, 30_000, None, READ_ONLY, HIGH,
        "A follower that has not caught up for this long leaves the in-sync replicas."),
    row("replica.selector.class", STRING, None, None, READ_ONLY, MEDIUM,
        "The class that picks the replica for a read. `org.apache.kafka.common.replica.RackAwareReplicaSelector` "
        "sends clients to a replica in their rack."),
    row("replica.socket.receive.buffer.bytes", INT, 65_536, None, READ_ONLY, HIGH,
        "The receive buffer of a follower's connections."),
    row("replica.socket.timeout.ms", INT, 30_000, None, READ_ONLY, HIGH,
        "How long a follower waits for an answer."),
    row("replication.quota.window.num", INT, 11, Range(1), READ_ONLY, LOW,
        "How many time windows the replication quota looks at."),
    row("replication.quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, LOW,
        "The length of one such window."),
    row("unclean.leader.election.enable", BOOLEAN, False, None, CLUSTER_WIDE, HIGH,
        "Whether a replica that is not in sync may lead when no other is left; records can be lost then."),
    row("unclean.leader.election.interval.ms", LONG, 300_000, Range(1), READ_ONLY, MEDIUM,
        "How often the controller looks for partitions that need such a leader.", hidden=True),
)
