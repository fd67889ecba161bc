"""A Spark session on this machine with the environment that Spark's Python workers need."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from tidelog.spark import java
from tidelog.spark.java import NotReady
from tidelog.spark.worker_python import worker_python

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NO_PYSPARK = "Spark is not installed; install it with: pip install 'tidelog[spark]'"
DEFAULTS = {
    "spark.master": "local[*]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    # A failing source or sink is told by its sentence; the stack behind it says nothing more to a person.
    "spark.sql.execution.pyspark.udf.hideTraceback.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    # A machine that is busy may take longer than Spark's 15 s to start a Python worker.
    "spark.python.authenticate.socketTimeout": "60s",
    # Rows come from workers by the gigabyte, and such a socket costs less than a connection to oneself.
    "spark.python.unix.domain.socket.enabled": "true",
}
LOCAL = {
    # Workers elsewhere must find the driver by an address of its own.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # A batch writes two small files of the checkpoint. By Spark's own choice, which is made for HDFS, Hadoop starts
    # chmod twice and readlink eight times for each on a local disk; this way never readlink. Both end in a rename.
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    ),
}
"""For a session on this machine alone, whose checkpoints are on its disk."""


def check_ready() -> None:
    try:
        import pyspark  # noqa: F401
    except ImportError:
        raise NotReady(NO_PYSPARK) from None
    java.prepare()


def register(spark: SparkSession) -> SparkSession:
    """Makes `format("tidelog")` known to a session, and to queries that this thread starts."""
    from tidelog.spark.datasource import TidelogDataSource

    spark.dataSource.register(TidelogDataSource)
    activate(spark)
    return spark


def activate(spark: SparkSession) -> None:
    """Makes the session the active one of this thread.

    A query that is started looks its sink up in the active session of the JVM's thread, not in its own session, and a
    thread of Python's whose connection to the JVM is new has none.
    """
    java_session = vars(spark).get("_jsparkSession")
    if java_session is not None:  # Spark Connect has no JVM here
        vars(spark)["_jvm"].org.apache.spark.sql.classic.SparkSession.setActiveSession(java_session)


def session(app_name: str = "tidelog", *, progress: bool | None = None, **conf: str) -> SparkSession:
    """A session that knows `format("tidelog")`. `conf` has Spark's settings, with `__` for each dot.

    `session(spark__sql__shuffle__partitions="8")`, or `session(**{"spark.master": "local[2]"})`. On a terminal each
    streaming query has a bar, unless `progress` says otherwise.
    """
    check_ready()
    given = {key.replace("__", "."): value for key, value in conf.items()}
    local = given.get("spark.master", DEFAULTS["spark.master"]).startswith("local")
    settings = {**DEFAULTS, **(LOCAL if local else {}), **given}
    if "spark.pyspark.python" in given:  # Spark itself takes it from a command line alone
        os.environ["PYSPARK_PYTHON"] = given["spark.pyspark.python"]
    os.environ.setdefault("PYSPARK_PYTHON", worker_python() if local else sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if local:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(app_name)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = register(builder.getOrCreate())
    if sys.stderr.isatty() if progress is None else progress:
        from tidelog.spark.progress import show_progress

        show_progress(spark, sys.stderr)
    return spark
