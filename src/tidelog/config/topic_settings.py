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


def inheriting(
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

# Broker settings that are several spellings of one thing, the finest unit first.
SPELLINGS: dict[str, tuple[str, ...]] = {
    synonym.broker_name: tuple(each.broker_name for each in group)
    for group in (RETENTION, ROLL, ROLL_JITTER, FLUSH)
    for synonym in group
}

# fmt: off
ROWS = (
    inheriting("cleanup.policy", LIST,
        ("delete",), EachOf("compact", "delete", lenient=True), "log.cleanup.policy", MEDIUM,
        "What happens to old records: `delete` them, `compact` them by key, or both."),
    inheriting("compression.gzip.level", INT, -1, GzipLevel(), "compression.gzip.level", MEDIUM,
        "The gzip level when the broker compresses; -1 takes the library's own default."),
    inheriting("compression.lz4.level", INT, 9, Range(1, 17), "compression.lz4.level", MEDIUM,
        "The lz4 level when the broker compresses."),
    inheriting("compression.type", STRING,
        "producer", OneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"), "compression.type", MEDIUM,
        "The codec in which batches are stored; `producer` keeps what the producer chose."),
    inheriting("compression.zstd.level", INT, 3, Range(-131_072, 22), "compression.zstd.level", MEDIUM,
        "The zstd level when the broker compresses."),
    inheriting("delete.retention.ms", LONG, 86_400_000, Range(0), "log.cleaner.delete.retention.ms", MEDIUM,
        "How long tombstones and transaction markers stay in a compacted log."),
    inheriting("file.delete.delay.ms", LONG, 60_000, Range(0), "log.segment.delete.delay.ms", MEDIUM,
        "How long a deleted segment stays on disk under another name, for reads under way."),
    inheriting("flush.messages", LONG, MAX_LONG, Range(1), "log.flush.interval.messages", MEDIUM,
        "The log is flushed to the disk after this many records; 1 flushes before every acknowledgement."),
    inheriting("flush.ms", LONG, MAX_LONG, Range(0), FLUSH, MEDIUM,
        "The log is flushed to the disk when its oldest unflushed record is this old."),
    inheriting("follower.replication.throttled.replicas", LIST, (), ThrottledReplicas(), None, MEDIUM,
        "Replicas whose copying is throttled on the follower's side, as partition:broker, or `*`."),
    inheriting("index.interval.bytes", INT, 4096, Range(0), "log.index.interval.bytes", MEDIUM,
        "An index entry is made after this many bytes of log."),
    inheriting("internal.segment.bytes", INT, None, None, None, MEDIUM,
        "The segment size without a lower bound; for tests.", hidden=True),
    inheriting("leader.replication.throttled.replicas", LIST, (), ThrottledReplicas(), None, MEDIUM,
        "Replicas whose copying is throttled on the leader's side, as partition:broker, or `*`."),
    inheriting("local.retention.bytes", LONG, -2, Range(-2), "log.local.retention.bytes", MEDIUM,
        "Bytes of a tiered partition that stay on local disk; -2 means `retention.bytes`."),
    inheriting("local.retention.ms", LONG, -2, Range(-2), "log.local.retention.ms", MEDIUM,
        "How long segments of a tiered partition stay on local disk; -2 means `retention.ms`."),
    inheriting("max.compaction.lag.ms", LONG, MAX_LONG, Range(1), "log.cleaner.max.compaction.lag.ms", MEDIUM,
        "A record is compacted after this long at the latest."),
    inheriting("max.message.bytes", INT, 1_048_588, Range(0), "message.max.bytes", MEDIUM,
        "The largest batch that is accepted, as it is stored."),
    inheriting("message.timestamp.after.max.ms", LONG,
        3_600_000, Range(0), "log.message.timestamp.after.max.ms", MEDIUM,
        "How far in the future of the broker's clock a record's timestamp may lie."),
    inheriting("message.timestamp.before.max.ms", LONG,
        MAX_LONG, Range(0), "log.message.timestamp.before.max.ms", MEDIUM,
        "How far in the past of the broker's clock a record's timestamp may lie."),
    inheriting("message.timestamp.type", STRING,
        "CreateTime", OneOf("CreateTime", "LogAppendTime"), "log.message.timestamp.type", MEDIUM,
        "Whether records keep the producer's timestamp or get the time of the append."),
    inheriting("min.cleanable.dirty.ratio", DOUBLE, 0.5, Range(0, 1), "log.cleaner.min.cleanable.ratio", MEDIUM,
        "The log is compacted once this share of it is new."),
    inheriting("min.compaction.lag.ms", LONG, 0, Range(0), "log.cleaner.min.compaction.lag.ms", MEDIUM,
        "A record is left alone by compaction for at least this long."),
    inheriting("min.insync.replicas", INT, 1, Range(1), "min.insync.replicas", MEDIUM,
        "With acks=all a write needs this many replicas in sync, or it is refused."),
    inheriting("preallocate", BOOLEAN, False, None, "log.preallocate", MEDIUM,
        "Whether a new segment reserves its whole size on disk."),
    inheriting("remote.log.copy.disable", BOOLEAN, False, None, None, MEDIUM,
        "Whether uploads to remote storage stop while what is there stays readable."),
    inheriting("remote.log.delete.on.disable", BOOLEAN, False, None, None, MEDIUM,
        "Whether remote data is deleted when remote storage is switched off."),
    inheriting("remote.storage.enable", BOOLEAN, False, None, None, MEDIUM,
        "Whether old segments move to remote storage."),
    inheriting("retention.bytes", LONG, -1, None, "log.retention.bytes", MEDIUM,
        "A partition larger than this loses its oldest segments; -1 sets no limit."),
    inheriting("retention.ms", LONG, 604_800_000, Range(-1), RETENTION, MEDIUM,
        "How long records are kept; -1 keeps them for ever."),
    inheriting("segment.bytes", INT, 1_073_741_824, Range(1_048_576), "log.segment.bytes", MEDIUM,
        "The largest size of one segment file."),
    inheriting("segment.index.bytes", INT, 10_485_760, Range(4), "log.index.size.max.bytes", MEDIUM,
        "The largest size of an index; a segment whose index is full is closed."),
    inheriting("segment.jitter.ms", LONG, 0, Range(0), ROLL_JITTER, MEDIUM,
        "The largest random part taken off `segment.ms`, so that segments do not all roll at once."),
    inheriting("segment.ms", LONG, 604_800_000, Range(1), ROLL, MEDIUM,
        "A segment is closed after this long, even if it is not full."),
    inheriting("unclean.leader.election.enable", BOOLEAN, False, None, "unclean.leader.election.enable", MEDIUM,
        "Whether a replica that is not in sync may lead when no other is left; records can be lost then."),
    inheriting("tidelog.record.check", STRING, "full", OneOf("full", "header"), "tidelog.record.check", LOW,
        "How produced batches are checked: `full` walks every record inside, `header` trusts the batch header and"
        " the CRC."),
)
# fmt: on

TOPIC_SETTINGS: dict[str, TopicSetting] = {each.setting.name: each for each in ROWS}
