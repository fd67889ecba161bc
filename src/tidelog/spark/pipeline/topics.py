"""The topics that a pipeline needs: those it reads must be there, those it writes are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tidelog.spark.pipeline.declare import COMPACTED, LAKE, STREAM, Source, Target
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.loading import Pipeline

PARTITIONS = 2


async def prepare(pipeline: Pipeline, settings: Mapping[str, str], suffix: str = "") -> list[str]:
    """Makes what is missing of the topics that are written; gives their names.

    `suffix` is that of a replay, which writes into outputs that hold nothing else.
    """
    from tidelog.client.admin import Admin

    async with Admin(settings) as admin:
        there = await admin.topics.all()
        written = pipeline.topics_written()
        missing = [each for each in pipeline.sources() if each.topic not in (*there, *written)]
        if missing:
            raise PipelineError(_how_to_create(missing))
        if suffix:
            _check_fresh(pipeline, suffix, there)
        made = []
        for name, partitions, configs in wanted(pipeline):
            if name + suffix not in there:
                await admin.topics.create(name + suffix, partitions=partitions, configs=configs)
                made.append(name + suffix)
        return made


def _how_to_create(missing: list[Source]) -> str:
    commands: dict[str, str] = {}
    for each in missing:
        compact = "" if each.kind == STREAM else " -c cleanup.policy=compact"
        commands.setdefault(each.topic, f"tide topic create {each.topic} -p 3{compact}")
    names = " and ".join(f"'{name}'" for name in commands)
    one = len(commands) == 1
    return (
        f"{'topic' if one else 'topics'} {names} {'does' if one else 'do'} not exist; create {'it' if one else 'them'} "
        f"with: {' && '.join(commands.values())}"
    )


def _check_fresh(pipeline: Pipeline, suffix: str, there: Collection[str]) -> None:
    from tidelog.spark.lake import tables

    found = [f"topic '{name + suffix}'" for name in pipeline.topics_written() if name + suffix in there]
    lakes = [step.target for step in pipeline.writers if step.target.kind == LAKE]
    places = [(each.format, output_name(each, suffix)) for each in lakes]
    found += [f"the lake table '{place}'" for format, place in places if tables.exists(format, place)]
    if found:
        raise PipelineError(f"{found[0]} is there already; give the replay another --suffix, or none")


def output_name(target: Target, suffix: str) -> str:
    """Of a replay's output. A dot divides the name of an Iceberg table: one more would mean another place."""
    return target.name + (suffix.replace(".", "_") if target.format == "iceberg" else suffix)


def wanted(pipeline: Pipeline) -> list[tuple[str, int, dict[str, str]]]:
    """Name, partitions and settings of every topic that the pipeline writes."""
    found: list[tuple[str, int, dict[str, Any]]] = []
    for step in pipeline.writers:
        target = step.target
        if target.kind == LAKE:
            continue
        configs = {"cleanup.policy": "compact"} if target.kind == COMPACTED else {}
        found += [(name, target.partitions or PARTITIONS, configs) for name in (target.name, *target.also)]
    return [*found, (pipeline.dead_letters, 1, {})]
