"""The Spark session of a pipeline: settings that its tables need, formats that it uses, a file for what Spark says."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tidelog.spark.pipeline.errors import PipelineError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STATE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def open_session(
    name: str, master: str = "", conf: dict[str, str] | None = None, log: Path | None = None
) -> SparkSession:
    """`master` as Spark names it; without one, all cores of this machine. Without Java, a sentence says so.

    What Spark, its JVM and its workers print goes to `log`, so that a terminal shows what the pipeline does.
    """
    from tidelog.spark.session import check_ready, session

    check_ready()
    cores = os.cpu_count() or 2
    settings = {
        "spark.sql.shuffle.partitions": str(max(2, cores)),
        # A task that waits for its data is not a reason to start it again elsewhere: its transaction would be fenced.
        "spark.speculation": "false",
        **({"spark.master": master} if master else {}),
        **(conf or {}),
    }
    with _errors_to(log), _no_orphan():
        try:
            spark = session(name, progress=False, **settings)  # a pipeline draws its own
        except Exception as error:
            raise PipelineError(_why(error, log)) from error
        _no_context_of_queries()
        spark.sparkContext.setLogLevel("OFF" if log is None else "ERROR")  # a query's failure is told by its sentence
    return register(spark)


def _no_context_of_queries() -> None:
    """Spark logs an exception of its own with the stacks of two languages before it raises it."""
    from pyspark.logger import PySparkLogger

    PySparkLogger.getLogger("SQLQueryContextLogger").disabled = True


@contextmanager
def session_of(spark: SparkSession) -> Iterator[SparkSession]:
    """Stops it in the end."""
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _errors_to(log: Path | None) -> Iterator[None]:
    """The JVM keeps the standard error that it is started with; this process has its own back in the end."""
    if log is None:
        yield
        return
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    own = os.dup(2)
    try:
        log.write_bytes(b"")
        with open(log, "ab") as file:  # others write to it too, each at its end
            os.dup2(file.fileno(), 2)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(own, 2)
        os.close(own)


@contextmanager
def _no_orphan() -> Iterator[None]:
    """A JVM that is interrupted while it starts may not see that nobody waits for it any more, and stay for ever."""
    before = _children()
    try:
        yield
    except BaseException:
        for pid in _children() - before:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        raise


def _children() -> set[int]:
    """The processes that this one has started; none where the system does not tell."""
    files = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(pid) for file in files for pid in file.read_text().split()}


def _why(error: Exception, log: Path | None) -> str:
    from tidelog.spark.pipeline.failures import sentence

    said = sentence(error)
    if log is not None and "JAVA_GATEWAY_EXITED" in str(error):
        said = reason(log.read_text(encoding="utf-8", errors="replace")) or said
    return f"Spark does not start: {said}" + ("" if log is None else f" ({log} has all that it said)")


def reason(text: str) -> str:
    """Why a JVM ended, from what it said: an exception's message, a line that speaks of an error, or the last line."""
    lines = [line for line in text.splitlines() if line.strip() and not line[0].isspace()]
    thrown = [re.sub(r'^Exception in thread "[^"]*" ', "", line) for line in lines if "Exception in thread" in line]
    if thrown:
        return re.sub(r"^(?:[\w$]+\.)*[\w$]+: ", "", thrown[0])
    return next((line for line in lines if "rror" in line), lines[-1] if lines else "")


def register(spark: SparkSession) -> SparkSession:
    """Makes a session that you have fit for pipelines: their formats, and the store that their state needs."""
    from tidelog.spark.lake.sink import LakeSink
    from tidelog.spark.pipeline.global_store import GlobalTable

    spark.conf.set("spark.sql.streaming.stateStore.providerClass", STATE)
    spark.dataSource.register(LakeSink)
    spark.dataSource.register(GlobalTable)
    return spark
