"""Settings of one group, and of a subscription to client metrics, with the broker settings that give their defaults."""

from __future__ import annotations

from tidelog.config.checks import OneOf, Range, ShareOffsetReset
from tidelog.config.rows import BOOLEAN, INT, LIST, MEDIUM, STRING
from tidelog.config.topic_settings import TopicSetting, inheriting

# fmt: off
GROUP_ROWS = (
    inheriting("consumer.assignment.interval.ms", INT, 1000, Range(0), "group.consumer.assignment.interval.ms", MEDIUM,
        "The least time between two assignments of this consumer group."),
    inheriting("consumer.heartbeat.interval.ms", INT, 5000, Range(1), "group.consumer.heartbeat.interval.ms", MEDIUM,
        "How often members of this consumer group send heartbeats."),
    inheriting("consumer.session.timeout.ms", INT, 45_000, Range(1), "group.consumer.session.timeout.ms", MEDIUM,
        "A member of this consumer group that is silent for this long is removed."),
    inheriting("share.assignment.interval.ms", INT, 1000, Range(0), "group.share.assignment.interval.ms", MEDIUM,
        "The least time between two assignments of this share group."),
    inheriting("share.auto.offset.reset", STRING, "latest", ShareOffsetReset(), None, MEDIUM,
        "Where this share group begins to read a partition: `latest`, `earliest`, or `by_duration:` and an ISO "
        "8601 duration."),
    inheriting("share.delivery.count.limit", INT, 5, Range(2), "group.share.delivery.count.limit", MEDIUM,
        "How often a record is delivered to this share group before it is given up."),
    inheriting("share.heartbeat.interval.ms", INT, 5000, Range(1), "group.share.heartbeat.interval.ms", MEDIUM,
        "How often members of this share group send heartbeats."),
    inheriting("share.isolation.level", STRING,
        "read_uncommitted", OneOf("read_committed", "read_uncommitted"), None, MEDIUM,
        "Whether this share group reads records of transactions that are not decided."),
    inheriting("share.partition.max.record.locks", INT,
        2000, Range(100), "group.share.partition.max.record.locks", MEDIUM,
        "How many records of one partition this share group can have in flight."),
    inheriting("share.record.lock.duration.ms", INT, 30_000, Range(1000), "group.share.record.lock.duration.ms", MEDIUM,
        "How long a record that was delivered stays locked for its consumer."),
    inheriting("share.renew.acknowledge.enable", BOOLEAN, True, None, None, MEDIUM,
        "Whether consumers of this share group can prolong a lock."),
    inheriting("share.session.timeout.ms", INT, 45_000, Range(1), "group.share.session.timeout.ms", MEDIUM,
        "A member of this share group that is silent for this long is removed."),
    inheriting("streams.assignment.interval.ms", INT, 1000, Range(0), "group.streams.assignment.interval.ms", MEDIUM,
        "The least time between two assignments of this streams group."),
    inheriting("streams.heartbeat.interval.ms", INT, 5000, Range(1), "group.streams.heartbeat.interval.ms", MEDIUM,
        "How often members of this streams group send heartbeats."),
    inheriting("streams.initial.rebalance.delay.ms", INT,
        3000, Range(0), "group.streams.initial.rebalance.delay.ms", MEDIUM,
        "How long this streams group waits for more members before its first assignment."),
    inheriting("streams.num.standby.replicas", INT, 0, Range(0), "group.streams.num.standby.replicas", MEDIUM,
        "Standby copies of each task of this streams group."),
    inheriting("streams.session.timeout.ms", INT, 45_000, Range(1), "group.streams.session.timeout.ms", MEDIUM,
        "A member of this streams group that is silent for this long is removed."),
)

CLIENT_METRICS_ROWS = (
    inheriting("interval.ms", INT, 300_000, None, None, MEDIUM,
        "How often clients push their metrics."),
    inheriting("match", LIST, (), None, None, MEDIUM,
        "Which clients push, as name=pattern; empty means all."),
    inheriting("metrics", LIST, (), None, None, MEDIUM,
        "Prefixes of the metrics that are pushed; empty means none and `*` all."),
)
# fmt: on

GROUP_SETTINGS: dict[str, TopicSetting] = {each.setting.name: each for each in GROUP_ROWS}
CLIENT_METRICS_SETTINGS: dict[str, TopicSetting] = {each.setting.name: each for each in CLIENT_METRICS_ROWS}
