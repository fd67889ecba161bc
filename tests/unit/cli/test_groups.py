"""What the group commands understand and print, without a cluster."""

from pathlib import Path

import pytest

from tidelog.cli.flags import UsageError
from tidelog.cli.group_describe import OffsetRow, print_offsets
from tidelog.cli.group_lag import lag_of
from tidelog.cli.group_places import from_file, moment_ms
from tidelog.cli.group_rate import Look, Rate, rates
from tidelog.cli.group_reset import parsed, show_plans
from tidelog.cli.java_values import datetime_ms, duration_ms, long
from tidelog.cli.kafka_console_consumer import COMMAND as CONSUMER
from tidelog.cli.kafka_console_consumer import Plan
from tidelog.cli.kafka_consumer_groups import COMMAND, check
from tidelog.cli.tide_group import duration
from tidelog.cli.tool import Failure
from tidelog.client.admin_groups import GroupView
from tidelog.client.committed_count import Counted
from tidelog.client.metadata import BrokerView

SERVER = ("--bootstrap-server", "localhost:9092")


@pytest.mark.parametrize(
    "words",
    [
        ("--list", "--describe"),
        ("--describe",),
        ("--describe", "--group", "g", "--all-groups"),
        ("--describe", "--group", "g", "--members", "--state"),
        ("--delete",),
        ("--delete-offsets", "--group", "g"),
        ("--delete", "--group", "g", "--topic", "t"),
        ("--describe", "--group", "g", "--topic", "t"),
        ("--list", "--group", "g"),
        ("--list", "--verbose"),
        ("--delete", "--group", "g", "--members"),
        ("--delete", "--group", "g", "--state"),
        ("--describe", "--group", "g", "--type"),
        ("--reset-offsets", "--group", "g", "--topic", "t"),
        ("--reset-offsets", "--group", "g", "--topic", "t", "--to-latest", "--to-earliest"),
        ("--reset-offsets", "--group", "g", "--to-latest"),
        ("--reset-offsets", "--group", "g", "--topic", "t", "--to-latest", "--dry-run", "--execute"),
    ],
)
def test_commands_that_make_no_sense_are_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        check(COMMAND.parse([*SERVER, *words]))


@pytest.mark.parametrize(
    "words",
    [
        ("--list", "--state"),
        ("--list", "--state", "Stable,Empty", "--type", "consumer"),
        ("--describe", "--all-groups", "--members", "--verbose"),
        ("--reset-offsets", "--all-groups", "--all-topics", "--shift-by", "-5", "--execute"),
        ("--reset-offsets", "--group", "g", "--from-file", "plan.csv", "--dry-run"),
        ("--delete", "--group", "a", "--group", "b"),
    ],
)
def test_commands_that_make_sense(words: tuple[str, ...]) -> None:
    check(COMMAND.parse([*SERVER, *words]))


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("PT0S", 0),
        ("PT1H30M", 5_400_000),
        ("P2D", 172_800_000),
        ("P1DT1.5S", 86_401_500),
        ("-PT2S", -2000),
        ("pt3m", 180_000),
        ("PT1,5S", 1500),
        ("PT-1.25S", -1250),
        ("-P1DT-1H", -82_800_000),
    ],
)
def test_durations(text: str, milliseconds: int) -> None:
    assert duration_ms(text) == milliseconds


@pytest.mark.parametrize("text", ["", "P", "PT", "1H", "PT1X", "P1H", "P1DT", "PT1.5H", "P1W"])
def test_what_is_no_duration_is_told_how_to_write_one(text: str) -> None:
    with pytest.raises(Failure, match="PnDTnHnMnS"):
        duration_ms(text)


def test_times() -> None:
    assert datetime_ms("2023-11-14T22:13:20.500") == 1_700_000_000_500
    assert datetime_ms("2023-11-14T23:13:20.000+01:00") == 1_700_000_000_000
    assert datetime_ms("2023-11-14T21:13:20.000-01") == 1_700_000_000_000
    assert datetime_ms("2023-11-14T22:13:20.5Z") == 1_700_000_000_005, "a number of milliseconds"


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "2023-11-14",
        "2023-11-14T22:13",
        "2023-11-14T22:13:20",
        "2023-11-14 22:13:20.000",
        "2023-11-14T22:13:20.1234",
        "2023-13-14T22:13:20.000",
        "2023-11-14T22:13:20.000GMT",
        "1969-12-31T23:59:59.999",
    ],
)
def test_what_is_no_time_is_told_how_to_write_one(text: str) -> None:
    with pytest.raises(Failure, match="write it as 2026-11-15"):
        datetime_ms(text)


def test_tide_reads_times_as_people_write_them() -> None:
    assert moment_ms("2023-11-14T23:13:20+01:00") == 1_700_000_000_000
    assert moment_ms("2023-11-14T22:13:20Z") == 1_700_000_000_000
    assert moment_ms("2023-11-14") == 1_699_920_000_000
    with pytest.raises(Failure, match="is not a place"):
        moment_ms("yesterday")


def test_numbers_are_those_of_64_bits() -> None:
    assert [long(text, "o") for text in ("0", "-5", "+3", str((1 << 63) - 1))] == [0, -5, 3, (1 << 63) - 1]
    for text in ("", " 3", "1.5", "x", "1_0", str(1 << 63)):
        with pytest.raises(Failure, match="option o"):
            long(text, "o")


