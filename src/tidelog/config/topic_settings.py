"""Topic settings: one row each, with the broker settings that give its default, first one set wins."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.config.checks import Check, EachOf, GzipLevel, OneOf, Range, ThrottledReplicas
from tidelog.config.rows import BOOLEAN, DOUBLE, INT, LIST, LONG, LOW, MAX_LONG, MEDIUM, STRING
from tidelog.config.setting import Scope, Setting
from tidelog.config.values import Kind, Value

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


class Synonym(NamedTuple):
    """A broker setting that gives a topic setting's default, and what one of its units is worth."""

    broker_name: str
    factor: int = 1


class TopicSetting(NamedTuple):
    setting: Setting
    synonyms: tuple[Synonym, ...]


def topic(
    name: str,
    kind: Kind,
    default: Value,
    check: Check | None,
    synonyms: str | tuple[Synonym, ...] | None,
    importance: str,
    doc: str,
    *,
    hidden: bool = False,
) -> TopicSetting:
    setting = Setting(name, kind, default, check, Scope.CLUSTER_WIDE, importance, doc, hidden)
    named = (Synonym(synonyms),) if isinstance(synonyms, str) else synonyms or ()
    return TopicSetting(setting, named)


RETENTION = (
    Synonym("log.retention.ms"),
    Synonym("log.retention.minutes", MINUTE_MS),
    Synonym("log.retention.hours", HOUR_MS),
)
ROLL = (Synonym("log.roll.ms"), Synonym("log.roll.hours", HOUR_MS))
ROLL_JITTER = (Synonym("log.roll.jitter.ms"), Synonym("log.roll.jitter.hours", HOUR_MS))
FLUSH = (Synonym("log.flush.interval.ms"), Synonym("log.flush.scheduler.interval.ms"))

ROWS = (
    topic("cleanup.policy", LIST, ("delete",), EachOf("compact", "delete"), "log.cleanup.policy", MEDIUM, ""),
    topic("compression.gzip.level", INT, -1, GzipLevel(), "compression.gzip.level", MEDIUM, ""),
    topic("compression.lz4.level", INT, 9, Range(1, 17), "compression.lz4.level", MEDIUM, ""),
    topic(
        "compression.type",
        STRING,
        "producer",
        OneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        "compression.type",
        MEDIUM,
        "",
    ),
    topic("compression.zstd.level", INT, 3, Range(-131_072, 22), "compression.zstd.level", MEDIUM, ""),
    topic("delete.retention.ms", LONG, 86_400_000, Range(0), "log.cleaner.delete.retention.ms", MEDIUM, ""),
    topic("file.delete.delay.ms", LONG, 60_000, Range(0), "log.segment.delete.delay.ms", MEDIUM, ""),
    topic("flush.messages", LONG, MAX_LONG, Range(1), "log.flush.interval.messages", MEDIUM, ""),
    topic("flush.ms", LONG, MAX_LONG, Range(0), FLUSH, MEDIUM, ""),
    topic("follower.replication.throttled.replicas", LIST, (), ThrottledReplicas(), None, MEDIUM, ""),
    topic("index.interval.bytes", INT, 4096, Range(0), "log.index.interval.bytes", MEDIUM, ""),
    topic("internal.segment.bytes", INT, None, None, None, MEDIUM, "", hidden=True),
    topic("leader.replication.throttled.replicas", LIST, (), ThrottledReplicas(), None, MEDIUM, ""),
    topic("local.retention.bytes", LONG, -2, Range(-2), "log.local.retention.bytes", MEDIUM, ""),
    topic("local.retention.ms", LONG, -2, Range(-2), "log.local.retention.ms", MEDIUM, ""),
    topic("max.compaction.lag.ms", LONG, MAX_LONG, Range(1), "log.cleaner.max.compaction.lag.ms", MEDIUM, ""),
    topic("max.message.bytes", INT, 1_048_588, Range(0), "message.max.bytes", MEDIUM, ""),
    topic(
        "message.timestamp.after.max.ms", LONG, 3_600_000, Range(0), "log.message.timestamp.after.max.ms", MEDIUM, ""
    ),
    topic(
        "message.timestamp.before.max.ms", LONG, MAX_LONG, Range(0), "log.message.timestamp.before.max.ms", MEDIUM, ""
    ),
    topic(
        "message.timestamp.type",
        STRING,
        "CreateTime",
        OneOf("CreateTime", "LogAppendTime"),
        "log.message.timestamp.type",
        MEDIUM,
        "",
    ),
    topic("min.cleanable.dirty.ratio", DOUBLE, 0.5, Range(0, 1), "log.cleaner.min.cleanable.ratio", MEDIUM, ""),
    topic("min.compaction.lag.ms", LONG, 0, Range(0), "log.cleaner.min.compaction.lag.ms", MEDIUM, ""),
    topic("min.insync.replicas", INT, 1, Range(1), "min.insync.replicas", MEDIUM, ""),
    topic("preallocate", BOOLEAN, False, None, "log.preallocate", MEDIUM, ""),
    topic("remote.log.copy.disable", BOOLEAN, False, None, None, MEDIUM, ""),
    topic("remote.log.delete.on.disable", BOOLEAN, False, None, None, MEDIUM, ""),
    topic("remote.storage.enable", BOOLEAN, False, None, None, MEDIUM, ""),
    topic("retention.bytes", LONG, -1, None, "log.retention.bytes", MEDIUM, ""),
    topic("retention.ms", LONG, 604_800_000, Range(-1), RETENTION, MEDIUM, ""),
    topic("segment.bytes", INT, 1_073_741_824, Range(1_048_576), "log.segment.bytes", MEDIUM, ""),
    topic("segment.index.bytes", INT, 10_485_760, Range(4), "log.index.size.max.bytes", MEDIUM, ""),
    topic("segment.jitter.ms", LONG, 0, Range(0), ROLL_JITTER, MEDIUM, ""),
    topic("segment.ms", LONG, 604_800_000, Range(1), ROLL, MEDIUM, ""),
    topic("unclean.leader.election.enable", BOOLEAN, False, None, "unclean.leader.election.enable", MEDIUM, ""),
    topic("tidelog.record.check", STRING, "full", OneOf("full", "header"), "tidelog.record.check", LOW, ""),
)

TOPIC_SETTINGS: dict[str, TopicSetting] = {each.setting.name: each for each in ROWS}
