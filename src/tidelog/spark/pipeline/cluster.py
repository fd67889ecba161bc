"""Whether the workers of a cluster can run pipelines: asked once, when a session begins, and told in a sentence.

On one machine everything that the driver has is there for its workers. Workers elsewhere need a Python with this
package, and the folder with the checkpoints, in which they keep state and tables.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tidelog.client.connection import SOFTWARE_VERSION
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.failures import sentence

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE_S = 15.0
"""How long a cluster may take to give a worker before a person is told what is waited for."""


class Worker(NamedTuple):
    """What a worker process says of itself; `version` is empty when it cannot import this package."""

    host: str
    python: str
    version: str
    has_folder: bool


def is_elsewhere(master: str) -> bool:
    """Whether tasks run in processes that Spark starts by itself, perhaps on other machines."""
    return bool(master) and master != "local" and not master.startswith("local[")


def check_workers(
    spark: SparkSession,
    home: Path | None,
    tell: Callable[[str], None],
    stopping: Callable[[], bool] = lambda: False,
) -> None:
    """Refuses a cluster whose workers would fail later with a stack; `home` is the folder that they must share."""
    _wait_for_one(spark, tell, stopping)
    for each in _asked(spark, home):
        where = f"the worker on {each.host} (Python {each.python})"
        if not each.version:
            raise PipelineError(
                f"{where} has no tidelog; install it there with pip install 'tidelog[spark]', and name its Python with "
                "--conf spark.pyspark.python=PATH when it is not at the same place as here"
            )
        if each.version != SOFTWARE_VERSION:
            raise PipelineError(
                f"{where} has tidelog {each.version} and this machine {SOFTWARE_VERSION}; install the same on both"
            )
        if not each.has_folder:
            raise PipelineError(
                f"{where} does not see the folder {home}, where checkpoints and state are kept; give --home a folder "
                "that all machines share"
            )


def _wait_for_one(spark: SparkSession, tell: Callable[[str], None], stopping: Callable[[], bool]) -> None:
    """A job on a cluster that gives no worker waits for ever and says nothing."""
    context: Any = spark.sparkContext
    began, told = time.monotonic(), False
    while len(context._jsc.sc().statusTracker().getExecutorInfos()) < 2:  # one of them is the driver
        if stopping():
            raise PipelineError(f"{context.master} gave no worker before the end was asked for")
        if not told and time.monotonic() - began > PATIENCE_S:
            told = True
            tell(f"{context.master} has given no worker yet; waiting (has it one with free cores and memory?)")
        time.sleep(0.1)


def _asked(spark: SparkSession, home: Path | None) -> set[Worker]:
    folder = "" if home is None else str(home)

    def ask(_: Iterable[int]) -> Iterator[tuple[str, str, str, bool]]:
        """Goes to workers whole, so that one without the package can answer too."""
        import os
        import sys

        try:
            from tidelog.client.connection import SOFTWARE_VERSION as version
        except ImportError:
            version = ""
        yield socket.gethostname(), sys.executable, version, not folder or os.path.isdir(folder)

    context = spark.sparkContext
    tasks = max(2, context.defaultParallelism)
    try:
        return {Worker(*each) for each in context.parallelize(range(tasks), tasks).mapPartitions(ask).collect()}
    except Exception as error:
        raise PipelineError(f"the workers of {context.master} cannot run Python: {sentence(error)}") from error