def test_topics_and_partitions() -> None:
    assert [parsed(text) for text in ("t", "t:0", "t:0,2", "t:0,")] == [None, ("t", [0]), ("t", [0, 2]), ("t", [0])]
    for text in ("t:", "t:x", "t: 0", "t:,0", "t:0:1", "t:0-1"):
        with pytest.raises(UsageError, match="topic:0,1,2"):
            parsed(text)


def test_offsets_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "offsets"
    file.write_text("t 0 5\n\n# of yesterday\nt,1,7 # less\n")
    assert from_file(str(file)) == {("t", 0): 5, ("t", 1): 7}
    file.write_text("t 0\n")
    with pytest.raises(Failure, match="TOPIC PARTITION OFFSET"):
        from_file(str(file))


def test_the_columns_of_offsets(capsys: pytest.CaptureFixture[str]) -> None:
    view = GroupView("g", "Classic", "Empty", "", BrokerView(1, "h", 1), ())
    print_offsets(view, [OffsetRow("a-topic-with-a-long-name", "0", "-", "3", "10", "7")], verbose=False)
    found = capsys.readouterr()
    assert found.err == "\nConsumer group 'g' has no active members.\n"
    assert found.out.splitlines() == [
        "",
        "GROUP           TOPIC                    PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             "
        "CONSUMER-ID     HOST            CLIENT-ID",
        "g               a-topic-with-a-long-name 0          3               10              7               "
        "-               -               -",
    ]


def test_a_plan_as_a_table_and_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    plan = {"g": {("t", 0): 5}}
    words = ("--reset-offsets", "--group", "g", "--topic", "t", "--to-latest")
    show_plans({**plan}, COMMAND.parse([*SERVER, *words]))
    table = capsys.readouterr().out
    assert table == (
        "\nGROUP           TOPIC           PARTITION  NEW-OFFSET\ng               t               0          5\n"
    )
    show_plans({**plan}, COMMAND.parse([*SERVER, *words, "--export"]))
    assert capsys.readouterr().out == "t,0,5\n\n"
    show_plans({**plan}, COMMAND.parse([*SERVER, *words, "--export", "--group", "h"]))
    assert capsys.readouterr().out == "g,t,0,5\n\n"


@pytest.mark.parametrize(
    ("committed", "counted", "expected"),
    [
        (None, None, (None, None, True)),
        (10, None, (0, 0, True)),
        (4, Counted(10, 6, 700), (6, 300, True)),
        (4, Counted(10, 3, 1200), (3, 0, True)),  # a record from the future, and three offsets without records
        (4, Counted(10), (0, 0, True)),  # only markers and aborted records are left
        (4, Counted(7, 2, 700), (5, 300, False)),  # the time was over three offsets before the end
        (4, Counted(4), (6, None, False)),
    ],
)
def test_lag(committed: int | None, counted: Counted | None, expected: tuple[int | None, int | None, bool]) -> None:
    found = lag_of(committed, 10, 12, counted, now_ms=1000)
    assert (found.records, found.time_ms, found.is_exact) == expected
    assert (found.stable, found.end, found.held_back) == (10, 12, 2)


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (None, None),
        (0, "0"),
        (850, "850 ms"),
        (12_340, "12.3 s"),
        (245_000, "4 m 5 s"),
        (12_000_000, "3 h 20 m"),
        (183_600_000, "2 d 3 h"),
    ],
)
def test_ages_as_people_say_them(milliseconds: int | None, text: str | None) -> None:
    assert duration(milliseconds) == text


def test_the_console_consumer_has_a_group_of_its_own_unless_one_is_named() -> None:
    own = Plan(CONSUMER.parse([*SERVER, "--topic", "t"])).settings
    assert own["group.id"].startswith("console-consumer-")
    assert own["enable.auto.commit"] == "false"
    named = Plan(CONSUMER.parse([*SERVER, "--topic", "t", "--group", "g"])).settings
    assert named["group.id"] == "g"
    assert "enable.auto.commit" not in named
    assert "group.id" not in Plan(CONSUMER.parse([*SERVER, "--topic", "t", "--partition", "0"])).settings
    with pytest.raises(UsageError, match="do not match"):
        Plan(CONSUMER.parse([*SERVER, "--topic", "t", "--group", "g", "--command-property", "group.id=h"]))


def test_how_fast_a_group_moves() -> None:
    key, reset, new = ("t", 0), ("t", 1), ("t", 2)
    before = Look(10.0, {key: 100, reset: 50}, {key: 400, reset: 50})
    after = Look(14.0, {key: 300, reset: 20, new: 5}, {key: 420, reset: 50, new: 9})
    assert rates(before, after) == {key: Rate(50.0, 5.0), reset: Rate(0.0, 0.0)}


@pytest.mark.parametrize(
    ("rate", "lag", "eta"),
    [
        (Rate(50.0, 5.0), 90, 2000),
        (Rate(50.0, 5.0), 0, 0),
        (Rate(5.0, 5.0), 90, None),
        (Rate(0.0, 0.0), 0, 0),
        (Rate(50.0, 5.0), None, None),
    ],
)
def test_when_a_group_has_caught_up(rate: Rate, lag: int | None, eta: int | None) -> None:
    assert rate.eta_ms(lag) == eta
