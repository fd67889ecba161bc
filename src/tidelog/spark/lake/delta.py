"""Delta tables: a commit carries (query, batch), so that a batch which comes again is known and left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deltalake import CommitProperties, DeltaTable, Transaction, write_deltalake
from deltalake.exceptions import TableNotFoundError

from tidelog.spark.lake.batch import Batch, table_schema


def exists(place: str) -> bool:
    return _open(place) is not None


def committed(place: str, query: str) -> int:
    """The number of the query's last batch in the table, or -1."""
    table = _open(place)
    found = None if table is None else table.transaction_version(query)
    return -1 if found is None else found


def commit(place: str, batch: Batch, partition_by: Sequence[str], key: Sequence[str]) -> bool:
    """False when the batch was there already."""
    if committed(place, batch.query) >= batch.number:
        return False
    once = CommitProperties(app_transactions=[Transaction(batch.query, batch.number)])
    table = _open(place)
    if table is None:
        schema = table_schema(batch.schema)
        table = DeltaTable.create(place, schema, mode="ignore", partition_by=list(partition_by) or None)
    if key:
        _merge(table, batch, key, once)
    else:
        write_deltalake(table, batch.rows(), mode="append", schema_mode="merge", commit_properties=once)
    return True


def _merge(table: Any, batch: Batch, key: Sequence[str], once: CommitProperties) -> None:
    """Rows and deletions go in one commit: a deletion is a row whose mark says so."""
    import pyarrow as pa

    kept, gone = batch.newest(key)
    marked = [
        part.append_column("_deleted", pa.array([mark] * part.num_rows, pa.bool_()))
        for part, mark in ((kept, False), (gone, True))
    ]
    same = " AND ".join(f"target.`{name}` IS NOT DISTINCT FROM source.`{name}`" for name in key)
    columns = {f"`{name}`": f"source.`{name}`" for name in kept.column_names}
    rows = pa.concat_tables(marked)
    merger = table.merge(rows, same, "source", "target", merge_schema=True, commit_properties=once)
    merger = merger.when_matched_delete("source._deleted")
    merger = merger.when_matched_update(columns, "NOT source._deleted")
    merger.when_not_matched_insert(columns, "NOT source._deleted").execute()


def compact(place: str, small_bytes: int) -> tuple[int, int]:
    """Puts small files together; gives how many were taken away and added."""
    table = _open(place)
    if table is None:
        return 0, 0
    found = table.optimize.compact(target_size=small_bytes)
    return found["numFilesRemoved"], found["numFilesAdded"]


def files(place: str) -> int:
    table = _open(place)
    return 0 if table is None else len(table.file_uris())


def _open(place: str) -> DeltaTable | None:
    try:
        return DeltaTable(place)
    except TableNotFoundError:
        return None
