"""How a query that is to end with its data does so when its state goes by the clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.sql import DataFrame, SparkSession

NO_DATA_BATCHES = "spark.sql.streaming.noDataMicroBatches.enabled"


@contextmanager
def ending(spark: SparkSession, frame: DataFrame, once: bool) -> Iterator[None]:
    """Lets a query that ends with its data end, though its state goes by the clock.

    For timers and times to live of processing time Spark always plans another micro-batch without data, and so never
    sees the end of `availableNow`. What is due is done when the query runs again. A query keeps the setting that it
    began with.
    """
    if not once or not _goes_by_the_clock(frame):
        yield
        return
    before = spark.conf.get(NO_DATA_BATCHES, "true")
    spark.conf.set(NO_DATA_BATCHES, "false")
    try:
        yield
    finally:
        spark.conf.set(NO_DATA_BATCHES, before or "true")


def _goes_by_the_clock(frame: DataFrame) -> bool:
    plan: Any = vars(frame)["_jdf"].queryExecution().analyzed().toString()
    return any("TransformWithState" in line and "ProcessingTime" in line for line in str(plan).splitlines())
