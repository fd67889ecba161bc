"""A DataFrame that is written: its columns key, value, topic, partition and headers, as in Spark's Kafka sink."""

from __future__ import annotations

import time
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.types import StructType

from tidelog.client.blocking import BlockingCluster
from tidelog.client.errors import ClientError
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.spark.options import OptionError
from tidelog.spark.producing import Encoded, PartitionWriter, RowEncoder

COLUMNS = ("key", "value", "topic", "partition", "headers")
_TYPES = {
    "key": ("string", "binary"),
    "value": ("string", "binary"),
    "topic": ("string",),
    "partition": ("int",),
    "headers": ("array<struct<key:string,value:binary>>",),
}
_HEADER_BYTES = 61
_RECORDS_MAX = 2_000


def check_columns(schema: StructType, topic: str) -> None:
    found = {field.name: field.dataType.simpleString() for field in schema.fields}
    for name, kind in found.items():
        if name not in COLUMNS:
            raise OptionError(f"A column '{name}' cannot be written; choose from {', '.join(COLUMNS)}, or rename it")
        if kind not in _TYPES[name]:
            raise OptionError(f"The column '{name}' must be {' or '.join(_TYPES[name])}, not {kind}; cast it")
    if "value" not in found:
        raise OptionError("There is no column 'value'; make one, for example with to_json(struct(*)) AS value")
    if not topic and "topic" not in found:
        raise OptionError("Say where to write: set .option(\"topic\", NAME), or give the DataFrame a column 'topic'")


class TopicRows:
    """Writes Arrow batches to the topics that their rows name."""

    def __init__(self, cluster: BlockingCluster, topic: str, writer: PartitionWriter, number: int) -> None:
        self._cluster = cluster
        self._topic = topic
        self._number = number
        self._encoders: dict[str, RowEncoder] = {}
        self.writer = writer
        self.rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self.rows += batch.num_rows
        if self._topic:  # the option wins over the column, as in Spark's own sink
            self._send(self._topic, batch)
            return
        names = batch.column(batch.schema.get_field_index("topic"))
        if names.null_count:
            raise ClientError("A row has no topic: the column 'topic' is null and the option topic is not set")
        for name in pc.unique(names).to_pylist():
            self._send(name, batch.filter(pc.equal(names, name)))

    def _send(self, topic: str, batch: pa.RecordBatch) -> None:
        columns: dict[str, Any] = dict(zip(batch.schema.names, batch.columns, strict=True))
        encoder = self._encoders.get(topic)
        if encoder is None:
            count = len(self._cluster.topic(topic).partitions)
            encoder = self._encoders[topic] = RowEncoder(count, self._number)
        headers = columns.get("headers")
        if headers is not None and headers.null_count < len(headers):
            self._send_with_headers(topic, encoder, columns)
            return
        for batches in encoder.encode(columns.get("key"), columns["value"], columns.get("partition")):
            self.writer.send({(topic, partition): rows for partition, rows in batches.items()})

    def _send_with_headers(self, topic: str, encoder: RowEncoder, columns: dict[str, Any]) -> None:
        """Headers are rare enough on the way out that these rows are built one by one."""
        where = encoder.choose(columns.get("key"), columns.get("partition"), len(columns["value"]))
        now = int(time.time() * 1000)
        keys = _bytes(columns["key"]) if "key" in columns else [None] * len(where)
        by_partition: dict[int, list[Record]] = {}
        rows = zip(where, keys, _bytes(columns["value"]), columns["headers"].to_pylist(), strict=True)
        for partition, key, value, headers in rows:
            pairs = tuple((pair["key"], pair["value"]) for pair in headers or ())
            by_partition.setdefault(partition, []).append(Record(0, now, key, value, pairs))
        for partition, records in by_partition.items():
            for first in range(0, len(records), _RECORDS_MAX):
                piece = records[first : first + _RECORDS_MAX]
                body = build_batch(piece)[_HEADER_BYTES:]
                self.writer.send({(topic, partition): Encoded(body, len(piece), now)})


def _bytes(column: pa.Array) -> list[bytes | None]:
    found: list[bytes | None] = column.cast(pa.binary()).to_pylist()
    return found
