"""Where a value came from, as a running Apache Kafka told it for the same settings."""

from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.config.describe import Source, describe_broker, describe_dynamic_default, describe_resource, describe_topic
from tidelog.config.effective import TopicDefaults
from tidelog.config.group_settings import GROUP_SETTINGS


def broker(**extra: str) -> BrokerConfig:
    properties = single_node_properties("/data", 9092)
    return BrokerConfig.from_properties(properties | {name.replace("_", "."): text for name, text in extra.items()})


def one(entries, name):
    entry = next(each for each in entries if each.name == name)
    return entry.value, entry.source, [f"{s.name}={s.value}@{s.source.name}" for s in entry.synonyms]


def topic(config, overrides, name):
    return one(describe_topic(config, TopicDefaults(config), overrides, {name}), name)


def test_a_default_names_the_broker_setting_behind_it() -> None:
    assert topic(broker(), {}, "segment.bytes") == (
        "1073741824", Source.DEFAULT, ["log.segment.bytes=1073741824@DEFAULT"],
    )  # fmt: skip


def test_hours_count_but_are_no_synonym_as_long_as_ms_is_not_set() -> None:
    assert topic(broker(log_retention_hours="1"), {}, "retention.ms") == ("3600000", Source.DEFAULT, [])
    assert topic(broker(), {}, "flush.ms") == (str((1 << 63) - 1), Source.DEFAULT, [])


def test_every_source_is_listed_in_order() -> None:
    config = broker(log_retention_hours="1").with_dynamic({"log.retention.ms": "7000"}, {"log.roll.ms": "9000"})
    assert topic(config, {"retention.ms": "3333"}, "retention.ms") == (
        "3333",
        Source.DYNAMIC_TOPIC,
        [
            "retention.ms=3333@DYNAMIC_TOPIC",
            "log.retention.ms=7000@DYNAMIC_DEFAULT_BROKER",
            "log.retention.hours=1@STATIC_BROKER",
            "log.retention.hours=168@DEFAULT",
        ],
    )
    assert topic(config, {}, "segment.ms") == (
        "9000", Source.DYNAMIC_BROKER, ["log.roll.ms=9000@DYNAMIC_BROKER", "log.roll.hours=168@DEFAULT"],
    )  # fmt: skip


def test_minus_one_hours_is_for_ever() -> None:
    assert topic(broker(log_retention_hours="-1"), {}, "retention.ms")[0] == "-1"


def test_secrets_and_unknown_names_show_no_value() -> None:
    config = broker().with_dynamic({}, {"foo": "x"})
    config = BrokerConfig({**config.static, "ssl.keystore.password": "hunter2", "foo.bar": "1"}, {}, {"foo": "x"})
    entries = describe_broker(config)
    for name in ("ssl.keystore.password", "foo.bar", "foo"):
        value, _, synonyms = one(entries, name)
        assert value is None
        assert all("=None@" in each for each in synonyms)
    assert "hunter2" not in repr(entries)


def test_read_only_follows_the_scope() -> None:
    entries = {each.name: each for each in describe_broker(broker())}
    assert entries["log.dirs"].read_only
    assert not entries["log.retention.ms"].read_only
    assert "internal.metadata.log.segment.bytes" not in entries


def test_the_default_of_all_brokers_has_only_what_was_changed() -> None:
    config = broker().with_dynamic({"log.retention.ms": "7"}, {"log.roll.ms": "9"})
    assert [(each.name, each.value, each.source) for each in describe_dynamic_default(config)] == [
        ("log.retention.ms", "7", Source.DYNAMIC_DEFAULT_BROKER)
    ]


def test_groups_inherit_from_the_broker() -> None:
    config = broker(group_consumer_session_timeout_ms="46000")
    entries = describe_resource(GROUP_SETTINGS, config, {"consumer.heartbeat.interval.ms": "5001"}, Source.GROUP)
    assert one(entries, "consumer.session.timeout.ms")[0] == "46000"
    assert one(entries, "consumer.heartbeat.interval.ms") == (
        "5001",
        Source.GROUP,
        ["consumer.heartbeat.interval.ms=5001@GROUP", "group.consumer.heartbeat.interval.ms=5000@DEFAULT"],
    )
    assert one(entries, "share.auto.offset.reset")[2] == ["share.auto.offset.reset=latest@DEFAULT"]
