"""`format("tidelog")` for reading: the batch reader, the stream reader, and what their workers do.

The readers are made on the driver and sent to workers, so they hold settings only; connections are opened when used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from tidelog.client.blocking import BlockingCluster
from tidelog.client.columnar_arrow import COLUMNS
from tidelog.client.columnar_fetch import Limits, Loss, Range, RangeReader
from tidelog.client.errors import ClientError
from tidelog.spark import ranges
from tidelog.spark.options import OptionError
from tidelog.spark.permissions import told_with_advice
from tidelog.spark.plan import DataLoss, Planner, Settings, now_ms
from tidelog.spark.positions import Position

FETCH_BYTES = 4 * 1024 * 1024
BATCH_BYTES = 4 * 1024 * 1024
"""About what the socket to the JVM holds: a worker decodes the next batch while the JVM takes the last one."""
SCHEMA = "key binary, value binary, topic string, partition int, offset bigint, timestamp timestamp, timestampType int"
HEADERS = "headers array<struct<key:string,value:binary>>"


class RangeInput(InputPartition):
    """One task: a range of one partition."""

    def __init__(self, range_: Range) -> None:
        super().__init__(tuple(range_))


def check_schema(schema: StructType) -> None:
    """A schema given by the user is a choice of columns, in any order."""
    for name in schema.fieldNames():
        if name not in COLUMNS:
            raise OptionError(f"There is no column '{name}'; choose from {', '.join(COLUMNS)}")


def read_range(settings: Settings, schema: StructType, partition: InputPartition) -> Iterator[pa.RecordBatch]:
    if partition.value is None:  # Spark's stand-in for «no partitions»
        return
    range_ = Range(*partition.value)
    given = settings.client.given
    fetch_bytes = settings.client["max.partition.fetch.bytes"] if "max.partition.fetch.bytes" in given else FETCH_BYTES
    limits = Limits(settings.rows_per_batch, BATCH_BYTES, fetch_bytes, settings.patience_s)

    def on_loss(loss: Loss) -> None:
        if settings.fail_on_loss:
            raise DataLoss(f"{loss}; set failOnDataLoss to false to go on without them")
        print(f"tidelog: {loss}; going on", file=sys.stderr, flush=True)

    with told_with_advice(), BlockingCluster(settings.client) as cluster:
        reader = RangeReader(
            cluster,
            range_,
            to_arrow_schema(schema, timezone="UTC"),
            committed=settings.committed,
            check_crcs=settings.client["check.crcs"],
            limits=limits,
            on_loss=on_loss,
        )
        yield from reader.batches()


class TidelogBatchReader(DataSourceReader):
    def __init__(self, settings: Settings, schema: StructType) -> None:
        check_schema(schema)
        self._settings = settings
        self._schema = schema

    @told_with_advice()
    def partitions(self) -> Sequence[InputPartition]:
        planner = Planner(self._settings)
        try:
            found = planner.batch()
        finally:
            planner.close()
        cut = ranges.cut(found, self._settings.partitions_min, self._settings.partition_rows_max)
        return [RangeInput(each) for each in cut]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_range(self._settings, self._schema, partition)


class TidelogStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    def __init__(self, settings: Settings, schema: StructType) -> None:
        check_schema(schema)
        self._settings = settings
        self._schema = schema
        self._planner: Planner | None = None
        self._target: Position | None = None
        self._latest: Position | None = None
        self._waiting_since_ms = 0

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_planner": None, "_target": None, "_latest": None}

    @property
    def planner(self) -> Planner:
        if self._planner is None:
            self._planner = Planner(self._settings)
        return self._planner

    @told_with_advice()
    def initialOffset(self) -> dict[str, Any]:
        return self.planner.initial().to_json()

    @told_with_advice()
    def prepareForTriggerAvailableNow(self) -> None:
        self._target = self.planner.latest(None)

    def getDefaultReadLimit(self) -> ReadLimit:
        if self._settings.rows_max:
            return ReadMaxRows(self._settings.rows_max)
        return ReadMaxBytes(self._settings.bytes_max) if self._settings.bytes_max else ReadAllAvailable()

    @told_with_advice()
    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        before = Position.from_json(start)
        self._latest = end = self._bounded(before)
        if self._must_wait(before, end):
            return start
        if not isinstance(limit, ReadAllAvailable) or self._target is not None:
            end = self._limited(before, end)
        if end.offsets == before.offsets and end.ids == before.ids:
            return start
        return end.to_json()

    def _bounded(self, before: Position) -> Position:
        """Where the topics end; with the availableNow trigger, where they ended when the query began."""
        end = self.planner.latest(before)
        if self._target is None:
            return end
        target = self._target.offsets
        offsets = {key: min(offset, target[key]) for key, offset in end.offsets.items() if key in target}
        return end._replace(offsets={**offsets, **{k: v for k, v in before.offsets.items() if k not in target}})

    def _limited(self, before: Position, end: Position) -> Position:
        settings = self._settings
        start = {key: before.offsets.get(key, 0) for key in end.offsets}
        offsets = end.offsets
        if settings.rows_max:
            offsets = ranges.limit_rows(start, offsets, settings.rows_max)
        if settings.bytes_max:
            sizes = self.planner.record_bytes(before, end)
            offsets = ranges.limit_bytes(start, offsets, settings.bytes_max, sizes)
        return end._replace(offsets=offsets)

    def _must_wait(self, before: Position, end: Position) -> bool:
        """Whether too little is there for a batch and the time for waiting is not over."""
        if not self._settings.rows_min or self._target is not None:
            return False
        there = sum(max(offset - before.offsets.get(key, 0), 0) for key, offset in end.offsets.items())
        now = now_ms()
        if there >= self._settings.rows_min or there == 0:
            self._waiting_since_ms = now
            return False
        self._waiting_since_ms = self._waiting_since_ms or now
        if now - self._waiting_since_ms < self._settings.delay_ms:
            return True
        self._waiting_since_ms = now
        return False

    def reportLatestOffset(self) -> dict[str, Any] | None:
        return self._latest.to_json() if self._latest else None

    @told_with_advice()
    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        found = self.planner.ranges(Position.from_json(start), Position.from_json(end))
        cut = ranges.cut(found, self._settings.partitions_min, self._settings.partition_rows_max)
        return [RangeInput(each) for each in cut]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_range(self._settings, self._schema, partition)

    @told_with_advice()
    def commit(self, end: dict[str, Any]) -> None:
        self.planner.commit(Position.from_json(end))

    def stop(self) -> None:
        if self._planner is not None:
            self._planner.close()


class RefusedReader(DataSourceStreamReader):
    """Stands for a reader that cannot be made, and says why when it is used.

    The process in which Spark plans a stream has no words for an error before it has a reader.
    """

    def __init__(self, error: ClientError) -> None:
        self._error = error

    def initialOffset(self) -> dict[str, Any]:
        raise self._error

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        raise self._error

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        raise self._error

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        raise self._error
