"""A Spark session on this machine with the environment that Spark's Python workers need."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from tidelog.client.errors import ClientError
from tidelog.spark.worker_python import worker_python

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NO_PYSPARK = "Spark is not installed; install it with: pip install 'tidelog[spark]'"
NO_JAVA = (
    "Spark needs Java 17 or newer and none was found; install it (the package openjdk-17-jre-headless on Debian), "
    "or set JAVA_HOME to one"
)
DEFAULTS = {
    "spark.master": "local[*]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # A failing source or sink is told by its sentence; the stack behind it says nothing more to a person.
    "spark.sql.execution.pyspark.udf.hideTraceback.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    # A machine that is busy may take longer than Spark's 15 s to start a Python worker.
    "spark.python.authenticate.socketTimeout": "60s",
}


class NotReady(ClientError):
    """Something that Spark needs is not on this machine."""


def java_program() -> str | None:
    """The `java` that Spark would start."""
    home = os.environ.get("JAVA_HOME", "")
    beside = os.path.join(home, "bin", "java") if home else ""
    return beside if beside and os.access(beside, os.X_OK) else shutil.which("java")


def check_ready() -> None:
    try:
        import pyspark  # noqa: F401
    except ImportError:
        raise NotReady(NO_PYSPARK) from None
    if java_program() is None:
        raise NotReady(NO_JAVA)


def register(spark: SparkSession) -> SparkSession:
    """Makes `format("tidelog")` known to a session."""
    from tidelog.spark.datasource import TidelogDataSource

    spark.dataSource.register(TidelogDataSource)
    return spark


def session(app_name: str = "tidelog", **conf: str) -> SparkSession:
    """A session that knows `format("tidelog")`. `conf` has Spark's settings, with `__` for each dot.

    `session(spark__sql__shuffle__partitions="8")`, or `session(**{"spark.master": "local[2]"})`.
    """
    check_ready()
    settings = {**DEFAULTS, **{key.replace("__", "."): value for key, value in conf.items()}}
    local = settings["spark.master"].startswith("local")
    os.environ.setdefault("PYSPARK_PYTHON", worker_python() if local else sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(app_name)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return register(builder.getOrCreate())
