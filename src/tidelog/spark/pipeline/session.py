"""The Spark session of a pipeline: the settings its tables need, and the formats it uses."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STATE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def open_session(name: str, master: str = "", conf: dict[str, str] | None = None) -> SparkSession:
    """`master` as Spark names it; without one, all cores of this machine. Without Java, a sentence says so."""
    from tidelog.spark.session import session

    cores = os.cpu_count() or 2
    settings = {
        "spark.sql.shuffle.partitions": str(max(2, cores)),
        # A task that waits for its data is not a reason to start it again elsewhere: its transaction would be fenced.
        "spark.speculation": "false",
        **({"spark.master": master} if master else {}),
        **(conf or {}),
    }
    spark = session(name, **settings)
    spark.sparkContext.setLogLevel("OFF")  # a query that fails is told by its sentence
    return register(spark)


def register(spark: SparkSession) -> SparkSession:
    """Makes a session that you have fit for pipelines: their formats, and the store that their state needs."""
    from tidelog.spark.lake.sink import LakeSink
    from tidelog.spark.pipeline.global_store import GlobalTable

    spark.conf.set("spark.sql.streaming.stateStore.providerClass", STATE)
    spark.dataSource.register(LakeSink)
    spark.dataSource.register(GlobalTable)
    return spark
