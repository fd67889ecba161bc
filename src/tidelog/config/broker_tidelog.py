"""Broker settings that Apache Kafka does not have: their names begin with `tidelog.`."""

from __future__ import annotations

from tidelog.config.checks import OneOf, Range
from tidelog.config.rows import CLUSTER_WIDE, INT, LOW, MEDIUM, READ_ONLY, STRING, row

ROWS = (
    row(
        "tidelog.max.decompressed.batch.bytes",
        INT,
        134_217_728,
        Range(1),
        READ_ONLY,
        MEDIUM,
        "The most bytes one compressed batch may inflate to; a batch that inflates to more is refused as invalid.",
    ),
    row(
        "tidelog.max.producer.ids.per.partition",
        INT,
        100_000,
        Range(1),
        READ_ONLY,
        LOW,
        "How many producer ids one partition remembers; past that the ones idle for longest are forgotten first.",
    ),
    row(
        "tidelog.metrics.host",
        STRING,
        "127.0.0.1",
        None,
        READ_ONLY,
        LOW,
        "The address on which Prometheus metrics are served.",
    ),
    row(
        "tidelog.metrics.port",
        INT,
        -1,
        Range(-1, 65_535),
        READ_ONLY,
        LOW,
        "The HTTP port for Prometheus metrics at /metrics; 0 takes a free port and -1 serves none.",
    ),
    row(
        "tidelog.record.check",
        STRING,
        "full",
        OneOf("full", "header"),
        CLUSTER_WIDE,
        LOW,
        "How produced batches are checked when a topic does not say: `full` walks every record inside, `header` trusts "
        "the batch header and the CRC.",
    ),
)
