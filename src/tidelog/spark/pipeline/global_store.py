"""`format("tidelog_global")`: the newest record of every key of a compacted topic, kept in one file of this machine.

Each micro-batch has a task that reads it; that task first merges what the topic has gained since the last time.
The file holds its own positions, so that it is right or, after a crash, as it was; a lost file is read again from the
topic. Options: `topic`, `folder`, and kafka.* client settings.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

POSITIONS = b"tidelog.positions"
SCHEMA = "key binary, value binary, topic string, partition int, offset bigint, timestamp timestamp, timestampType int"
_ARROW = pa.schema(
    [
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("timestamp", pa.timestamp("us", "UTC")),
        ("timestampType", pa.int32()),
    ]
)


class GlobalTable(DataSource):
    @classmethod
    def name(cls) -> str:
        return "tidelog_global"

    def schema(self) -> str:
        return SCHEMA

    def reader(self, schema: Any) -> GlobalReader:
        return GlobalReader(self.options)


class GlobalReader(DataSourceReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        self._topic = options["topic"]
        self._file = Path(options["folder"]) / f"{self._topic}.arrow"
        self._settings = {name[6:]: text for name, text in options.items() if name.startswith("kafka.")}

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(self._topic)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Spark asks for partitions once in the life of a query, and reads them in every micro-batch."""
        asyncio.run(refresh(self._file, self._topic, self._settings))
        yield from load(self._file)[0].to_batches(max_chunksize=50_000)


def load(file: Path) -> tuple[pa.Table, dict[int, int]]:
    """The rows, and from where in each partition to read on."""
    if not file.exists():
        return _ARROW.empty_table(), {}
    with pa.OSFile(str(file)) as source:
        table = pa.ipc.open_file(source).read_all()
    positions = json.loads((table.schema.metadata or {}).get(POSITIONS, b"{}"))
    return table.replace_schema_metadata(None), {int(name): at for name, at in positions.items()}


def save(file: Path, table: pa.Table, positions: dict[int, int]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    marked = table.replace_schema_metadata({POSITIONS: json.dumps(positions).encode()})
    new = file.with_suffix(f".{os.getpid()}.new")
    with pa.OSFile(str(new), "wb") as sink, pa.ipc.new_file(sink, marked.schema) as writer:
        writer.write_table(marked)
    new.replace(file)


def merged(table: pa.Table, changes: list[dict[str, Any]]) -> pa.Table:
    """The last change of a key replaces its row, and without a value removes it."""
    last = {change["key"]: change for change in changes if change["key"] is not None}
    touched = pa.array(list(last), pa.binary())
    kept = table.filter(pc.invert(pc.is_in(table["key"], touched)))
    new = pa.Table.from_pylist([change for change in last.values() if change["value"] is not None], _ARROW)
    return pa.concat_tables([kept, new]).combine_chunks()


async def refresh(file: Path, topic: str, settings: dict[str, str]) -> int:
    """Brings the file up to the end that the topic has now; gives how many records that took."""
    from tidelog.client.consumer import Consumer

    table, positions = load(file)
    wanted = {**settings, "auto.offset.reset": "earliest", "isolation.level": "read_committed"}
    async with Consumer(wanted) as consumer:
        view = await consumer.cluster.topic(topic)
        places = [(topic, each.partition) for each in view.partitions]
        ends = await consumer.end_offsets(places)
        starts = await consumer.beginning_offsets(places)
        at = {place: max(positions.get(place[1], 0), starts[place]) for place in places}
        changes = await _read(consumer, at, ends)
    if not changes and file.exists():
        return 0
    # Ordered by partition and offset: a key has one partition, and its last change is the one that counts.
    changes.sort(key=lambda change: (change["partition"], change["offset"]))
    save(file, merged(table, changes), {place[1]: max(at[place], ends[place]) for place in places})
    return len(changes)


async def _read(consumer: Any, at: dict[Any, int], ends: dict[Any, int]) -> list[dict[str, Any]]:
    """Every record between the two; an end may be a gap, so that positions and not records tell when it is reached."""
    left = [place for place in at if at[place] < ends[place]]
    changes: list[dict[str, Any]] = []
    if left:
        consumer.assign(left)
        for place in left:
            consumer.seek(place, at[place])
    while left:
        found = await consumer.poll(timeout_s=0.2)
        changes += [_row(record) for record in found if record.offset < ends[record.topic, record.partition]]
        left = [place for place in left if await consumer.position(place) < ends[place]]
    return changes


def _row(record: Any) -> dict[str, Any]:
    return {
        "key": record.key,
        "value": record.value,
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": record.timestamp * 1000,
        "timestampType": record.timestamp_type,
    }
