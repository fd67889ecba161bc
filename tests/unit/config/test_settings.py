"""Every row of the tables is sound, and bad values are refused in Apache Kafka's words."""

import pytest

from tidelog.config.broker_settings import ALIASES, BROKER_SETTINGS, DYNAMIC_ONLY
from tidelog.config.group_settings import CLIENT_METRICS_SETTINGS, GROUP_SETTINGS
from tidelog.config.setting import ConfigError, Setting
from tidelog.config.topic_settings import TOPIC_SETTINGS
from tidelog.config.values import Kind, value_text

INHERITING = [*TOPIC_SETTINGS.values(), *GROUP_SETTINGS.values(), *CLIENT_METRICS_SETTINGS.values()]
ROWS = [*BROKER_SETTINGS.values(), *DYNAMIC_ONLY.values(), *(row.setting for row in INHERITING)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_is_sound(row: Setting) -> None:
    assert row.doc.endswith("."), "each setting is documented by a sentence"
    if row.default is not None and row.default != ():
        assert row.parse(value_text(row.default)) == row.default, "the default passes its own check"


@pytest.mark.parametrize("row", INHERITING, ids=lambda row: row.setting.name)
def test_a_default_comes_from_a_broker_setting_of_the_same_type(row) -> None:
    for synonym in row.synonyms:
        broker = BROKER_SETTINGS[synonym.broker_name]
        assert broker.kind is row.setting.kind or {broker.kind, row.setting.kind} <= {Kind.INT, Kind.LONG}


def test_aliases_lead_to_settings() -> None:
    assert set(ALIASES.values()) <= set(BROKER_SETTINGS)
    assert not set(ALIASES) & set(BROKER_SETTINGS)


REPLICAS = "[partitionId]:[brokerId],[partitionId]:[brokerId],..."


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("segment.bytes", "1", "Value must be at least 1048576"),
        ("segment.bytes", "abc", "Not a number of type INT"),
        ("segment.bytes", "4294967296", "Not a number of type INT"),
        ("retention.ms", "", "Not a number of type LONG"),
        ("retention.ms", "1_000", "Not a number of type LONG"),
        ("cleanup.policy", "x", "String must be one of: compact, delete"),
        ("preallocate", "maybe", "Expected value to be either true or false"),
        ("compression.gzip.level", "0", "Value must be between 1 and 9 or equal to -1"),
    ],
)
def test_a_bad_value_is_refused_in_a_sentence(name: str, text: str, reason: str) -> None:
    with pytest.raises(ConfigError) as error:
        TOPIC_SETTINGS[name].setting.parse(text)
    assert str(error.value) == f"Invalid value {text} for configuration {name}: {reason}"


def test_refused_values_are_shown_as_java_shows_them() -> None:
    with pytest.raises(ConfigError, match=r"^Invalid value 2\.0 for configuration min.cleanable.dirty.ratio: "):
        TOPIC_SETTINGS["min.cleanable.dirty.ratio"].setting.parse("2")
    with pytest.raises(ConfigError) as error:
        TOPIC_SETTINGS["leader.replication.throttled.replicas"].setting.parse("0:1,*")
    assert str(error.value).startswith(
        "Invalid value [0:1, *] for configuration leader.replication.throttled.replicas:"
    )
    assert str(error.value).endswith(REPLICAS)
    with pytest.raises(ConfigError, match=r"^Configuration 'cleanup\.policy' values must not be empty\.$"):
        TOPIC_SETTINGS["cleanup.policy"].setting.parse("delete,")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("cleanup.policy", "", ()),
        ("cleanup.policy", "delete, compact", ("delete", "compact")),
        ("segment.bytes", " 2000000 ", 2000000),
        ("preallocate", "TRUE", True),
        ("retention.bytes", "-7", -7),
        ("leader.replication.throttled.replicas", "*", ("*",)),
        ("leader.replication.throttled.replicas", "0:1,1:2", ("0:1", "1:2")),
    ],
)
def test_a_good_value_is_typed(name: str, text: str, value: object) -> None:
    assert TOPIC_SETTINGS[name].setting.parse(text) == value


def test_passwords_are_secret_and_nothing_else_is() -> None:
    assert BROKER_SETTINGS["ssl.key.password"].sensitive
    assert not BROKER_SETTINGS["ssl.keystore.location"].sensitive


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (0.5, "0.5"),
        (0.0001, "1.0E-4"),
        (1e7, "1.0E7"),
        (1234567.5, "1234567.5"),
        (0.0, "0.0"),
        (("a", "b"), "a,b"),
        ((), ""),
        (None, None),
    ],
)
def test_values_print_as_java_prints_them(value, text) -> None:
    assert value_text(value) == text
