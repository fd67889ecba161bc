"""The state machines of tables, and the file of a global table; without a session."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.streaming.tws_tester import TwsTester
from pyspark.sql.types import Row, StringType, StructField

from tidelog.spark.pipeline.failures import is_worker_late, sentence
from tidelog.spark.pipeline.global_store import load, merged, save
from tidelog.spark.pipeline.processors import Joining, Looking, Revising

CITY = [StructField("city", StringType())]
PLAN = [StructField("plan", StringType())]


def change(offset: int, city: str | None, struct: Any = dict) -> Row:
    """A struct arrives as a dict or as a Row, depending on where it stands."""
    return Row(row=None, found=struct(city=city), _deleted=city is None, _offset=offset)


def order(id: str, struct: Any = dict) -> Row:
    return Row(row=struct(id=id), found=None, _deleted=None, _offset=None)


@pytest.mark.parametrize("struct", [dict, Row])
def test_changes_apply_before_the_rows_of_their_batch(struct: Any) -> None:
    looking = TwsTester(Looking(["id"], CITY, keep_unmatched=True))
    assert looking.test("ann", [order("o1", struct)]) == [Row(id="o1", city=None)]
    batch = [order("o2", struct), change(8, "Oslo", struct), change(7, "Rome", struct)]
    assert looking.test("ann", batch) == [Row(id="o2", city="Oslo")]
    assert looking.test("ann", [order("o3", struct)]) == [Row(id="o3", city="Oslo")]
    assert looking.test("bob", [order("o4", struct)]) == [Row(id="o4", city=None)]
    assert looking.test("ann", [change(9, None, struct), order("o5", struct)]) == [Row(id="o5", city=None)]


def test_a_row_that_finds_nothing_goes_when_asked() -> None:
    looking = TwsTester(Looking(["id"], CITY, keep_unmatched=False))
    assert looking.test("ann", [order("o1")]) == []
    assert looking.test("ann", [change(0, "Oslo"), order("o2")]) == [Row(id="o2", city="Oslo")]


def side(name: str, offset: int, value: str | None) -> Row:
    struct = {"city": value} if name == "left" else {"plan": value}
    row: dict[str, Any] = {"left": None, "right": None, name: struct}
    return Row(**row, _deleted=value is None, _offset=offset)


def test_an_inner_join_of_tables_begins_changes_and_ends() -> None:
    joining = TwsTester(Joining(("user",), CITY, PLAN, "inner"))

    def given(*rows: Row) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in joining.test("ann", list(rows))]

    assert given(side("left", 0, "Rome")) == []
    assert given(side("right", 0, "free")) == [("ann", "Rome", "free", False)]
    assert given(side("left", 1, "Rome")) == []  # nothing has changed
    assert given(side("left", 3, "Oslo"), side("right", 1, "team")) == [("ann", "Oslo", "team", False)]
    assert given(side("right", 2, None)) == [("ann", None, None, True)]
    assert given(side("left", 4, None)) == []
    assert joining.test("bob", [side("left", 0, "Rome"), side("right", 0, "free")])[0].asDict() == {
        "user": "bob",
        "city": "Rome",
        "plan": "free",
        "_deleted": False,
    }


@pytest.mark.parametrize(
    ("how", "after_right", "after_left_goes"),
    [("left", [], ("ann", None, None, True)), ("outer", [("ann", None, "free", False)], ("ann", None, "free", False))],
)
def test_outer_joins_of_tables(how: str, after_right: list[Any], after_left_goes: tuple[Any, ...]) -> None:
    joining = TwsTester(Joining(("user",), CITY, PLAN, how))
    assert [tuple(row) for row in joining.test("ann", [side("right", 0, "free")])] == after_right
    assert [tuple(row) for row in joining.test("ann", [side("left", 0, "Rome")])] == [("ann", "Rome", "free", False)]
    assert [tuple(row) for row in joining.test("ann", [side("left", 1, None)])] == [after_left_goes]


def test_a_revision_has_what_it_replaces() -> None:
    revising = TwsTester(Revising(("user",), CITY))
    rome, oslo = Row(city="Rome"), Row(city="Oslo")
    assert [tuple(row) for row in revising.test("ann", [change(0, "Rome")])] == [("ann", None, rome)]
    assert [tuple(row) for row in revising.test("ann", [change(1, "Rome")])] == []
    assert [tuple(row) for row in revising.test("ann", [change(3, "Oslo"), change(2, None)])] == [("ann", rome, oslo)]
    assert revising.test("ann", [change(4, None)]) == [Row(user="ann", before=oslo, after=None)]


def record(offset: int, key: bytes, value: bytes | None) -> dict[str, Any]:
    return {
        "key": key,
        "value": value,
        "topic": "cities",
        "partition": 0,
        "offset": offset,
        "timestamp": 0,
        "timestampType": 0,
    }


def test_the_file_of_a_global_table_holds_the_newest_and_its_positions(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "cities.arrow"
    assert load(file)[1] == {}
    first = merged(load(file)[0], [record(0, b"a", b"1"), record(1, b"b", b"1"), record(2, b"a", b"2")])
    save(file, first, {0: 3, 1: 0})
    table, positions = load(file)
    assert positions == {0: 3, 1: 0}
    second = merged(table, [record(3, b"b", None), record(4, b"c", b"3"), record(5, b"d", None)])
    assert [(row["key"], row["value"]) for row in second.to_pylist()] == [(b"a", b"2"), (b"c", b"3")]
    assert [each.name for each in file.parent.iterdir()] == ["cities.arrow"]


def test_the_sentence_of_a_failure_is_the_innermost() -> None:
    inner = RuntimeError("Traceback ...\n  File x\ntidelog.spark.options.OptionError: There is no option 'x'; see docs")
    outer = RuntimeError("[STREAM_FAILED] Query terminated\n=== Streaming Query ===")
    outer.__cause__ = inner
    assert sentence(outer) == "There is no option 'x'; see docs"
    assert sentence(RuntimeError("[NO_COLUMN] no column. SQLSTATE: 42703\n at x")) == "no column."
    called = "An error occurred while calling None.X.\n: org.x.SparkException: Could not parse Master URL: 'y'\n\tat z"
    assert sentence(RuntimeError(called)) == "Could not parse Master URL: 'y'"
    worker = RuntimeError("Traceback\nKeyError: 'amount'\n")
    assert sentence(worker) == "KeyError: 'amount'"


def test_a_worker_that_came_too_late_is_known() -> None:
    inner = RuntimeError("org.apache.spark.SparkException: Python worker failed to connect back.")
    outer = RuntimeError("[STREAM_FAILED] Query terminated")
    assert not is_worker_late(outer)
    outer.__cause__ = inner
    assert is_worker_late(outer)
