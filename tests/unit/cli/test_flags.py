"""Command lines are read as Apache's tools read them."""

import pytest

from tidelog.cli.flags import KAFKA_VERSION, Command, Flag, UsageError

TOOL = Command(
    "kafka-tool",
    "Does something.",
    [
        Flag("topic", "the topic", "topic"),
        Flag("config", "a setting", "name=value"),
        Flag("list", "list"),
        Flag("codec", "a codec", "codec", None, True),
        Flag("offset", "where", "offset", "latest"),
    ],
)


def test_both_forms_of_a_value_and_repetition() -> None:
    options = TOOL.parse(["--topic", "a", "--config=x=1", "--config", "y=2", "--list"])
    assert options.text("topic") == "a"
    assert options.all("config") == ["x=1", "y=2"]
    assert options.has("list")
    assert not options.has("codec")


def test_a_value_may_look_like_a_flag() -> None:
    assert TOOL.parse(["--offset", "-1"]).text("offset") == "-1"
    assert TOOL.parse(["--topic", "--list"]).text("topic") == "--list"


def test_an_optional_value_may_be_left_out() -> None:
    assert TOOL.parse(["--codec", "--list"]).get("codec") is None
    assert TOOL.parse(["--codec", "zstd"]).get("codec") == "zstd"


def test_defaults_last_values_and_the_order_of_words() -> None:
    assert TOOL.parse([]).text("offset") == "latest"
    assert TOOL.parse(["--offset", "1", "--offset", "2"]).text("offset") == "2"
    assert TOOL.parse(["--list", "--topic", "a"]).words == [("list", None), ("topic", "a")]


def test_words_without_a_flag_are_ignored() -> None:
    assert TOOL.parse(["stray", "--list", "words"]).has("list")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--nope"], "nope is not a recognized option"),
        (["-x"], "x is not a recognized option"),
        (["--topic"], "Option topic requires an argument"),
    ],
)
def test_mistakes(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        TOOL.parse(words)


def test_a_number_that_is_none() -> None:
    with pytest.raises(UsageError, match="Cannot parse argument 'x' of option offset"):
        TOOL.parse(["--offset", "x"]).integer("offset")


def test_help_goes_to_stderr_and_ends_with_1_as_apaches_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        TOOL.parse(["--help"])
    shown = capsys.readouterr()
    assert (end.value.code, shown.out) == (1, "")
    assert "Does something." in shown.err
    assert "--offset <offset>" in shown.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        TOOL.parse(["--version"])
    assert (end.value.code, capsys.readouterr().out) == (0, KAFKA_VERSION + "\n")
