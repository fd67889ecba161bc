"""One Spark session for all tests of a process: starting it takes longer than most of them."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from peer.toolchain import missing, needs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[SparkSession]":
    needs("java")
    from tidelog.spark import session

    folder = tmp_path_factory.mktemp("spark")
    conf = {
        "spark.master": "local[2]",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.driver.memory": "1g",
        "spark.log.level": "ERROR",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    if not missing("mvn"):
        from peer.spark_jars import connector_jars

        conf["spark.jars"] = connector_jars()
    os.environ["PYTHONPATH"] = os.pathsep.join(["tests", os.environ.get("PYTHONPATH", "")])
    found = session("tests", **conf)
    yield found
    found.stop()
