"""A node's settings: what is given, what follows from it, and what stops the start."""

import logging

import pytest

from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.config.endpoints import Endpoint
from tidelog.config.setting import ConfigError


def given(**extra: str) -> dict[str, str]:
    return single_node_properties("/data", 9092, controller_port=9093) | {
        name.replace("_", "."): value for name, value in extra.items()
    }


def test_defaults_and_given_values_are_typed_attributes() -> None:
    config = BrokerConfig.from_properties(given(log_retention_hours="2", auto_create_topics_enable="false"))
    assert config.log_segment_bytes == 1 << 30
    assert config.log_retention_hours == 2
    assert config.auto_create_topics_enable is False
    assert config.log_retention_ms is None
    assert config.log_cleanup_policy == ("delete",)
    assert config.broker_id == config.node_id == 1
    assert config.log_directories == ("/data",)
    assert config.metadata_directory == "/data"


def test_listeners_become_endpoints_and_controllers_stay_private() -> None:
    config = BrokerConfig.from_properties(given())
    assert config.endpoints == (
        Endpoint("PLAINTEXT", "localhost", 9092, "PLAINTEXT"),
        Endpoint("CONTROLLER", "localhost", 9093, "PLAINTEXT"),
    )
    assert [each.listener_name for each in config.advertised_endpoints] == ["PLAINTEXT"]
    assert [voter.node_id for voter in config.voters] == [1]


def test_ipv6_hosts_keep_their_colons() -> None:
    config = BrokerConfig.from_properties(given(listeners="PLAINTEXT://[::1]:9092,CONTROLLER://[::1]:9093"))
    assert config.endpoints[0].host == "::1"
    assert str(config.endpoints[0]) == "PLAINTEXT://[::1]:9092"


def test_aliases_and_broker_id_are_understood() -> None:
    properties = given() | {"rebalance.delay.ms": "7", "broker.id": "5", "controller.quorum.voters": "5@localhost:1"}
    del properties["node.id"], properties["group.initial.rebalance.delay.ms"]
    config = BrokerConfig.from_properties(properties)
    assert config.group_initial_rebalance_delay_ms == 7
    assert config.node_id == 5


def test_an_unknown_setting_warns_and_starts(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "tidelog.config"):
        BrokerConfig.from_properties(given() | {"log.retention.hour": "1", "listener.name.x.ssl.key.password": "s"})
    assert [record.getMessage().split()[2] for record in caplog.records] == ["log.retention.hour"]


def test_somebody_must_say_where_the_controllers_are() -> None:
    properties = given()
    del properties["controller.quorum.voters"]
    with pytest.raises(ConfigError, match=r"set controller\.quorum\.bootstrap\.servers"):
        BrokerConfig.from_properties(properties)
    BrokerConfig.from_properties(properties | {"controller.quorum.bootstrap.servers": "localhost:9093"})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"log.segment.bytes": "12"}, "configuration log.segment.bytes: Value must be at least 1048576"),
        ({"process.roles": ""}, "'process.roles' must not be empty"),
        ({"process.roles": "boss"}, "configuration process.roles: String must be one of: broker, controller"),
        ({"listeners": "PLAINTEXT:9092"}, "write NAME://host:port"),
        ({"listeners": "PLAINTEXT://a:1,PLAINTEXT://a:2"}, "Each listener must have a different name"),
        ({"listeners": "PLAINTEXT://a:1,CONTROLLER://a:1"}, "Each listener must have a different port"),
        ({"listeners": "OTHER://a:1"}, "No security protocol defined for listener OTHER"),
        ({"listener.security.protocol.map": "PLAINTEXT:TLS"}, "PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL"),
        ({"controller.quorum.voters": "one@a:1"}, "write id@host:port"),
        ({"controller.quorum.voters": "2@a:1"}, "add it to controller.quorum.voters"),
        ({"controller.listener.names": "OTHER"}, "must name at least one of the listeners"),
        ({"process.roles": "broker"}, "take it out of listeners"),
        ({"process.roles": "broker", "listeners": "PLAINTEXT://a:1"}, "add controller to its process.roles"),
        ({"advertised.listeners": "PLAINTEXT://0.0.0.0:1"}, "nonroutable"),
    ],
)
def test_a_bad_value_stops_the_start_with_a_sentence(change: dict[str, str], sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        BrokerConfig.from_properties(given() | change)
    assert sentence in str(error.value)


def test_a_missing_node_id_is_named() -> None:
    properties = given()
    del properties["node.id"]
    with pytest.raises(ConfigError, match=r'Missing required configuration "node\.id"'):
        BrokerConfig.from_properties(properties)


def test_dynamic_values_win_over_the_file_and_one_broker_over_all() -> None:
    config = BrokerConfig.from_properties(given(log_retention_ms="1"))
    assert config.with_dynamic({"log.retention.ms": "2"}, {}).log_retention_ms == 2
    assert config.with_dynamic({"log.retention.ms": "2"}, {"log.retention.ms": "3"}).log_retention_ms == 3
    assert config.log_retention_ms == 1, "the file's own values do not change"


def test_secrets_stay_out_of_its_text() -> None:
    config = BrokerConfig.from_properties(given() | {"ssl.keystore.password": "hunter2"})
    assert "hunter2" not in repr(config)
    assert config.ssl_keystore_password == "hunter2"
