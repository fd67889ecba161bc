"""`format("tidelog_lake")`: tasks stage their rows in files, the driver commits them to the table once per batch.

Options: `path`, `table` (delta or iceberg), `query`, `partitionBy` and `key` (names with commas), `compactEvery`
(batches). What a crash leaves is staged files that no commit names; the next batch of the query removes them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from tidelog.spark import steps
from tidelog.spark.lake import tables
from tidelog.spark.lake.batch import Batch, stage

COMPACT_EVERY = 20


@dataclass
class Staged(WriterCommitMessage):
    """The file of one task, if it had rows."""

    file: str | None


class LakeSink(DataSource):
    @classmethod
    def name(cls) -> str:
        return "tidelog_lake"

    def schema(self) -> StructType:
        raise ValueError("format('tidelog_lake') only writes; read the table with deltalake, pyiceberg or DuckDB")

    def streamWriter(self, schema: StructType, overwrite: bool) -> StreamWriter:
        return StreamWriter(self.options, schema)

    def writer(self, schema: StructType, overwrite: bool) -> BatchWriter:
        return BatchWriter(self.options, schema)


class _Commits:
    """What the streaming and the batch writer share."""

    def __init__(self, options: Mapping[str, str], schema: StructType) -> None:
        self._format = options.get("table", "delta")
        self._place = options["path"]
        self._query = options.get("query", "batch")
        self._partition_by = _words(options.get("partitionBy", ""))
        self._key = _words(options.get("key", ""))
        self._compact_every = int(options.get("compactEvery", COMPACT_EVERY))
        self._schema = schema
        # Beside the table and not in it: the table's own tools must not meet files that are not theirs.
        place = Path(self._place).absolute()
        self._folder = place.parent / f".staged-{place.name}" / self._query

    def _stage(self, iterator: Iterator[pa.RecordBatch]) -> Staged:
        return Staged(stage(self._folder, iterator))

    def _commit(self, messages: list[Any], number: int) -> None:
        files = tuple(message.file for message in messages if message is not None and message.file)
        schema = to_arrow_schema(self._schema, timezone="UTC")
        batch = Batch(self._query, number, files, schema)
        steps.reached("lake staged")
        done = tables.commit(self._format, self._place, batch, self._partition_by, self._key)
        steps.reached("lake committed")
        shutil.rmtree(self._folder, ignore_errors=True)
        if done and self._compact_every and (number + 1) % self._compact_every == 0:
            tables.compact(self._format, self._place)

    def _forget(self, messages: list[Any]) -> None:
        for message in messages:
            if message is not None and message.file:
                Path(message.file).unlink(missing_ok=True)


class StreamWriter(_Commits, DataSourceStreamArrowWriter):
    def write(self, iterator: Iterator[pa.RecordBatch]) -> Staged:
        return self._stage(iterator)

    def commit(self, messages: list[Any], batchId: int) -> None:
        self._commit(messages, batchId)

    def abort(self, messages: list[Any], batchId: int) -> None:
        self._forget(messages)


class BatchWriter(_Commits, DataSourceArrowWriter):
    def write(self, iterator: Iterator[pa.RecordBatch]) -> Staged:
        return self._stage(iterator)

    def commit(self, messages: list[Any]) -> None:
        self._commit(messages, tables.committed(self._format, self._place, self._query) + 1)

    def abort(self, messages: list[Any]) -> None:
        self._forget(messages)


def _words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]
