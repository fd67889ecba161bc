"""The same functions as a batch over a range of time, into a fresh output: nothing that runs is touched."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from tidelog.spark.pipeline import writing
from tidelog.spark.pipeline.declare import LAKE, Step, Target
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.failures import sentence
from tidelog.spark.pipeline.loading import Pipeline
from tidelog.spark.pipeline.reading import RANGE, Reader, errors_frame
from tidelog.spark.pipeline.run import Runner, lake_options
from tidelog.spark.pipeline.topics import output_name


@dataclass
class Replay:
    """`suffix` makes the names of the outputs; `start_ms` and `end_ms` bound the streams, tables are read whole."""

    pipeline: Pipeline
    spark: SparkSession
    settings: dict[str, str]
    suffix: str
    start_ms: int | None = None
    end_ms: int | None = None

    def run(self) -> dict[str, str]:
        """Where each step's output is now."""
        fresh = renamed(self.pipeline, self.suffix)
        found = {}
        for steps in Runner(fresh, self.spark, self.settings, Path()).order():
            for step in steps:
                self._write(step, fresh)
                found[step.name] = step.target.name
        return found

    def _write(self, step: Step, fresh: Pipeline) -> None:
        reader = Reader(self.spark, RANGE, self.settings, options=self._bounds())
        query = fresh.query(step) + self.suffix
        try:
            result = reader.result(step)
            if step.target.kind == LAKE:
                writing.check(result, step)
                result.write.format("tidelog_lake").options(**lake_options(step, query)).mode("append").save()
            else:
                self._to_topic(writing.records(result, step, fresh.dead_letters + self.suffix, query))
        except PipelineError:
            raise
        except Exception as error:
            raise PipelineError(f"the replay of '{step.name}' failed: {sentence(error)}") from error

    def _to_topic(self, records: DataFrame) -> None:
        client = {f"kafka.{name}": text for name, text in self.settings.items()}
        records.write.format("tidelog").options(**client).mode("append").save()

    def dead_letters(self) -> int:
        """How many records of the range do not decode; they are counted, not written again."""
        reader = Reader(self.spark, RANGE, self.settings, options=self._bounds())
        sources = [each for each in self.pipeline.sources() if each.value.form != "raw"]
        return sum(errors_frame(reader.records(each), each).count() for each in sources)

    def _bounds(self) -> dict[str, str]:
        """Options of the source; a range that begins after the last record is empty."""
        found = {}
        if self.start_ms is not None:
            found["startingTimestamp"] = str(self.start_ms)
            found["startingOffsetsByTimestampStrategy"] = "latest"
        if self.end_ms is not None:
            found["endingTimestamp"] = str(self.end_ms)
        return found


def renamed(pipeline: Pipeline, suffix: str) -> Pipeline:
    """The pipeline with other outputs; steps read each other's new outputs."""
    done: dict[int, Step] = {}

    def new(step: Step) -> Step:
        if id(step) not in done:
            reads = {name: new(read) if isinstance(read, Step) else read for name, read in step.reads.items()}
            done[id(step)] = dataclasses.replace(step, target=_target(step.target, suffix), reads=reads)
        return done[id(step)]

    return dataclasses.replace(pipeline, steps=tuple(map(new, pipeline.steps)))


def _target(target: Target, suffix: str) -> Target:
    also = tuple(name + suffix for name in target.also)
    return dataclasses.replace(target, name=target.name and output_name(target, suffix), also=also)


def bounds(start: str, end: str) -> tuple[int | None, int | None]:
    """Both as milliseconds; a side that is not said is open."""
    first, last = (parse_time(text) if text else None for text in (start, end))
    if first is not None and last is not None and first >= last:
        raise PipelineError(f"a replay from {start} to {end} holds nothing; --from is the earlier of the two")
    return first, last


def parse_time(text: str) -> int:
    """`2026-11-15T10:00`, with a zone or in UTC, as milliseconds."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise PipelineError(f"'{text}' is not a time; write 2026-11-15T10:00") from None
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
