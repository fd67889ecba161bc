"""Runs the queries of a pipeline: one for each step that writes, and one for the dead letters of all sources."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource
from pyspark.sql.streaming.query import StreamingQuery

from tidelog.spark.datasource import TidelogDataSource
from tidelog.spark.lake.sink import LakeSink
from tidelog.spark.pipeline import status, writing
from tidelog.spark.pipeline.batches import each_batch
from tidelog.spark.pipeline.declare import LAKE, VIEW, Source, Step
from tidelog.spark.pipeline.ending import ending
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.failures import is_worker_late, sentence
from tidelog.spark.pipeline.graph import graph_of, layers
from tidelog.spark.pipeline.loading import Pipeline
from tidelog.spark.pipeline.reading import LIVE, Reader, errors_frame, written
from tidelog.spark.session import activate
from tidelog.spark.values.choose import RAW

Progress = Callable[[str, Mapping[str, Any]], None]
"""Called with a query's name and what Spark says of its last micro-batch."""
LATE_WORKERS = 3
"""How often a query is started again because a Python process of it came too late; its checkpoint is where it was."""


@dataclass
class Runner:
    """`home` holds a folder for each query: its checkpoint, its global tables, its status."""

    pipeline: Pipeline
    spark: SparkSession
    settings: dict[str, str]
    home: Path
    every: str = "1 second"
    source_options: dict[str, str] = field(default_factory=dict)
    sink_options: dict[str, str] = field(default_factory=dict)
    stopping: Callable[[], bool] = lambda: False
    """Asked between two calls of Spark; when it says yes nothing more is begun or waited for."""
    queries: dict[str, StreamingQuery] = field(default_factory=dict)
    _started: dict[str, tuple[DataFrame, Step | None, bool]] = field(default_factory=dict)
    _late: Counter[str] = field(default_factory=Counter)

    def start(self, *, once: bool = False, only: str = "") -> None:
        """All queries at once; they go on until `stop`. With `once` they end when they have read what is there."""
        for steps in self.order():
            for step in steps:
                if only in ("", step.name) and not self.stopping():
                    self._start(self.pipeline.query(step), self.frame(step), step, once)
        bad = self.dead_letters()
        if bad is not None and not only and not self.stopping():
            self._start(self.pipeline.dead_letters, bad, None, once)

    def run_once(self, on_progress: Progress | None = None) -> None:
        """Step after step, so that each reads what those before it wrote; the dead letters beside the last."""
        order = self.order()
        for steps in order:
            if self.stopping():
                return
            for step in steps:
                self._start(self.pipeline.query(step), self.frame(step), step, True)
            if steps is order[-1]:
                bad = self.dead_letters()
                if bad is not None:
                    self._start(self.pipeline.dead_letters, bad, None, True)
            self.wait(on_progress)

    def order(self) -> list[list[Step]]:
        """The steps that write, those first whose topics others read."""
        by_name = {f"step:{step.name}": step for step in self.pipeline.writers}
        found = [
            [by_name[node.id] for node in layer if node.id in by_name] for layer in layers(graph_of(self.pipeline))
        ]
        return [steps for steps in found if steps]

    def frame(self, step: Step) -> DataFrame:
        """The records, or the rows of a lake table, that the step gives."""
        query = self.pipeline.query(step)
        result = self._reader(query).result(step)
        if step.target.kind == LAKE:
            writing.check(result, step)
            return result
        return writing.records(result, step, self.pipeline.dead_letters, query)

    def dead_letters(self) -> DataFrame | None:
        """What does not decode, of every source; None when nothing needs decoding."""
        found = None
        name = self.pipeline.dead_letters
        reader = self._reader(name)
        for source in decoded_sources(self.pipeline, self.spark):
            bad = errors_frame(reader.records(source), source)
            rows = writing.dead_letters(bad, source, name, name)
            found = rows if found is None else found.unionByName(rows)
        return found

    def _reader(self, query: str) -> Reader:
        folder = str(self.home / query / "global")
        return Reader(self.spark, LIVE, self.settings, query, folder, self.source_options)

    def _start(self, query: str, frame: DataFrame, step: Step | None, once: bool) -> None:
        self._started[query] = (frame, step, once)
        mode = "append" if step is None else step.target.mode
        kind, options = self.sink(query, step)
        options["checkpointLocation"] = str(self.home / query / "checkpoint")
        writer = frame.writeStream.queryName(query).outputMode(mode)
        if mode == "append":
            writer = writer.format(kind.name()).options(**options)
        else:
            writer = writer.option("checkpointLocation", options["checkpointLocation"])
            writer = writer.foreachBatch(each_batch(kind, options))
        try:
            writer = writer.trigger(availableNow=True) if once else writer.trigger(processingTime=self.every)
            activate(self.spark)
            with ending(self.spark, frame, once):
                self.queries[query] = writer.start()
        except Exception as error:
            self.stop()
            raise PipelineError(f"query '{query}' does not start: {sentence(error)}") from error

    def sink(self, query: str, step: Step | None) -> tuple[type[DataSource], dict[str, str]]:
        """The data source that writes what the step gives, and its options."""
        if step is not None and step.target.kind == LAKE:
            return LakeSink, lake_options(step, query)
        client = {f"kafka.{name}": text for name, text in self.settings.items()}
        own = dict(step.target.options) if step is not None else {}
        return TidelogDataSource, {**client, "transactionalIdPrefix": query, **self.sink_options, **own}

    def wait(self, on_progress: Progress | None = None, until: Callable[[], bool] = lambda: False) -> None:
        """Until every query has ended, one has failed, or `until` says so; keeps the status files up to date."""
        while self.queries and not until() and not self.stopping():
            active = False
            for name, query in self.queries.items():
                active = self._look(name, query, on_progress) or active
            if not active:
                break
            time.sleep(0.2)
        for name in [name for name, query in self.queries.items() if not query.isActive]:
            del self.queries[name]

    def _look(self, name: str, query: StreamingQuery, on_progress: Progress | None) -> bool:
        active = query.isActive
        failed = query.exception()
        progress = query.lastProgress
        if progress is not None:
            row = status.row_of(progress, active)
            status.save(self.home / name / "status.json", row)
            if on_progress is not None:
                on_progress(name, progress)
        if failed is not None and is_worker_late(failed) and self._late[name] < LATE_WORKERS:
            self._late[name] += 1
            self._start(name, *self._started[name])
            return True
        if failed is not None:
            self.stop()
            raise PipelineError(f"query '{name}' failed: {sentence(failed)}")
        return active

    def stop(self) -> None:
        for query in self.queries.values():
            query.stop()
        self.queries.clear()


def decoded_sources(pipeline: Pipeline, spark: SparkSession) -> list[Source]:
    """Every source whose values are decoded, those between steps included; once, however often it is declared."""
    between = [
        written(read, spark)
        for step in pipeline.steps
        for read in step.reads.values()
        if isinstance(read, Step) and read.target.kind not in (VIEW, LAKE)
    ]
    found: list[Source] = []
    for source in [*pipeline.sources(), *between]:
        known = any(each.topic == source.topic and each.value == source.value for each in found)
        if source.value.form != RAW and not known:
            found.append(source)
    return found


def lake_options(step: Step, query: str) -> dict[str, str]:
    target = step.target
    return {
        "path": str(Path(target.name).absolute()),
        "table": target.format,
        "query": query,
        "partitionBy": ",".join(target.partition_by),
        "key": ",".join(target.key),
        **dict(target.options),
    }
