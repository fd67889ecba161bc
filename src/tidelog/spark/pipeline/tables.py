"""Tables inside a function: `lookup`, `join_tables`, `revisions`. State is kept by Spark, key by key.

A micro-batch costs what is in it, never what is in the table. The changes of a table that are in a micro-batch apply
before the rows that look it up; the first micro-batch holds the whole table, which so is there before any row is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.processors import Joining, Looking, Revising

DELETED, ORDER = "_deleted", "_offset"


@dataclass(frozen=True)
class Table:
    """What a parameter declared with `table(...)` is: its changes as a frame, and the columns of its key."""

    changes: DataFrame
    key: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        """The columns besides the key."""
        return [name for name in self.changes.columns if name not in self.key and not name.startswith("_")]

    def fields(self, names: Sequence[str]) -> list[T.StructField]:
        by_name = {field.name: field for field in self.changes.schema.fields}
        return [T.StructField(name, by_name[name].dataType, True) for name in names]

    def packed(self, into: str) -> DataFrame:
        """The key, the other columns as one struct, whether it is a deletion, and its place in the order of changes."""
        row = F.struct(*[F.col(name) for name in self.columns]).alias(into)
        return self.changes.select(*self.key, row, F.col(DELETED), F.col(ORDER))


def lookup(stream: DataFrame, table: Table, *, on: str | Sequence[str], how: str = "left") -> DataFrame:
    """Each row of the stream with the table's row of that key; `on` names the stream's columns that hold the key."""
    _check_table(table, "lookup(stream, table, on='user_id')")
    if how not in ("left", "inner"):
        raise PipelineError(
            f"lookup() is 'left' or 'inner', not '{how}'; a stream row that finds nothing stays or goes"
        )
    names = (on,) if isinstance(on, str) else tuple(on)
    if len(names) != len(table.key):
        raise PipelineError(
            f"the table's key is {list(table.key)}; name as many columns of the stream, not {list(names)}"
        )
    missing = [name for name in names if name not in stream.columns]
    if missing:
        raise PipelineError(f"the stream has no column {missing}; it has {stream.columns}")
    both = [name for name in table.columns if name in stream.columns]
    if both:
        raise PipelineError(f"stream and table both have {both}; rename one of them, as with withColumnRenamed()")
    keys = [F.col(name).alias(f"_key{number}") for number, name in enumerate(names)]
    left = stream.select(*keys, F.struct(*[F.col(name) for name in stream.columns]).alias("row"))
    right = table.packed("found").withColumnsRenamed({name: f"_key{i}" for i, name in enumerate(table.key)})
    _check_types(left, right, names, table)
    out = T.StructType([*stream.schema.fields, *table.fields(table.columns)])
    looking = Looking(stream.columns, table.fields(table.columns), keep_unmatched=how == "left")
    return _with_state(left.unionByName(right, allowMissingColumns=True), len(names), looking, out)


def join_tables(left: Table, right: Table, *, how: str = "inner") -> DataFrame:
    """The changes of the table that two tables of the same key make; for `to_table`."""
    for table in (left, right):
        _check_table(table, "join_tables(users, addresses)")
    if how not in ("inner", "left", "outer"):
        raise PipelineError(f"join_tables() is 'inner', 'left' or 'outer', not '{how}'")
    if left.key != right.key:
        raise PipelineError(f"the tables have different keys, {list(left.key)} and {list(right.key)}; name them alike")
    both = [name for name in right.columns if name in left.columns]
    if both:
        raise PipelineError(f"both tables have {both}; give one of them other names where it is declared")
    changes = left.packed("left").unionByName(right.packed("right"), allowMissingColumns=True)
    renamed = changes.withColumnsRenamed({name: f"_key{i}" for i, name in enumerate(left.key)})
    columns = [*left.fields(left.columns), *right.fields(right.columns)]
    out = T.StructType([*left.fields(left.key), *columns, T.StructField(DELETED, T.BooleanType())])
    joining = Joining(left.key, left.fields(left.columns), right.fields(right.columns), how)
    return _with_state(renamed, len(left.key), joining, out)


def revisions(table: Table) -> DataFrame:
    """Every change with what it replaces: the key, `before` and `after` (null where there was or is nothing).

    An aggregation of a table adds what is `after` and takes away what is `before`.
    """
    _check_table(table, "revisions(users)")
    row = T.StructType(table.fields(table.columns))
    out = T.StructType([*table.fields(table.key), T.StructField("before", row), T.StructField("after", row)])
    renamed = table.packed("found").withColumnsRenamed({name: f"_key{i}" for i, name in enumerate(table.key)})
    return _with_state(renamed, len(table.key), Revising(table.key, table.fields(table.columns)), out)


def _with_state(frame: DataFrame, keys: int, processor: Any, out: T.StructType) -> DataFrame:
    grouped = frame.groupBy(*[f"_key{number}" for number in range(keys)])
    run: Callable[..., DataFrame] = grouped.transformWithState
    return run(processor, out, "Append", "None")


def _check_table(table: object, form: str) -> None:
    if not isinstance(table, Table):
        raise PipelineError(f"{form} needs a parameter declared with table(...); this one is a {type(table).__name__}")


def _check_types(left: DataFrame, right: DataFrame, names: Sequence[str], table: Table) -> None:
    for number, name in enumerate(names):
        mine, theirs = left.schema[f"_key{number}"].dataType, right.schema[f"_key{number}"].dataType
        if mine != theirs:
            raise PipelineError(
                f"'{name}' is a {mine.simpleString()} and the table's key '{table.key[number]}' a "
                f"{theirs.simpleString()}; declare the table with key='{table.key[number]} {mine.simpleString()}'"
            )
