"""One micro-batch on its way into a lake table: who sent it, its number, its rows in staged files."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

DELETED, ORDER = "_deleted", "_offset"


@dataclass(frozen=True)
class Batch:
    """`query` and `number` together are what is committed at most once."""

    query: str
    number: int
    files: tuple[str, ...]
    schema: pa.Schema

    def rows(self) -> pa.RecordBatchReader:
        """The columns that belong to the table, file by file."""
        kept = table_schema(self.schema)
        return pa.RecordBatchReader.from_batches(kept, self._batches(kept))

    def _batches(self, kept: pa.Schema) -> Iterator[pa.RecordBatch]:
        for file in self.files:
            for batch in pq.ParquetFile(file).iter_batches(columns=kept.names):
                yield batch.select(kept.names).cast(kept)

    def newest(self, key: Sequence[str]) -> tuple[pa.Table, pa.Table]:
        """Of each key the last row: those that stay, and those that delete theirs."""
        whole = (
            pa.concat_tables([pq.read_table(file) for file in self.files]) if self.files else self.schema.empty_table()
        )
        if ORDER in whole.column_names:
            whole = whole.sort_by(ORDER)
        numbered = whole.append_column("_row", pa.array(range(whole.num_rows), pa.int64()))
        last = numbered.group_by(list(key)).aggregate([("_row", "max")])["_row_max"]
        kept = whole.take(last)
        if DELETED not in kept.column_names:
            return _only(kept), _only(kept.slice(0, 0))
        gone = pc.fill_null(kept[DELETED], False)
        return _only(kept.filter(pc.invert(gone))), _only(kept.filter(gone))


def _only(table: pa.Table) -> pa.Table:
    return table.select(table_schema(table.schema).names).combine_chunks()


def table_schema(schema: pa.Schema) -> pa.Schema:
    """A column whose name begins with an underscore says something about the row and is not kept."""
    return pa.schema([field for field in schema if not field.name.startswith("_")])


def stage(folder: Path, batches: Iterable[pa.RecordBatch]) -> str | None:
    """Writes the rows of a task to a file of their own; None when there are none."""
    writer, path = None, folder / f"{uuid.uuid4().hex}.parquet"
    try:
        for batch in batches:
            if writer is None:
                folder.mkdir(parents=True, exist_ok=True)
                writer = pq.ParquetWriter(path, batch.schema)
            writer.write_batch(batch)
    finally:
        if writer is not None:
            writer.close()
    return None if writer is None else str(path)
