"""Settings are typed, checked and forgiving of names that belong to other programs."""

import pytest

from tidelog.client.errors import SettingError
from tidelog.client.settings import CONSUMER, PRODUCER, ClientSettings, bootstrap_addresses


def test_defaults_are_kafkas() -> None:
    settings = ClientSettings.read(PRODUCER, {})
    assert (settings["batch.size"], settings["linger.ms"], settings["acks"]) == (16_384, 5, -1)
    assert ClientSettings.read(CONSUMER, {})["max.poll.records"] == 500


def test_text_and_values_are_both_taken() -> None:
    settings = ClientSettings.read(
        PRODUCER, {"acks": "all", "linger.ms": 7, "enable.idempotence": "TRUE", "acls.x": "1"}
    )
    assert (settings["acks"], settings["linger.ms"], settings["enable.idempotence"]) == (-1, 7, True)
    assert settings.unused == {"acls.x"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("linger.ms", "soon"), ("acks", "2"), ("compression.type", "rar"), ("enable.idempotence", "maybe")],
)
def test_a_bad_value_is_named_in_a_sentence(name: str, value: str) -> None:
    with pytest.raises(SettingError, match=rf"{name} must be .*'?{value}"):
        ClientSettings.read(PRODUCER, {name: value})


def test_bootstrap_lists() -> None:
    assert bootstrap_addresses("a:1, PLAINTEXT://b:22 ,[::1]:9092") == [("a", 1), ("b", 22), ("::1", 9092)]


@pytest.mark.parametrize("text", ["", "localhost", "host:", ":9092", "host:notaport", "host:70000"])
def test_a_bad_address_says_how_to_write_one(text: str) -> None:
    with pytest.raises(SettingError, match="localhost:9092"):
        bootstrap_addresses(text)
