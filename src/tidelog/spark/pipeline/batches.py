"""Micro-batches in update and complete mode through a Python data source's stream writer.

Spark gives such a writer appended rows only. Here the same writer's tasks run inside `foreachBatch`, and its commit on
the driver, with the number of the batch: what the writer promises for (query, batch) holds in every mode.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.datasource import CaseInsensitiveDict, DataSource

BATCH_ID = "streaming.sql.batchId"
"""The local property by which a writer's task learns the number of its batch."""


def each_batch(kind: type[DataSource], options: Mapping[str, str]) -> Callable[[DataFrame, int], None]:
    def write(frame: DataFrame, batch_id: int) -> None:
        writer: Any = kind(CaseInsensitiveDict(options)).streamWriter(frame.schema, False)

        def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            message = pickle.dumps(writer.write(batches))
            yield pa.RecordBatch.from_arrays([pa.array([message], pa.binary())], names=["message"])

        frame.sparkSession.sparkContext.setLocalProperty(BATCH_ID, str(batch_id))
        messages: list[Any] = []
        try:
            rows = frame.mapInArrow(task, "message binary").collect()
            messages = [pickle.loads(row["message"]) for row in rows]
            writer.commit(messages, batch_id)
        except BaseException:
            writer.abort(messages, batch_id)
            raise

    return write
