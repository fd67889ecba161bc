"""What a kafka-configs command line means."""

import pytest

from tidelog.cli.config_entities import read_entities
from tidelog.cli.kafka_configs import COMMAND, to_add, to_delete
from tidelog.cli.tool import Failure


def entities(*words: str) -> tuple[list[str], list[str]]:
    found = read_entities(COMMAND.parse(words))
    return found.types, found.names


def test_long_and_short_forms_mean_the_same() -> None:
    assert entities("--entity-type", "topics", "--entity-name", "a") == entities("--topic", "a")
    assert entities("--entity-type", "brokers", "--entity-default") == entities("--broker-defaults")


def test_names_and_defaults_keep_the_order_of_the_command_line() -> None:
    words = ["--entity-type", "users", "--entity-default", "--entity-type", "clients", "--entity-name", "c"]
    assert entities(*words) == (["users", "clients"], ["", "c"])
    assert entities("--user", "u", "--client", "c") == (["clients", "users"], ["c", "u"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--describe", "At least one entity type"),
        ("--entity-type things", "Invalid entity type things"),
        ("--topic a --entity-type topics", r"Duplicate entity type\(s\) specified: topics"),
        ("--topic a --broker 1", "can be given together"),
        ("--alter --entity-type topics", "An entity name must be specified with --alter of topics"),
        ("--broker one", "must be a valid integer broker id, but it is: one"),
    ],
)
def test_mistakes(words: str, message: str) -> None:
    with pytest.raises(Failure, match=message):
        entities(*words.split())


def test_values_with_commas_stand_in_brackets() -> None:
    options = COMMAND.parse(["--add-config", "a=1,cleanup.policy=[compact,delete], c = 3 ,d="])
    assert to_add(options) == {"a": "1", "cleanup.policy": "compact,delete", "c": "3", "d": ""}


@pytest.mark.parametrize("text", ["a", "a=1,,b=2", "a=b=c"])
def test_settings_that_are_no_pairs(text: str) -> None:
    with pytest.raises(Failure, match="key=val"):
        to_add(COMMAND.parse(["--add-config", text]))


def test_names_to_delete() -> None:
    assert to_delete(COMMAND.parse(["--delete-config", "a, b", "--delete-config", "c"])) == ["a", "b", "c"]
