"""Micro-batches in update and complete mode through a Python data source's stream writer.

Spark gives such a writer appended rows only. Here the same writer's tasks run inside `foreachBatch`, and its commit on
the driver, with the number of the batch: what the writer promises for (query, batch) holds in every mode.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.datasource import CaseInsensitiveDict, DataSource

QUERY_ID, BATCH_ID = "sql.streaming.queryId", "streaming.sql.batchId"
"""The local properties by which a writer's task learns of which query and batch it is."""


def each_batch(kind: type[DataSource], options: Mapping[str, str]) -> Callable[[DataFrame, int], None]:
    def write(frame: DataFrame, batch_id: int) -> None:
        writer: Any = kind(CaseInsensitiveDict(options)).streamWriter(frame.schema, False)

        def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            message = pickle.dumps(writer.write(batches))
            yield pa.RecordBatch.from_arrays([pa.array([message], pa.binary())], names=["message"])

        context = frame.sparkSession.sparkContext
        context.setLocalProperty(QUERY_ID, _query_id(options["checkpointLocation"]))
        context.setLocalProperty(BATCH_ID, str(batch_id))
        messages: list[Any] = []
        try:
            rows = frame.mapInArrow(task, "message binary").collect()
            messages = [pickle.loads(row["message"]) for row in rows]
            writer.commit(messages, batch_id)
        except BaseException:
            writer.abort(messages, batch_id)
            raise

    return write


def _query_id(checkpoint: str) -> str:
    """What Spark wrote down when the query first began."""
    return str(json.loads((Path(checkpoint) / "metadata").read_text(encoding="utf-8"))["id"])
