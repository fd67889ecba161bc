"""What is wrong with a pipeline, without running it: its graph, then the schemas that its functions make."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tidelog.spark.pipeline.declare import LAKE, VIEW, Source, Step
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.graph import cycles, graph_of
from tidelog.spark.pipeline.loading import Pipeline

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODES = ("append", "update", "complete")


def complaints(pipeline: Pipeline) -> list[str]:
    """Needs no Spark."""
    found = [f"the pipeline reads what it writes: {_way(way)}" for way in cycles(graph_of(pipeline))]
    writers = Counter(step.target.name for step in pipeline.writers)
    for name, times in writers.items():
        if times > 1:
            steps = [step.name for step in pipeline.writers if step.target.name == name]
            found.append(f"{' and '.join(steps)} both write '{name}'; give each an output of its own")
    for step in pipeline.writers:
        if step.target.mode not in MODES:
            found.append(f"{step.name}: there is no mode '{step.target.mode}'; choose from {', '.join(MODES)}")
        lakes = [read for read in step.reads.values() if isinstance(read, Step) and read.target.kind == LAKE]
        found += [f"{step.name} reads the lake table of {each.name}; let it read what that reads" for each in lakes]
    unused = [step.name for step in pipeline.steps if step.target.kind == VIEW and not _read(pipeline, step)]
    return found + [f"nothing reads the view {name}; write it somewhere or take it out" for name in unused]


def _read(pipeline: Pipeline, view: Step) -> bool:
    return any(view is read for step in pipeline.steps for read in step.reads.values())


def _way(ids: list[str]) -> str:
    names = [each.partition(":")[2] for each in ids]
    return " → ".join([*names, names[0]])


def describe(pipeline: Pipeline) -> list[dict[str, Any]]:
    """A row for each step: what it reads and what it writes."""
    rows = []
    for step in pipeline.steps:
        target = step.target
        writes = "read in place" if target.kind == VIEW else f"{target.kind} {', '.join((target.name, *target.also))}"
        rows.append({"step": step.name, "reads": [_name(read) for read in step.reads.values()], "writes": writes})
    return rows


def _name(read: Source | Step) -> str:
    if isinstance(read, Source):
        return f"{read.kind} {read.topic}"
    return read.name


def schemas(pipeline: Pipeline, spark: SparkSession) -> tuple[dict[str, str], list[str]]:
    """The columns that every step gives, and what is wrong with those that give none. No job is run."""
    from tidelog.spark.pipeline import writing
    from tidelog.spark.pipeline.failures import sentence
    from tidelog.spark.pipeline.reading import Reader

    found: dict[str, str] = {}
    wrong: list[str] = []
    for step in pipeline.steps:
        try:
            result = Reader(spark).result(step)
            if step.target.kind not in (VIEW, LAKE):
                writing.records(result, step, pipeline.dead_letters, pipeline.query(step))
            elif step.target.kind == LAKE:
                writing.check(result, step)
        except PipelineError as error:
            wrong.append(f"{step.name}: {error}")
        except Exception as error:
            wrong.append(f"{step.name}: {sentence(error)}")
        else:
            fields = [each for each in result.schema.fields if not each.name.startswith("_")]
            found[step.name] = ", ".join(f"{each.name} {each.dataType.simpleString()}" for each in fields)
    return found, wrong
