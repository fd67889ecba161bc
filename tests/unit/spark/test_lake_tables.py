"""Lake tables: a batch is committed once, keys are replaced and deleted, small files become few, DuckDB reads both."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from deltalake import DeltaTable

from tidelog.spark.lake import tables
from tidelog.spark.lake.batch import Batch, stage
from tidelog.spark.lake.iceberg import open_table

SCHEMA = pa.schema(
    [
        ("city", pa.string()),
        ("n", pa.int64()),
        ("at", pa.timestamp("us", "UTC")),
        ("_offset", pa.int64()),
        ("_deleted", pa.bool_()),
    ]
)
AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(params=tables.FORMATS)
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> "Lake":
    return Lake(request.param, tmp_path)


class Lake:
    def __init__(self, format: str, folder: Path) -> None:
        self.format = format
        self.folder = folder
        self.place = str(folder / ("shop.cities" if format == "iceberg" else "cities"))

    def commit(self, number: int, rows: list[dict[str, Any]], key: list[str] | None = None, query: str = "q") -> bool:
        made = pa.Table.from_pylist([{"at": AT, "_offset": i, **row} for i, row in enumerate(rows)], SCHEMA)
        files = [stage(self.folder / "staged", made.slice(at, 3).to_batches()) for at in range(0, made.num_rows, 3)]
        batch = Batch(query, number, tuple(filter(None, files)), SCHEMA)
        return tables.commit(self.format, self.place, batch, [] if key else ["city"], key or [])

    def table(self) -> pa.Table:
        if self.format == "delta":
            return DeltaTable(self.place).to_pyarrow_table()
        found = open_table(self.place)
        assert found is not None
        return found.scan().to_arrow()

    def rows(self) -> list[tuple[str, int]]:
        return sorted((row["city"], row["n"]) for row in self.table().to_pylist())


def test_a_batch_is_committed_once(lake: Lake) -> None:
    assert tables.committed(lake.format, lake.place, "q") == -1
    rows = [{"city": city, "n": 1} for city in "abab"]
    assert lake.commit(0, rows)
    assert not lake.commit(0, rows)
    assert lake.commit(1, [])
    assert not lake.commit(1, rows)
    assert lake.commit(0, rows[:1], query="another")
    assert tables.committed(lake.format, lake.place, "q") == 1
    assert lake.rows() == [("a", 1), ("a", 1), ("a", 1), ("b", 1), ("b", 1)]
    assert lake.table().column_names == ["city", "n", "at"]


def test_keys_are_replaced_and_deleted(lake: Lake) -> None:
    lake.commit(
        0, [{"city": "a", "n": 1}, {"city": "b", "n": 1}, {"city": "a", "n": 2}, {"city": "c", "n": 3}], ["city"]
    )
    assert lake.rows() == [("a", 2), ("b", 1), ("c", 3)]
    lake.commit(1, [{"city": "b", "_deleted": True}, {"city": "z", "_deleted": True}, {"city": "a", "n": 5}], ["city"])
    assert lake.rows() == [("a", 5), ("c", 3)]
    lake.commit(2, [{"city": "a", "_deleted": True}, {"city": "a", "n": 6}], ["city"])
    assert lake.rows() == [("a", 6), ("c", 3)]
    for number in (3, 4):
        lake.commit(number, [{"n": number}, {"city": "a", "_deleted": True}], ["city"])
    assert [(row["city"], row["n"]) for row in lake.table().to_pylist() if row["city"] != "c"] == [(None, 4)]


def test_small_files_become_few_and_duckdb_reads_them(lake: Lake) -> None:
    for number in range(3):
        lake.commit(number, [{"city": city, "n": number} for city in "ab"])
    before = lake.rows()
    assert tables.files(lake.format, lake.place) == 6
    assert tables.compact(lake.format, lake.place) == (6, 2)
    assert tables.files(lake.format, lake.place) == 2
    assert lake.rows() == before
    assert not lake.commit(2, [{"city": "a", "n": 9}])
    cities = lake.table()  # noqa: F841  # DuckDB finds it by its name
    assert duckdb.sql("select city, sum(n) from cities group by city order by city").fetchall() == [("a", 3), ("b", 3)]


@pytest.mark.parametrize("key", [[], ["city"]])
def test_a_pipeline_that_gains_a_column_goes_on(lake: Lake, key: list[str]) -> None:
    lake.commit(0, [{"city": "a", "n": 1}], key)
    wider = SCHEMA.append(pa.field("note", pa.string()))
    made = pa.Table.from_pylist([{"city": "b", "n": 2, "at": AT, "note": "new"}], wider)
    file = stage(lake.folder / "staged", made.to_batches())
    assert file is not None
    assert tables.commit(lake.format, lake.place, Batch("q", 1, (file,), wider), [], key)
    assert sorted((row["city"], row["note"]) for row in lake.table().to_pylist()) == [("a", None), ("b", "new")]


def test_an_iceberg_place_has_a_namespace(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"named 'folder/namespace\.table'"):
        tables.committed("iceberg", str(tmp_path / "plain"), "q")
