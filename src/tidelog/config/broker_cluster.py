"""Broker settings of the node itself, its registration, the quorum and the metadata log."""

from __future__ import annotations

from tidelog.config.checks import EachOf, NoDoubles, NonEmpty, Range
from tidelog.config.rows import BOOLEAN, HIGH, INT, LIST, LONG, LOW, MAX_LONG, MEDIUM, READ_ONLY, STRING, row

ROWS = (
    row("broker.heartbeat.interval.ms", INT, 2000, None, READ_ONLY, MEDIUM, ""),
    row("broker.id", INT, -1, None, READ_ONLY, HIGH, ""),
    row("broker.rack", STRING, None, None, READ_ONLY, MEDIUM, ""),
    row("broker.session.timeout.ms", INT, 9000, None, READ_ONLY, MEDIUM, ""),
    row("controlled.shutdown.enable", BOOLEAN, True, None, READ_ONLY, MEDIUM, ""),
    row("controller.listener.names", LIST, None, NoDoubles(), READ_ONLY, HIGH, "", required=True),
    row("controller.performance.always.log.threshold.ms", LONG, 2000, Range(0), READ_ONLY, MEDIUM, "", hidden=True),
    row("controller.performance.sample.period.ms", LONG, 60_000, Range(100), READ_ONLY, MEDIUM, "", hidden=True),
    row("controller.quorum.append.linger.ms", INT, 25, Range(0), READ_ONLY, MEDIUM, ""),
    row("controller.quorum.auto.join.enable", BOOLEAN, False, None, READ_ONLY, LOW, ""),
    row("controller.quorum.bootstrap.servers", LIST, (), NonEmpty("list"), READ_ONLY, HIGH, ""),
    row("controller.quorum.election.backoff.max.ms", INT, 1000, Range(0), READ_ONLY, HIGH, ""),
    row("controller.quorum.election.timeout.ms", INT, 1000, Range(0), READ_ONLY, HIGH, ""),
    row("controller.quorum.fetch.max.bytes", INT, 1_048_576, Range(1), READ_ONLY, LOW, ""),
    row("controller.quorum.fetch.snapshot.max.bytes", INT, 1_048_576, Range(1), READ_ONLY, LOW, ""),
    row("controller.quorum.fetch.timeout.ms", INT, 2000, Range(0), READ_ONLY, HIGH, ""),
    row("controller.quorum.request.timeout.ms", INT, 2000, Range(0), READ_ONLY, MEDIUM, ""),
    row("controller.quorum.retry.backoff.ms", INT, 20, Range(0), READ_ONLY, LOW, ""),
    row("controller.quorum.voters", LIST, (), NonEmpty("list"), READ_ONLY, HIGH, ""),
    row("controller.quota.window.num", INT, 11, Range(1), READ_ONLY, LOW, ""),
    row("controller.quota.window.size.seconds", INT, 1, Range(1), READ_ONLY, LOW, ""),
    row("controller.socket.timeout.ms", INT, 30_000, None, READ_ONLY, MEDIUM, ""),
    row("early.start.listeners", LIST, None, NoDoubles(), READ_ONLY, HIGH, ""),
    row("initial.broker.registration.timeout.ms", INT, 60_000, None, READ_ONLY, MEDIUM, ""),
    row("internal.metadata.delete.delay.millis", LONG, 60_000, None, READ_ONLY, LOW, "", hidden=True),
    row("internal.metadata.log.segment.bytes", INT, None, None, READ_ONLY, LOW, "", hidden=True),
    row("internal.metadata.max.batch.size.in.bytes", INT, 8_388_608, None, READ_ONLY, LOW, "", hidden=True),
    row("metadata.log.dir", STRING, None, None, READ_ONLY, HIGH, ""),
    row("metadata.log.max.record.bytes.between.snapshots", LONG, 20_971_520, Range(1), READ_ONLY, HIGH, ""),
    row("metadata.log.max.snapshot.interval.ms", LONG, 3_600_000, Range(0), READ_ONLY, HIGH, ""),
    row("metadata.log.segment.bytes", INT, 1_073_741_824, Range(8_388_608), READ_ONLY, HIGH, ""),
    row("metadata.log.segment.ms", LONG, 604_800_000, None, READ_ONLY, HIGH, ""),
    row("metadata.max.idle.interval.ms", INT, 500, Range(0), READ_ONLY, LOW, ""),
    row("metadata.max.retention.bytes", LONG, 104_857_600, None, READ_ONLY, HIGH, ""),
    row("metadata.max.retention.ms", LONG, 604_800_000, None, READ_ONLY, HIGH, ""),
    row("node.id", INT, None, Range(0), READ_ONLY, HIGH, "", required=True),
    row("process.roles", LIST, None, EachOf("broker", "controller"), READ_ONLY, HIGH, "", required=True),
    row("server.max.startup.time.ms", LONG, MAX_LONG, Range(0), READ_ONLY, MEDIUM, "", hidden=True),
    row("unstable.api.versions.enable", BOOLEAN, False, None, READ_ONLY, HIGH, "", hidden=True),
    row("unstable.feature.versions.enable", BOOLEAN, False, None, READ_ONLY, HIGH, "", hidden=True),
)
