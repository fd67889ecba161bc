"""Every row of the table of operations, run as a stream; and the table in the docs is this one.

The records come from files in the form that a topic's records have, and not from a node: reading topics has its own
tests, and a query without a Python source starts seconds sooner.
"""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.cloudpickle import register_pickle_by_value
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema

from spark import operations
from spark.operations import FRAMES, INPUT, OPERATIONS, Operation, records, table_of_operations
from tidelog.spark.pipeline.declare import Source
from tidelog.spark.pipeline.ending import ending
from tidelog.spark.pipeline.failures import sentence
from tidelog.spark.pipeline.reading import LIVE, RECORD, Reader, changes_frame
from tidelog.spark.pipeline.session import register

DOCS = Path(__file__).parent.parent.parent / "docs" / "pipelines.md"
PATIENCE_S = 240
register_pickle_by_value(operations)  # workers cannot import the tests
STATELESS = ("map_", "filter_", "flat_map", "branch", "merge", "repartition", "dead_letters", "to_stream")
AT_ONCE = 3

Rows = list[dict[str, object]]


class FileReader(Reader):
    """Records from files, a folder for each topic."""

    def records(self, source: Source, whole: bool = False) -> DataFrame:
        return self.spark.readStream.schema(RECORD).parquet(f"{self.folder}/{source.topic}")

    def _global(self, source: Source) -> DataFrame:
        records = self.spark.read.schema(RECORD).parquet(f"{self.folder}/{source.topic}")
        return changes_frame(records, source).drop("_deleted")


@pytest.fixture(scope="module")
def results(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rows]:
    folder = tmp_path_factory.mktemp("operations")
    for topic in INPUT:
        rows = [
            {"key": key, "value": value, "topic": topic, "partition": 0, "offset": offset, "timestamp": 0}
            for offset, (key, value) in enumerate(records(topic))
        ]
        (folder / topic).mkdir()
        table = pa.Table.from_pylist(rows, to_arrow_schema(RECORD, timezone="UTC"))
        pq.write_table(table, folder / topic / "records.parquet")
    return _run(register(spark), folder)


def _run(session: SparkSession, folder: Path) -> dict[str, Rows]:
    """What each operation gave: the stateless ones together in one query, the others in one each, a few at a time."""
    reader = FileReader(session, LIVE, folder=str(folder))
    frames = {
        each: _tagged(each, each.function(**{name: reader.frame(FRAMES[name]) for name in each.reads}))
        for each in OPERATIONS
    }
    together = [rows for each, rows in frames.items() if each.name in STATELESS]
    first = together[0]
    for rows in together[1:]:
        first = first.union(rows)
    wanted = [("together", first, "append")]
    wanted += [(each.name, rows, each.mode) for each, rows in frames.items() if each.name not in STATELESS]
    found: dict[str, Rows] = {each.name: [] for each in OPERATIONS}
    for at in range(0, len(wanted), AT_ONCE):
        queries = [_start(*each) for each in wanted[at : at + AT_ONCE]]
        for (name, _, _), query in zip(wanted[at:], queries):
            _finish(name, query, found)
    for name, _, _ in wanted:
        for row in session.table(name).collect():
            found[row["name"]].append(json.loads(row["row"]))
    return found


def _tagged(each: Operation, frame: DataFrame) -> DataFrame:
    row = F.to_json(F.struct("*"), {"ignoreNullFields": "false"})
    return frame.select(F.lit(each.name).alias("name"), row.alias("row"))


def _start(name: str, rows: DataFrame, mode: str):
    writer = rows.writeStream.format("memory").queryName(name).outputMode(mode).trigger(availableNow=True)
    with ending(rows.sparkSession, rows, True):
        return writer.start()


def _finish(name: str, query, found: dict[str, Rows]) -> None:
    """A query that fails fails the test of its operation, which then shows the reason among the rows."""
    try:
        assert query.awaitTermination(PATIENCE_S), f"{name} takes more than {PATIENCE_S} s"
    except Exception as error:
        found.setdefault(name, []).append({"failed": sentence(error)})


@pytest.mark.parametrize("each", OPERATIONS, ids=lambda each: each.name)
def test_operation(each: Operation, results: dict[str, Rows]) -> None:
    def ordered(rows: Rows) -> list[str]:
        return sorted(json.dumps(row, sort_keys=True) for row in rows)

    assert ordered(results[each.name]) == ordered(each.expected)


def test_the_docs_have_this_table() -> None:
    assert table_of_operations() in DOCS.read_text(encoding="utf-8")
