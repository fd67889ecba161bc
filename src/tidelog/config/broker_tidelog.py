"""Broker settings that Apache Kafka does not have: their names begin with `tidelog.`, but for one that it once had."""

from __future__ import annotations

from tidelog.config.checks import OneOf, Range
from tidelog.config.rows import BOOLEAN, CLUSTER_WIDE, INT, LONG, LOW, MEDIUM, READ_ONLY, STRING, row

ROWS = (
    row(
        "replica.lag.max.messages",
        LONG,
        -1,
        Range(-1),
        READ_ONLY,
        LOW,
        "A follower that is this many records behind the leader leaves the in-sync replicas, however short the time. "
        "-1 is off, and `replica.lag.time.max.ms` alone decides, as in every Apache Kafka since 0.9.",
        hidden=True,
    ),
    row(
        "tidelog.fault.file",
        STRING,
        None,
        None,
        READ_ONLY,
        LOW,
        "For tests of failures: a file with addresses, host:port a line, that this node cannot reach. It is read again "
        "when the process gets SIGUSR2.",
    ),
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
    row(
        "tidelog.remote.cache.bytes",
        LONG,
        1_073_741_824,
        Range(1),
        READ_ONLY,
        MEDIUM,
        "Disk space for what was read from remote storage; the chunks not read for longest go first.",
    ),
    row(
        "tidelog.remote.chunk.bytes",
        INT,
        4_194_304,
        Range(1),
        READ_ONLY,
        LOW,
        "About how much of a remote segment is read at a time; a chunk ends between two batches.",
    ),
    row(
        "tidelog.remote.read.ahead.chunks",
        INT,
        4,
        Range(0),
        READ_ONLY,
        LOW,
        "How many chunks behind the one that a reader asks for are brought in before it asks.",
    ),
    row(
        "tidelog.remote.request.timeout.ms",
        INT,
        30_000,
        Range(1),
        READ_ONLY,
        LOW,
        "How long one request to remote storage may take before it counts as failed.",
    ),
    row(
        "tidelog.remote.storage.url",
        STRING,
        None,
        None,
        READ_ONLY,
        MEDIUM,
        "Where remote segments are kept: file:///directory, s3://bucket/prefix, gs://bucket/prefix or "
        "az://container/prefix. Without it a directory beside the first log directory, which only one node can use. "
        "Further options, such as the endpoint, begin with `rsm.config.`.",
    ),
    row(
        "tidelog.remote.verify.uploads",
        BOOLEAN,
        True,
        None,
        READ_ONLY,
        LOW,
        "Whether a copied segment is read back and compared before its local copy may go.",
    ),
)
