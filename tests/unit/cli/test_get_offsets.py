"""Which partitions kafka-get-offsets means, and which time."""

import pytest

from tidelog.cli.kafka_get_offsets import COMMAND, parse_time, partition_filter
from tidelog.cli.tool import Failure

ALL = [("a", 0), ("a", 1), ("a", 5), ("ab", 0), ("b", 3)]


def chosen(*words: str) -> list[tuple[str, int]]:
    wanted = partition_filter(COMMAND.parse(words))
    return [key for key in ALL if wanted(*key)]


def test_everything_by_default() -> None:
    assert chosen() == ALL


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("a", [("a", 0), ("a", 1), ("a", 5)]),
        ("a:1", [("a", 1)]),
        ("a:0-1", [("a", 0)]),
        ("a:1-", [("a", 1), ("a", 5)]),
        (":-1", [("a", 0), ("ab", 0)]),
        ("a.*:0,b", [("a", 0), ("ab", 0), ("b", 3)]),
    ],
)
def test_patterns(pattern: str, found: list[tuple[str, int]]) -> None:
    assert chosen("--topic-partitions", pattern) == found


def test_topic_and_partitions() -> None:
    assert chosen("--topic", "a", "--partitions", "0,5") == [("a", 0), ("a", 5)]
    with pytest.raises(Failure, match="cannot be used with"):
        chosen("--topic", "a", "--topic-partitions", "b")
    with pytest.raises(Failure, match="numeric partition ids"):
        chosen("--partitions", "x")


def test_times() -> None:
    assert [parse_time(text) for text in ("latest", "earliest", "MAX-TIMESTAMP", "-2", "1700")] == [
        -1,
        -2,
        -3,
        -2,
        1700,
    ]
    with pytest.raises(Failure, match="Malformed time argument soon"):
        parse_time("soon")
