"""Broker settings of consumer groups and their offsets topic."""

from __future__ import annotations

from tidelog.config.checks import EachOf, NoDoubles, OneOf, Range
from tidelog.config.rows import CLUSTER_WIDE, HIGH, INT, LIST, LONG, MAX_INT, MEDIUM, READ_ONLY, SHORT, STRING, row

ROWS = (
    row("group.consumer.assignment.interval.ms", INT, 1000, Range(0), CLUSTER_WIDE, MEDIUM, ""),
    row(
        "group.consumer.assignors",
        LIST,
        (
            "uniform",
            "range",
        ),
        NoDoubles(),
        READ_ONLY,
        MEDIUM,
        "",
    ),
    row("group.consumer.heartbeat.interval.ms", INT, 5000, Range(1), READ_ONLY, MEDIUM, ""),
    row("group.consumer.max.assignment.interval.ms", INT, 15_000, Range(0), READ_ONLY, MEDIUM, ""),
    row("group.consumer.max.heartbeat.interval.ms", INT, 15_000, Range(1), READ_ONLY, MEDIUM, ""),
    row("group.consumer.max.session.timeout.ms", INT, 60_000, Range(1), READ_ONLY, MEDIUM, ""),
    row("group.consumer.max.size", INT, MAX_INT, Range(1), READ_ONLY, MEDIUM, ""),
    row(
        "group.consumer.migration.policy",
        STRING,
        "bidirectional",
        OneOf("DISABLED", "DOWNGRADE", "UPGRADE", "BIDIRECTIONAL", any_case=True),
        READ_ONLY,
        MEDIUM,
        "",
    ),
    row("group.consumer.min.assignment.interval.ms", INT, 0, Range(0), READ_ONLY, MEDIUM, ""),
    row("group.consumer.min.heartbeat.interval.ms", INT, 5000, Range(1), READ_ONLY, MEDIUM, ""),
    row("group.consumer.min.session.timeout.ms", INT, 45_000, Range(1), READ_ONLY, MEDIUM, ""),
    row("group.consumer.regex.refresh.interval.ms", INT, 600_000, Range(10_000), READ_ONLY, MEDIUM, "", hidden=True),
    row("group.consumer.session.timeout.ms", INT, 45_000, Range(1), READ_ONLY, MEDIUM, ""),
    row("group.coordinator.append.linger.ms", INT, -1, Range(-1), READ_ONLY, MEDIUM, ""),
    row("group.coordinator.background.threads", INT, 2, Range(1), READ_ONLY, HIGH, ""),
    row("group.coordinator.cached.buffer.max.bytes", INT, 1_048_588, Range(524_288), CLUSTER_WIDE, MEDIUM, ""),
    row(
        "group.coordinator.rebalance.protocols",
        LIST,
        (
            "classic",
            "consumer",
            "streams",
        ),
        EachOf("consumer", "classic", "share", "streams"),
        READ_ONLY,
        MEDIUM,
        "",
    ),
    row("group.coordinator.threads", INT, 4, Range(1), READ_ONLY, HIGH, ""),
    row("group.initial.rebalance.delay.ms", INT, 3000, None, READ_ONLY, MEDIUM, ""),
    row("group.max.session.timeout.ms", INT, 1_800_000, None, READ_ONLY, MEDIUM, ""),
    row("group.max.size", INT, MAX_INT, Range(1), READ_ONLY, MEDIUM, ""),
    row("group.min.session.timeout.ms", INT, 6000, None, READ_ONLY, MEDIUM, ""),
    row("offset.metadata.max.bytes", INT, 4096, None, READ_ONLY, HIGH, ""),
    row("offsets.commit.timeout.ms", INT, 5000, Range(1), READ_ONLY, HIGH, ""),
    row("offsets.load.buffer.size", INT, 5_242_880, Range(1), READ_ONLY, HIGH, ""),
    row("offsets.retention.check.interval.ms", LONG, 600_000, Range(1), READ_ONLY, HIGH, ""),
    row("offsets.retention.minutes", INT, 10_080, Range(1), READ_ONLY, HIGH, ""),
    row("offsets.topic.compression.codec", INT, 0, None, READ_ONLY, HIGH, ""),
    row("offsets.topic.num.partitions", INT, 50, Range(1), READ_ONLY, HIGH, ""),
    row("offsets.topic.replication.factor", SHORT, 3, Range(1), READ_ONLY, HIGH, ""),
    row("offsets.topic.segment.bytes", INT, 104_857_600, Range(1), READ_ONLY, HIGH, ""),
)
