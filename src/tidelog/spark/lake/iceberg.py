"""Iceberg tables in a SQLite catalog: rows and the number of the query's batch change in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import NamespaceAlreadyExistsError, NoSuchTableError, TableAlreadyExistsError
from pyiceberg.expressions import And, BooleanExpression, EqualTo, In, IsNull, Or
from pyiceberg.table import Table, Transaction
from pyiceberg.transforms import IdentityTransform

from tidelog.spark.lake.batch import Batch, table_schema
from tidelog.spark.pipeline.errors import PipelineError

COMMITTED = "tidelog.committed."
# Their declared parameters are those of a serialization library; what they take is a column's name and a value.
_EqualTo: Any = EqualTo
_IsNull: Any = IsNull
_In: Any = In


def catalog(folder: Path) -> SqlCatalog:
    folder.mkdir(parents=True, exist_ok=True)
    return SqlCatalog("tidelog", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")


def split(place: str) -> tuple[Path, str]:
    path = Path(place).absolute()
    if path.name.count(".") != 1:
        raise PipelineError(f"an Iceberg table is named 'folder/namespace.table', not '{place}'")
    return path.parent, path.name


def open_table(place: str) -> Table | None:
    folder, name = split(place)
    if not (folder / "catalog.db").exists():
        return None
    try:
        return catalog(folder).load_table(name)
    except NoSuchTableError:
        return None


def exists(place: str) -> bool:
    return open_table(place) is not None


def committed(place: str, query: str) -> int:
    table = open_table(place)
    return -1 if table is None else int(table.properties.get(COMMITTED + query, -1))


def commit(place: str, batch: Batch, partition_by: Sequence[str], key: Sequence[str]) -> bool:
    table = open_table(place) or _create(place, batch, partition_by)
    if int(table.properties.get(COMMITTED + batch.query, -1)) >= batch.number:
        return False
    with table.transaction() as change:
        change.set_properties({COMMITTED + batch.query: str(batch.number)})
        _widen(change, table_schema(batch.schema))
        if key:
            _upsert(change, batch, key)
        else:
            rows = batch.rows().read_all()
            if rows.num_rows:
                change.append(rows)
    return True


def _create(place: str, batch: Batch, partition_by: Sequence[str]) -> Table:
    folder, name = split(place)
    found = catalog(folder)
    with suppress(NamespaceAlreadyExistsError):
        found.create_namespace(name.split(".")[0])
    # At once, or a crash between the two would leave a table without partitions for ever.
    making = found.create_table_transaction(name, table_schema(batch.schema))
    with suppress(TableAlreadyExistsError), making as change, change.update_spec() as spec:
        for column in partition_by:
            spec.add_field(column, IdentityTransform(), f"{column}_part")
    return found.load_table(name)


def _widen(change: Transaction, rows: pa.Schema) -> None:
    """Columns that a pipeline has gained since the table was made; rows from before have none of them."""
    there = {field.name for field in change.table_metadata.schema().fields}
    if any(name not in there for name in rows.names):
        with change.update_schema() as update:
            update.union_by_name(rows)


def _upsert(change: Transaction, batch: Batch, key: Sequence[str]) -> None:
    """What the batch says of a key replaces what the table says of it."""
    kept, gone = batch.newest(key)
    keys = kept.select(list(key)).to_pylist() + gone.select(list(key)).to_pylist()
    if not keys:
        return
    table_has_rows = change.table_metadata.current_snapshot() is not None
    if table_has_rows:
        change.delete(_those(keys))
    if kept.num_rows:
        change.append(kept)


def _those(keys: list[dict[str, Any]]) -> BooleanExpression:
    names = list(keys[0])
    if len(names) == 1 and all(each[names[0]] is not None for each in keys):
        found: BooleanExpression = _In(names[0], [each[names[0]] for each in keys])
        return found
    return _any([_same(each) for each in keys])


def _same(row: dict[str, Any]) -> BooleanExpression:
    found: BooleanExpression | None = None
    for name, value in row.items():
        one: BooleanExpression = _IsNull(name) if value is None else _EqualTo(name, value)
        found = one if found is None else And(found, one)
    assert found is not None
    return found


def _any(parts: list[BooleanExpression]) -> BooleanExpression:
    """A balanced tree: a chain as long as a batch would be deeper than the interpreter's stack."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return Or(_any(parts[:middle]), _any(parts[middle:]))


def compact(place: str, small_bytes: int) -> tuple[int, int]:
    """Rewrites the small files of each partition as one, in one snapshot."""
    from pyiceberg.io.pyarrow import ArrowScan, _dataframe_to_data_files

    table = open_table(place)
    if table is None:
        return 0, 0
    by_partition: dict[str, list[Any]] = {}
    for task in table.scan().plan_files():
        if task.file.file_size_in_bytes < small_bytes and not task.delete_files:
            by_partition.setdefault(repr(task.file.partition), []).append(task)
    worth = [tasks for tasks in by_partition.values() if len(tasks) > 1]
    added = 0
    with table.transaction() as change, change.update_snapshot().overwrite() as snapshot:
        for tasks in worth:
            reader = ArrowScan(table.metadata, table.io, table.schema(), _everything())
            for task in tasks:
                snapshot.delete_data_file(task.file)
            for file in _dataframe_to_data_files(table.metadata, reader.to_table(tasks), table.io):
                snapshot.append_data_file(file)
                added += 1
    return sum(map(len, worth)), added


def _everything() -> BooleanExpression:
    from pyiceberg.expressions import AlwaysTrue

    return AlwaysTrue()


def files(place: str) -> int:
    table = open_table(place)
    return 0 if table is None else len(list(table.scan().plan_files()))
